"""JSON that a call is given: in a file, on stdin, or in its own words."""

from __future__ import annotations

import json
import sys
from typing import Any

from memoracle.errors import BadInput, UnreadableFile

_LARGEST = 4_000_000


def read_json(source: str) -> Any:
    """What a file holds, or stdin for `-`."""
    if source == "-":
        return parse_json(sys.stdin.read(_LARGEST + 1), "stdin")
    try:
        with open(source, encoding="utf-8") as file:
            text = file.read(_LARGEST + 1)
    except (OSError, ValueError) as problem:
        raise UnreadableFile(source, getattr(problem, "strerror", None) or "it is not text") from None
    return parse_json(text, source)


def parse_json(text: str, where: str) -> Any:
    """The document in a text, with nothing that JSON itself does not know."""
    if len(text) > _LARGEST:
        raise BadInput(f"{where} is longer than {_LARGEST:,} characters")
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"{where} is not JSON: {problem}") from None


def _refuse(word: str) -> None:
    message = f"{word} is no number of JSON"
    raise ValueError(message)
