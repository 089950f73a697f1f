"""Notes of a v4 directory, tended: homes for what was accepted, a buffer that rotates by itself, commits by consent."""

import subprocess

import pytest

from memoracle.compose import init, open_memory
from memoracle.extensions.notebook.buffer import rotate_when_due
from memoracle.learn.review import NOTHING
from support.clock import START
from support.files import PLAIN, contents, write
from support.stores import a_store

DAY = "memory/episodic/2026-05-14.md"
NOTE = (
    "# 2026-05-14\n\n- Decision: no ORM.\n- **Lesson**: label every cable.\n\n"
    "Updated: 2026-05-14\nDecisions: none\nSignal: none\nOpen: none\n"
)
HOME = "memory/semantic/decisions.md"
BUFFER = "memory/working-buffer.md"


@pytest.fixture
def place(tmp_path):
    init(str(tmp_path / "workspace"), layout="v4", environment={})
    return tmp_path / "workspace"


def opened(place, clock, **more):
    return open_memory(str(place), environment=PLAIN | {"TZ": "UTC"} | more, clock=clock)


@pytest.mark.seed("S3.022", "S3.027", "C-16")
def test_what_is_accepted_stands_in_its_home_and_undo_takes_it_out(place, clock):
    """Each with a link to its day; what the owner added to the home meanwhile stays."""
    write(place, DAY, NOTE)
    with opened(place, clock) as memory:
        items = memory.review().items
        assert [item.proposal for item in items] == ["lesson: label every cable.", "decision: no ORM."]
        memory.accept([item.id for item in items])
        assert "- 2026-05-14: no ORM. ([[2026-05-14]])\n" in (place / HOME).read_text()
        lessons = (place / "memory/procedural/lessons-learned.md").read_text()
        assert lessons.split("\n")[1:] == [
            "#tags: postmortem", "> last_verified: 2026-05-15", "", "- label every cable. ([[2026-05-14]])", "",
        ]  # fmt: skip
        assert memory.review().items == ()
        write(place, HOME, (place / HOME).read_text() + "- mine\n")
        memory.undo()
        assert ("no ORM" in (place / HOME).read_text(), "- mine\n" in (place / HOME).read_text()) == (
            False,
            True,
        )


def test_what_stands_in_its_home_is_not_asked_about(place, clock):
    """Whoever wrote it there."""
    write(place, DAY, NOTE)
    write(place, HOME, "# D\n#tags: rules\n> last_verified: 2026-05-14\n\n- 2026-05-01: No ORM\n")
    write(
        place,
        "memory/procedural/cables.md",
        "# C\n#tags: tasks\n> last_verified: 2026-05-14\n\nLabel every cable.\n",
    )
    with opened(place, clock) as memory:
        assert memory.review().items == ()


def test_other_layouts_keep_records_alone(memory, root):
    """Where the design names no homes, no note is written."""
    write(root, "notes/daily/2026-05-14.md", "# D\n\n- Decision: no ORM.\n")
    before = {name for name in contents(root) if name.endswith(".md")}
    (item,) = memory.review().items
    memory.accept([item.id])
    assert {name for name in contents(root) if name.endswith(".md")} - before <= {"MEMORY.md"}


@pytest.mark.seed("S3.026", "S3.027")
@pytest.mark.parametrize(
    ("lines", "active", "stale", "moved"),
    [
        (90, "2026-05-15T04:00:00Z", False, True),
        (90, "2026-05-15T09:00:00Z", False, False),  # in the middle of a task
        (20, "2026-05-15T04:00:00Z", False, False),
        (20, "2026-05-15T04:00:00Z", True, True),
        (90, "", False, True),
    ],
)
def test_a_full_buffer_rotates_once_it_rests(place, lines, active, stale, moved):
    """Its owner's title stays, and every line stands in the note of the day."""
    said = "".join(f"- entry {number}\n" for number in range(lines))
    write(place, BUFFER, f"# 缓冲\n{f'last_active: {active}' if active else ''}\n\n{said}")
    store = a_store(place, layout="v4")
    with store.writing():
        from datetime import UTC

        done = rotate_when_due(store, most=80, now=START, zone=UTC, stale=stale)
    assert bool(done.steps) is moved
    day = place / "memory/episodic/2026-05-15.md"
    assert day.exists() is moved
    if moved:
        assert (said in day.read_text(), (place / BUFFER).read_text().split("\n")[0]) == (True, "# 缓冲")


def test_upkeep_mends_the_notes(place, clock):
    """Tags, a date and closing lines, every six hours; a second look changes nothing."""
    write(place, "memory/semantic/garden.md", "# Garden\n\nRoses.\n")
    write(place, DAY, "# 2026-05-14\n\n- rain\n")
    with opened(place, clock) as memory:
        (ran,) = memory.tend(job="health").ran
        assert ran.says.startswith("3 notes mended; ")
        after = contents(place)
        memory.tend(job="health")
        assert {name: text for name, text in contents(place).items() if name.endswith(".md")} == {
            name: text for name, text in after.items() if name.endswith(".md")
        }
        assert not [
            check.id for check in memory.health().checks if check.id == "closure-blocks" and not check.ok
        ]


@pytest.mark.seed("S3.048")
def test_a_commit_is_made_where_its_owner_set_it(place, clock):
    """Otherwise the review says that there is none; what else lies there, or holds a secret, is not taken along."""

    def git(*words):
        return subprocess.run(
            ["git", "-C", str(place), *words], capture_output=True, text=True, check=True
        ).stdout

    git("init", "-q")
    write(place, DAY, "# 2026-05-14\n\n- rain\n")
    write(place, "other.txt", "mine\n")
    write(place, "memory/episodic/2026-05-13.md", "# 2026-05-13\n\nthe password: hunter2secretXY9\n")
    with opened(place, clock) as memory:
        assert any("changed since the last commit" in one for one in memory.review().left)
        memory.tend(job="health")
        assert git("rev-list", "--all") == ""
    with opened(place, clock, MEMORACLE_COMMIT="upkeep") as memory:
        memory.tend(job="health")
        known = git("ls-files").split()
        assert (DAY in known, "other.txt" in known, "memory/episodic/2026-05-13.md" in known) == (
            True,
            False,
            False,
        )
        assert any("it holds a secret" in one for one in memory.review().left)


@pytest.mark.seed("S3.008")
def test_an_archived_day_is_found_when_asked_for(place, clock):
    """It moves out of what is read at the start, not out of memory."""
    write(place, "memory/episodic/2026-03-20.md", "# 2026-03-20\n\n- the zebra lamp cost 40 euros\n")
    with opened(place, clock) as memory:
        memory.consolidate(phase="retain")
        (hit,) = memory.search("zebra lamp").hits
    assert hit.passage.ref.startswith("memory/archive/2026/03/2026-03-20.md")


def test_a_review_says_nothing_of_change_above_questions(place, clock):
    """What waits is counted; a quiet week has the design's own words."""
    with opened(place, clock) as memory:
        memory.review()
        assert memory.review().message == NOTHING
        write(place, DAY, NOTE)
        memory.review()
        assert memory.review().message == "Nothing new; 2 wait for you"
