"""Plain JSONL and JSON conversations."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from memoracle.hosts.known_hosts import Shape
from memoracle.hosts.reading import read
from memoracle.model.claim import Role

from .samples import PLAIN, source, texts, write_lines


@pytest.mark.seed("S0.020")
@pytest.mark.seed("C-15")
def test_raw_session_log_is_read():
    """Who and what are taken under any of their usual names; system prompts are left out."""
    assert [(turn.speaker, turn.text) for turn in read(source(PLAIN)).turns] == [
        ("user", "My dentist moved to Elm Street."),
        ("assistant", "Noted: the dentist is on Elm Street now."),
        ("小林", "周六我们去爬山。"),
        ("tool", "SECRET TOOL OUTPUT"),
        ("user", "ok"),
        ("user", "ok"),
    ]


def test_time_is_the_lines_or_the_files():
    """A line without a time was said when its file was begun."""
    turns = read(source(PLAIN)).turns

    assert [turn.at for turn in turns[:2]] == [
        datetime(2026, 5, 2, 9, 30, 5, tzinfo=UTC),
        datetime(2026, 5, 2, 9, 30, tzinfo=UTC),
    ]


def test_line_with_a_whole_conversation(tmp_path):
    """`messages` on a line is a session of its own."""
    messages = [{"role": "user", "content": "第一句"}, {"role": "assistant", "content": "second sentence"}]
    path = write_lines(tmp_path / "sets.jsonl", {"messages": messages}, {"messages": messages})

    assert [(turn.session, turn.text) for turn in read(source(path)).turns] == [
        ("sets:1", "第一句"),
        ("sets:1", "second sentence"),
        ("sets:2", "第一句"),
        ("sets:2", "second sentence"),
    ]


def test_document_with_messages(tmp_path):
    """A JSON document that holds the list is read too, with lines."""
    document = {
        "id": "talk",
        "messages": [{"role": "user", "content": "Hello harbour"}, {"role": "ai", "text": "Ahoy"}],
    }
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(document, indent=1), "utf-8")

    assert source(path).shape is Shape.PLAIN_FILE
    assert [(turn.session, turn.role, turn.line) for turn in read(source(path)).turns] == [
        ("talk", Role.OWNER, 6),
        ("talk", Role.AGENT, 10),
    ]


def test_own_frame_is_never_read_back(tmp_path):
    """What memory injected into a prompt is not learnt from the transcript."""
    text = "<memoracle v=1>\nthe pier is closed\n</memoracle>\nIs the pier open?"

    assert texts(write_lines(tmp_path / "loop.jsonl", {"role": "user", "text": text})) == [
        "Is the pier open?"
    ]
