"""Claude Code's transcripts."""

from __future__ import annotations

import json

from memoracle.hosts.reading import read
from memoracle.model.claim import Role, SessionKind

from .samples import CLAUDE, CLAUDE_REWIND, claude_line, copy_of, source, texts, write_lines


def test_only_what_was_said_is_read():
    """Thoughts, side chains, meta lines, commands, summaries and reminders are left out."""
    assert texts(CLAUDE) == [
        "Why does login fail on staging?",
        "Checking the session cookie.",
        "also check the refresh token",
        "The cookie has no SameSite attribute on staging.",
        "以后部署前先跑冒烟测试。",
        "好的，部署前会先跑冒烟测试。",
    ]


def test_turn_carries_its_frame():
    """Session, project, role, parent and line are the line's own."""
    turn = read(source(CLAUDE)).turns[1]

    assert (turn.session, turn.id, turn.role, turn.parent, turn.line, turn.project) == (
        "3f2a0000-aaaa-4bbb-8ccc-dddd00000001",
        "a1",
        Role.AGENT,
        "a0",
        4,
        "/home/mei/app",
    )


def test_words_before_a_compaction_are_kept():
    """A compaction starts a new root; what was said before it still counts."""
    assert "Why does login fail on staging?" in texts(CLAUDE)


def test_rewound_prompt_is_left_out():
    """A prompt that was taken back goes with its answer; parallel tool calls abandon nothing."""
    assert texts(CLAUDE_REWIND) == [
        "Name the new service.",
        "How about Lighthouse?",
        "就叫“灯塔”。",
        "Writing both files.",
        "Done, it is called Lighthouse (灯塔).",
    ]


def test_resumed_copy_counts_once(tmp_path):
    """A file that repeats the lines of another gives them the same ids: only what is new in it is new."""
    copy = copy_of(CLAUDE, tmp_path)
    with copy.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(claude_line("u99", "a4", "And in production?")) + "\n")

    first = {turn.id for turn in read(source(CLAUDE)).turns}
    new = [turn.text for turn in read(source(copy)).turns if turn.id not in first]

    assert (len(first), new) == (7, ["And in production?"])


def test_repeated_uuid_counts_once(tmp_path):
    """The same line twice in one file is one turn."""
    line = claude_line("u1", None, "Say it once.")

    assert texts(write_lines(tmp_path / "twice.jsonl", line, line)) == ["Say it once."]


def test_unknown_parent_starts_a_new_root(tmp_path):
    """When a line in the middle is lost, both halves are kept."""
    path = write_lines(
        tmp_path / "gap.jsonl",
        claude_line("u1", None, "Before the gap."),
        claude_line("u3", "u2", "After the gap."),
    )

    assert texts(path) == ["Before the gap.", "After the gap."]


def test_subagent_prompt_is_the_agents(tmp_path):
    """In a sub-agent's own log the prompt was written by an agent, not by the owner."""
    path = write_lines(
        tmp_path / "agent-17.jsonl", claude_line("u1", None, "Search the repository.", isSidechain=True)
    )

    (turn,) = read(source(path)).turns

    assert (turn.session_kind, turn.role) == (SessionKind.SUBAGENT, Role.AGENT)


def test_line_of_a_nested_uuid_is_parsed(tmp_path):
    """A tool result that holds keys of its own confuses nobody."""
    result = claude_line("u2", "u1", "")
    result["message"]["content"] = [{"type": "tool_result", "content": "x"}]
    result["toolUseResult"] = {"uuid": "intruder", "parentUuid": None}
    path = write_lines(
        tmp_path / "nested.jsonl",
        claude_line("u1", None, "First."),
        result,
        claude_line("u3", "u2", "Last."),
    )

    assert texts(path) == ["First.", "Last."]
