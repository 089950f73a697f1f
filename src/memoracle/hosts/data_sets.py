"""Data sets of conversations, each one document: LoCoMo, LongMemEval, and packs of the benchmarks.

* LoCoMo: `[{sample_id, conversation: {session_1_date_time, session_1: [{speaker, dia_id, text, blip_caption?}]}}]`.
  Two friends talk over many sessions; every sample counts from `D1:1`.
* LongMemEval: `[{question_id, haystack_session_ids, haystack_dates, haystack_sessions: [[{role, content}]]}]`.
  Sessions are shared between questions, and each is read once. A turn is `<session>#<place>`.
* A pack: `{"name", "spaces": [{"id", "turns" or "sessions", "queries"}], "sessions"?}`. Every space is a memory of its
  own; sessions that spaces share stand once beside them and keep their own names.

Where ids count from the start in each part, they carry the name of the part in front.
"""

from __future__ import annotations

from typing import Any

from memoracle.hosts.lines import LineFinder, read_moment, string, table, words_of
from memoracle.hosts.plain import role_of
from memoracle.model.claim import Role, Turn


def read_locomo(path: str, document: object, lines: LineFinder) -> list[Turn]:
    """The turns of all samples, in their order."""
    samples = document if isinstance(document, list) else [document]
    return [
        turn
        for place, sample in enumerate(samples, start=1)
        if isinstance(sample, dict)
        for turn in _sample(path, sample, string(sample, "sample_id") or f"sample-{place}", lines)
    ]


def _sample(path: str, sample: dict[str, Any], name: str, lines: LineFinder) -> list[Turn]:
    conversation = table(sample, "conversation")
    turns: list[Turn] = []
    for key, said in conversation.items():
        number = key.removeprefix("session_")
        if not number.isdecimal() or not isinstance(said, list):
            continue
        at = read_moment(conversation.get(f"{key}_date_time"))
        for place, part in enumerate(said, start=1):
            if not isinstance(part, dict) or not (text := _words(part, "blip_caption")):
                continue
            given = string(part, "dia_id") or f"D{number}:{place}"
            turns.append(
                Turn(
                    session=f"{name}/D{number}",
                    id=f"{name}/{given}",
                    speaker=string(part, "speaker") or "somebody",
                    role=Role.PERSON,
                    at=at,
                    text=text,
                    path=path,
                    line=lines.line_of(f'"{given}"'),
                    host="locomo",
                    project=name,
                )
            )
    return turns


def _words(part: dict[str, Any], caption_key: str) -> str:
    """What was said, with the caption of a picture that was shown."""
    text = words_of(part.get("text")).strip()
    caption = string(part, caption_key)
    return f"{text} [image: {caption.strip()}]".strip() if caption else text


def read_longmemeval(path: str, document: object, lines: LineFinder) -> list[Turn]:
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
                host="longmemeval",
            )
        )
    return turns


def read_pack(path: str, document: object, lines: LineFinder) -> list[Turn]:
    """The turns of all spaces and of the sessions they share."""
    pack = document if isinstance(document, dict) else {}
    turns = [
        turn
        for session, said in table(pack, "sessions").items()
        if isinstance(said, list)
        for turn in _turns(path, said, "", session, lines)
    ]
    spaces = pack.get("spaces")
    for space in spaces if isinstance(spaces, list) else ():
        if isinstance(space, dict) and isinstance(space.get("turns"), list):
            name = string(space, "id") or "space"
            turns += _turns(path, space["turns"], name, "", lines)
    return turns


def _turns(path: str, said: list[Any], space: str, session: str, lines: LineFinder) -> list[Turn]:
    prefix = f"{space}/" if space else ""
    turns: list[Turn] = []
    for place, part in enumerate(said):
        if not isinstance(part, dict) or not (text := _words(part, "caption")):
            continue
        given = string(part, "id") or str(place)
        speaker = string(part, "speaker") or "user"
        turns.append(
            Turn(
                session=f"{prefix}{string(part, 'session') or session or 'session'}",
                id=f"{prefix}{given}",
                speaker=speaker,
                role=role_of(speaker),
                at=read_moment(part.get("date")),
                text=text,
                path=path,
                line=lines.line_of(f'"{given}"'),
                host="pack",
                project=space or None,
            )
        )
    return turns
