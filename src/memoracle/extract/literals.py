"""Which patterns a sentence is worth trying on, by letters that each of them needs.

Every expression is read once for what must stand in any text it fits: runs of letters, of which one at least
has to occur. A sentence's own letters then name the few patterns that can fit. What cannot be told this way
is always tried, so nothing is ever lost; no expression is run here.
"""

from __future__ import annotations

from collections.abc import Iterable
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from memoracle.extract.pattern import Pattern, compiled
from memoracle.model.value import value

_LONGEST_RUN = 3
_MOST_RUNS = 400
_MOST_NEEDS = 3
_COST = {1: 1.0, 2: 0.05, 3: 0.01}
_LOOKS = frozenset({codes.ASSERT, codes.ASSERT_NOT, codes.AT})


@value
class Sieve:
    """What each pattern needs: for every need, the patterns that a run of letters meets, as bits of a number."""

    met_by: tuple[dict[str, int], ...]
    without: tuple[int, ...]
    """Patterns that have no such need."""


def sieve_of(patterns: Iterable[Pattern]) -> Sieve:
    """The needs of many patterns, side by side."""
    met_by: list[dict[str, int]] = [{} for _ in range(_MOST_NEEDS)]
    without = [0] * _MOST_NEEDS
    for place, pattern in enumerate(patterns):
        needs = needs_of(compiled(pattern.regex).pattern)
        for slot in range(_MOST_NEEDS):
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


def needs_of(expression: str) -> list[frozenset[str]]:
    """Sets of runs, the most telling first; any text that the expression fits has one of each set."""
    found = [need for need in _needs(parser.parse(expression)) if len(need) <= _MOST_RUNS]
    found.sort(key=lambda need: sum(_COST[len(run)] for run in need))
    return found[:_MOST_NEEDS]


def _needs(sequence: Any) -> list[frozenset[str]]:
    """What a sequence needs: what its parts need, and the letters that stand beside each other in it."""
    found: list[frozenset[str]] = []
    run = ""
    for code, given in sequence:
        if code is codes.LITERAL:
            run += chr(given)
            continue
        if code not in _LOOKS:
            found += _of_run(run)
            run = ""
        found += _of_part(code, given)
    return [*found, *_of_run(run)]


def _of_run(run: str) -> list[frozenset[str]]:
    folded = folded_case(run)
    return [frozenset({folded[-_LONGEST_RUN:]})] if folded else []


def _of_part(code: Any, given: Any) -> list[frozenset[str]]:
    if code is codes.SUBPATTERN:
        return _needs(given[-1])
    if code is codes.ASSERT:
        return _needs(given[1]) if given[0] > 0 else []
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT}:
        return _needs(given[2]) if given[0] > 0 else []
    if code is codes.BRANCH:
        return _of_branches(given[1])
    if code is codes.IN and all(kind is codes.LITERAL for kind, _ in given):
        return [frozenset(folded_case(chr(letter))[:1] for _, letter in given)]
    return []


def _of_branches(branches: Any) -> list[frozenset[str]]:
    chosen: set[str] = set()
    for branch in branches:
        needs = _needs(branch)
        if not needs:
            return []
        chosen |= min(needs, key=lambda need: sum(_COST[len(run)] for run in need))
    return [frozenset(chosen)]
