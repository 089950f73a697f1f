"""Plain conversations: one JSON object per line, or one JSON document with a list of messages.

An object says who (`role`, `speaker`, `name`, `from` …), what (`text`, `content` …) and perhaps when
and in which session. This is also the shape of `sessions/YYYY-MM-DD-HHMMSS.jsonl`. A line may hold a
whole conversation under `messages`. System prompts and tool output are left out.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from memoracle.ingest.branches import Node, Step
from memoracle.ingest.content import Ids, string, table, words_of
from memoracle.ingest.hygiene import clean, is_said
from memoracle.ingest.lines import Entry
from memoracle.ingest.moments import read_moment
from memoracle.model.turn import Role, Turn

HOST = "plain"
WHO = ("role", "speaker", "author", "sender", "from", "name")
WHAT = ("text", "content", "message", "body")
WHEN = ("timestamp", "time", "date", "at", "ts", "created_at", "createdAt")
SESSION = ("session", "session_id", "sessionId", "conversation_id", "conversation")
_IDS = ("id", "uuid", "message_id")
_AGENTS = frozenset({"assistant", "agent", "ai", "bot", "model", "gemini", "助手", "机器人"})
_OWNERS = frozenset({"user", "human", "me", "you", "owner", "用户", "我", "你", "人类"})
_NOT_SAID = frozenset({"system", "developer", "tool", "function", "toolresult", "tool_result", "系统"})


class Reader:
    """Takes the lines of one file."""

    def __init__(self, path: str, memo: dict[str, str]) -> None:
        self._path = path
        self._file = PurePath(path).name.split(".", 1)[0]
        self._started = _started(self._file)
        self._ids = Ids(memo.get("said", ""))

    def memo(self) -> dict[str, str]:
        """What a later reading of the same file needs to know."""
        return {"said": self._ids.memo()}

    def skim(self, raw: bytes) -> tuple[Step, ...] | None:  # noqa: ARG002
        """None: any line may hold words."""
        return None

    def take(self, entry: Entry, line: int) -> tuple[Step, ...] | None:
        """The steps of a line; None when nobody says anything on it."""
        messages = entry.get("messages")
        if isinstance(messages, list):
            session = string(entry, *SESSION, "id") or f"{self._file}:{line}"
            return tuple(
                step
                for message in messages
                if isinstance(message, dict)
                for step in self._message(message, line, session) or ()
            )
        return self._message(entry, line, self._file)

    def _message(self, entry: dict[str, Any], line: int, session: str) -> tuple[Step, ...] | None:
        entry = table(entry, "message") | entry
        who = string(entry, *WHO) or string(table(entry, "author"), "role", "name")
        content = next((entry[key] for key in WHAT if entry.get(key)), None)
        if who is None or content is None:
            return None if who is None else ()
        text = clean(words_of(content))
        role, speaker = _speaker(entry, who)
        if role in {Role.SYSTEM, Role.TOOL} or not is_said(text):
            return ()
        session = string(entry, *SESSION) or session
        when = next((entry[key] for key in WHEN if entry.get(key)), None)
        given = string(entry, *_IDS)
        turn = Turn(
            session=session,
            id=f"{session}:{given}" if given else self._ids.next(session, speaker, text, str(when or "")),
            speaker=speaker,
            role=role,
            at=read_moment(when) or self._started,
            text=text,
            path=self._path,
            line=line,
            host=HOST,
        )
        return (Node(turn.id, turn=turn, follows=True),)


def role_of(name: str) -> Role:
    """The channel that a speaker's name stands for. Whose a person's own name is, nobody can tell from it."""
    word = name.strip().casefold()
    if word in _AGENTS:
        return Role.AGENT
    if word in _NOT_SAID:
        return Role.SYSTEM
    return Role.OWNER if word in _OWNERS else Role.PERSON


def speaker_of(name: str) -> str:
    """`user` and `assistant` for the words that only mean them, otherwise the name itself."""
    word = name.strip().casefold()
    if word in _OWNERS:
        return "user"
    return "assistant" if word in _AGENTS else name.strip()


def _speaker(entry: dict[str, Any], who: str) -> tuple[Role, str]:
    role = role_of(who)
    named = string(entry, "speaker", "name", "author") if "role" in entry else None
    if named and role is Role.OWNER:
        role = role_of(named)  # users with names of their own: which of them is the owner must be known
    return role, speaker_of(named or who)


def _started(name: str) -> datetime | None:
    """When a file called `2026-05-02-093000` was begun."""
    for form in ("%Y-%m-%d-%H%M%S", "%Y-%m-%d-%H%M", "%Y-%m-%d"):
        try:
            return datetime.strptime(name[:17], form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def document_entries(document: object) -> list[Entry]:
    """The messages of a document: a list of them, or an object that holds the list and names the session."""
    messages = document.get("messages") if isinstance(document, dict) else document
    session = string(document, *SESSION, "id") if isinstance(document, dict) else None
    named = {"session": session} if session else {}
    return (
        [named | entry for entry in messages if isinstance(entry, dict)] if isinstance(messages, list) else []
    )
