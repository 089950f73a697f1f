"""LongMemEval's file: questions, each with the chat sessions it may be answered from.

`[{question_id, haystack_session_ids, haystack_dates, haystack_sessions: [[{role, content}]]}]`. Sessions
are shared between questions; each is read once. A turn is `<session>#<place>`.
"""

from __future__ import annotations

from typing import Any

from memoracle.hosts.lines import LineFinder, read_moment, string, words_of
from memoracle.model.claim import Role, Turn

HOST = "longmemeval"


def fits(document: object) -> bool:
    """True for a document of this shape."""
    if not isinstance(document, list) or not document or not isinstance(document[0], dict):
        return False
    return isinstance(document[0].get("haystack_sessions"), list)


def read_haystacks(path: str, document: object, lines: LineFinder) -> list[Turn]:
    """The turns of every session, once."""
    turns: list[Turn] = []
    known: set[str] = set()
    for question in document if isinstance(document, list) else ():
        if not isinstance(question, dict):
            continue
        for session, date, messages in _sessions(question):
            if session not in known:
                known.add(session)
                turns += _session(path, session, date, messages, lines.line_of(f'"{session}"'))
    return turns


def _sessions(question: dict[str, Any]) -> list[tuple[str, object, list[Any]]]:
    sessions = question.get("haystack_sessions")
    if not isinstance(sessions, list):
        return []
    names = _aligned(question.get("haystack_session_ids"), len(sessions))
    dates = _aligned(question.get("haystack_dates"), len(sessions))
    fallback = string(question, "question_id") or "question"
    return [
        (name if isinstance(name, str) else f"{fallback}/{place}", date, messages)
        for place, (name, date, messages) in enumerate(zip(names, dates, sessions, strict=True))
        if isinstance(messages, list)
    ]


def _aligned(values: object, length: int) -> list[object]:
    given = list(values) if isinstance(values, list) else []
    return [*given, *[None] * length][:length]


def _session(path: str, session: str, date: object, messages: list[Any], line: int) -> list[Turn]:
    turns: list[Turn] = []
    for place, message in enumerate(messages):
        if not isinstance(message, dict) or not (text := words_of(message.get("content")).strip()):
            continue
        is_agent = message.get("role") == "assistant"
        turns.append(
            Turn(
                session=session,
                id=f"{session}#{place}",
                speaker="assistant" if is_agent else "user",
                role=Role.AGENT if is_agent else Role.OWNER,
                at=read_moment(date),
                text=text,
                path=path,
                line=line,
                host=HOST,
            )
        )
    return turns
