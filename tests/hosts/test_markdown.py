"""Chats in Markdown."""

from __future__ import annotations

from datetime import UTC, datetime

from memoracle.hosts.reading import read
from memoracle.hosts.sources import recognise
from memoracle.model.report import Finding

from .samples import CHAT, NAMES, source


def test_marks_of_all_kinds_begin_a_turn():
    """Bold names and headings begin turns; “Note:” and code do not."""
    assert [(turn.speaker, turn.line) for turn in read(source(CHAT)).turns] == [
        ("user", 8),
        ("assistant", 15),
        ("user", 17),
        ("assistant", 21),
    ]


def test_text_runs_to_the_next_turn():
    """A turn holds all its lines, code included."""
    turn = read(source(CHAT)).turns[0]

    assert turn.text.splitlines()[:2] == ["The tomatoes need a fence.", "Note: the deer came twice."]
    assert "this is code, not a speaker" in turn.text


def test_front_matter_and_brackets_give_time_and_session():
    """The date of the file stands for turns without a time of their own."""
    turns = read(source(CHAT)).turns

    assert [(turn.session, turn.at) for turn in turns[1:3]] == [
        ("garden-talk", datetime(2026, 5, 3, tzinfo=UTC)),
        ("garden-talk", datetime(2026, 5, 3, 10, 15, tzinfo=UTC)),
    ]


def test_names_with_a_time_are_speakers():
    """A name with a time beside it speaks; a word before a colon does not."""
    assert [(turn.speaker, turn.text) for turn in read(source(NAMES)).turns] == [
        ("Ada", "Shall we meet at the pier?"),
        ("Bo", "Yes, at six."),
        ("Ada", "我带雨伞。\nReminder: buy tickets"),
    ]


def test_page_without_speakers_is_no_chat(tmp_path):
    """An ordinary page is not taken for a conversation."""
    path = tmp_path / "page.md"
    path.write_text("# Plan\n\nGoal: a fence.\n\nCost: little.\n", "utf-8")

    assert isinstance(recognise(path), Finding)
