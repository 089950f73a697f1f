"""One page out of many: it cites, names who is missing, and never copies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.errors import BadInput
from memoracle.extensions.seats.federation.synthesis import RUN, copied, synthesise
from memoracle.extensions.seats.model import Page
from seats.people import write
from support.files import write as put

LONG = "The import job holds the write lock while it parses the whole file and so nobody else can write for a minute."


@pytest.fixture
def pages(memory):
    write(memory, seat="builder", title="Lock while importing", body=LONG, task_id="ARENA-228")
    extra = {"severity": "HIGH"}
    write(
        memory,
        seat="reviewer",
        kind="finding",
        title="Import blocks",
        body=f"As seen: {LONG}",
        task_id="ARENA-228",
        extra=extra,
    )
    write(memory, seat="planner", title="Colours", body="The buttons are blue.")
    return memory


@pytest.mark.seed("S1.015", "S1.018", "S1.021")
def test_a_synthesis_cites_and_is_memorys_own(pages):
    """Path, title, status, day and owner of each source, and both sides of a task."""
    made, written = pages.seats.synthesize("arena", "import lock")
    page = pages.seats.page(written.id)
    assert (written.owner, page.path.startswith("projects/arena/finding/")) == ("memory@arena", True)
    assert [one["source_url"].partition("#")[0] for one in page.evidence] == [
        one.path for one in made.sources
    ]
    assert "a decision stands beside an open risk" in page.body
    for source in made.sources:
        row = next(line for line in page.body.split("\n") if f"[[{source.path.removesuffix('.md')}]]" in line)
        assert all(part in row for part in (source.title, source.status, "2026-05-15", source.seat))


@pytest.mark.seed("S1.021")
def test_a_synthesis_never_copies(pages):
    """No run of more than twelve words of a source stands in it."""
    made, _ = pages.seats.synthesize("arena")
    assert (len(made.sources), copied(made.body, made.sources)) == (3, [])


@pytest.mark.seed("S1.021")
@given(st.lists(st.text(min_size=1, max_size=300), min_size=1, max_size=4), st.text(max_size=80))
def test_whatever_the_sources_say(bodies, topic):
    """Even when a title is the first line of its body."""
    sources = [
        Page(
            id=str(n), path=f"projects/p/builder/{n}.md", ts=None, project="p", seat="builder", kind="decision",
            title=body.split("\n")[0][:200], status="open", body=f"{body} " * 3,
        )
        for n, body in enumerate(bodies)
    ]  # fmt: skip
    made = synthesise("p", topic, sources, [])
    own = made.body.split("\n")
    assert [run for line in own for run in copied(line, sources)] == []


def test_a_copy_is_seen():
    """The check can fail: thirteen words in a row are one."""
    words = [f"w{n}" for n in range(RUN + 1)]
    page = Page(
        id="1",
        path="p",
        ts=None,
        project="p",
        seat="s",
        kind="k",
        title="t",
        status="open",
        body=" ".join(words),
    )
    assert (copied(" ".join(words), [page]), copied(" ".join(words[:-1]), [page])) == ([" ".join(words)], [])
    chinese = Page(
        id="1",
        path="p",
        ts=None,
        project="p",
        seat="s",
        kind="k",
        title="t",
        status="open",
        body="一二三四五六七八九十甲乙丙丁",
    )
    assert copied("他说：一二三四五六七八九十甲乙丙", [chinese])


@pytest.mark.seed("S1.023")
def test_what_a_peer_delivered_is_cited_and_not_stored(pages, root):
    """Its delivery is a source; neither its text nor its receipt stands in a page."""
    folder = "tasks/arena/peer-deliveries/team-b"
    put(root, f"{folder}/DELIVERY.md", f"---\ntask_id: ARENA-228\n---\n# Patch\n\n{LONG}\n")
    put(root, f"{folder}/receipt.json", '{"status": "completed", "kind": "completion"}')
    made, written = pages.seats.synthesize("arena", "ARENA-228")
    body = pages.seats.page(written.id).body
    assert ("peer team-b, undated, delivery for ARENA-228, completed" in body, len(made.sources)) == (True, 3)
    assert (copied(body, made.sources), "completion" in body) == ([], False)


@pytest.mark.seed("S1.022")
def test_missing_seats_are_named(pages):
    """As what they are."""
    made, written = pages.seats.synthesize("arena", seats=["builder", "designer"])
    assert (made.missing, "- designer: not_in_federated_kb" in pages.seats.page(written.id).body) == (
        ("designer",),
        True,
    )


def test_only_what_is_about_the_topic(pages):
    """Found by the same recall as any answer; a task's name finds its pages."""
    made, _ = pages.seats.synthesize("arena", "blue buttons", dry_run=True)
    by_task, _ = pages.seats.synthesize("arena", "ARENA-228", dry_run=True)
    assert ([one.title for one in made.sources], len(by_task.sources)) == (["Colours"], 2)


def test_nothing_to_say_writes_nothing(memory):
    """A project without pages has no synthesis."""
    made, written = memory.seats.synthesize("arena", "lock")
    assert (made.missing, written, memory.seats.pages()) == (
        ("builder", "patrol", "planner", "reviewer"),
        None,
        [],
    )


def test_a_dry_run_writes_nothing(pages):
    """It shows the page."""
    made, _ = pages.seats.synthesize("arena", "lock", dry_run=True)
    assert (bool(made.body), pages.seats.pages(seat="memory")) == (True, [])


def test_the_same_synthesis_is_the_same_page(pages):
    """Asking twice makes one page."""
    assert pages.seats.synthesize("arena")[1].id == pages.seats.synthesize("arena")[1].id


@pytest.mark.seed("S1.035")
def test_only_memory_synthesises(root, clock):
    """A builder has no place for it."""
    from memoracle.compose import open_memory
    from memoracle.extensions.seats.errors import NotYourPlace

    with open_memory(str(root), environment={"MEMORACLE_SEAT": "builder"}, clock=clock) as memory:
        write(memory, seat="builder")
        with pytest.raises(NotYourPlace):
            memory.seats.synthesize("arena")


def test_a_synthesis_is_a_finding_or_a_decision(pages):
    """Nothing else."""
    with pytest.raises(BadInput):
        pages.seats.synthesize("arena", kind="task")
