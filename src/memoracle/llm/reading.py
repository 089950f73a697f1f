"""The JSON in what a model wrote, with or without prose, fences and thoughts around it.

One object that holds the wanted list, or nothing: whoever writes two has not answered. Linear in the
length of the text.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

_LONGEST = 200_000
_MOST_STARTS = 64
_THOUGHT = ("<think>", "</think>")


def items_in(text: str, name: str = "items") -> list[Any] | None:
    """The list called `name` in the one JSON object that has it; None when there is none, or more than one."""
    answer = _without_thoughts(text[:_LONGEST])
    decoder = json.JSONDecoder(parse_constant=_refuse)
    found: list[list[Any]] = []
    place, starts = answer.find("{"), 0
    while place >= 0 and starts < _MOST_STARTS:
        starts += 1
        try:
            thing, place = decoder.raw_decode(answer, place)
        except (ValueError, RecursionError):
            place += 1
        else:
            if isinstance(thing, dict) and isinstance(thing.get(name), list):
                found.append(thing[name])
        place = answer.find("{", place)
    return found[0] if len(found) == 1 else None


def _without_thoughts(text: str) -> str:
    begin, end = _THOUGHT
    _, thought, rest = text.partition(begin)
    return rest.partition(end)[2] if thought and text.lstrip().startswith(begin) else text


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)  # NaN and the infinities are no JSON
