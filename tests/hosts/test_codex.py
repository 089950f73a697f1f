"""Codex's rollouts."""

from __future__ import annotations

import json

from memoracle.hosts.reading import read
from memoracle.model.claim import Role, SessionKind

from .samples import CODEX, CODEX_REWIND, source, texts, write_lines


def message(role, text, kind="input_text"):
    """A response item."""
    payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
    return {"timestamp": "2026-07-01T10:00:00Z", "type": "response_item", "payload": payload}


def test_only_what_was_said_is_read_once():
    """Scaffolding, reasoning and the mirrored events are left out; the editor's context comes off."""
    assert texts(CODEX) == [
        "The invoices round to the wrong cent.",
        "They use binary floats; I will switch to integer cents.",
        "金额一律用整数分保存。",
        "明白，所有金额改用整数分。",
    ]


def test_turn_carries_its_frame():
    """Session and project come from the header."""
    turn = read(source(CODEX)).turns[0]

    assert (turn.session, turn.project, turn.role, turn.line) == (
        "019aaaaa-bbbb-7ccc-8ddd-eeeeffff0001",
        "/home/mei/shop",
        Role.OWNER,
        5,
    )


def test_rolled_back_turns_are_left_out():
    """A rollback takes the last prompt and its answer away."""
    assert texts(CODEX_REWIND) == [
        "Pick a colour for the button.",
        "Blue would fit.",
        "改成绿色。",
        "按钮现在是绿色的。",
    ]


def test_forked_session_repeats_nothing(tmp_path):
    """A fork's copy of its parent's words has their ids, and so counts once."""
    lines = [json.loads(line) for line in CODEX.read_text("utf-8").splitlines()]
    header = {"timestamp": "2026-07-03T10:00:00Z", "type": "session_meta", "payload": {"id": "fork"}}
    header["payload"]["forked_from_id"] = "019aaaaa-bbbb-7ccc-8ddd-eeeeffff0001"
    fork = write_lines(
        tmp_path / "rollout-fork.jsonl", header, *lines, message("user", "Try it with decimals.")
    )

    known = {turn.id for turn in read(source(CODEX)).turns}
    new = [turn for turn in read(source(fork)).turns if turn.id not in known]

    assert [(turn.session, turn.text) for turn in new] == [("fork", "Try it with decimals.")]


def test_repeated_short_words_stay_apart(tmp_path):
    """“continue”, said twice, is two turns, also when the second comes in a later reading."""
    path = tmp_path / "rollout-x.jsonl"
    write_lines(path, {"type": "session_meta", "payload": {"id": "x"}}, message("user", "continue"))
    first = read(source(path))
    with path.open("a") as stream:
        stream.write(json.dumps(message("user", "continue")) + "\n")

    later = read(source(path), first.watermark)

    assert [turn.id for turn in (*first.turns, *later.turns)] == [
        turn.id for turn in read(source(path)).turns
    ]
    assert len(later.turns) == 1


def test_older_shape_is_read(tmp_path):
    """Rollouts from before the envelope hold messages directly."""
    path = write_lines(
        tmp_path / "rollout-2025-05-01-old.jsonl",
        {"id": "old", "timestamp": "2025-05-01T10:00:00Z", "instructions": None},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "Hello there, Codex."}],
        },
    )

    assert [(turn.session, turn.text) for turn in read(source(path)).turns] == [
        ("old", "Hello there, Codex.")
    ]


def test_subagent_is_marked(tmp_path):
    """A thread with a parent thread is a sub-agent's."""
    meta = {"type": "session_meta", "payload": {"id": "child", "parent_thread_id": "p"}}
    path = write_lines(tmp_path / "rollout-c.jsonl", meta, message("user", "Look for the bug."))

    (turn,) = read(source(path)).turns

    assert (turn.session_kind, turn.role) == (SessionKind.SUBAGENT, Role.AGENT)
