"""Writes `src/memoracle/extract/needs.jsonl`: which letters each pattern of extraction needs.

    python scripts/sift.py           write it
    python scripts/sift.py --check   say whether it is up to date, and change nothing

Run it after changing a pattern. A pattern that is not in the file is tried on every sentence: nothing is lost,
it only takes longer. Reads expressions with Python's own parser of them, which is private; so it stands here,
and not in the package.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from memoracle.extract.literals import MOST_NEEDS, WRITTEN, folded_case, name_of
from memoracle.extract.pattern import Pattern, compiled
from memoracle.extract.patterns_en import PATTERNS as ENGLISH
from memoracle.extract.patterns_zh import PATTERNS as CHINESE

_LONGEST_RUN = 3
_MOST_RUNS = 400
_COST = {1: 100, 2: 5, 3: 1}
"""Whole numbers: the sum of a set must not depend on its order."""
_LOOKS = frozenset({codes.ASSERT, codes.ASSERT_NOT, codes.AT})


def main() -> int:
    """Write the file, or compare it."""
    fresh = written((*ENGLISH, *CHINESE))
    if "--check" not in sys.argv:
        Path(WRITTEN).write_text(fresh, encoding="utf-8")
        return 0
    return int(Path(WRITTEN).read_text(encoding="utf-8") != fresh)


def written(patterns: Iterable[Pattern]) -> str:
    """What these patterns need, one line for each."""
    rows = {
        name_of(one.regex): [sorted(need) for need in needs_of(compiled(one.regex).pattern)]
        for one in patterns
    }
    lines = [json.dumps([name, *needs], ensure_ascii=False) for name, needs in sorted(rows.items())]
    return "\n".join(lines) + "\n"


def needs_of(expression: str) -> list[frozenset[str]]:
    """Sets of runs, the most telling first; any text that the expression fits has one of each set."""
    found = [need for need in _needs(parser.parse(expression)) if len(need) <= _MOST_RUNS]
    found.sort(key=_cost)
    return found[:MOST_NEEDS]


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
        chosen |= min(needs, key=_cost)
    return [frozenset(chosen)]


def _cost(need: frozenset[str]) -> tuple[int, list[str]]:
    return sum(_COST[len(run)] for run in need), sorted(need)


if __name__ == "__main__":
    raise SystemExit(main())
