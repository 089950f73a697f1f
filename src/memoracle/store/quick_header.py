"""Headers that memory wrote itself, read without a YAML parser: one field per line, each value as JSON.

Says nothing rather than something else: whatever is not exactly such a header is left to `frontmatter`, and where
both read, they read the same. A list of thousands of pages is mostly headers.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

LONGEST = 64 * 1024
DEEPEST = 16
_LONGEST_NAME = 500
"""A name beyond this is refused by YAML, the sooner the more it holds that is not ASCII."""

_OPEN = "---\n"
_CLOSE = "\n---\n"
_LINE = re.compile(r"([a-z][a-z0-9_]{0,99}):(?: (.*))?")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*")
_NOT_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_ITEM = "  - "
# What YAML refuses, or takes for the end of a line, inside quotes where JSON does not.
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def read_quickly(text: str) -> tuple[dict[str, Any], int] | None:
    """The fields of a header and where the body begins; None when it has to be read with care."""
    if not text.startswith(_OPEN):
        return None
    end = text.find(_CLOSE, len(_OPEN) - 1)
    if end < 0 or end > LONGEST or _NOT_YAML.search(text, 0, end) or "\\ud" in text[:end].lower():
        return None  # half a character is no character, however JSON puts two of them together
    fields: dict[str, Any] = {}
    items: list[Any] | None = None
    blocks: list[list[Any]] = []
    try:
        for line in text[len(_OPEN) : end].split("\n"):
            if items is not None and line.startswith(_ITEM):
                items.append(_value(line[len(_ITEM) :]))
                continue
            found = _LINE.fullmatch(line)
            if found is None or found[1] in fields or found[1] in _NOT_WORDS:
                return None
            items = [] if found[2] is None else None
            blocks += [items] if items is not None else []
            fields[found[1]] = items if items is not None else _value(found[2])
    except (ValueError, RecursionError):
        return None
    if any(not held for held in blocks):
        return None  # a field without a value is nothing, not an empty list
    return fields, end + len(_CLOSE)


def _value(text: str) -> Any:
    if _WORD.fullmatch(text):
        lower = text.lower()
        if lower not in _NOT_WORDS:
            return text
        if text not in {"true", "false", "null"}:
            raise ValueError
    held = _DECODER.decode(text)
    if isinstance(held, dict | list):
        _measure(held, 2)
    return held


def _measure(held: dict[str, Any] | list[Any], depth: int) -> None:
    """Refuse what is nested too deep; the header itself is the first level."""
    if depth > DEEPEST:
        raise ValueError
    for one in held.values() if isinstance(held, dict) else held:
        if isinstance(one, dict | list):
            _measure(one, depth + 1)


def _int(text: str) -> int:
    if len(text.lstrip("-")) > 15 or text == "-0":
        raise ValueError
    return int(text)


def _refuse(_: str) -> NoReturn:
    raise ValueError


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs) or any(len(name) > _LONGEST_NAME for name in made):
        raise ValueError
    return made


_DECODER = json.JSONDecoder(
    parse_int=_int, parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_once
)
