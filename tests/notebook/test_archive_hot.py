"""Finished entries of MEMORY.md move to the archive of the month."""

import pytest

from support.files import contents
from support.files import write as put

HOT = "# Memory\n\nmine\n\n- ✅ Done: the importer\n  with details\n- 🔄 the scanner\n\n```\n- ✅ Done: in code\n```\n"


@pytest.mark.seed("S1.250")
def test_a_dry_run_is_the_default(memory, root):
    """It says what would move, and whether the file stays within two hundred lines."""
    put(root, "MEMORY.md", HOT)
    before = contents(root)
    done = memory.archive_hot()
    assert (done.dry_run, done.archived, done.within_200_lines, contents(root)) == (
        True,
        ("Done: the importer",),
        True,
        before,
    )


@pytest.mark.seed("S1.250")
def test_finished_entries_move_after_a_backup(memory, root):
    """Backup, archive, stub; a second run moves none and writes nothing."""
    put(root, "MEMORY.md", HOT)
    done = memory.archive_hot(dry_run=False)
    assert (root / done.backup).read_text() == HOT
    assert "- ✅ Done: the importer\n  with details\n" in (root / done.archive).read_text()
    hot = (root / "MEMORY.md").read_text()
    assert (done.archive, "with details" in hot, "- ✅ Done: in code" in hot) == (
        "archive/MEMORY_ARCHIVE_2026_05.md",
        False,
        True,
    )
    before = contents(root)
    assert (memory.archive_hot(dry_run=False).archived, contents(root)) == ((), before)


@pytest.mark.seed("S1.250")
def test_a_run_that_was_killed_half_way_repeats_nothing(memory, root):
    """The archive had it already, the hot file had not lost it yet."""
    put(root, "MEMORY.md", HOT)
    done = memory.archive_hot(dry_run=False)
    put(root, "MEMORY.md", HOT)
    memory.archive_hot(dry_run=False)
    assert (root / done.archive).read_text().count("with details") == 1


def test_generated_blocks_are_not_entries(memory, root):
    """What memory wrote itself is its own to renew."""
    memory.remember("✅ Done: the importer was merged", pinned=True)
    memory.consolidate(force=True)
    assert memory.archive_hot(dry_run=False).archived == ()
