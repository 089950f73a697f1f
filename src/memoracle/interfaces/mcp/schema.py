"""JSON schemas in few words, and arguments held against them.

A complaint names the argument, never its value: what was given may be a secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoracle.errors import BadInput

Schema = Mapping[str, Any]

_PYTHON: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
}


def text(description: str = "", **more: Any) -> dict[str, Any]:
    """A string."""
    return _typed("string", description, more)


def number(description: str = "", **more: Any) -> dict[str, Any]:
    """A number."""
    return _typed("number", description, more)


def share(description: str = "") -> dict[str, Any]:
    """A number from 0 to 1."""
    return number(description, minimum=0, maximum=1)


def count(description: str = "", *, most: int, least: int = 1) -> dict[str, Any]:
    """A whole number."""
    return _typed("integer", description, {"minimum": least, "maximum": most})


def whole(description: str = "") -> dict[str, Any]:
    """A whole number of an answer."""
    return _typed("integer", description, {})


def flag(description: str = "") -> dict[str, Any]:
    """Yes or no."""
    return _typed("boolean", description, {})


def many(items: Schema, description: str = "", **more: Any) -> dict[str, Any]:
    """A list."""
    return _typed("array", description, {"items": dict(items), **more})


def texts(description: str = "") -> dict[str, Any]:
    """A list of strings."""
    return many({"type": "string"}, description)


def record(
    fields: Mapping[str, Schema], *, needs: tuple[str, ...] = (), is_open: bool = False
) -> dict[str, Any]:
    """An object with these fields; an open one may hold others."""
    made: dict[str, Any] = {"type": "object", "properties": {name: dict(one) for name, one in fields.items()}}
    if needs:
        made["required"] = list(needs)
    if not is_open:
        made["additionalProperties"] = False
    return made


_RETIRED = frozenset({"askedByOwner"})
"""Arguments of earlier versions: they are taken, and mean nothing."""


def check(given: Mapping[str, Any], schema: Schema, *, place: str = "") -> None:
    """Raise unless the arguments fit; the first thing that is off is named."""
    known = schema["properties"]
    for name in schema.get("required", ()):
        if name not in given:
            raise BadInput(f"`{place}{name}` is missing", f"it takes: {', '.join(known) or 'nothing'}")
    for name, item in given.items():
        if name not in known:
            if name in _RETIRED or schema.get("additionalProperties", True):
                continue
            raise BadInput("there is an argument too many", f"it takes: {', '.join(known) or 'nothing'}")
        _check_one(item, known[name], f"{place}{name}")


def _check_one(item: Any, schema: Schema, place: str) -> None:
    wanted = schema["type"]
    if not _is(item, wanted):
        raise BadInput(f"`{place}` has to be {_name(wanted)}")
    if "enum" in schema and item not in schema["enum"]:
        raise BadInput(f"`{place}` is none of its choices", f"one of: {', '.join(schema['enum'])}")
    if wanted in {"integer", "number"}:
        _check_size(item, schema, place)
    if wanted == "string" and len(item) > schema.get("maxLength", len(item)):
        raise BadInput(f"`{place}` has {len(item):,} characters; the limit is {schema['maxLength']:,}")
    if wanted == "array":
        if len(item) > schema.get("maxItems", len(item)):
            raise BadInput(f"`{place}` has {len(item):,} entries; the limit is {schema['maxItems']:,}")
        for at, one in enumerate(item):
            _check_one(one, schema["items"], f"{place}[{at}]")
    if wanted == "object":
        check(item, schema, place=f"{place}.")


def _is(item: Any, wanted: str) -> bool:
    return (
        isinstance(item, bool)
        if wanted == "boolean"
        else not isinstance(item, bool) and isinstance(item, _PYTHON[wanted])
    )


def _check_size(item: float, schema: Schema, place: str) -> None:
    least, most = schema.get("minimum", item), schema.get("maximum", item)
    if not least <= item <= most:
        raise BadInput(f"`{place}` lies outside {least} to {most}")


def _name(wanted: str) -> str:
    return {"integer": "a whole number", "boolean": "true or false", "array": "a list"}.get(
        wanted, f"a {wanted}"
    )


def _typed(name: str, description: str, more: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": name, **({"description": description} if description else {}), **more}
