"""Which patterns a sentence is worth trying on, by letters that each of them needs.

Any text that an expression fits has certain runs of letters. `needs.jsonl` holds them for every pattern, written by
`scripts/sift.py`. A sentence's own letters then name the few patterns that can fit, and only those are compiled.
A pattern that is not in the file is always tried, so nothing is ever lost; no expression is run here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b

from memoracle.extract.pattern import Pattern
from memoracle.model.value import value

WRITTEN = os.path.join(os.path.dirname(__file__), "needs.jsonl")
MOST_NEEDS = 3
Needs = Mapping[str, "list[frozenset[str]]"]


@value
class Sieve:
    """What each pattern needs: for every need, the patterns that a run of letters meets, as bits of a number."""

    met_by: tuple[dict[str, int], ...]
    without: tuple[int, ...]
    """Patterns that have no such need."""


def sieve_of(patterns: Iterable[Pattern], needs_by_name: Needs | None = None) -> Sieve:
    """The needs of many patterns, side by side."""
    known = written_needs() if needs_by_name is None else needs_by_name
    met_by: list[dict[str, int]] = [{} for _ in range(MOST_NEEDS)]
    without = [0] * MOST_NEEDS
    for place, pattern in enumerate(patterns):
        needs = known.get(name_of(pattern.regex), [])
        for slot in range(MOST_NEEDS):
            if slot >= len(needs):
                without[slot] |= 1 << place
                continue
            for run in needs[slot]:
                met_by[slot][run] = met_by[slot].get(run, 0) | 1 << place
    return Sieve(met_by=tuple(met_by), without=tuple(without))


def worth_trying(text: str, sieve: Sieve) -> int:
    """The patterns that may fit somewhere in the text, as bits of a number."""
    folded = folded_case(text)
    runs = {folded[at : at + size] for size in (1, 2, 3) for at in range(len(folded))}
    kept = -1
    for met_by, without in zip(sieve.met_by, sieve.without, strict=True):
        found = without
        for run in runs & met_by.keys():
            found |= met_by[run]
        kept &= found
    return kept


def folded_case(text: str) -> str:
    """As an expression that ignores case compares letters."""
    return text.casefold().replace("ı", "i")


def name_of(expression: str) -> str:
    """What an expression is known by in the file of needs."""
    return blake2b(expression.encode(), digest_size=6).hexdigest()


@lru_cache(maxsize=1)
def written_needs() -> Needs:
    """What the file says; nothing when it is not there."""
    try:
        with open(WRITTEN, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
    except OSError:
        return {}
    return {name: [frozenset(need) for need in needs] for name, *needs in rows}
