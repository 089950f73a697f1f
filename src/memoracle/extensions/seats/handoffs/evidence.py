"""What one piece of evidence says about an expected value.

Evidence names a place in memory and what should stand there: a JSON file and a path in it, a record and a field, or
lines of a note or page. Nothing counts as true because nothing was looked at: the place must exist, the expected
value must be given, and equality is strict unless the evidence itself names a normalisation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from memoracle.extensions.seats.model import MISSING, parts_of, walk
from memoracle.model.value import value

_RULES = frozenset({"number", "whitespace", "case"})
_LONGEST_NUMBER = 100


class Reason(StrEnum):
    """Why evidence does not carry a claim."""

    FILE_NOT_FOUND = "file_not_found"
    PATH_NOT_FOUND = "path_not_found"
    RECORD_NOT_FOUND = "record_not_found"
    NOT_STANDING = "not_standing"
    MISMATCH = "mismatch"
    HASH_MISMATCH = "hash_mismatch"
    NO_EVIDENCE = "no_evidence"
    NO_EXPECTED_VALUE = "no_expected_value"
    BAD_EVIDENCE = "bad_evidence"
    CLAIM_NOT_DICT = "claim_not_dict"
    CLAIMS_NOT_LIST = "claims_not_list"


@value
class Looks:
    """How evidence is looked up; each gives `MISSING` for what is not there.

    `document`: the JSON at a relative path. `record`: a record as plain fields. `lines`: the text of a note or page,
    or of the lines of a citation `path#Lx-Ly`.
    """

    document: Callable[[str], Any]
    record: Callable[[str], Any]
    lines: Callable[[str], Any]


@value
class Mismatch:
    """Evidence that does not carry its claim. What is found is never repeated: it may be a secret."""

    reason: Reason
    where: str = ""


def weigh(evidence: Any, looks: Looks) -> Mismatch | None:
    """None when this evidence carries what it says; otherwise why not."""
    if not isinstance(evidence, Mapping):
        return Mismatch(reason=Reason.BAD_EVIDENCE)
    wanted, where = _text(evidence, "content_hash", "sha256"), _where(evidence)
    if not where:
        return Mismatch(reason=Reason.BAD_EVIDENCE)
    if "expected_value" not in evidence and not wanted:
        return Mismatch(reason=Reason.NO_EXPECTED_VALUE, where=where)
    rules = evidence.get("normalise", [])
    if not isinstance(rules, list) or not _RULES.issuperset(map(str, rules)):
        return Mismatch(reason=Reason.BAD_EVIDENCE, where=where)
    if "record" in evidence:
        return _weigh_record(evidence, where, rules, looks)
    if "#L" in where or not _is_document(where):
        return _weigh_lines(evidence, where, wanted, rules, looks)
    return _weigh_document(evidence, where, wanted, rules, looks)


def same(found: Any, expected: Any, rules: Sequence[str] = ()) -> bool:
    """True when two values are equal, types included; `rules` name what may differ."""
    if "number" in rules and (pair := (_number(found), _number(expected)))[0] is not None:
        return pair[0] == pair[1]
    if isinstance(found, str) and isinstance(expected, str):
        return _spelled(found, rules) == _spelled(expected, rules)
    if isinstance(found, bool) is not isinstance(expected, bool):
        return False
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(found, Mapping) and isinstance(expected, Mapping):
        return found.keys() == expected.keys() and all(same(found[name], expected[name]) for name in found)
    return bool(found == expected)


def digest(text: str) -> str:
    """The hash that evidence cites for a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _at(document: Any, path: str) -> Any:
    return walk(document, parts_of(path))[1]


def _weigh_record(
    evidence: Mapping[str, Any], where: str, rules: Sequence[str], looks: Looks
) -> Mismatch | None:
    record = looks.record(where)
    if record is MISSING:
        return Mismatch(reason=Reason.RECORD_NOT_FOUND, where=where)
    if record.get("status") not in {"active", "archived"}:
        return Mismatch(reason=Reason.NOT_STANDING, where=where)
    wanted = _text(evidence, "content_hash", "sha256")
    if wanted and digest(str(record.get("text", ""))) != wanted:
        return Mismatch(reason=Reason.HASH_MISMATCH, where=where)
    if "expected_value" not in evidence:
        return None
    held = _at(record, _text(evidence, "path", "field") or "text")
    if held is MISSING:
        return Mismatch(reason=Reason.PATH_NOT_FOUND, where=where)
    return (
        None
        if same(held, evidence["expected_value"], rules)
        else Mismatch(reason=Reason.MISMATCH, where=where)
    )


def _weigh_document(
    evidence: Mapping[str, Any], where: str, wanted: str, rules: Sequence[str], looks: Looks
) -> Mismatch | None:
    document = looks.document(where)
    if document is MISSING:
        return Mismatch(reason=Reason.FILE_NOT_FOUND, where=where)
    path = _text(evidence, "path")
    held = _at(document, path)
    if held is MISSING and isinstance(document, Mapping) and isinstance(document.get("data"), Mapping):
        held = _at(document["data"], path)
    if held is MISSING:
        return Mismatch(reason=Reason.PATH_NOT_FOUND, where=f"{where}#{path}")
    if wanted:
        text = looks.lines(where)
        if text is MISSING or digest(str(text)) != wanted:
            return Mismatch(reason=Reason.HASH_MISMATCH, where=where)
    if "expected_value" in evidence and not same(held, evidence["expected_value"], rules):
        return Mismatch(reason=Reason.MISMATCH, where=f"{where}#{path}")
    return None


def _weigh_lines(
    evidence: Mapping[str, Any], where: str, wanted: str, rules: Sequence[str], looks: Looks
) -> Mismatch | None:
    text = looks.lines(where)
    if text is MISSING:
        gone = (
            Reason.PATH_NOT_FOUND
            if "#L" in where and looks.lines(where.partition("#L")[0]) is not MISSING
            else None
        )
        return Mismatch(reason=gone or Reason.FILE_NOT_FOUND, where=where)
    if wanted and digest(text) != wanted:
        return Mismatch(reason=Reason.HASH_MISMATCH, where=where)
    if "expected_value" not in evidence:
        return None
    expected = evidence["expected_value"]
    # A quotation stands somewhere in the lines; an empty one stands everywhere and proves nothing.
    quoted = isinstance(expected, str) and _spelled(expected, rules).strip()
    if not quoted or _spelled(expected, rules) not in _spelled(text, rules):
        return Mismatch(reason=Reason.MISMATCH, where=where)
    return None


def _where(evidence: Mapping[str, Any]) -> str:
    return _text(evidence, "record", "file", "page", "citation")


def _is_document(where: str) -> bool:
    return where.endswith(".json")


def _text(evidence: Mapping[str, Any], *names: str) -> str:
    return next((held for name in names if isinstance(held := evidence.get(name), str) and held.strip()), "")


def _spelled(text: str, rules: Sequence[str]) -> str:
    if "whitespace" in rules:
        text = " ".join(text.split())
    return text.casefold() if "case" in rules else text


def _number(held: Any) -> int | float | None:
    if isinstance(held, bool):
        return None
    if isinstance(held, int | float):
        return held
    if not isinstance(held, str) or len(held) > _LONGEST_NUMBER:
        return None
    plain = held.replace(",", "").replace("_", "").strip()
    try:
        return int(plain) if plain.lstrip("+-").isdecimal() else float(plain)
    except ValueError:
        return None
