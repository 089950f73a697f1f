"""Plain conversations: one JSON object per line, or one JSON document with a list of messages.

An object says who (`role`, `speaker`, `name`, `from` …), what (`text`, `content` …) and perhaps when
and in which session. This is also the shape of `sessions/YYYY-MM-DD-HHMMSS.jsonl`. A line may hold a
whole conversation under `messages`. What a tool gave is joined with its call, where an assistant's
`tool_calls` name it. System prompts are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any, NamedTuple

from memoracle.hosts.branches import BranchNode, Step
from memoracle.hosts.hygiene import clean, is_said
from memoracle.hosts.lines import (
    Broken,
    Entry,
    Ids,
    LineReader,
    blocks_of,
    read_moment,
    string,
    table,
    words_of,
)
from memoracle.hosts.tools import digest_output, result_text
from memoracle.model.claim import Role, Turn
from memoracle.model.report import Finding, Severity

# What went wrong while one file was read.

_MOST_FINDINGS = 20


class Notes:
    """Findings about one file; of each sort the first few, then how many more there were."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: list[Finding] = []
        self._counts: Counter[str] = Counter()

    def add(self, broken: Broken, line: int | None = None) -> None:
        """Note something broken."""
        self._counts[broken.code] += 1
        if self._counts[broken.code] <= _MOST_FINDINGS:
            self._found.append(self._finding(broken.code, broken.message, line))

    def all(self) -> tuple[Finding, ...]:
        """Everything noted."""
        more = [
            self._finding(code, f"{count - _MOST_FINDINGS} more like this")
            for code, count in self._counts.items()
            if count > _MOST_FINDINGS
        ]
        return (*self._found, *more)

    def _finding(self, code: str, message: str, line: int | None = None) -> Finding:
        return Finding(code=code, severity=Severity.WARNING, path=self._path, line=line, message=message)


WHO = ("role", "speaker", "author", "sender", "from", "name")
WHAT = ("text", "content", "message", "body")
WHEN = ("timestamp", "time", "date", "at", "ts", "created_at", "createdAt")
SESSION = ("session", "session_id", "sessionId", "conversation_id", "conversation")
_IDS = ("id", "uuid", "message_id")
_AGENTS = frozenset({"assistant", "agent", "ai", "bot", "model", "gemini", "助手", "机器人"})
_OWNERS = frozenset({"user", "human", "me", "you", "owner", "用户", "我", "你", "人类"})
_NOT_SAID = frozenset({"system", "developer", "系统"})
_TOOLS = frozenset({"tool", "function", "toolresult", "tool_result", "工具"})


class PlainReader(LineReader):
    """Takes the lines of one file."""

    host = "plain"

    def __init__(self, path: str, memo: dict[str, str]) -> None:
        super().__init__(path, memo)
        self._started = _started(self._stem)

    def take(self, entry: Entry, line: int) -> tuple[Step, ...] | None:
        """The steps of a line; None when nobody says anything on it."""
        messages = entry.get("messages")
        if isinstance(messages, list):
            session = string(entry, *SESSION, "id") or f"{self._stem}:{line}"
            return tuple(
                step
                for message in messages
                if isinstance(message, dict)
                for step in self._message(message, line, session) or ()
            )
        return self._message(entry, line, self._stem)

    def _message(self, entry: dict[str, Any], line: int, session: str) -> tuple[Step, ...] | None:
        entry = table(entry, "message") | entry
        who = string(entry, *WHO) or string(table(entry, "author"), "role", "name")
        content = next((entry[key] for key in WHAT if entry.get(key)), None)
        for called in blocks_of(entry.get("tool_calls")):
            asked = table(called, "function") or called
            self.calls.add(called.get("id"), asked.get("name"), asked.get("arguments"), line)
        if who is None or content is None:
            return None if who is None else ()
        role, speaker = _speaker(entry, who)
        call = None
        text = clean(words_of(content))
        if role is Role.TOOL:
            call = self.calls.pop(string(entry, "tool_call_id", "toolCallId", "call_id"), None, line)
            text = digest_output(words_of(content)) if call.text == "tool" else result_text(call, content)
        if role is Role.SYSTEM or not is_said(text):
            return ()
        session = string(entry, *SESSION) or session
        when = next((entry[key] for key in WHEN if entry.get(key)), None)
        given = string(entry, *_IDS)
        key = f"{session}:{given}" if given else self._ids.next(session, speaker, text, str(when or ""))
        at = read_moment(when) or self._started
        first = call.line if call else line
        turn = self.turn(key, (role, speaker), text, at, first, session=session, last_line=line)
        return (BranchNode(key, turn=turn, follows=True),)


def role_of(name: str) -> Role:
    """The channel that a speaker's name stands for. Whose a person's own name is, nobody can tell from it."""
    word = name.strip().casefold()
    if word in _AGENTS:
        return Role.AGENT
    if word in _NOT_SAID:
        return Role.SYSTEM
    if word in _TOOLS:
        return Role.TOOL
    return Role.OWNER if word in _OWNERS else Role.PERSON


def speaker_of(name: str) -> str:
    """`user` and `assistant` for the words that only mean them, otherwise the name itself."""
    word = name.strip().casefold()
    if word in _OWNERS:
        return "user"
    return "assistant" if word in _AGENTS else "tool" if word in _TOOLS else name.strip()


def _speaker(entry: dict[str, Any], who: str) -> tuple[Role, str]:
    role = role_of(who)
    named = string(entry, "speaker", "name", "author") if "role" in entry else None
    if named and role is Role.OWNER:
        role = role_of(named)  # users with names of their own: which of them is the owner must be known
    return role, "tool" if role is Role.TOOL else speaker_of(named or who)


def _started(name: str) -> datetime | None:
    """When a file called `2026-05-02-093000` was begun."""
    for form in ("%Y-%m-%d-%H%M%S", "%Y-%m-%d-%H%M", "%Y-%m-%d"):
        with suppress(ValueError):
            return datetime.strptime(name[:17], form).replace(tzinfo=UTC)
    return None


def document_entries(document: object) -> list[Entry]:
    """The messages of a document: a list of them, or an object that holds the list and names the session."""
    messages = document.get("messages") if isinstance(document, dict) else document
    session = string(document, *SESSION, "id") if isinstance(document, dict) else None
    named = {"session": session} if session else {}
    return (
        [named | entry for entry in messages if isinstance(entry, dict)] if isinstance(messages, list) else []
    )


# Chats written down in Markdown.

MARKDOWN_HOST = "markdown"
_ROLE_WORDS = frozenset(
    """user human me you owner assistant agent ai bot model claude chatgpt gpt gemini codex openclaw
    system tool 用户 我 你 助手 机器人 系统 人类""".split()
)
_MODELS = frozenset({"claude", "chatgpt", "gpt", "gemini", "codex", "openclaw"})
_NAME = r"(?P<name>[^\W\d_][\w .'’\-]{0,38}?)"
_TIME = r"(?:[ \t]?[\[(（](?P<time>[^\])）\n]{4,40})[\])）])?"
_MARKERS = (
    re.compile(rf"\*\*{_NAME}{_TIME}[ \t]?[:：]?\*\*{_TIME.replace('time', 'after')}[ \t]?[:：]?[ \t]*"),
    re.compile(rf"#{{1,6}} {_NAME}{_TIME}[ \t]*[:：]?[ \t]*$"),
    re.compile(rf"(?:\[(?P<before>[^\]\n]{{4,40}})\] ?)?{_NAME}{_TIME}[ \t]?[:：](?:[ \t]+|$)"),
)
_FRONT = re.compile(r"---\n(?P<facts>(?:[^\n]*\n){1,40}?)---\n")
_FACT = re.compile(r"^(session|date|time)[ \t]*:[ \t]*(\S[^\n]{0,200})$", re.MULTILINE)


class _Start(NamedTuple):
    """Where somebody begins to speak."""

    line: int
    name: str
    at: datetime | None
    rest: str


def read_chat(path: str, content: bytes) -> list[Turn]:
    """The turns of a Markdown chat; none when it is not one."""
    text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    front = _FRONT.match(text)
    facts = {key: said.strip(" \"'") for key, said in _FACT.findall(front["facts"] if front else "")}
    session = facts.get("session") or PurePath(path).name.split(".", 1)[0]
    day = read_moment(facts.get("date") or facts.get("time") or PurePath(path).name)
    lines = text.split("\n")
    ids = Ids()
    starts = _starts(lines)
    turns: list[Turn] = []
    for place, start in enumerate(starts):
        end = starts[place + 1].line if place + 1 < len(starts) else len(lines)
        words = "\n".join([start.rest, *lines[start.line + 1 : end]])
        role = Role.AGENT if start.name.casefold() in _MODELS else role_of(start.name)
        said = digest_output(words) if role is Role.TOOL else clean(words)
        if role is Role.SYSTEM or not is_said(said):
            continue
        speaker = speaker_of(start.name)
        turns.append(
            Turn(
                session=session,
                id=ids.next(session, speaker, said, str(start.at or "")),
                speaker=speaker,
                role=role,
                at=start.at or day,
                text=said,
                path=path,
                line=start.line + 1,
                host=MARKDOWN_HOST,
            )
        )
    return turns


def looks_like_chat(text: str) -> bool:
    """True when at least two turns of two known speakers begin in this text."""
    starts = _starts(text.split("\n"))
    return len({start.name.casefold() for start in starts}) > 1


def _starts(lines: list[str]) -> list[_Start]:
    """Where the speakers begin: those with a time, with a role for a name, or who come again."""
    starts: list[_Start] = []
    fenced = False
    for number, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and line[:1] not in {"", " ", "\t", "-", ">"}:
            marked = next((match for one in _MARKERS if (match := one.match(line.rstrip("\r")))), None)
            if marked is not None:
                parts = marked.groupdict()
                when = parts.get("before") or parts.get("time") or parts.get("after")
                rest = line.rstrip("\r")[marked.end() :]
                starts.append(_Start(number, parts["name"].strip(), read_moment(when), rest))
    counts = Counter(start.name.casefold() for start in starts)
    returning = {name for name, count in counts.items() if count > 1}
    return [
        start for start in starts if start.at is not None or start.name.casefold() in _ROLE_WORDS | returning
    ]
