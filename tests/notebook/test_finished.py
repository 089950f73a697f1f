"""Finished entries of a hot file, and the stubs they leave."""

import pytest

from memoracle.extensions.notebook.finished import sort_out

HOT = """# Memory

Some words of mine.

- ✅ MERGED: the importer reads v4 roots
  with a second line
  - and a detail
- 🔄 active: the scanner ✅ Done in part
- ✅ Done: half of it
  - [ ] the other half
- plain entry
- 登录页 ✅ 完成

## ✅ PASS: the release rehearsal

Everything about it.

### Notes

More.

## Plans

- ✅ looks nice
"""


@pytest.mark.seed("S1.250")
def test_finished_entries_leave_a_stub():
    """Items with what hangs on them, sections with everything under them; what is active in any part stays."""
    found = sort_out(HOT, "archive/MEMORY_ARCHIVE_2026_05.md")
    assert [entry.title for entry in found.entries] == [
        "MERGED: the importer reads v4 roots",
        "登录页 完成",
        "PASS: the release rehearsal",
    ]
    assert found.text.count("](archive/MEMORY_ARCHIVE_2026_05.md)") == 3
    assert [line for line in ("and a detail", "More.") if line in found.text] == []
    assert [
        line
        for line in (
            "active: the scanner",
            "the other half",
            "plain entry",
            "## Plans",
            "looks nice",
            "words of mine",
        )
        if line not in found.text
    ] == []


@pytest.mark.seed("S1.250")
def test_a_second_look_finds_nothing():
    """A stub is no entry."""
    once = sort_out(HOT, "archive/MEMORY_ARCHIVE_2026_05.md").text
    assert sort_out(once, "archive/MEMORY_ARCHIVE_2026_06.md").entries == ()


def test_hidden_lines_are_left_alone():
    """Generated blocks and code are nobody's entries."""
    text = "- ✅ Done: a\n- ✅ Done: b\n"
    assert [entry.title for entry in sort_out(text, "x", {0}).entries] == ["Done: b"]
