"""Safe repairs: what people wrote is never lost, what was mended stays mended, what cannot be is told."""

import os
from datetime import UTC, datetime

import pytest

from memoracle.compose import open_memory
from support.files import PLAIN, contents, write
from support.processes import run_here, surroundings

BUFFER, TODAY = "notes/working-buffer.md", "notes/daily/2026-05-15.md"
SEMANTIC = "notes/semantic/garden.md"


@pytest.fixture
def memory(root, clock):
    with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as opened:
        yield opened


def failing(health):
    return [check.id for check in health.checks if not check.ok]


def touched(root, path, text, day="2026-05-10"):
    place = write(root, path, text)
    moment = datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC).timestamp()
    os.utime(place, (moment, moment))
    return place


@pytest.mark.seed("S3.030", "F-63")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# Garden\n\nRoses.\n", "# Garden\n#tags: garden\n> last_verified: 2026-05-10\n\nRoses.\n"),
        ("# 花园\n\n玫瑰。\n", "# 花园\n#tags: garden\n> last_verified: 2026-05-10\n\n玫瑰。\n"),
        ("Roses.", "# garden\n#tags: garden\n> last_verified: 2026-05-10\n\nRoses."),
        ("", "# garden\n#tags: garden\n> last_verified: 2026-05-10\n\n"),
        ("# G\n\n#tags: old\n\nx\n", "# G\n#tags: old\n> last_verified: 2026-05-10\n\n\nx\n"),
        ("# G\r\nx\r\n", "# G\r\n#tags: garden\r\n> last_verified: 2026-05-10\r\nx\r\n"),
        (
            "---\ntitle: G\n---\n# G\nx\n",
            "---\ntitle: G\n---\n# G\n#tags: garden\n> last_verified: 2026-05-10\nx\n",
        ),
        ("\ufeff# G\nx", "\ufeff# G\n#tags: garden\n> last_verified: 2026-05-10\nx"),
    ],
)
def test_a_note_gets_its_tags_and_its_date(memory, root, before, after):
    """On their lines; the date is that of the last edit, for nobody has verified the note since."""
    place = touched(root, SEMANTIC, before)
    found = memory.health(fix=True)
    assert (place.read_bytes().decode(), failing(found)) == (after, [])


def test_a_stale_date_is_left_to_its_owner(memory, root):
    """A program cannot verify what a person knows."""
    text = "# G\n#tags: x\n> last_verified: 2020-01-01\n"
    place = write(root, SEMANTIC, text)
    assert (failing(memory.health(fix=True)), place.read_text()) == (["last-verified"], text)


@pytest.mark.seed("S3.024", "S3.069")
def test_an_old_daily_note_is_closed(memory, root):
    """With four lines of its own day; that of today is still being written."""
    old = write(root, "notes/daily/2026-05-13.md", "# 2026-05-13\n\n雨。")
    now = write(root, TODAY, "# 2026-05-15\n\nsun\n")
    assert failing(memory.health(fix=True)) == []
    assert old.read_text() == (
        "# 2026-05-13\n\n雨。\n\nUpdated: 2026-05-13\nDecisions: none noted\nSignal: none noted\nOpen: none\n"
    )
    assert now.read_text() == "# 2026-05-15\n\nsun\n"


@pytest.mark.seed("S3.026", "S3.064", "S3.065", "F-64")
def test_an_oversize_buffer_moves_into_the_note_of_today(memory, root):
    """Before the closing lines; the buffer begins anew with its header of four lines."""
    entries = "".join(f"- 第{number}件事 entry {number}\n" for number in range(90))
    write(
        root, BUFFER, f"# Working Buffer\ncreated: 2026-05-15\nlast_active: 2026-05-15T09:29:00Z\n\n{entries}"
    )
    write(root, TODAY, "# 2026-05-15\n\nsun\n\nUpdated: x\nDecisions: x\nSignal: x\nOpen: x\n")
    found = memory.health(fix=True)
    note = (root / TODAY).read_text()
    assert [step.act for step in found.mended.steps] == ["empty"]
    assert (entries in note, note.endswith("Updated: x\nDecisions: x\nSignal: x\nOpen: x\n")) == (True, True)
    assert (root / BUFFER).read_text() == (
        "# Working Buffer\ncreated: 2026-05-15T09:30:00.000000Z\nlast_active: 2026-05-15T09:30:00.000000Z\n\n"
    )


def test_a_buffer_that_nobody_works_with_is_emptied(memory, root):
    """Its lines are found in the notes."""
    write(
        root,
        BUFFER,
        "# Working Buffer\ncreated: 2026-05-14\nlast_active: 2026-05-14T18:00:00Z\n\n- 记得买牛奶\n",
    )
    assert failing(memory.health(fix=True)) == []
    assert "- 记得买牛奶\n" in (root / TODAY).read_text()


def test_an_interrupted_rotation_is_finished(memory, root):
    """Its lines stand in the note, once; nothing is left beside the buffer."""
    write(root, BUFFER + ".pending", "# Working Buffer\n\n- 记得买牛奶\n")
    assert failing(memory.health(fix=True)) == []
    assert (root / TODAY).read_text().count("- 记得买牛奶\n") == 1
    assert not (root / (BUFFER + ".pending")).exists()


@pytest.mark.seed("S0.124")
def test_mending_twice_is_mending_once(memory, root):
    """The second time nothing is done and not a byte is different."""
    touched(root, SEMANTIC, "Roses.\n")
    write(root, "notes/daily/2026-05-13.md", "rain\n")
    memory.health(fix=True)
    before = contents(root, skip=("index", "state"))
    again = memory.health(fix=True)
    assert (again.mended.steps, contents(root, skip=("index", "state"))) == ((), before)


def test_damage_is_mended_too(memory, root):
    """Whatever `repair` sets aside, `health --fix` sets aside."""
    memory.remember("the cat is called Miso")
    with (root / "records/facts.jsonl").open("ab") as file:
        file.write(b"garbage\n")
    assert memory.health().status == "critical"
    found = memory.health(fix=True)
    assert (found.status, [step.act for step in found.mended.steps]) == ("healthy", ["set aside"])


def test_a_loss_is_not_accepted_by_itself(memory, root):
    """Lines that vanished may be in a copy somewhere: `repair` accepts the loss, `health --fix` does not."""
    for number in range(3):
        memory.remember(f"record {number}")
    lines = (root / "records/facts.jsonl").read_bytes().splitlines(keepends=True)
    (root / "records/facts.jsonl").write_bytes(lines[0] + lines[2])
    assert (memory.health(fix=True).status, memory.health().status) == ("critical", "critical")


def test_a_note_that_cannot_be_mended_is_told(memory, root):
    """The rest goes on."""
    touched(root, SEMANTIC, "Roses.\n")
    locked = write(root, "notes/semantic/locked.md", "x\n")
    locked.chmod(0o400)
    found = memory.health(fix=True)
    assert {one.path for one in found.mended.findings} == {"notes/semantic/locked.md"}
    assert (root / SEMANTIC).read_text().startswith("# garden\n#tags: garden\n")


def test_a_dry_run_changes_nothing(root):
    """The plan, each step with its reason."""
    env = surroundings(MEMORACLE_RECIPE="quick")
    write(root, SEMANTIC, "Roses.\n")
    run_here("--root", root, "status", env=env)
    before = contents(root)
    status, out, _ = run_here("--root", root, "health", "--fix", "--dry-run", env=env)
    assert (status, f"add tags {SEMANTIC}: it has no tags" in out, contents(root)) == (0, True, before)
