"""Reading a source from its watermark on, whatever state it is in."""

from __future__ import annotations

import gzip
import json
import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoracle.hosts import lines as lines_module
from memoracle.hosts.branches import Watermark
from memoracle.hosts.claude_code import ClaudeCodeReader
from memoracle.hosts.gemini import GeminiReader
from memoracle.hosts.known_hosts import Shape
from memoracle.hosts.reading import hear, read
from memoracle.hosts.sources import Source, shape_of

from .samples import (
    CLAUDE,
    CLAUDE_REWIND,
    CODEX,
    DOCUMENTS,
    GEMINI,
    LINE_FILES,
    OPENCLAW,
    PLAIN,
    claude_line,
    codes,
    copy_of,
    results,
    source,
    state,
    texts,
    write_lines,
)

by_name = pytest.mark.parametrize("path", LINE_FILES, ids=lambda path: "-".join(path.parts[-2:])[-40:])
every_name = pytest.mark.parametrize("path", LINE_FILES + DOCUMENTS, ids=lambda path: path.name[-30:])


@pytest.mark.seed("S2.012")
@every_name
def test_reading_changes_nothing(path):
    """A transcript has the same bytes, time and inode afterwards, and nothing appears beside it."""
    before = state(path), sorted(path.parent.iterdir())

    read(source(path))

    assert (state(path), sorted(path.parent.iterdir())) == before


@every_name
def test_read_only_files_can_be_read(path, tmp_path):
    """No permission to write is needed."""
    copy = copy_of(path, tmp_path)
    copy.chmod(0o400)

    assert len(read(source(copy)).turns) == len(read(source(path)).turns)


@by_name
def test_growing_file_gives_what_one_reading_gives(path, tmp_path):
    """Read after every line, with what is withdrawn taken away, a file gives what it gives at once."""
    copy = tmp_path / path.name
    shape = source(path).shape
    copy.write_bytes(b"")
    kept: dict[str, str] = {}
    mark = None
    for line in path.read_bytes().splitlines(keepends=True):
        with copy.open("ab") as stream:
            stream.write(line)
        reading = read(Source(path=copy, shape=shape), mark)
        mark = reading.watermark
        for gone in reading.withdrawn:
            del kept[gone]
        kept |= {turn.id: turn.text for turn in reading.turns}

    assert sorted(kept.values()) == sorted([*texts(path), *results(path)])


@by_name
def test_growing_byte_by_byte_gives_what_one_reading_gives(path, tmp_path):
    """A writer caught in the middle of a line loses nothing and repeats nothing."""
    content = path.read_bytes()
    copy = tmp_path / path.name
    copy.write_bytes(b"")
    shape = source(path).shape
    cuts = [*sorted(random.Random(7).sample(range(len(content)), 60)), len(content)]
    kept: dict[str, str] = {}
    mark, done = None, 0
    for cut in cuts:
        with copy.open("ab") as stream:
            stream.write(content[done:cut])
        done = cut
        reading = read(Source(path=copy, shape=shape), mark)
        mark = Watermark.from_dict(json.loads(json.dumps(reading.watermark.to_dict())))
        for gone in reading.withdrawn:
            del kept[gone]
        assert not kept.keys() & {turn.id for turn in reading.turns}
        kept |= {turn.id: turn.text for turn in reading.turns}

    assert sorted(kept.values()) == sorted([*texts(path), *results(path)])


@every_name
def test_unchanged_file_is_not_opened_again(path, monkeypatch):
    """A look at size and time is enough."""
    mark = read(source(path)).watermark
    found = source(path)
    monkeypatch.setattr("memoracle.hosts.reading.open_bytes", None)
    monkeypatch.setattr("pathlib.Path.open", None)

    assert read(found, mark).turns == ()


def test_appended_lines_alone_are_read(tmp_path):
    """With a watermark the part before it is not looked at again."""
    rows = [claude_line(f"u{n}", f"u{n - 1}" if n else None, f"Turn number {n}.") for n in range(500)]
    path = write_lines(tmp_path / "grows.jsonl", *rows)
    mark = read(source(path)).watermark
    with path.open("r+b") as stream:
        stream.seek(mark.offset // 2)
        stream.write(b"\0" * 8)  # would be told if it were read again
        stream.seek(0, os.SEEK_END)
        stream.write(json.dumps(claude_line("new", "u499", "New.")).encode() + b"\n")

    reading = read(source(path), mark)

    assert ([turn.text for turn in reading.turns], reading.findings) == (["New."], ())


@by_name
def test_rewritten_file_is_read_whole(path, tmp_path):
    """A file that was replaced gives everything again, under the same ids."""
    copy = copy_of(path, tmp_path)
    first = read(source(copy))
    other = tmp_path / "new"
    other.write_bytes(copy.read_bytes() + b"\n")
    other.replace(copy)

    again = read(source(copy), first.watermark)

    assert again.whole
    assert [turn.id for turn in again.turns] == [turn.id for turn in first.turns]


@by_name
def test_cut_file_is_read_whole(path, tmp_path):
    """A file that became shorter is another file."""
    copy = copy_of(path, tmp_path)
    first = read(source(copy))
    with copy.open("r+b") as stream:
        stream.truncate(len(path.read_bytes().split(b"\n")[0]) + 1)

    assert read(source(copy), first.watermark).whole


def test_rewritten_in_place_is_read_whole(tmp_path):
    """Other bytes under the same inode are noticed at the head or at the last place read."""
    copy = copy_of(CLAUDE, tmp_path)
    first = read(source(copy))
    with copy.open("r+b") as stream:
        stream.write(b'{"type":"summary","summary":"Rewritten!')

    assert read(source(copy), first.watermark).whole


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_touched_document_repeats_nothing(path, tmp_path):
    """A document is read whole each time, and gives only what it did not give before."""
    copy = copy_of(path, tmp_path)
    first = read(source(copy))
    os.utime(copy, ns=(1, 1))

    again = read(source(copy), first.watermark)

    assert (again.turns, again.whole, len(first.turns) > 0) == ((), False, True)


def test_longer_chat_gives_its_new_turns(tmp_path):
    """A Markdown chat that grew gives what was added."""
    copy = tmp_path / "chat.md"
    copy.write_text("**User:** The well is dry.\n\n**Assistant:** I see.\n", "utf-8")
    first = read(source(copy))
    with copy.open("a", encoding="utf-8") as stream:
        stream.write("\n**User:** 井里又有水了。\n")

    assert [turn.text for turn in read(source(copy), first.watermark).turns] == ["井里又有水了。"]


def test_rewind_after_a_reading(tmp_path):
    """The prompt that was taken back, and its answer, are withdrawn; only what is new is given."""
    copy = tmp_path / CLAUDE_REWIND.name
    lines = CLAUDE_REWIND.read_bytes().splitlines(keepends=True)
    copy.write_bytes(b"".join(lines[:4]))
    mark = read(source(copy)).watermark
    with copy.open("ab") as stream:
        stream.writelines(lines[4:])

    reading = read(source(copy), mark)

    assert (reading.withdrawn, [turn.id for turn in reading.turns], reading.whole) == (
        ("r3", "r4"),
        ["r5", "r7", "r8", "r9"],
        False,
    )


def test_torn_last_line_waits(tmp_path):
    """A line without its end is not consumed, and is read when it is complete."""
    copy = tmp_path / "torn.jsonl"
    whole = json.dumps(claude_line("u1", None, "Complete.")) + "\n"
    late = json.dumps(claude_line("u2", "u1", "Late."))
    copy.write_text(whole + late[:50], "utf-8")
    first = read(source(copy))
    with copy.open("a") as stream:
        stream.write(late[50:] + "\n")
    second = read(source(copy), first.watermark)

    assert (codes(first), first.watermark.offset) == (["torn-line"], len(whole))
    assert [(turn.text, turn.line) for turn in second.turns] == [("Late.", 2)]


def test_last_line_without_an_end_is_read_when_complete(tmp_path):
    """A whole object at the end of the file is read at once, and lines keep their numbers."""
    copy = tmp_path / "unended.jsonl"
    copy.write_text(json.dumps(claude_line("u1", None, "First.")), "utf-8")
    first = read(source(copy))
    with copy.open("a") as stream:
        stream.write("\n" + json.dumps(claude_line("u2", "u1", "Second.")) + "\n")
    second = read(source(copy), first.watermark)

    assert [(turn.text, turn.line) for turn in (*first.turns, *second.turns)] == [
        ("First.", 1),
        ("Second.", 2),
    ]


DAMAGES = {
    "nul tail": (b"{good}\n" + b"\0" * 4096 + b"\n", ["nul-bytes"]),
    "nul tail without end": (b"{good}\n" + b"\0" * 4096, ["torn-line"]),
    "hole before a line": (b"\0" * 512 + b"{good}\n", ["nul-bytes"]),
    "torn line in the middle": (b'{"type":"us\n{good}\n', ["broken-line"]),
    "two lines run together": (b"{bad}{bad}\n{good}\n", ["broken-line"]),
    "deep nesting": (b'{"a":' * 100_000 + b"\n{good}\n", ["too-deep"]),
    "deep list": (b"[" * 100_000 + b"]" * 100_000 + b"\n{good}\n", ["too-deep"]),
    "huge number": (b'{"type":"user","n":' + b"9" * 5000 + b"}\n{good}\n", ["broken-line"]),
    "not an object": (b"17\n{good}\n", ["unknown-shape"]),
    "not of this host": (b'{"hello":"world"}\n{good}\n', ["unknown-shape"]),
    "bom": (b"\xef\xbb\xbf{good}\n", []),
    "crlf": (b"{good}\r\n\r\n", []),
    "blank lines": (b"\n\n{good}\n\n", []),
}


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_damage_costs_the_damaged_line_only(tmp_path, damage):
    """The good line is read; each broken one is a finding with its line."""
    content, expected = DAMAGES[damage]
    line = json.dumps(claude_line("u1", None, "Still here: 还在。"), ensure_ascii=False).encode()
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(content.replace(b"{good}", line).replace(b"{bad}", line))

    reading = read(Source(path=path, shape=Shape.CLAUDE))

    assert ([turn.text for turn in reading.turns], codes(reading)) == (["Still here: 还在。"], expected)
    assert all(finding.line for finding in reading.findings)


ODD = {
    "claude": claude_line(
        "u1", None, [{"type": ["x"], "text": "hi"}], promptSource=["typed"], type="assistant"
    ),
    "codex": {"type": "message", "role": ["user"], "content": [{"type": ["x"], "text": "hi"}]},
    "gemini": {"id": "1", "type": "gemini", "content": "", "toolCalls": [{"id": "t", "status": []}]},
    "openclaw": {"type": "message", "id": "1", "message": {"role": ["user"], "content": [{"type": {}}]}},
}


@pytest.mark.parametrize("host", ODD)
def test_lists_where_a_word_belongs_are_no_words(tmp_path, host):
    """Neither reading the line nor telling whose it is stumbles over them."""
    path = write_lines(
        tmp_path / "odd.jsonl", ODD[host], {"type": ["x"], "role": "user", "content": "Hello."}
    )
    heard = hear(str(path), host)
    assert not [one for one in heard.findings if one.code == "odd-line"]
    assert shape_of(path, path.read_bytes())


@pytest.mark.parametrize("host", ["claude", "gemini-file"])
def test_an_unforeseen_line_costs_itself_alone(tmp_path, monkeypatch, host):
    """Whatever goes wrong with it is told, and the rest is heard."""
    said = {"id": "1", "type": "user", "content": "I like tea."}
    lines = [claude_line("u1", None, "Hello there."), claude_line("u2", None, "I like tea.")]
    path = write_lines(tmp_path / "odd.jsonl", *lines)
    if host == "gemini-file":
        path.write_text(
            json.dumps({"sessionId": "s", "messages": [said | {"id": "0", "content": "Hello"}, said]})
        )
    reader = GeminiReader if host == "gemini-file" else ClaudeCodeReader
    take = reader.take

    def stumble(self, entry, line):
        if "Hello" in json.dumps(entry):
            raise KeyError("Hello")
        return take(self, entry, line)

    monkeypatch.setattr(reader, "take", stumble)
    heard = hear(str(path), host)
    assert [one.text for one in heard.passages] == ["I like tea."]
    assert [(one.code, one.line) for one in heard.findings] == [("odd-line", 1)]
    assert "Hello" not in heard.findings[0].message


def test_invalid_utf8_is_read_and_told(tmp_path):
    """A bad byte costs its character, not its line."""
    path = tmp_path / "latin.jsonl"
    path.write_bytes(b'{"role":"user","content":"caf\xe9 at noon"}\n')

    reading = read(Source(path=path, shape=Shape.PLAIN))

    assert ([turn.text for turn in reading.turns], codes(reading)) == (["caf\ufffd at noon"], ["bad-utf8"])


def test_lone_surrogates_can_be_written_again(tmp_path):
    """Half a character becomes a replacement character; whole ones stay whole."""
    path = tmp_path / "half.jsonl"
    path.write_bytes(b'{"role":"user","content":"half \\ud83d and whole \\ud83d\\ude00"}\n')

    (text,) = texts(path)

    assert text.encode() == "half \ufffd and whole 😀".encode()


def test_line_separators_inside_text_split_nothing(tmp_path):
    """U+2028, U+0085 and form feeds are text."""
    said = "one\u2028two\x85three\x0cfour\u2029five"

    path = write_lines(
        tmp_path / "breaks.jsonl", {"role": "user", "content": said}, {"role": "user", "text": "next"}
    )

    assert [(turn.text, turn.line) for turn in read(source(path)).turns] == [(said, 1), ("next", 2)]


def test_line_of_eight_megabytes(tmp_path):
    """A very long line is a line."""
    path = write_lines(
        tmp_path / "long.jsonl", claude_line("u1", None, "长" * 3_000_000), claude_line("u2", "u1", "next")
    )

    assert [len(turn.text) for turn in read(source(path)).turns] == [3_000_000, 4]


def test_line_beyond_any_measure_is_told(tmp_path, monkeypatch):
    """A line longer than the limit is passed over in pieces; the next one is read."""
    monkeypatch.setattr(lines_module, "LONGEST_LINE", 1000)
    path = write_lines(
        tmp_path / "long.jsonl", claude_line("u1", None, "x" * 5000), claude_line("u2", None, "next")
    )

    reading = read(Source(path=path, shape=Shape.CLAUDE))

    assert ([(turn.text, turn.line) for turn in reading.turns], codes(reading)) == (
        [("next", 2)],
        ["oversized-line"],
    )
    assert reading.watermark.offset == path.stat().st_size


def test_many_broken_lines_are_told_briefly(tmp_path):
    """A file of rubbish does not give a finding for every line."""
    path = tmp_path / "rubbish.jsonl"
    path.write_bytes(b"{rubbish\n" * 5000)

    reading = read(Source(path=path, shape=Shape.CODEX))

    assert (len(reading.findings), reading.findings[-1].message) == (21, "4980 more like this")


@pytest.mark.parametrize("path", [OPENCLAW, CLAUDE, CODEX, GEMINI, PLAIN], ids=lambda path: path.parts[-2])
def test_compressed_copy_says_the_same(path, tmp_path):
    """A kept copy gives the turns of the original, under the same ids."""
    copy = tmp_path / f"{path.name}.gz"
    copy.write_bytes(gzip.compress(path.read_bytes()))

    assert [turn.id for turn in read(source(copy)).turns] == [turn.id for turn in read(source(path)).turns]


def test_damaged_archive_gives_what_it_can(tmp_path):
    """A compressed copy that ends early gives the lines before its end, and is told."""
    rows = [
        claude_line(f"u{n}", f"u{n - 1}" if n else None, f"line {n} {random.Random(n).random()}")
        for n in range(4000)
    ]
    plain = write_lines(tmp_path / "whole.jsonl", *rows)
    copy = tmp_path / "cut.jsonl.gz"
    copy.write_bytes(gzip.compress(plain.read_bytes())[:-20_000])

    reading = read(source(copy))

    assert codes(reading) == ["damaged-archive"]
    assert len(reading.turns) > 1000


def test_zstandard_that_is_damaged_is_told(tmp_path):
    """A copy that cannot be unpacked is a finding."""
    path = tmp_path / "x.jsonl.zst"
    path.write_bytes(b"(\xb5/\xfd....")

    assert codes(read(Source(path=path, shape=Shape.OPENCLAW)))[0] in {"damaged-archive", "unreadable-file"}


def test_missing_file_is_told():
    """A file that went away keeps its watermark."""
    mark = read(source(CLAUDE)).watermark
    gone = CLAUDE.with_name("gone.jsonl")

    reading = read(Source(path=gone, shape=Shape.CLAUDE), mark)

    assert (codes(reading), reading.watermark) == (["unreadable-file"], mark)


shapes = st.sampled_from([shape for shape in Shape if shape is not Shape.OPENCLAW_DB])


@settings(max_examples=300, deadline=None)
@given(content=st.binary(max_size=400), shape=shapes)
def test_no_bytes_make_a_reader_raise(tmp_path_factory, content, shape):
    """Whatever a file holds, reading it ends in turns and findings."""
    path = tmp_path_factory.getbasetemp() / "garbage.jsonl"
    path.write_bytes(content)

    first = read(Source(path=path, shape=shape))
    again = read(Source(path=path, shape=shape), first.watermark)

    assert all(finding.path == str(path) for finding in (*first.findings, *again.findings))


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("user")
keys = st.sampled_from(
    """type uuid parentUuid id parentId message role content text payload timestamp sessionId messages $set
    $rewindTo targetId attachment origin data provenance session speaker spaces turns sessions conversation
    session_1 haystack_sessions haystack_session_ids cwd source kind displayContent name isMeta isSidechain
    num_turns directories toolCalls tool_calls args input arguments output result response functionResponse
    call_id tool_use_id toolCallId tool_call_id status exitCode metadata details action command""".split()
)
words = st.sampled_from(
    """user assistant message session leaf custom gemini response_item event_msg session_meta thread_rolled_back
    text tool_result attachment queued_command compaction tool_use tool toolCall toolResult bashExecution success
    function_call function_call_output local_shell_call""".split()
)
values = st.recursive(
    leaves | words,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(keys | st.text(max_size=3), inner, max_size=6)
    ),
    max_leaves=12,
)


@pytest.mark.long
@settings(max_examples=500, deadline=None)
@given(entries=st.lists(st.dictionaries(keys, values, max_size=8), max_size=4), shape=shapes)
def test_no_json_makes_a_reader_raise(tmp_path_factory, entries, shape):
    """Right keys with wrong values do no harm either."""
    path = tmp_path_factory.getbasetemp() / "odd.json"
    if shape in {Shape.LOCOMO, Shape.LONGMEMEVAL, Shape.PACK, Shape.GEMINI_FILE, Shape.PLAIN_FILE}:
        path.write_text(json.dumps(entries[0] if len(entries) == 1 else entries))
    else:
        path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))

    turns = read(Source(path=path, shape=shape)).turns

    # What is read can be written: no lone surrogate comes through.
    assert all(f"{turn.text}{turn.id}{turn.session}".encode() for turn in turns)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_damage_makes_a_reader_raise(tmp_path_factory, data):
    """A real transcript with any stretch of bytes overwritten, cut out or repeated is still read."""
    path = data.draw(st.sampled_from(LINE_FILES + DOCUMENTS))
    content = path.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 300)))
    filling = data.draw(
        st.sampled_from([b"", b"\0" * (end - start), content[start:end] * 2, b"\xff" * (end - start), b"\n"])
    )
    copy = tmp_path_factory.getbasetemp() / f"damaged-{path.name}"
    copy.write_bytes(content[:start] + filling + content[end:])

    reading = read(Source(path=copy, shape=source(path).shape))

    assert len({turn.id for turn in reading.turns}) == len(reading.turns)


@by_name
def test_quick_look_agrees_with_the_long_one(path, monkeypatch):
    """Lines passed over without parsing would have given nothing."""
    quick = read(source(path)).turns
    monkeypatch.setattr("memoracle.hosts.codex.CodexReader.skim", lambda self, raw: None)

    assert read(source(path)).turns == quick


def test_pipes_are_refused(tmp_path):
    """Something that is no plain file is told instead of waited for."""
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)

    assert codes(read(Source(path=pipe, shape=Shape.CLAUDE))) == ["unreadable-file"]
