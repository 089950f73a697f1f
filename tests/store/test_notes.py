"""Notes belong to people: they are read whole, replaced only unchanged, and otherwise left alone."""

import os
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoracle.errors import BadInput, ChangedUnderneath, OutsideRoot, ReadOnlyRoot, Refused, UnreadableFile
from memoracle.extensions.notebook.editing import jot_at
from memoracle.model.ids import file_digest
from memoracle.store.disk import DiskVolume
from memoracle.store.frontmatter import set_field
from memoracle.store.layouts import NoteRole, list_notes, note_homes
from memoracle.store.notes import inserted, read_note, write_note
from support.stores import a_store

CLOSURE = "Updated: 2026-05-15\nDecisions: none\nSignal: none\nOpen: none\n"


@pytest.fixture
def root(tmp_path):
    return str(tmp_path)


def put(root, relative, content):
    path = os.path.join(root, relative)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return relative


def raw(root, relative):
    with open(os.path.join(root, relative), "rb") as file:
        return file.read()


def append(root, relative, text, heading=None):
    """Lines added as the store adds them; a new note begins with its name."""
    fresh = f"# {os.path.basename(relative).removesuffix('.md')}\n\n"
    jot_at(a_store(root), relative, text, heading=heading, fresh=fresh)


def test_a_note_is_read_with_title_tags_date_and_place(root):
    """Header, body, title, tags and the day in the name come out together."""
    put(root, "daily/2026-05-15.md", "---\ntitle: A day\ntags: [x]\n---\n# Heading\ntext\n")
    note = read_note(DiskVolume(root), "daily/2026-05-15.md")

    assert (note.title, note.tags, note.date, note.body_line) == ("A day", ("x",), date(2026, 5, 15), 5)
    assert note.at == datetime(2026, 5, 15, tzinfo=UTC)
    assert note.digest == file_digest(raw(root, "daily/2026-05-15.md"))


@pytest.mark.seed("S3.030")
@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("# Infra\n#tags: docker, ssh\n", ("docker", "ssh")),
        ("# Infra\n#tags: #docker #ssh docker\n", ("docker", "ssh")),
        ("# Infra\r\n#tags: 网络，存储、docker\r\n", ("网络", "存储", "docker")),
        ("---\ntags: a, b\n---\n\n# Infra\n#tags: c\n", ("a", "b", "c")),
        ("# Infra\n\n#tags: too-late\n", ()),
        ("# Infra\n#tags:\n", ()),
        ("#tags: first line\n", ()),
    ],
)
def test_tags_stand_on_line_two_or_in_the_header(root, text, tags):
    """Commas, spaces, Chinese commas and `#` all separate; each tag counts once."""
    put(root, "infra.md", text)

    assert read_note(DiskVolume(root), "infra.md").tags == tags


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# One ##\n", "One"),
        ("text\n## Two\n", "Two"),
        ("```\n# no\n```\n# Yes\n", "Yes"),
        ("plain", "my-note"),
        ("---\ntitle: 7\n---\n", "my-note"),
    ],
)
def test_a_title_is_the_header_the_first_heading_or_the_name(root, text, title):
    """Every note has a title."""
    put(root, "my-note.md", text)

    assert read_note(DiskVolume(root), "my-note.md").title == title


@pytest.mark.seed("S4.010")
def test_an_absent_note_is_empty(root):
    """Reading a day that has no note yet is no error."""
    note = read_note(DiskVolume(root), "memory/2026-05-15.md")

    assert (note.text, note.digest, note.date) == ("", file_digest(b""), date(2026, 5, 15))


@pytest.mark.parametrize("name", ["2026-13-01.md", "notes.md", "20260515.md", "2026-W20-5.md"])
def test_only_a_plain_date_in_the_name_is_a_date(root, name):
    """What is no day stays undated."""
    assert read_note(DiskVolume(root), name).date is None


def test_a_note_that_is_not_utf8_is_readable_and_left_alone(root):
    """It can be searched as far as it can be read, and nothing is written to it."""
    put(root, "x.md", "一行\n".encode() + "花生".encode("gbk") + b"\n")
    note = read_note(DiskVolume(root), "x.md")

    assert [(f.code, f.line) for f in note.findings] == [("not-utf-8", 2)]
    with pytest.raises(UnreadableFile):
        write_note(DiskVolume(root), "x.md", note.text + "more", expected=note.digest)
    with pytest.raises(UnreadableFile):
        append(root, "x.md", "more")


def test_a_broken_header_is_reported_and_searched(root):
    """The whole file is its body, with a finding."""
    put(root, "x.md", "---\na: [\n---\nbody\n")
    note = read_note(DiskVolume(root), "x.md")

    assert (note.body, [f.place for f in note.findings]) == (note.text, ["x.md#L1"])


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8")).map(str.encode) | st.lists(st.sampled_from([
    b"\xef\xbb\xbf", b"---\r\n", b"---\n", b"a: 1\n", b"# H\r\n", b"\r", b"\n", b"text", "花".encode(), b"\xe2\x80\xa8",
])).map(b"".join))  # fmt: skip
def test_reading_and_writing_back_changes_no_byte(tmp_path_factory, content):
    """Line ends, marks, a missing last newline: what was not edited stays."""
    root = str(tmp_path_factory.mktemp("note"))
    put(root, "x.md", content)
    note = read_note(DiskVolume(root), "x.md")
    before = os.stat(os.path.join(root, "x.md"))
    write_note(DiskVolume(root), "x.md", note.text, expected=note.digest)

    assert raw(root, "x.md") == content
    assert os.stat(os.path.join(root, "x.md")).st_ino == before.st_ino


def test_an_edit_of_one_field_keeps_the_rest(root):
    """A CRLF note stays a CRLF note."""
    put(root, "x.md", "\ufeff---\r\nstatus: open\r\n---\r\nbody")
    note = read_note(DiskVolume(root), "x.md")
    write_note(DiskVolume(root), "x.md", set_field(note.text, "status", "resolved"), expected=note.digest)

    assert raw(root, "x.md") == "\ufeff---\r\nstatus: resolved\r\n---\r\nbody".encode()


@pytest.mark.seed("S3.023", "F-61")
def test_a_write_replaces_the_file_and_leaves_no_litter(root):
    """The new text stands whole, under the mode the file had, with nothing beside it."""
    put(root, "a/x.md", "old")
    os.chmod(os.path.join(root, "a/x.md"), 0o640)
    digest = write_note(DiskVolume(root), "a/x.md", "new", expected=file_digest(b"old"))

    assert (raw(root, "a/x.md"), digest) == (b"new", file_digest(b"new"))
    assert os.listdir(os.path.join(root, "a")) == ["x.md"]
    assert os.stat(os.path.join(root, "a/x.md")).st_mode & 0o777 == 0o640


def test_what_somebody_changed_meanwhile_is_not_overwritten(root):
    """The editor of a person wins; the caller is told and reads again."""
    put(root, "x.md", "mine")
    note = read_note(DiskVolume(root), "x.md")
    put(root, "x.md", "theirs")

    with pytest.raises(ChangedUnderneath):
        write_note(DiskVolume(root), "x.md", "mine, edited", expected=note.digest)
    assert raw(root, "x.md") == b"theirs"


def test_a_deleted_note_does_not_come_back_by_an_edit(root):
    """An edit of a note that is gone is a conflict too."""
    put(root, "x.md", "mine")
    note = read_note(DiskVolume(root), "x.md")
    os.unlink(os.path.join(root, "x.md"))

    with pytest.raises(ChangedUnderneath):
        write_note(DiskVolume(root), "x.md", "mine, edited", expected=note.digest)


def test_a_new_note_never_replaces_an_old_one(root):
    """Without a digest the note must not exist; its folders are made."""
    write_note(DiskVolume(root), "deep/er/x.md", "first", expected=None)

    with pytest.raises(ChangedUnderneath):
        write_note(DiskVolume(root), "deep/er/x.md", "second", expected=None)
    assert raw(root, "deep/er/x.md") == b"first"


def test_a_read_only_note_says_so(root):
    """A file its owner closed stays closed, even where a rename could get past it."""
    put(root, "x.md", "mine")
    os.chmod(os.path.join(root, "x.md"), 0o444)

    with pytest.raises(ReadOnlyRoot):
        write_note(DiskVolume(root), "x.md", "new", expected=file_digest(b"mine"))
    with pytest.raises(ReadOnlyRoot):
        append(root, "x.md", "new")
    assert raw(root, "x.md") == b"mine"


@pytest.mark.seed("S4.009")
@pytest.mark.parametrize("name", ["SOUL.md", "soul.md", "workspace/Soul.MD"])
def test_the_soul_is_read_and_never_written(root, name):
    """SOUL.md belongs to its owner alone, under every spelling a disk may take for it."""
    put(root, name, "who I am")

    with pytest.raises(Refused):
        write_note(DiskVolume(root), name, "x", expected=file_digest(b"who I am"))
    with pytest.raises(Refused):
        append(root, name, "x")
    assert read_note(DiskVolume(root), name).text == "who I am"


def test_links_are_not_followed(root, tmp_path_factory):
    """A note is a plain file inside the root."""
    outside = tmp_path_factory.mktemp("outside") / "x.md"
    outside.write_text("theirs")
    os.symlink(outside, os.path.join(root, "x.md"))

    with pytest.raises(OutsideRoot):
        read_note(DiskVolume(root), "x.md")
    with pytest.raises(OutsideRoot):
        append(root, "x.md", "mine")
    with pytest.raises(OutsideRoot):
        write_note(DiskVolume(root), "../x.md", "mine", expected=None)
    assert outside.read_text() == "theirs"


def test_half_a_character_is_refused_before_anything_is_written(root):
    """What no file can keep is bad input."""
    with pytest.raises(BadInput):
        write_note(DiskVolume(root), "x.md", "\ud800", expected=None)
    with pytest.raises(BadInput):
        append(root, "x.md", "\ud800")
    assert os.listdir(root) == []


@pytest.mark.seed("S4.002")
def test_appending_adds_at_the_end(root):
    """Every byte that stood there stands there still, in front of what was added."""
    put(root, "2026-05-15.md", "# Friday\r\n\r\n## 09:30 stand-up\r\n- one")
    append(root, "2026-05-15.md", "- two\n- three\n")

    assert raw(root, "2026-05-15.md") == b"# Friday\r\n\r\n## 09:30 stand-up\r\n- one\r\n- two\r\n- three\r\n"


def test_a_new_note_begins_with_its_name(root):
    """So appended text can never become a header."""
    append(root, "daily/2026-05-15.md", "---\ntitle: x\n---")

    assert raw(root, "daily/2026-05-15.md") == b"# 2026-05-15\n\n---\ntitle: x\n---\n"
    assert read_note(DiskVolume(root), "daily/2026-05-15.md").header == {}


def test_appending_under_a_heading_goes_to_the_end_of_its_section():
    """Deeper headings belong to the section; the next one at its level does not."""
    text = "# Day\n\n## Facts\n- a\n\n### Detail\n- b\n\n## Open\n- c\n"

    assert inserted(text, "- new", heading="Facts") == text.replace("- b\n", "- b\n- new\n")


def test_nothing_goes_into_a_generated_block():
    """A block that follows a section is no part of it, and its headings are not the owner's."""
    block = "<!-- memoracle:begin digest (generated; text outside is yours) -->\n## Facts\n- x\n<!-- memoracle:end digest -->\n"
    text = f"# Day\n\n## 09:30\n\n- one\n\n{block}"
    assert inserted(text, "- two", heading="09:30") == f"# Day\n\n## 09:30\n\n- one\n- two\n\n{block}"
    assert inserted(text, "- two", heading="Facts") == f"{text}\n## Facts\n\n- two\n"


def test_a_missing_heading_is_added_at_the_end():
    """The section is made where it was asked for."""
    assert inserted("# Day\ntext", "- new", heading="## Facts") == "# Day\ntext\n\n## Facts\n\n- new\n"


@pytest.mark.seed("S3.024")
@pytest.mark.parametrize("heading", [None, "Facts", "Missing"])
def test_the_closing_lines_of_a_day_stay_last(heading):
    """Whatever is added, the four lines that close a note end it."""
    text = f"# Day\n\n## Facts\n- a\n\n{CLOSURE}"
    changed = inserted(text, "- new", heading=heading)

    assert changed.endswith(f"- new\n\n{CLOSURE}")
    assert changed.startswith("# Day\n\n## Facts\n- a\n")


@given(
    st.lists(
        st.sampled_from(["", "# A", "## B", "## C", "```", "- x", "花生", CLOSURE.strip(), "---", "a: 1"]),
        max_size=12,
    ),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([None, "A", "B", "Z"]),
)
def test_appending_removes_and_moves_nothing(lines, newline, ends, marked, heading):
    """Take the added part away and the old text is there, byte for byte."""
    text = ("\ufeff" if marked else "") + newline.join(lines).replace("\r\n", "\n").replace("\n", newline)
    text += newline if ends else ""
    changed = inserted(text, "- ADDED\n- TWICE", heading=heading)
    added = len(changed) - len(text)

    assert {"- ADDED", "- TWICE"} <= {line.rstrip("\r") for line in changed.split("\n")}
    assert any(changed[:at] + changed[at + added :] == text for at in range(len(text) + 1))


@pytest.mark.parametrize(("text", "heading"), [("", None), (" \n", None), ("x", "#  ")])
def test_nothing_is_not_appended(root, text, heading):
    """An empty addition or heading is a mistake, and no file appears."""
    with pytest.raises(BadInput):
        append(root, "x.md", text, heading=heading)
    assert os.listdir(root) == []


def test_notes_are_listed_with_their_roles(root):
    """Each note once, by what it is for; derived, hidden and foreign files are passed over."""
    for path in ("MEMORY.md", "SOUL.md", "AGENTS.md", "memory/2026-05-15.md", "memory/projects.md",
                 "memory/procedural/git.md", "memory/archive/2025-01-01.md", "memory/_index/x.md", "memory/x.json",
                 "memory/.hidden.md", ".memoracle/notes/working-buffer.md"):  # fmt: skip
        put(root, path, path)

    assert list_notes(DiskVolume(root), note_homes("openclaw")) == {
        "MEMORY.md": NoteRole.HOT,
        ".memoracle/notes/working-buffer.md": NoteRole.BUFFER,
        "memory/2026-05-15.md": NoteRole.DAILY,
        "memory/procedural/git.md": NoteRole.PROCEDURAL,
        "memory/projects.md": NoteRole.SEMANTIC,
    }


def test_a_memory_of_its_own_reads_whatever_markdown_lies_under_notes(root):
    """In any folder, whatever it is called; not what is hidden, nothing through a link, and each note once."""
    for path in ("notes/x.md", "notes/a/b/c.md", "notes/archive/old.md", "notes/daily/plan.md", "notes/_index.md",
                 "notes/semantic/s.md", "notes/daily/2026-05-15.md", "notes/.obsidian/x.md", "notes/a/x.json",
                 "notes/SOUL.md", "archive/notes/daily/2026-05-14.md", "out/o.md"):  # fmt: skip
        put(root, path, path)
    os.symlink(os.path.join(root, "out"), os.path.join(root, "notes/linked"))
    os.symlink(os.path.join(root, "out/o.md"), os.path.join(root, "notes/o.md"))

    assert list_notes(DiskVolume(root), note_homes("native")) == {
        "archive/notes/daily/2026-05-14.md": NoteRole.ARCHIVED,
        "notes/daily/2026-05-15.md": NoteRole.DAILY,
        **dict.fromkeys(
            ("notes/x.md", "notes/a/b/c.md", "notes/archive/old.md", "notes/daily/plan.md", "notes/_index.md",
             "notes/semantic/s.md"),
            NoteRole.SEMANTIC,
        ),
    }  # fmt: skip


@pytest.mark.seed("S4.010")
def test_two_names_of_one_file_are_one_note(root):
    """MEMORY.md and memory.md count once when the disk takes them for the same file; links do not count."""
    put(root, "MEMORY.md", "hot")
    os.link(os.path.join(root, "MEMORY.md"), os.path.join(root, "memory.md"))
    put(root, "elsewhere/2026-05-15.md", "x")
    os.symlink(os.path.join(root, "elsewhere"), os.path.join(root, "memory"))

    assert list_notes(DiskVolume(root), note_homes("openclaw")) == {"MEMORY.md": NoteRole.HOT}


@pytest.mark.seed("S4.010")
def test_both_hot_files_are_read_when_both_exist(root):
    """MEMORY.md and memory.md are two notes when they are two files."""
    put(root, "MEMORY.md", "one")
    put(root, "memory.md", "two")

    assert set(list_notes(DiskVolume(root), note_homes("openclaw")).values()) == {NoteRole.HOT}
    assert len(list_notes(DiskVolume(root), note_homes("openclaw"))) == 2
