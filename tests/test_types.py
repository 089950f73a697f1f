"""What a type checker and a caller learn from the public names."""

import subprocess
import sys

import pytest

import memoracle
from memoracle import Filters, Scope, make_draft
from support.processes import surroundings

SNIPPET = """\
import memoracle
from memoracle import Filters, Memory, Scope, make_draft

def use(memory: Memory) -> str:
    memory.serch("x")  # E
    memory.remember("x", nonsense=3)  # E
    memory.remember("x", importance="high")  # E
    memory.recall("q", limt=5)  # E
    memory.edit("mem_1", txt="x")  # E
    memory.supersede("mem_1", "x", improtance=1)  # E
    memory.drift("garden", scoop=2.0)  # E
    memory.seats.write_page(kind="finding", titel="x")  # E
    memory.seats.close_page("page", stats="resolved")  # E
    memory.seats.log_decision("garden", "task", "title", "detail", reson="x")  # E
    memory.seats.deliver("task", {}, to="planner", sumary="x")  # E
    memory.seats.dispatch("task", source="a", title="t", objective="o", test_policy="p", rol="x")  # E
    memory.seats.complete("task", seat="builder", verdit="PASS")  # E
    memory.seats.condense("garden", aftr=2)  # E
    memoracle.open_memry("x")  # E
    Filters(scope={"user": "ann"})  # E
    make_draft("x", kynd="fact")  # E
    memory.remember(make_draft("x", tags=["a"]))
    memory.remember("x", tags=["a"], importance=0.5, user="ann")
    return memory.search("q", filters=Filters(reader=Scope(user="ann"))).hits[0].passage.text

with memoracle.open_memory("x") as opened:
    reveal_type(opened)
"""


def test_a_type_checker_sees_every_public_name(tmp_path):
    """What is misspelt is an error, what is right is not, and nothing is `Any`."""
    names = "\n".join(f"reveal_type(memoracle.{name})" for name in memoracle.__all__)
    (tmp_path / "app.py").write_text(SNIPPET)
    (tmp_path / "names.py").write_text(f"import memoracle\n{names}\n")
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", "app.py", "names.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env=surroundings(),
    ).stdout
    found = {int(line.split(":")[1]) for line in told.splitlines() if ": error:" in line}
    wanted = {number for number, line in enumerate(SNIPPET.splitlines(), 1) if "# E" in line}
    assert found == wanted, told
    assert 'Revealed type is "memoracle.memory.Memory"' in told
    assert told.count("Revealed type") == len(memoracle.__all__) + 1
    assert '"Any"' not in told, told


def test_every_public_name_is_there_and_loaded_late():
    """The list that checkers read and the names that are loaded are the same; importing loads none of them."""
    assert all(getattr(memoracle, name) is not None for name in memoracle.__all__)
    assert set(dir(memoracle)) == set(memoracle.__all__)
    code = (
        "import memoracle, sys; print(sorted(name for name in sys.modules if name.startswith('memoracle.')))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=surroundings()
    ).stdout
    assert loaded.strip() == "[]"


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.remember("x", nonsense=3),
        lambda memory: memory.remember(make_draft("x"), tags=["a"]),
        lambda memory: memory.recall("q", limt=5),
        lambda memory: memory.edit("mem_1", txt="x"),
        lambda memory: memory.drift("garden", scoop=1),
        lambda memory: Filters(scope={"user": "ann"}),
        lambda memory: Filters(reader="ann"),
    ],
)
def test_a_keyword_nobody_knows_is_refused(memory, call):
    """Nothing is passed over in silence."""
    with pytest.raises(TypeError):
        call(memory)


@pytest.fixture
def shared(memory):
    memory.remember("I love espresso", user="ann")
    memory.remember("I love tea", user="bob")
    memory.remember("The office closes at six and people love it")
    return memory


@pytest.mark.parametrize("verb", ["search", "recall"])
def test_a_reader_sees_their_own_and_everybodys(shared, verb):
    """One open memory serves several users: the reader of a question is named with it."""

    def seen(name):
        found = getattr(shared, verb)("love", filters=Filters(reader=Scope(user=name)))
        return {hit.passage.text for hit in (*found.hits, *found.near)}

    office = "The office closes at six and people love it"
    assert seen("ann") == {"I love espresso", office}
    assert seen("bob") == {"I love tea", office}
    listed = shared.list(limit=10, filters=Filters(reader=Scope(user="ann")))
    assert {hit.passage.text for hit in listed} == {"I love espresso", office}


def test_a_memory_open_for_one_user_is_not_read_as_another(shared, root):
    """Filters narrow what a memory is open for; they never widen it."""
    with memoracle.open_memory(str(root), environment={"MEMORACLE_USER": "ann"}) as anns:
        with pytest.raises(memoracle.MemoracleError) as refused:
            anns.search("love", filters=Filters(reader=Scope(user="bob")))
        assert refused.value.code == "beyond-scope"
        found = anns.search("love", filters=Filters(reader=Scope(agent="helper")))
        assert "I love tea" not in {hit.passage.text for hit in (*found.hits, *found.near)}
