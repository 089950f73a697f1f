"""One item of a model's answer, as far as types and ranges go. Knows nothing of what was asked. Pure."""

from __future__ import annotations

import re
from typing import Any

from memoracle.model.record import Kind
from memoracle.model.value import value

LEAST_SURE, MOST_SURE = 0.3, 0.9

_KINDS = frozenset(Kind) - {Kind.SUMMARY}
_PREDICATE = re.compile(r"[a-z][a-z_]{0,39}")
_LONGEST_NAME, _LONGEST_OBJECT = 80, 200
_MOST_ENTITIES = 8


@value
class Saying:
    """What an item says of a fragment that is worth keeping."""

    kind: Kind
    subject: str
    predicate: str
    object: str
    text: str
    importance: float
    confidence: float
    entities: tuple[str, ...]


def read_saying(item: dict[str, Any]) -> Saying | str:
    """The item with its parts in order, or what is wrong with it."""
    if item.get("keep") is not True:
        return "`keep` is neither true nor false"
    parts = [item.get(name) for name in ("kind", "subject", "predicate", "object", "text")]
    if not all(isinstance(part, str) for part in parts):
        return "a part is missing or not text"
    kind, subject, predicate, said, text = (" ".join(str(part).split()) for part in parts)
    if kind not in _KINDS:
        return "no kind has this name"
    if not _PREDICATE.fullmatch(predicate):
        return "the predicate is no name"
    if not 0 < len(subject) <= _LONGEST_NAME or not 0 < len(said) <= _LONGEST_OBJECT:
        return "subject or object is empty or too long"
    importance = _number(item.get("importance"), 0.0, 1.0)
    confidence = _number(item.get("confidence"), LEAST_SURE, MOST_SURE)
    if importance is None or confidence is None:
        return "importance or confidence is no number in its range"
    entities = item.get("entities") or []
    if not isinstance(entities, list) or not all(isinstance(name, str) for name in entities):
        return "the entities are no list of names"
    names = [" ".join(name.split()) for name in entities[:_MOST_ENTITIES]]
    return Saying(
        kind=Kind(kind),
        subject=subject,
        predicate=predicate,
        object=said,
        text=text,
        importance=importance,
        confidence=confidence,
        entities=tuple(dict.fromkeys(name for name in names if 0 < len(name) <= _LONGEST_NAME)),
    )


def _number(given: Any, least: float, most: float) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    return float(given) if least <= given <= most else None
