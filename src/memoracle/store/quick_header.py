"""Headers that memory wrote itself, read without a YAML parser: one field per line, each value as JSON.

Says nothing rather than something else: whatever is not exactly such a header is left to `frontmatter`, and where
both read, they read the same. A list of thousands of pages is mostly headers.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from memoracle.store.frontmatter import LONGEST

_OPEN = "---\n"
_CLOSE = "\n---\n"
_LINE = re.compile(r"([a-z][a-z0-9_]*):(?: (.*))?")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*")
_NOT_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_ITEM = "  - "


def read_quickly(text: str) -> tuple[dict[str, Any], int] | None:
    """The fields of a header and where the body begins; None when it has to be read with care."""
    if not text.startswith(_OPEN):
        return None
    end = text.find(_CLOSE, len(_OPEN) - 1)
    if end < 0 or end > LONGEST or "\\ud" in text[:end].lower():
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
    return _DECODER.decode(text)


def _int(text: str) -> int:
    if len(text.lstrip("-")) > 15 or text == "-0":
        raise ValueError
    return int(text)


def _refuse(_: str) -> NoReturn:
    raise ValueError


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError
    return made


_DECODER = json.JSONDecoder(
    parse_int=_int, parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_once
)
