"""From the tables of a language to what is loaded: parts put in, expressions whole, with the letters they need.

Runs when a wheel or an editable install is built, when a table has changed since, and never otherwise: reading TOML and
taking expressions apart costs seconds. «kin» are all words of the lexicon for people and animals, «kin.pet» those of
one sort; for the rest of the notation see `memoracle/tables.py`.

Reads expressions with Python's own parser of them, which is private: where it has gone, patterns have no needs and are
tried on every sentence. Nothing is lost then, it only takes longer.
"""

from __future__ import annotations

import os
import tomllib
from functools import cache
from typing import Any

from memoracle.learn.rules import FOLDER, compiled, folded_case
from memoracle.tables import filled, parts_of

MOST_NEEDS = 3

_LONGEST_RUN = 3
_MOST_RUNS = 400
_COST = {1: 100, 2: 5, 3: 1}
"""Whole numbers: the sum of a set must not depend on its order."""


def compiled_rules(language: str) -> dict[str, Any]:
    """The lexicon and the patterns, without examples and with what each pattern needs; expressions for names."""
    rows = rows_of(language)
    for row in rows:
        row["needs"] = [sorted(need) for need in needs_of(compiled(row["regex"]).pattern)]
        del row["examples"], row["counterexamples"]
    return {
        "lexicon": filled_table(language, "lexicon"),
        "patterns": rows,
        "names": filled_table(language, "names"),
    }


def rows_of(language: str) -> list[dict[str, Any]]:
    """The patterns of a language in the order in which they are tried, each with its expression whole."""
    order = _read(language, "parts")["patterns"]
    return [row for name in order for row in filled_table(language, name)["pattern"]]


def filled_table(language: str, name: str) -> dict[str, Any]:
    """A table of a language with its own parts, and those that all share, put in place."""
    given = _read(language, name)
    shared = {} if name == "lexicon" else _shared(language)
    made: dict[str, Any] = filled(given, parts_of(given.pop("parts", {}), shared))
    return made


@cache
def _shared(language: str) -> dict[str, str]:
    kin = filled_table(language, "lexicon")["kin"]
    words = {"kin": "(?:" + "|".join(kin.values()) + ")"} | {f"kin.{one}": said for one, said in kin.items()}
    return parts_of(_read(language, "parts")["parts"], words)


def needs_of(expression: str) -> list[frozenset[str]]:
    """Sets of runs of letters, the most telling first; any text that the expression fits has one of each set."""
    try:
        from re import _parser as parser  # type: ignore[attr-defined]
    except ImportError:
        return []
    found = [need for need in _needs(parser.parse(expression)) if len(need) <= _MOST_RUNS]
    found.sort(key=_cost)
    return found[:MOST_NEEDS]


def _needs(sequence: Any) -> list[frozenset[str]]:
    """What a sequence needs: what its parts need, and the letters that stand beside each other in it."""
    found: list[frozenset[str]] = []
    run = ""
    for code, given in sequence:
        if code.name == "LITERAL":
            run += chr(given)
            continue
        if code.name not in {"ASSERT", "ASSERT_NOT", "AT"}:
            found += _of_run(run)
            run = ""
        found += _of_part(code.name, given)
    return [*found, *_of_run(run)]


def _of_run(run: str) -> list[frozenset[str]]:
    folded = folded_case(run)
    return [frozenset({folded[-_LONGEST_RUN:]})] if folded else []


def _of_part(code: str, given: Any) -> list[frozenset[str]]:
    if code == "SUBPATTERN":
        return _needs(given[-1])
    if code == "ASSERT":
        return _needs(given[1]) if given[0] > 0 else []
    if code in {"MAX_REPEAT", "MIN_REPEAT"}:
        return _needs(given[2]) if given[0] > 0 else []
    if code == "BRANCH":
        needs = [min(_needs(branch), key=_cost, default=frozenset()) for branch in given[1]]
        return [frozenset().union(*needs)] if all(needs) else []
    if code == "IN" and all(kind.name == "LITERAL" for kind, _ in given):
        return [frozenset(folded_case(chr(letter))[:1] for _, letter in given)]
    return []


def _cost(need: frozenset[str]) -> tuple[int, list[str]]:
    return sum(_COST[len(run)] for run in need), sorted(need)


def _read(language: str, name: str) -> dict[str, Any]:
    with open(os.path.join(FOLDER, language, f"{name}.toml"), "rb") as file:
        return tomllib.load(file)
