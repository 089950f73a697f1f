"""Labelled turns: what was said, and what a careful archivist would keep of it.

Reads `<split>.<language>.jsonl` from a folder the caller names; keeps nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memoracle.errors import BadInput
from memoracle.model.claim import Stance
from memoracle.model.origin import Channel
from memoracle.model.predicates import OWNER, Family
from memoracle.model.turn import SessionKind, Turn
from memoracle.model.value import value

SPLITS = ("train", "dev", "test")
LANGUAGES = ("en", "zh")


@value
class Fact:
    """One thing a turn says. `families` are all that are defensible, the likeliest first."""

    families: tuple[Family, ...]
    object: str
    subject: str = OWNER
    stance: Stance = Stance.ASSERT
    belief: bool = False
    optional: bool = False
    """It may be kept or left: neither is rewarded or punished."""

    @property
    def family(self) -> Family:
        """The family it is counted under."""
        return self.families[0]


@value
class Labelled:
    """One turn and its facts; none for a turn that memory should let pass."""

    turn: Turn
    facts: tuple[Fact, ...]


def read_labelled(folder: str, split: str, language: str) -> tuple[Labelled, ...]:
    """The turns of one file of a folder."""
    path = os.path.join(folder, f"{split}.{language}.jsonl")
    try:
        with open(path, encoding="utf-8") as file:
            lines = list(file)
    except OSError as problem:
        raise BadInput(f"no labelled turns at {path}: {problem.strerror}", "name it with --data") from None
    return tuple(_read(line, path, number) for number, line in enumerate(lines, 1) if line.strip())


def labelled_of(line: dict[str, Any], path: str = "", number: int = 1) -> Labelled:
    """A labelled turn from its JSON line. Every turn is a session of its own: the lines do not follow."""
    turn = Turn(
        session=line["id"],
        id=line["id"],
        speaker=line.get("who") or line["role"],
        role=Channel(line["role"]),
        at=datetime.fromisoformat(line["said"]),
        text=line["text"],
        path=path,
        line=number,
        session_kind=SessionKind(line["session"]),
    )
    return Labelled(turn=turn, facts=tuple(map(_fact, line["facts"])))


def _read(line: str, path: str, number: int) -> Labelled:
    try:
        return labelled_of(json.loads(line), path, number)
    except (ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{path}:{number} is not a labelled turn: {problem!r}") from problem


def _fact(fact: dict[str, Any]) -> Fact:
    named: Sequence[str] = fact.get("families") or (fact["family"],)
    return Fact(
        families=tuple(dict.fromkeys((Family(fact["family"]), *map(Family, named)))),
        object=fact["object"],
        subject=fact.get("subject", OWNER),
        stance=Stance(fact.get("stance", Stance.ASSERT)),
        belief=fact.get("belief", False),
        optional=fact.get("optional", False),
    )
