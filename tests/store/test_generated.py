"""A generated block stands in its owner's note, and not a byte of the owner's text ever changes."""

import gzip
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.store.disk import DiskVolume
from memoracle.store.generated import (
    begin_marker,
    blocks_in,
    end_marker,
    generated_lines,
    owners_text,
    put_block,
    strike,
    with_block,
)
from memoracle.store.loading import load_note
from memoracle.store.notes import end_of_body
from support.stores import a_store

CLOSURE = "Updated: 2026-05-15\nDecisions: none\nSignal: none\nOpen: none\n"
BEGIN, END = begin_marker("hot"), end_marker("hot")


@pytest.fixture
def root(tmp_path):
    return tmp_path


def put(root, text, path="MEMORY.md", name="hot", **how):
    return put_block(DiskVolume(str(root)), path, name, lambda _before, _owners: text, **how)


def test_a_missing_file_is_made(root):
    """With what it should begin with, and the block."""
    done = put(root, "- a", fresh="# Memory\n\n")
    assert (done.changed, (root / "MEMORY.md").read_text()) == (True, f"# Memory\n\n{BEGIN}\n- a\n{END}\n")


def test_no_file_is_made_for_nothing(root):
    """An empty block of a note that is not there."""
    assert (put(root, "").changed, (root / "MEMORY.md").exists()) == (False, False)


@pytest.mark.seed("C-09")
def test_a_missing_block_comes_behind_the_owners_text(root):
    """Every byte of it stays, a missing last newline gets one."""
    (root / "MEMORY.md").write_text("# Mine\n\nwords")
    put(root, "- a")
    assert (root / "MEMORY.md").read_text() == f"# Mine\n\nwords\n\n{BEGIN}\n- a\n{END}\n"


def test_a_block_is_replaced_where_its_owner_put_it(root):
    """Text before and after it stays."""
    (root / "MEMORY.md").write_text(f"before\n{BEGIN}\n- old\n- older\n{END}\nafter, without an end")
    put(root, "- new")
    assert (root / "MEMORY.md").read_text() == f"before\n{BEGIN}\n- new\n{END}\nafter, without an end"


def test_the_same_again_writes_nothing(root):
    """Not even the file's time changes."""
    put(root, "- a")
    before = os.stat(root / "MEMORY.md")
    again = put(root, "- a")
    after = os.stat(root / "MEMORY.md")
    assert (again.changed, before.st_mtime_ns, before.st_ino) == (False, after.st_mtime_ns, after.st_ino)


def test_the_closing_lines_of_a_daily_note_stay_last(root):
    """The block is put before them."""
    (root / "day.md").write_text(f"# 2026-05-15\n\n## 09:00 Talk\n- words\n\n{CLOSURE}")
    put(root, "- a", "day.md", "digest")
    text = (root / "day.md").read_text()
    assert text.endswith(f"{end_marker('digest')}\n\n{CLOSURE}")
    assert owners_text(text).replace(
        "\n", ""
    ) == f"# 2026-05-15\n\n## 09:00 Talk\n- words\n\n{CLOSURE}".replace("\n", "")


def test_line_ends_and_marks_of_other_systems_stay(root):
    """A file with CR LF and a byte-order mark keeps both; the block follows."""
    (root / "MEMORY.md").write_bytes("\ufeff# Mine\r\nwords\r\n".encode())
    put(root, "- a\n- b")
    put(root, "- c")
    content = (root / "MEMORY.md").read_bytes().decode()
    assert content == f"\ufeff# Mine\r\nwords\r\n\r\n{BEGIN}\r\n- c\r\n{END}\r\n"


def test_a_block_at_the_very_beginning_keeps_the_mark(root):
    """A byte-order mark is no part of the block."""
    (root / "MEMORY.md").write_bytes(f"\ufeff{BEGIN}\n- a\n{END}\n".encode())
    put(root, "- b")
    assert (root / "MEMORY.md").read_bytes().decode() == f"\ufeff{BEGIN}\n- b\n{END}\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{BEGIN}\n- a\n", 1),
        (f"x\n{END}\n", 2),
        (f"{BEGIN}\n- a\n{END}\n{BEGIN}\n- b\n{END}\n", 4),
        (f"{BEGIN}\n{BEGIN}\n- a\n{END}\n", 1),
        (f"{END}\n{BEGIN}\n", 1),
        (f"{BEGIN}\n- a\n{end_marker('digest')}\n", 3),
    ],
)
def test_markers_that_do_not_fit_are_told_and_nothing_is_touched(root, text, line):
    """Not closed, not opened, twice, nested or crossed."""
    (root / "MEMORY.md").write_text(text)
    done = put(root, "- new")
    told = (done.changed, done.finding.code, done.finding.line)
    assert (told, (root / "MEMORY.md").read_text()) == ((False, "broken-block", line), text)


@pytest.mark.parametrize("words", [f"see {BEGIN} there", f"- {END}", "<!-- memoracle:begin -->"])
def test_words_about_a_marker_are_no_marker(words):
    """Only a line of its own counts."""
    assert blocks_in(words) == ([], [])


@pytest.mark.seed("C-09")
def test_what_the_owner_writes_meanwhile_stays(root):
    """An edit between reading and writing is read again and kept, byte for byte."""
    path = root / "MEMORY.md"
    path.write_text("# Mine\n")
    edits = iter(["# Mine\n\nfirst thought\n", f"second thought\n{BEGIN}\n- old\n{END}\nlast word", None])

    def edit():
        if (text := next(edits)) is not None:
            path.write_text(text)

    done = put(root, "- new", meanwhile=edit)
    assert (done.changed, path.read_text()) == (True, f"second thought\n{BEGIN}\n- new\n{END}\nlast word")


def test_a_file_made_meanwhile_is_its_owners(root):
    """One that was not there when we looked."""
    path = root / "MEMORY.md"

    def make():
        if not path.exists():
            path.write_text("mine\n")

    put(root, "- a", fresh="# Memory\n\n", meanwhile=make)
    assert path.read_text() == f"mine\n\n{BEGIN}\n- a\n{END}\n"


def test_a_file_that_never_rests_is_left_alone(root):
    """After some tries it is told."""
    path = root / "MEMORY.md"
    path.write_text("0")
    numbers = iter(range(1, 100))
    done = put(root, "- a", meanwhile=lambda: path.write_text(str(next(numbers))))
    assert (done.finding.code, path.read_text().isdecimal()) == ("block-not-written", True)


@pytest.mark.seed("S4.009")
@pytest.mark.parametrize("hinder", ["read-only", "link", "not-utf-8", "soul"])
def test_a_file_that_cannot_be_written_is_told(root, hinder):
    """A file its owner closed, a link, other bytes, and the one that is never written."""
    path = root / ("SOUL.md" if hinder == "soul" else "MEMORY.md")
    if hinder == "link":
        (root / "elsewhere").write_text("x")
        path.symlink_to(root / "elsewhere")
    else:
        path.write_bytes(b"\xff\xfe" if hinder == "not-utf-8" else b"x")
    if hinder == "read-only":
        path.chmod(0o400)
    before = path.read_bytes()
    done = put(root, "- a", path.name)
    assert (done.changed, done.finding.code, path.read_bytes()) == (False, "block-not-written", before)


def test_a_dry_run_only_says(root):
    """That it would change."""
    assert (put(root, "- a", dry_run=True).changed, (root / "MEMORY.md").exists()) == (True, False)


def test_a_packed_note_is_kept_packed(root):
    """The block of a note in the archive can still change."""
    (root / "old.md.gz").write_bytes(gzip.compress(b"# Old\n"))
    put(root, "- a", "old.md.gz")
    assert gzip.decompress((root / "old.md.gz").read_bytes()).decode() == f"# Old\n\n{BEGIN}\n- a\n{END}\n"


LINES = st.lists(
    st.sampled_from(["", "words", "# Title", "```", "Open: none", "  - x", "a\r", "记住"]), max_size=12
)


@given(LINES, LINES, st.sampled_from(["- a", "- 甲\n- b", "## H\n\n- c"]))
def test_owners_lines_survive_any_change(before, after, inside):
    """Whatever stands around it: replacing twice gives the second block and the same surroundings."""
    text = "\n".join([*before, BEGIN, "- old", END, *after])
    changed = with_block(with_block(text, "hot", "- other"), "hot", inside)
    assert owners_text(changed) == owners_text(text)
    (block,), broken = blocks_in(changed)
    assert (block.inside, broken) == (inside, [])


@given(LINES)
def test_adding_a_block_only_adds(lines):
    """What stood there is there before and after the block, and adding again changes nothing."""
    text = "\n".join(lines)
    changed = with_block(text, "hot", "- a")
    place = end_of_body(text)
    assert (changed[:place], changed[len(changed) - len(text) + place :]) == (text[:place], text[place:])
    assert with_block(changed, "hot", "- a") == changed


def test_what_is_generated_is_not_indexed_and_lines_keep_their_numbers(root):
    """A fact would be found twice; what the owner wrote behind the block is cited where it stands."""
    text = (
        f"# Memory\n\nmine above\n\n{BEGIN}\n## Core\n- generated words\n```\n{END}\n\n## Below\nmine below\n"
    )
    (root / "MEMORY.md").write_text(text)
    passages = load_note(a_store(root), "MEMORY.md").passages
    assert not any("generated" in passage.text for passage in passages)
    (below,) = [passage for passage in passages if "mine below" in passage.text]
    assert (below.cite, below.title) == ("MEMORY.md#L11-L12", "Memory > Memory > Below")


def test_the_owners_words_around_a_block_stay_one_piece(root):
    """The gap between them is not filled with blank lines."""
    (root / "MEMORY.md").write_text(f"# Memory\nabove\n{BEGIN}\n" + "- x\n" * 50 + f"{END}\nbelow\n")
    (passage,) = load_note(a_store(root), "MEMORY.md").passages
    assert (passage.text, passage.cite) == ("# Memory\nabove\nbelow", "MEMORY.md#L1-L55")


def test_broken_markers_are_a_finding_of_the_note(root):
    """So `check` names them."""
    (root / "MEMORY.md").write_text(f"{BEGIN}\nwords\n")
    loaded = load_note(a_store(root), "MEMORY.md")
    assert [finding.code for finding in loaded.findings] == ["broken-block"]
    assert "words" in loaded.passages[0].text


def test_lines_of_erased_records_are_struck():
    """Inside blocks alone; the owner's own mention stays."""
    text = f"mine `one`\n{BEGIN}\n- a `one`\n- b `two`\n{END}\n"
    assert strike(text, frozenset({"one"})) == f"mine `one`\n{BEGIN}\n- b `two`\n{END}\n"


def test_a_megabyte_of_almost_markers_is_read_quickly():
    """Linear, whatever a file holds."""
    assert generated_lines(("<!-- memoracle:begin " + "a" * 40 + " (" * 200 + "\n") * 2000) == frozenset()
