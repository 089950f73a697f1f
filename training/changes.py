"""What changes what: statements of one person or project in their order, and which earlier one each of them changes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

from tokenizers import Tokenizer

from training import encoder
from training.encoder import CLS, SEP
from training.sources import HERE, Talk, Turn

HOLDS = frozenset({"revives", "narrows"})
"""Ways to meet an earlier statement that leave it standing."""
MEASURED = frozenset({"c4", "c8"})
"""Files that are only measured on."""
NEW, OLD = 56, 56
EACH = 12
_DISTRACTING = 12

Pair = tuple[tuple[str, str], tuple[str, str]]
"""An earlier and a later statement, each with who said it."""


def timelines() -> Iterator[dict[str, Any]]:
    """All of them that are learnt from."""
    for path in sorted((HERE / "changes").glob("*.jsonl")):
        if path.stem not in MEASURED:
            yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())


def said(timeline: dict[str, Any], statement: dict[str, Any]) -> tuple[str, str]:
    """Who says it, and what."""
    return statement.get("speaker") or timeline["who"], statement["text"]


class Changes:
    """Statements with earlier ones, as rows on the GPU: of each the rows, those that it changes first, and how many."""

    def __init__(self, given: Sequence[dict[str, Any]], tokenizer: Tokenizer) -> None:
        pairs: list[Pair] = []
        self.groups: list[tuple[list[int], int]] = []
        for timeline in given:
            own = timeline["statements"]
            for place, new in enumerate(own[1:], 1):
                changed = {one["id"] for one in new["changes"] if one["how"] not in HOLDS}
                before = sorted(own[:place], key=lambda old: old["id"] not in changed)[:EACH]
                elsewhere = random.sample(given, min(len(given), EACH - len(before)))
                old = [said(timeline, one) for one in before]
                old += [
                    said(one, random.choice(one["statements"])) for one in elsewhere if one is not timeline
                ]
                rows = list(range(len(pairs), len(pairs) + len(old)))
                pairs += [(one, said(timeline, new)) for one in old]
                self.groups.append((rows, len(changed & {one["id"] for one in before})))
        self.rows = rows_of(pairs, tokenizer)

    def drawn(self, number: int) -> list[tuple[list[int], int]]:
        """Some of the groups."""
        return random.choices(self.groups, k=number)


def rows_of(pairs: Sequence[Pair], tokenizer: Tokenizer) -> encoder.Rows:
    """The later statement where a question stands, the earlier one where a passage does."""
    new, old = (
        [one.ids for one in tokenizer.encode_batch([f"{who}: {text}" if who else text for who, text in side])]
        for side in ([new for _, new in pairs], [old for old, _ in pairs])
    )
    ids = [[CLS, *a[:NEW], SEP, *b[:OLD], SEP] for a, b in zip(new, old, strict=True)]
    return encoder.Rows(ids, [len(a[:NEW]) + 2 for a in new])


def talks(given: Sequence[dict[str, Any]]) -> Iterator[Talk]:
    """The timelines with their questions, beside what others say; what answered one once answers it too."""
    by: dict[str, list[dict[str, Any]]] = {}
    for timeline in given:
        by.setdefault(timeline["lang"], []).append(timeline)
    for number, timeline in enumerate(given):
        own = timeline["statements"]
        turns = [Turn(said(timeline, one)[0], one["date"], one["text"]) for one in own]
        for other in random.choices(by[timeline["lang"]], k=_DISTRACTING):
            if other is not timeline:
                one = random.choice(other["statements"])
                turns.append(Turn(said(other, one)[0], one["date"], one["text"]))
        place = {one["id"]: n for n, one in enumerate(own)}
        asked = [
            (one["text"], [place[n] for n in dict.fromkeys([*one["now"], *one["past"]])])
            for one in timeline["questions"]
        ]
        yield Talk(f"timeline {number}", turns, asked)
