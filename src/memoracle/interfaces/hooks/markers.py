"""What an agent asks for in the last lines of a turn: `[DELIVER:…]`, `[CLEAR-REQUESTED]`.

Only whole lines at the very end of what the agent said last count. A marker in a quotation, in a fence, in the
middle of a text, in what a person wrote or in an earlier turn is talk about a marker. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memoracle.model.value import field, value

_MARKER = re.compile(r"\[(DELIVER|CLEAR-REQUESTED)(?::([^\n]*))?\]")
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_KEY = re.compile(r"(?:^|[,;，；\s])([A-Za-z][A-Za-z_-]{0,30})=")
_TASK = re.compile(r"^[ \t]*task[_-]id[ \t]*[:：][ \t]*(\S{1,200})", re.IGNORECASE | re.MULTILINE)
_QUERY = re.compile(r"\bMEMORY-QUERY-[\w-]{1,120}")
_PROJECT = re.compile(r"^[ \t]*project[ \t]*[:：][ \t]*(\S{1,200})", re.IGNORECASE | re.MULTILINE)
_PROJECT_VARIABLES = ("MEMORACLE_PROJECT", "CLAWSEAT_PROJECT")
_NAMES = {"seat": "target", "target": "target", "to": "target"} | dict.fromkeys(
    ("task_id", "task-id", "task", "query_id"), "task"
)
_NEEDED = ("target", "task", "project")
_LONGEST = 2_000
_MOST = 8


@value
class Request:
    """One thing asked for; `missing` names what it lacks to be carried out."""

    kind: str
    fields: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


def requests_in(said: str, environment: Mapping[str, str]) -> list[Request]:
    """What the last lines of a message ask for, in their order."""
    lines = said.rstrip().split("\n")
    found: list[Request] = []
    while lines and len(found) < _MOST:
        line = lines[-1].strip()
        marker = _MARKER.fullmatch(line) if len(line) <= _LONGEST else None
        if marker is None:
            break
        lines.pop()
        found.append(
            _delivery(marker[2] or "", said, environment) if marker[1] == "DELIVER" else Request(kind="clear")
        )
    if not found or sum(_FENCE.match(line) is not None for line in lines) % 2:
        return []
    return found[::-1]


def _delivery(attributes: str, said: str, environment: Mapping[str, str]) -> Request:
    given = _attributes(attributes)
    fallbacks = {
        "task": _first(_TASK, said) or _token(said),
        "project": next((environment[one] for one in _PROJECT_VARIABLES if environment.get(one)), "")
        or _first(_PROJECT, said),
    }
    fields = given | {name: text for name, text in fallbacks.items() if text and name not in given}
    return Request(kind="deliver", fields=fields, missing=tuple(n for n in _NEEDED if not fields.get(n)))


def _attributes(text: str) -> dict[str, str]:
    """`seat=planner, summary=it is done` as a dictionary; a value reaches to the next key."""
    keys = list(_KEY.finditer(text))
    ends = [key.start() for key in keys[1:]] + [len(text)]
    return {
        _NAMES.get(key[1].lower(), key[1].lower()): text[key.end() : end].strip(" \t,;，；\"'")
        for key, end in zip(keys, ends, strict=True)
    }


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


def _token(text: str) -> str:
    found = _QUERY.search(text)
    return found[0] if found else ""
