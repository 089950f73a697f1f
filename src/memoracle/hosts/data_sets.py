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

from collections.abc import Iterator
from typing import Any

from memoracle.hosts.lines import LineFinder, read_moment, string, table, words_of
from memoracle.hosts.plain import role_of
from memoracle.model.claim import Role, Turn


def read_locomo(path: str, document: object, lines: LineFinder) -> list[Turn]:
    """The turns of all samples, in their order."""
    turns: list[Turn] = []
    for place, sample in enumerate(document if isinstance(document, list) else [document], start=1):
        if not isinstance(sample, dict):
            continue
        name = string(sample, "sample_id") or f"sample-{place}"
        conversation = table(sample, "conversation")
        for key, said in conversation.items():
            number = key.removeprefix("session_")
            if not number.isdecimal() or not isinstance(said, list):
                continue
            at = read_moment(conversation.get(f"{key}_date_time"))
            for count, part, text in _said(said, "text", "blip_caption"):
                given = string(part, "dia_id") or f"D{number}:{count + 1}"
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


def _said(messages: object, key: str, caption_key: str = "") -> Iterator[tuple[int, dict[str, Any], str]]:
    """Each message that says something, its place and its words, with the caption of a picture that was shown."""
    for place, part in enumerate(messages if isinstance(messages, list) else ()):
        if isinstance(part, dict):
            caption = string(part, caption_key)
            text = words_of(part.get(key)).strip() + (f" [image: {caption.strip()}]" if caption else "")
            if text.strip():
                yield place, part, text.strip()


def read_longmemeval(path: str, document: object, lines: LineFinder) -> list[Turn]:
    """The turns of every session, once."""
    turns: list[Turn] = []
    known: set[str] = set()
    for question in document if isinstance(document, list) else ():
        sessions = question.get("haystack_sessions") if isinstance(question, dict) else None
        if not isinstance(sessions, list):
            continue
        names, dates = (question.get(key) for key in ("haystack_session_ids", "haystack_dates"))
        for place, messages in enumerate(sessions):
            name, at = _at(names, place), read_moment(_at(dates, place))
            session = (
                name if isinstance(name, str) else f"{string(question, 'question_id') or 'question'}/{place}"
            )
            if session in known or not isinstance(messages, list):
                continue
            known.add(session)
            line = lines.line_of(f'"{session}"')
            for number, message, text in _said(messages, "content"):
                is_agent = message.get("role") == "assistant"
                turns.append(
                    Turn(
                        session=session,
                        id=f"{session}#{number}",
                        speaker="assistant" if is_agent else "user",
                        role=Role.AGENT if is_agent else Role.OWNER,
                        at=at,
                        text=text,
                        path=path,
                        line=line,
                        host="longmemeval",
                    )
                )
    return turns


def _at(given: object, place: int) -> object:
    return given[place] if isinstance(given, list) and place < len(given) else None


def read_pack(path: str, document: object, lines: LineFinder) -> list[Turn]:
    """The turns of all spaces and of the sessions they share."""
    pack = document if isinstance(document, dict) else {}
    spaces = pack.get("spaces")
    parts = [("", session, said) for session, said in table(pack, "sessions").items()]
    parts += [
        (string(space, "id") or "space", "session", space.get("turns"))
        for space in (spaces if isinstance(spaces, list) else ())
        if isinstance(space, dict)
    ]
    turns: list[Turn] = []
    for space, session, said in parts:
        prefix = f"{space}/" if space else ""
        for place, part, text in _said(said, "text", "caption"):
            given = string(part, "id") or str(place)
            speaker = string(part, "speaker") or "user"
            turns.append(
                Turn(
                    session=f"{prefix}{string(part, 'session') or session}",
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
