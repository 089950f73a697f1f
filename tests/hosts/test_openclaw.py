"""OpenClaw's transcript files."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime

import pytest

from memoracle.hosts.openclaw.transcript import kind_of
from memoracle.hosts.reading import read
from memoracle.model.claim import Role, SessionKind

from .samples import OPENCLAW, OPENCLAW_FLAT, OPENCLAW_REWIND, source, texts, write_lines


@pytest.mark.seed("S2.138")
@pytest.mark.seed("S4.043")
@pytest.mark.seed("S4.044")
def test_only_what_people_and_agent_said_is_read():
    """Tool output, thoughts, summaries, hidden context, heartbeats and inter-session messages are left out."""
    assert texts(OPENCLAW) == [
        "When is the demo with the harbour office?",
        "The demo is on Friday at ten.",
        "请把演示改到周三下午三点，地点不变。",
        "好的，演示已改到周三 15:00。",
    ]


@pytest.mark.seed("S4.040")
@pytest.mark.seed("S4.041")
def test_header_and_place_give_the_turn_its_frame():
    """Session, project, agent, speaker, time and line come from header, folder, wrapping and entry."""
    turn = read(source(OPENCLAW)).turns[0]

    assert (turn.session, turn.project, turn.agent, turn.speaker, turn.role, turn.line, turn.at) == (
        "0d0c7777-1111-4222-8333-444455556666",
        "/home/mei/.openclaw/workspace",
        "main",
        "Mei",
        Role.OWNER,
        3,
        datetime(2026, 4, 2, 8, 0, 1, tzinfo=UTC),
    )


@pytest.mark.seed("S4.042")
@pytest.mark.seed("C-15")
def test_flat_shape_is_read_too():
    """Role and content beside the id mean the same as a nested message; hidden entries stay hidden."""
    assert texts(OPENCLAW_FLAT) == [
        "我把客栈老板的名字改成了阿福。",
        "记住了：老板叫阿福。",
        "His daughter is called Lan.",
    ]


def test_abandoned_branch_is_left_out():
    """After a rewind only the path to the last leaf is read."""
    assert texts(OPENCLAW_REWIND) == [
        "Plan the trip to Kyoto.",
        "By train or by plane?",
        "坐新干线去。",
        "Then the train at nine.",
    ]


def test_leaf_entry_moves_the_live_branch(tmp_path):
    """A `leaf` entry points back at a branch that was left."""
    lines = OPENCLAW_REWIND.read_text("utf-8")
    leaf = {
        "type": "leaf",
        "id": "l1",
        "parentId": "r6",
        "targetId": "r4",
        "timestamp": "2026-04-03T09:00:00Z",
    }
    path = tmp_path / "leaf.jsonl"
    path.write_text(lines + json.dumps(leaf) + "\n", "utf-8")

    assert texts(path)[-1] == "Booked the flight."


def test_line_without_parent_continues(tmp_path):
    """A message appended by another tool, without ids or parent, abandons nothing."""
    path = tmp_path / "mixed.jsonl"
    path.write_text(OPENCLAW_REWIND.read_text("utf-8"), "utf-8")
    with path.open("a") as stream:
        stream.write('{"type":"message","message":{"role":"assistant","content":"Delivered elsewhere."}}\n')

    assert texts(path)[-3:] == ["坐新干线去。", "Then the train at nine.", "Delivered elsewhere."]


@pytest.mark.seed("S4.045")
@pytest.mark.parametrize(
    ("session", "kind", "role"),
    [
        ("group-session", SessionKind.GROUP, Role.EXTERNAL),
        ("cron-session", SessionKind.CRON, Role.SYSTEM),
        ("beat-session", SessionKind.HEARTBEAT, Role.SYSTEM),
        ("sub-session", SessionKind.SUBAGENT, Role.AGENT),
        ("unlisted", SessionKind.INTERACTIVE, Role.OWNER),
    ],
)
def test_session_index_tells_the_kind(tmp_path, session, kind, role):
    """`sessions.json` beside the transcript says what kind of session it was."""
    shutil.copy(OPENCLAW.with_name("sessions.json"), tmp_path)
    path = write_lines(
        tmp_path / f"{session}.jsonl",
        {"type": "session", "id": session},
        {
            "type": "message",
            "id": "1",
            "parentId": None,
            "message": {"role": "user", "content": "Something said"},
        },
    )

    (turn,) = read(source(path)).turns

    assert (turn.session_kind, turn.role) == (kind, role)


def test_keys_name_their_kind():
    """A hook's key and a channel's key are known by their parts."""
    assert [kind_of("hook:1"), kind_of("agent:main:discord:channel:9"), kind_of("agent:main:main")] == [
        SessionKind.HOOK,
        SessionKind.GROUP,
        SessionKind.INTERACTIVE,
    ]


def test_dreams_of_the_host_are_internal(tmp_path):
    """A run that consolidates the host's own memory is marked, so nothing is learnt from it."""
    path = write_lines(
        tmp_path / "dream.jsonl",
        {"type": "session", "id": "dream"},
        {"type": "custom", "id": "c", "parentId": None, "data": {"runId": "dreaming-narrative-1"}},
        {
            "type": "message",
            "id": "1",
            "parentId": "c",
            "message": {"role": "user", "content": "Tell the story"},
        },
    )

    assert [turn.session_kind for turn in read(source(path)).turns] == [SessionKind.INTERNAL]
