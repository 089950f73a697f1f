"""What nights do to a memory: the cap, words that people typed, layouts, and what a night never touches."""

import json
import os
import subprocess

import pytest

from memoracle.compose import init, open_memory
from memoracle.model.record import Kind, Status
from support.clock import FrozenClock
from support.files import PLAIN
from support.processes import PYTHON, surroundings
from support.stores import standing, texts

SURROUNDINGS = PLAIN | {"TZ": "UTC"}


def now(memory, predicate):
    return [
        record.statement.object
        for record in standing(memory.store).values()
        if record.status is Status.ACTIVE and record.statement.predicate == predicate
    ]


@pytest.mark.seed("S0.046", "F-09")
def test_beyond_the_cap_the_weakest_are_archived(root, clock):
    """The oldest and least important go; what is pinned and what never fades stays."""
    with open_memory(
        str(root), environment=SURROUNDINGS | {"MEMORACLE_MAX_ACTIVE": "5"}, clock=clock
    ) as memory:
        memory.remember("I am allergic to peanuts")
        memory.pin(memory.remember("the oldest of all, and pinned").id)
        for number in range(6):
            clock.move(days=1)
            memory.remember(f"box {number} stands in the cellar", importance=0.5)
        memory.consolidate()
        left = [r.text for r in standing(memory.store).values() if r.status is Status.ACTIVE]
    assert len(left) == 5
    assert {"I am allergic to peanuts", "the oldest of all, and pinned"} <= set(left)
    assert "box 0 stands in the cellar" not in left


@pytest.mark.seed("F-49", "S2.053")
@pytest.mark.parametrize(
    ("before", "after", "place"),
    [("I live in Boston.", "I moved to Hangzhou.", "Hangzhou"), ("我住在波士顿。", "我搬到杭州了。", "杭州")],
)
def test_what_people_typed_meets_what_they_typed_before(memory, clock, before, after, place):
    """Remembered, not overheard: the words get their slot at night, and the new ones replace the old."""
    old = memory.remember(before)
    clock.move(days=30)
    memory.remember(after)
    clock.move(hours=12)
    memory.consolidate()
    assert now(memory, "lives_in") == [place]
    ended = memory.show(old.id)
    assert (ended.status, ended.text) == (Status.SUPERSEDED, before)


def test_a_key_has_one_value(memory, clock):
    """A later value of the same key takes the place of the earlier one."""
    memory.remember("", key="db.port", value="5432")
    clock.move(days=1)
    memory.remember("", key="db.port", value="5433")
    clock.move(days=1)
    memory.consolidate()
    active = [r.statement.value for r in standing(memory.store).values() if r.status is Status.ACTIVE]
    assert active == ["5433"]


def test_typed_words_are_read_once(memory, clock):
    """Nights that follow leave the record as it is."""
    kept = memory.remember("I live in Boston.")
    clock.move(days=1)
    memory.consolidate()
    versions = memory.show(kept.id).version
    clock.move(days=1)
    memory.consolidate(force=True)
    assert memory.show(kept.id).version == versions


def test_a_night_can_be_undone(memory, clock, tmp_path):
    """One operation: everything a run wrote is taken back together."""
    chat = tmp_path / "chat.jsonl"
    said = {"role": "user", "content": "I'm allergic to peanuts", "timestamp": "2026-05-14T10:00:00Z"}
    chat.write_text(json.dumps(said) + "\n", encoding="utf-8")
    memory.ingest(str(chat), embed=False)
    run = memory.consolidate()
    assert texts(memory.store) == ["I'm allergic to peanuts"]
    memory.undo(run.operation)
    assert {r.status for r in standing(memory.store).values()} == {Status.RETRACTED}


@pytest.mark.seed("S2.136")
def test_what_is_undecided_waits_and_can_be_seen(memory, tmp_path):
    """Without a model nothing is lost and nothing is blocked."""
    chat = tmp_path / "chat.jsonl"
    said = {
        "role": "user",
        "content": "We talked about the attic once more.",
        "timestamp": "2026-05-14T10:00:00Z",
    }
    chat.write_text(json.dumps(said) + "\n", encoding="utf-8")
    memory.ingest(str(chat), embed=False)
    memory.consolidate()
    assert [one.fragment.text for one in memory.pending().waiting] == [said["content"]]


@pytest.mark.seed("S2.075", "S0.004")
def test_a_whole_night_asks_no_model_and_opens_no_socket(root, tmp_path):
    """From the transcript to the health file with rules alone, in a Python that can open nothing."""
    chat = tmp_path / "chat.jsonl"
    said = {"role": "user", "content": "我对花生过敏", "timestamp": "2026-05-14T10:00:00Z"}
    chat.write_text(json.dumps(said, ensure_ascii=False) + "\n", encoding="utf-8")
    code = (
        "import socket, sys, os, subprocess\n"
        "def refuse(*_, **__): raise AssertionError('it reached outside')\n"
        "socket.socket = socket.create_connection = refuse\n"
        "subprocess.Popen = os.system = os.execv = os.fork = refuse\n"
        "from memoracle.interfaces.cli import main\n"
        "root, chat = sys.argv[1:]\n"
        "sys.exit(main(['--root', root, 'ingest', chat, '--no-embed']) or main(['--root', root, 'consolidate']))"
    )
    done = subprocess.run(
        [PYTHON, "-c", code, str(root), str(chat)],
        capture_output=True, text=True, check=False, env=surroundings(MEMORACLE_RECIPE="quick"),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    with open_memory(str(root), environment=SURROUNDINGS) as memory:
        found = next(iter(standing(memory.store).values()))
    assert (found.kind, found.weight.importance) == (Kind.HEALTH, 1.0)


@pytest.mark.seed("S0.126")
def test_a_night_writes_inside_the_root_alone(root, tmp_path):
    """Seen from the kernel: every file that is opened for writing stands under the root, but the mark of a state of
    this machine's own, which must not travel with it."""
    import shutil

    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    chat = tmp_path / "chat.jsonl"
    chat.write_text(json.dumps({"role": "user", "content": "I live in Boston."}) + "\n", encoding="utf-8")
    log = tmp_path / "calls"
    for words in (["ingest", str(chat), "--no-embed"], ["consolidate"], ["health"]):
        subprocess.run(
            ["strace", "-f", "-qq", "-e", "trace=openat,rename,unlink,mkdir", "-o", str(log),
             PYTHON, "-B", "-m", "memoracle", "--root", str(root), *words],
            check=True, capture_output=True, env=surroundings(MEMORACLE_RECIPE="quick", TMPDIR=str(root)),
        )  # fmt: skip
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            if any(flag in line for flag in ("O_WRONLY", "O_RDWR", "rename(", "unlink(", "mkdir(")):
                path = line.split('"')[1]
                inside = (
                    os.path.realpath(path).startswith(os.path.realpath(root)) or "memoracle/states" in path
                )
                assert inside or path.startswith("/dev/") or "= -1 " in line, line


@pytest.mark.seed("S0.010", "S0.015", "S0.016", "S2.014", "S2.015", "S2.016")
@pytest.mark.parametrize("layout", ["native", "vm-oracle", "memory-system", "v4", "openclaw", "clawseat"])
def test_a_night_in_every_layout(tmp_path, layout):
    """Records, hot file, digest and health stand where that layout puts them; five nights change nothing more."""
    root, chat = tmp_path / "root", tmp_path / "chat.jsonl"
    init(str(root), layout=layout, environment={})
    said = [
        {"role": "user", "content": text, "timestamp": "2026-05-14T10:00:00Z"}
        for text in (
            "I'm allergic to peanuts",
            "My sister Anna works at Siemens.",
            "We decided to use Postgres.",
        )
    ]
    chat.write_text("".join(json.dumps(one) + "\n" for one in said), encoding="utf-8")
    with open_memory(str(root), environment=SURROUNDINGS, clock=FrozenClock()) as memory:
        memory.ingest(str(chat), embed=False)
        memory.consolidate()
        kept = {r.text for r in standing(memory.store).values()}
        assert "I'm allergic to peanuts" in kept
        assert "peanuts" in (root / "MEMORY.md").read_text(encoding="utf-8")
        expected = {
            "vm-oracle": ["knowledge-graph/entities.jsonl", "knowledge-graph/relations.jsonl", "activation-metadata.json", "health.json"],
            "memory-system": ["layer1/snapshot.md", "state/rankings.json", "layer2/entities/_index.json", "layer2/index/timeline.json"],
        }.get(layout, [])  # fmt: skip
        assert [path for path in expected if not (root / path).exists()] == []
        before = {
            p: p.read_bytes()
            for p in root.rglob("*")
            if p.is_file() and "index" not in p.parts and p.suffix == ".md"
        }
        for _ in range(4):
            memory.consolidate(force=True)
        assert {p: p.read_bytes() for p in before} == before


def test_what_is_forgotten_does_not_wait_in_an_interrupted_run(opened):
    """The sentences that a killed run held go with the record; the next run reads on."""

    def dies(name, _number, _total):
        if name == "extract":
            raise KeyboardInterrupt

    kept = opened.remember("I'm allergic to peanuts")
    with pytest.raises(KeyboardInterrupt):
        opened.consolidate(watch=dies)
    state = os.path.join(opened.store.root, "state", "consolidation.json")
    with open(state, encoding="utf-8") as file:
        assert "peanuts" in file.read()
    opened.forget([kept.id])
    with open(state, encoding="utf-8") as file:
        assert "peanuts" not in file.read()
    assert not opened.consolidate().skipped
