"""From the tables of `rules/` to what the loader reads: pieces put in, expressions whole, with the letters they need.

Run by the build of a wheel or an editable install, by `tables.py` when the tables have changed since, and by nothing
else: reading TOML and taking expressions apart costs seconds, once.

A regular expression may stand on several lines: a line's end and the blanks after it are nothing. `{NAME}` puts a
piece in, `{kin}` all words of the lexicon for people and animals and `{kin.pet}` those of one sort, `{who⟨…⟩⟨…⟩}` a
piece that is given something, which stands in it as `{$1}` and `{$2}`.

Reads expressions with Python's own parser of them, which is private: where it has gone, patterns have no needs and are
tried on every sentence. Nothing is lost then, it only takes longer.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from memoracle.learn.lexicon import compiled, folded_case
from memoracle.learn.tables import FOLDER

MOST_NEEDS = 3

_LINE_END = re.compile(r"\n\s*")
_PIECE = re.compile(r"\{([A-Za-z]\w*(?:\.\w+)?)((?:⟨[^⟨⟩]*⟩)*)\}")
_MOST_NESTED = 20
_LONGEST_RUN = 3
_MOST_RUNS = 400
_COST = {1: 100, 2: 5, 3: 1}
"""Whole numbers: the sum of a set must not depend on its order."""


def compiled_table(name: str) -> dict[str, Any]:
    """What the loader reads of a table: of a language, or of one file of expressions."""
    if os.path.isdir(os.path.join(FOLDER, name)):
        return _compiled_language(name)
    given = _read(name)
    pieces = _expanded_pieces(given.pop("pieces", {}), {})
    return {key: _all_expanded(one, pieces) for key, one in given.items()}


def _compiled_language(language: str) -> dict[str, Any]:
    """The lexicon and the patterns, without examples and with what each pattern needs; expressions for names."""
    rows = rows_of(language)
    for row in rows:
        row["needs"] = [sorted(need) for need in needs_of(compiled(row["regex"]).pattern)]
        del row["examples"], row["counterexamples"]
    names = _names_of(language)
    return {
        "lexicon": lexicon_of(language),
        "patterns": rows,
        "names": names.get("names", []),
        "alias": names.get("alias", ""),
    }


def rows_of(language: str) -> list[dict[str, Any]]:
    """The patterns of a language in the order in which they are tried, each with its expression whole."""
    known = _shared_pieces(language)
    rows = []
    for name in _read(language, "pieces")["patterns"]:
        given = _read(language, name)
        pieces = _expanded_pieces(given.get("pieces", {}), known)
        rows += [row | {"regex": expanded(row["regex"], pieces)} for row in given["pattern"]]
    return rows


def lexicon_of(language: str) -> dict[str, Any]:
    """The lists of a lexicon, each entry on one line."""
    return {name: _one_line(entries) for name, entries in _read(language, "lexicon").items()}


def expanded(expression: str, pieces: Mapping[str, str]) -> str:
    """The expression with its pieces put in, those inside what a piece is given first."""

    def put(found: re.Match[str]) -> str:
        text = pieces[found[1]]
        for number, given in enumerate(found[2][1:-1].split("⟩⟨") if found[2] else (), start=1):
            text = text.replace(f"{{${number}}}", given)
        return text

    text = _one_line(expression)
    for _ in range(_MOST_NESTED):
        text, count = _PIECE.subn(put, text)
        if not count:
            break
    return str(text)


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
        return _of_branches(given[1])
    if code == "IN" and all(kind.name == "LITERAL" for kind, _ in given):
        return [frozenset(folded_case(chr(letter))[:1] for _, letter in given)]
    return []


def _of_branches(branches: Any) -> list[frozenset[str]]:
    chosen: set[str] = set()
    for branch in branches:
        needs = _needs(branch)
        if not needs:
            return []
        best: frozenset[str] = min(needs, key=_cost)
        chosen |= best
    return [frozenset(chosen)]


def _cost(need: frozenset[str]) -> tuple[int, list[str]]:
    return sum(_COST[len(run)] for run in need), sorted(need)


def _names_of(language: str) -> dict[str, Any]:
    """The expressions for names of a language that has its own."""
    if not os.path.exists(os.path.join(FOLDER, language, "names.toml")):
        return {}
    given = _read(language, "names")
    pieces = _expanded_pieces(given.pop("pieces"), _shared_pieces(language))
    return {key: _all_expanded(one, pieces) for key, one in given.items()}


def _shared_pieces(language: str) -> dict[str, str]:
    kin = lexicon_of(language)["kin"]
    known = {"kin": "(?:" + "|".join(kin.values()) + ")"} | {
        f"kin.{name}": words for name, words in kin.items()
    }
    return _expanded_pieces(_read(language, "pieces")["pieces"], known)


def _expanded_pieces(pieces: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    whole = dict(known)
    for name, text in pieces.items():
        whole[name] = expanded(text, whole)
    return whole


def _all_expanded(given: Any, pieces: Mapping[str, str]) -> Any:
    if isinstance(given, str):
        return expanded(given, pieces)
    if isinstance(given, list):
        return [_all_expanded(one, pieces) for one in given]
    return {name: _all_expanded(one, pieces) for name, one in given.items()}


def _one_line(given: Any) -> Any:
    if isinstance(given, str):
        return _LINE_END.sub("", given)
    if isinstance(given, list):
        return [_one_line(one) for one in given]
    if isinstance(given, dict):
        return {name: _one_line(one) for name, one in given.items()}
    return given


def _read(*path: str) -> dict[str, Any]:
    with open(os.path.join(FOLDER, *path) + ".toml", "rb") as file:
        return tomllib.load(file)
