"""A dotted path into a document of objects and lists: `proxy.ports.0`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MISSING = object()
"""What a look-up gives for a place that is not there."""


def parts_of(path: str) -> list[str]:
    """The parts of a path; empty ones do not count."""
    return [part for part in path.strip().split(".") if part]


def walk(held: Any, parts: Sequence[str]) -> tuple[str, Any]:
    """The path that was walked and the value at its end, or `MISSING`. A list is counted from 0, or from its end."""
    walked: list[str] = []
    rest = list(parts)
    while rest:
        if isinstance(held, Mapping):
            # A name may hold dots itself: the longest that fits wins.
            fits = next((n for n in range(len(rest), 0, -1) if ".".join(rest[:n]) in held), 0)
            if not fits:
                return "", MISSING
            name, rest = ".".join(rest[:fits]), rest[fits:]
            held = held[name]
        elif isinstance(held, list) and _is_place(rest[0], len(held)):
            name, rest = rest[0], rest[1:]
            held = held[int(name)]
        else:
            return "", MISSING
        walked.append(name)
    return ".".join(walked), held


def _is_place(text: str, length: int) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(text) < 10 and -length <= int(text) < length
