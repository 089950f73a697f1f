"""What a foreign shape has no place for, carried along in one field or comment of ours, `memoracle`.

Pure. A program that does not know the field passes it over; `import` reads it back, so that a record which left in
the shape of another design returns with its kind, times, scope and words. What belongs to one root alone stays there:
versions, who wrote them, keys.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memoracle.model.record import Record
from memoracle.store.line import DamagedLine, decode, encode

NAME = "memoracle"
_AT_HOME = ("schema", "version", "change", "keys", "sum")
_OPEN, _CLOSE = f"<!-- {NAME}: ", " -->"


def carry(record: Record, *, without_text: bool) -> dict[str, Any]:
    """The fields of a record that travel."""
    fields = json.loads(encode(record))
    for name in (*_AT_HOME, *(("text",) if without_text else ())):
        fields.pop(name, None)
    return dict(fields)


def restore(fields: Any, *, text: str = "") -> Record | None:
    """The record that was carried; None when this is nothing of ours. `text` stands in when none was carried."""
    if not isinstance(fields, Mapping) or not isinstance(fields.get("created"), str):
        return None
    change = {"at": fields["created"], "verb": "import"}
    whole = {"schema": 1, "text": text, **fields, "version": 1, "change": change}
    try:
        return decode(json.dumps(whole, ensure_ascii=False).encode()).record
    except (DamagedLine, UnicodeEncodeError, ValueError, RecursionError):
        return None


def as_comment(fields: Mapping[str, Any]) -> str:
    """The same as a Markdown comment on one line."""
    said = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return f"{_OPEN}{said.replace('>', chr(92) + 'u003e')}{_CLOSE}"


def in_comment(said: str) -> Any:
    """What the inside of a comment carries; None when it is not one of ours."""
    head, _, rest = said.strip().partition(":")
    if head.strip() != NAME:
        return None
    try:
        return json.loads(rest)
    except (ValueError, RecursionError):
        return None
