"""Gemini CLI's chats."""

from __future__ import annotations

import json

from memoracle.hosts.reading import read

from .samples import GEMINI, GEMINI_FILE, source, texts, write_lines


def test_log_is_replayed():
    """Later versions of an entry win, a rewind takes its target away, notices are left out."""
    assert texts(GEMINI) == [
        "Which map projection do we use?",
        "Web Mercator, set in tiles.toml.",
        "改用等面积投影，只用于欧洲。",
        "好的，欧洲改用 LAEA 投影。",
    ]


def test_older_document_is_read_with_its_lines():
    """The single-file form gives the same turns, each with the line it stands on."""
    assert [(turn.text, turn.line, turn.session) for turn in read(source(GEMINI_FILE)).turns] == [
        ("Where are the tiles stored?", 8, "gem-old"),
        ("放在对象存储的 tiles 桶里。", 14, "gem-old"),
    ]


def test_compression_takes_nothing_away(tmp_path):
    """`$set.messages` is what the model still sees; what was said before stays said."""
    path = write_lines(
        tmp_path / "session-c.jsonl",
        {"sessionId": "c", "projectHash": "x", "startTime": "2026-08-01T09:00:00Z"},
        {"id": "1", "type": "user", "content": "The harbour opens at six."},
        {"$set": {"messages": [{"id": "2", "type": "user", "content": "And closes at nine."}]}},
    )

    assert texts(path) == ["The harbour opens at six.", "And closes at nine."]


def test_rewind_between_readings_withdraws(tmp_path):
    """Turns given earlier that a later rewind drops are named."""
    lines = GEMINI.read_text("utf-8").splitlines(keepends=True)
    path = tmp_path / GEMINI.name
    path.write_text("".join(lines[:8]), "utf-8")
    mark = read(source(path)).watermark
    path.open("a", encoding="utf-8").write("".join(lines[8:]))

    reading = read(source(path), mark)

    assert (reading.withdrawn, len(reading.turns)) == (("gem-1:g3", "gem-1:g4"), 2)


def test_entry_written_again_is_not_given_again(tmp_path):
    """An entry that comes back with its token count, in a later reading, says nothing new."""
    entry = {"id": "2", "type": "gemini", "content": "The harbour opens at six."}
    path = write_lines(
        tmp_path / "session-d.jsonl", {"sessionId": "d", "startTime": "2026-08-01T09:00:00Z"}, entry
    )
    mark = read(source(path)).watermark
    with path.open("a") as stream:
        stream.write(json.dumps(entry | {"tokens": {"total": 9}}) + "\n")

    assert read(source(path), mark).turns == ()
