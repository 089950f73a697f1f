"""opencode: its sessions, rows of `session`, `message` and `part` in `opencode.db`.

The database belongs to a running host and is opened as OpenClaw's is. Only what has ended is read: words that are still
being written wait for the next reading. Nothing in a row tells a typed prompt from the text of a command, which a
project, a skill or a server may bring along. So the owner's are the lines that stand in the host's history of what was
typed (its last fifty), and what `opencode run` was given as its one argument, which it puts into quotes; every other
prompt is heard from outside. Parts that the host marks as its own, and summaries, are left out.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memoracle.hosts.branches import BranchNode, BranchState, Reading, Step, Watermark, digest
from memoracle.hosts.hygiene import clean, is_said, is_wrapped
from memoracle.hosts.known_hosts import OPENCODE, Shape
from memoracle.hosts.lines import (
    Broken,
    Entry,
    LineReader,
    TranscriptFormat,
    blocks_of,
    folder_named,
    parse,
    read_moment,
    string,
    table,
    words_of,
)
from memoracle.hosts.openclaw.database import opened
from memoracle.hosts.plain import Notes
from memoracle.hosts.tools import ToolCall, call_text
from memoracle.model.claim import Role, SessionKind, Turn

_ARGUMENT = re.compile(r'"((?:[^"\\\n]|\\[^\n])*)"')
_HEADLESS = '"question"'
"""What a session may not do when nobody is there to be asked."""
_ENDED = ("completed", "error")
_LARGEST_HISTORY = 8 << 20
_TABLES = ("session", "message", "part")
_MESSAGES = """SELECT rowid, id, session_id, data FROM message
    WHERE rowid > ? OR id IN (SELECT value FROM json_each(?)) ORDER BY time_created, id"""
_PARTS = "SELECT rowid, data FROM part WHERE message_id = ? ORDER BY id"


class OpencodeReader(LineReader):
    """Takes the messages of one session, each with its parts and their rows."""

    host = OPENCODE.alias

    def __init__(self, path: str, memo: dict[str, str], typed: frozenset[str] = frozenset()) -> None:
        super().__init__(path, memo)
        self._is_headless, self._typed = "headless" in memo, typed

    def take(self, entry: Entry, line: int) -> tuple[Step, ...] | None:
        """The turns of a message: its tools' first, then its words."""
        message, key = table(entry, "message"), str(entry["id"])
        speaker = self._speaker(message.get("role"))
        if speaker is None or message.get("summary") is True:
            return ()
        parts = [part for part in blocks_of(entry.get("parts")) if not part.get("synthetic")]
        texts = [part for part in parts if part.get("type") == "text" and not part.get("ignored")]
        text, at = words_of(texts), read_moment(table(message, "time").get("created"))
        if speaker[0] is Role.OWNER:
            given = _ARGUMENT.fullmatch(text.strip()) if self._is_headless else None
            text = given[1].replace('\\"', '"') if given else text
            is_typed = given or text.strip() in self._typed
            speaker = speaker if is_typed and not is_wrapped(text) else (Role.EXTERNAL, "host")
        tools = [self._tool(key, part) for part in parts if part.get("type") == "tool"]
        said = clean(text)
        row = texts[0]["row"] if texts else line
        turns = [*tools, self.turn(key, speaker, said, at, row) if is_said(said) else None]
        return tuple(BranchNode(one.id, turn=one, follows=True) for one in turns if one)

    def _speaker(self, role: object) -> tuple[Role, str] | None:
        if role == "assistant":
            return Role.AGENT, "assistant"
        if role != "user":
            return None
        # What a sub-agent is asked was written by the agent that started it.
        return (Role.AGENT, "agent") if self._kind is SessionKind.SUBAGENT else (Role.OWNER, "user")

    def _tool(self, message: str, part: Entry) -> Turn | None:
        state = table(part, "state")
        if state.get("status") not in _ENDED:
            return None
        call = ToolCall(call_text(str(part.get("tool")), state.get("input")), part["row"])
        content, failed = state.get("output") or state.get("error"), state.get("status") == "error"
        at = read_moment(table(state, "time").get("end"))
        return self.tool_turn(
            f"{message}:{part.get('callID')}", call, content, at, part["row"], failed=failed
        )


def read_sessions(path: Path, state: BranchState, watermark: Watermark | None) -> Reading:
    """The turns behind `watermark`, whose `offset` is the last message that was read."""
    notes = Notes(str(path))
    for calm in (True, False):
        try:
            return _read(path, state, watermark, notes, calm=calm)
        except sqlite3.Error as error:
            # The host may have written while the file was taken for immutable; ask properly, once.
            problem = error
    notes.add(Broken("unreadable-database", f"could not be read: {problem}"))
    return Reading(watermark=watermark, findings=notes.all())


def _read(
    path: Path, state: BranchState, watermark: Watermark | None, notes: Notes, *, calm: bool
) -> Reading:
    turns: list[Turn] = []
    waiting: list[str] = []
    with opened(path, calm=calm) as database:
        if not _is_ours(database):
            notes.add(Broken("unknown-shape", "the database holds no sessions of opencode"))
            return Reading(watermark=watermark, findings=notes.all())
        known = watermark if watermark and watermark.tail == _mark(database, watermark.offset) else None
        after, left = (known.offset, dict(known.memo).get("waiting", "").split()) if known else (0, [])
        readers: dict[str, OpencodeReader] = {}
        typed = _typed(path)
        hidden = dict(_reverts(database))
        last = after
        for row, given, session, raw in database.execute(_MESSAGES, (after, json.dumps(left))).fetchall():
            last = max(last, row)
            if session in hidden and given >= hidden[session]:
                continue
            entry: Entry = {"id": given, "message": _parsed(raw), "parts": []}
            for place, part in database.execute(_PARTS, (given,)):
                entry["parts"].append(_parsed(part) | {"row": place})
            if not _is_ended(entry):
                waiting.append(given)
                continue
            reader = readers.get(session) or _reader(database, str(path), session, typed)
            readers[session] = reader
            steps = reader.steps(entry, row, notes.add) or ()
            turns += [step.turn for step in steps if isinstance(step, BranchNode) and step.turn]
        tail = _mark(database, last)
    return Reading(
        turns=tuple(turns),
        findings=notes.all(),
        whole=known is None,
        watermark=Watermark(
            path=str(path),
            shape=Shape.OPENCODE_DB,
            **state._asdict(),
            offset=last,
            tail=tail,
            memo=(("waiting", " ".join(waiting)),) if waiting else (),
        ),
    )


def _is_ours(database: sqlite3.Connection) -> bool:
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return tables.issuperset(_TABLES)


def rows_before(path: Path, row: int, most: int) -> list[bytes] | None:
    """What was shown before a part, as it stands in the rows, without what an agent said; None for another database."""
    query = """SELECT part.data FROM part JOIN message ON message.id = part.message_id WHERE part.rowid < ?
        AND NOT (message.data LIKE '%"role":"assistant"%' AND part.data LIKE '%"type":"text"%')
        ORDER BY part.rowid DESC LIMIT ?"""
    with opened(path, calm=False) as database:
        if not _is_ours(database):
            return None
        found = [data for (data,) in database.execute(query, (row, most)) if isinstance(data, str)]
    return [data.encode("utf-8", "replace") for data in found]


def _typed(path: Path) -> frozenset[str]:
    """What was typed last, as the host notes it beside its database; a paste stands there as a mark of its own."""
    history = path.parents[2] / "state/opencode/prompt-history.jsonl" if len(path.parents) > 2 else path
    try:
        with history.open("rb") as file:
            lines = file.read(_LARGEST_HISTORY).split(b"\n")
    except OSError:
        return frozenset()
    entries = [parse(line)[0] or {} for line in lines]
    found = [string(one, "input") for one in entries if one.get("mode") == "normal" and not one.get("parts")]
    return frozenset(text.strip() for text in found if text)


def _reader(database: sqlite3.Connection, path: str, session: str, typed: frozenset[str]) -> OpencodeReader:
    query = "SELECT directory, parent_id, permission FROM session WHERE id = ?"
    folder, parent, allowed = database.execute(query, (session,)).fetchone() or ("", None, "")
    kind = SessionKind.SUBAGENT if parent else SessionKind.INTERACTIVE
    headless = {"headless": "1"} if _HEADLESS in str(allowed) else {}
    memo = {"session": session, "project": folder, "kind": kind.value, **headless}
    return OpencodeReader(path, memo, typed)


def _reverts(database: sqlite3.Connection) -> list[tuple[str, str]]:
    """The sessions that went back, and the message they went back to: it and what follows no longer counts."""
    rows = database.execute("SELECT id, revert FROM session WHERE revert IS NOT NULL ORDER BY id")
    found = [(session, string(_parsed(revert), "messageID")) for session, revert in rows]
    return [(session, message) for session, message in found if message]


def _mark(database: sqlite3.Connection, row: int) -> str:
    """A digest that changes when messages up to this row were taken away, or no longer count."""
    count = database.execute("SELECT count(*), max(id) FROM message WHERE rowid <= ?", (row,)).fetchone()
    return digest(repr((count, _reverts(database))).encode())


def _is_ended(entry: Mapping[str, Any]) -> bool:
    """True once nothing more is written to a message: an agent's has ended, a person's has words."""
    message = entry["message"]
    if message.get("role") == "assistant":
        return bool(table(message, "time").get("completed") or message.get("error"))
    return bool(entry["parts"])


def _parsed(raw: object) -> Entry:
    return (parse(raw.encode("utf-8", "replace"))[0] if isinstance(raw, str) else None) or {}


def _folders(home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    return ((folder_named(environment, "XDG_DATA_HOME", home) or home / ".local/share") / "opencode",)


_NAME = r"opencode[^/]*\.db"
FORMAT = TranscriptFormat(
    host=OPENCODE,
    reader=OpencodeReader,
    folders=_folders,
    names=((_NAME, Shape.OPENCODE_DB),),
    path="/" + _NAME,
    shape=lambda _: None,
    signs=(),
)
