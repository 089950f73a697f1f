"""Chats written down in Markdown.

A turn begins with `**User:** …`, `## User`, `User: …` or the same with a person's name; it ends where
the next begins. Words such as “User”, “Assistant”, “用户” are always speakers; another name is one when it
comes back or has a time in brackets beside it, so that “Note: …” stays text. Fenced code is text. Front
matter may give the session and the date.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime
from pathlib import PurePath
from typing import NamedTuple

from memoracle.ingest.content import Ids
from memoracle.ingest.hygiene import clean, is_said
from memoracle.ingest.moments import read_moment
from memoracle.ingest.plain import role_of, speaker_of
from memoracle.model.turn import Role, Turn

HOST = "markdown"
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
    facts = _facts(text)
    session = facts.get("session") or PurePath(path).name.split(".", 1)[0]
    day = read_moment(facts.get("date") or facts.get("time") or PurePath(path).name)
    lines = text.split("\n")
    ids = Ids()
    starts = _speakers(_starts(lines))
    turns: list[Turn] = []
    for place, start in enumerate(starts):
        end = starts[place + 1].line if place + 1 < len(starts) else len(lines)
        said = clean("\n".join([start.rest, *lines[start.line + 1 : end]]))
        role = Role.AGENT if start.name.casefold() in _MODELS else role_of(start.name)
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
                host=HOST,
            )
        )
    return turns


def looks_like_chat(text: str) -> bool:
    """True when at least two turns of two known speakers begin in this text."""
    starts = _speakers(_starts(text.split("\n")))
    return len({start.name.casefold() for start in starts}) > 1


def _starts(lines: list[str]) -> list[_Start]:
    found: list[_Start] = []
    fenced = False
    for number, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and line[:1] not in {"", " ", "\t", "-", ">"}:
            start = _start(number, line.rstrip("\r"))
            if start is not None:
                found.append(start)
    return found


def _start(number: int, line: str) -> _Start | None:
    for marker in _MARKERS:
        found = marker.match(line)
        if found is not None:
            parts = found.groupdict()
            when = parts.get("before") or parts.get("time") or parts.get("after")
            return _Start(number, parts["name"].strip(), read_moment(when), line[found.end() :])
    return None


def _speakers(starts: list[_Start]) -> list[_Start]:
    counts = Counter(start.name.casefold() for start in starts)
    returning = {name for name, count in counts.items() if count > 1}
    return [
        start for start in starts if start.at is not None or start.name.casefold() in _ROLE_WORDS | returning
    ]


def _facts(text: str) -> dict[str, str]:
    front = _FRONT.match(text)
    return {} if front is None else {key: value.strip(" \"'") for key, value in _FACT.findall(front["facts"])}
