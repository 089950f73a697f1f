"""LoCoMo's file: samples of two friends talking over many sessions.

`[{sample_id, conversation: {session_1_date_time, session_1: [{speaker, dia_id, text, blip_caption?}]}}]`.
Ids and sessions carry the sample's name in front, because every sample counts from `D1:1`.
"""

from __future__ import annotations

from typing import Any

from memoracle.hosts.lines import LineFinder, read_moment, string, table, words_of
from memoracle.model.claim import Role, Turn

HOST = "locomo"


def fits(document: object) -> bool:
    """True for a document of this shape."""
    samples = document if isinstance(document, list) else [document]
    return bool(samples) and isinstance(samples[0], dict) and isinstance(samples[0].get("conversation"), dict)


def read_samples(path: str, document: object, lines: LineFinder) -> list[Turn]:
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
            if not isinstance(part, dict) or not (text := words(part, "blip_caption")):
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
                    host=HOST,
                    project=name,
                )
            )
    return turns


def words(part: dict[str, Any], caption_key: str) -> str:
    """What was said, with the caption of a picture that was shown."""
    text = words_of(part.get("text")).strip()
    caption = string(part, caption_key)
    return f"{text} [image: {caption.strip()}]".strip() if caption else text
