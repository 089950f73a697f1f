"""Where the samples lie, and how tests talk about what was read."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

from memoracle.hosts.branches import Reading
from memoracle.hosts.reading import read
from memoracle.hosts.sources import Source, recognise
from memoracle.model.claim import Role

DATA = Path(__file__).parent / "data"
OPENCLAW = DATA / "openclaw/agents/main/sessions/0d0c7777-1111-4222-8333-444455556666.jsonl"
OPENCLAW_FLAT = OPENCLAW.with_name("flat.jsonl")
OPENCLAW_REWIND = OPENCLAW.with_name("rewind.jsonl")
CLAUDE = DATA / "claude/projects/-home-mei-app/3f2a0000-aaaa-4bbb-8ccc-dddd00000001.jsonl"
CLAUDE_REWIND = CLAUDE.with_name("rewind.jsonl")
CODEX = DATA / "codex/rollout-2026-07-01T10-00-00-019aaaaa-bbbb-7ccc-8ddd-eeeeffff0001.jsonl"
CODEX_REWIND = DATA / "codex/rollout-2026-07-02T10-00-00-019aaaaa-bbbb-7ccc-8ddd-eeeeffff0002.jsonl"
GEMINI = DATA / "gemini/session-2026-08-01T09-00-abcd1234.jsonl"
GEMINI_FILE = DATA / "gemini/session-2026-03-01T09-00-old.json"
PLAIN = DATA / "plain/2026-05-02-093000.jsonl"
CHAT = DATA / "plain/chat.md"
NAMES = DATA / "plain/names.md"
LOCOMO = DATA / "sets/locomo.json"
LONGMEMEVAL = DATA / "sets/longmemeval.json"
PACK = DATA / "sets/pack.json"

LINE_FILES = [
    OPENCLAW,
    OPENCLAW_FLAT,
    OPENCLAW_REWIND,
    CLAUDE,
    CLAUDE_REWIND,
    CODEX,
    CODEX_REWIND,
    GEMINI,
    PLAIN,
]
DOCUMENTS = [GEMINI_FILE, CHAT, NAMES, LOCOMO, LONGMEMEVAL, PACK]


def source(path: Path) -> Source:
    """The source at a path, which must be one."""
    found = recognise(path)
    assert isinstance(found, Source), found
    return found


def texts(path: Path) -> list[str]:
    """What is said in a file, without what tools gave."""
    return [turn.text for turn in read(source(path)).turns if turn.role is not Role.TOOL]


def results(path: Path) -> list[str]:
    """What tools gave in a file."""
    return [turn.text for turn in read(source(path)).turns if turn.role is Role.TOOL]


def codes(reading: Reading) -> list[str]:
    """The codes of what was found."""
    return [finding.code for finding in reading.findings]


def copy_of(path: Path, folder: Path) -> Path:
    """A copy that a test may change, under the same name."""
    return Path(shutil.copy(path, folder / path.name))


def state(path: Path) -> tuple[bytes, int, int]:
    """Everything a reader must leave alone."""
    seen = os.stat(path)
    return path.read_bytes(), seen.st_mtime_ns, seen.st_ino


def write_lines(path: Path, *entries: dict[str, Any]) -> Path:
    """A transcript of these entries."""
    path.write_text("".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries), "utf-8")
    return path


def claude_line(uuid: str, parent: str | None, text: str, **more: Any) -> dict[str, Any]:
    """A line as Claude Code writes it."""
    kind = more.pop("type", "user")
    return {
        "parentUuid": parent,
        "isSidechain": False,
        "sessionId": "s",
        "type": kind,
        "message": {"role": kind, "content": text},
        "uuid": uuid,
        "timestamp": "2026-08-10T12:00:00.000Z",
        **more,
    }


def make_database(path: Path, transcripts: dict[str, Path], *, wal: bool = False) -> Path:
    """An agent database that holds these transcripts."""
    with sqlite3.connect(path) as database:
        if wal:
            database.execute("PRAGMA journal_mode=WAL")
        database.execute(
            "CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,"
            " created_at INTEGER, PRIMARY KEY (session_id, seq))"
        )
        database.execute("CREATE TABLE session_windows (session_id TEXT, session_key TEXT, chat_type TEXT)")
        for session, transcript in transcripts.items():
            add_events(database, session, transcript.read_text("utf-8").splitlines())
    database.close()
    return path


def add_events(database: sqlite3.Connection, session: str, events: list[str]) -> None:
    """Append events to a session."""
    (last,) = database.execute(
        "SELECT coalesce(max(seq), -1) FROM transcript_events WHERE session_id = ?", (session,)
    ).fetchone()
    database.executemany(
        "INSERT INTO transcript_events VALUES (?, ?, ?, 1)",
        [(session, last + 1 + place, event) for place, event in enumerate(events)],
    )
    database.commit()
