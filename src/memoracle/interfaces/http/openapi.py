"""The OpenAPI document of the API's table. Shapes of answers are read from the values themselves."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from typing import Any, Union

from memoracle.interfaces.http.api import ENDPOINTS, PREFIX, Endpoint
from memoracle.model.record import Record, Statement, Weight
from memoracle.model.report import Receipt
from memoracle.model.value import fields, is_value

_JSON: Mapping[type, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
}


def schema_of(kind: Any) -> dict[str, Any]:
    """The JSON schema of what `render.plain` makes of a value of this type."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in {Union, types.UnionType}:
        known = [schema_of(one) for one in inner if one is not type(None)]
        nullable: list[dict[str, Any]] = [{"type": "null"}] if type(None) in inner else []
        return known[0] if len(known) == 1 and not nullable else {"anyOf": [*known, *nullable]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inner[1])}
    if isinstance(origin, type) and issubclass(origin, Sequence | frozenset | set):
        return {"type": "array", "items": schema_of(inner[0])}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"type": "string", "enum": [one.value for one in kind]}
    if isinstance(kind, type) and is_value(kind):
        return record_of(kind)
    return dict(_JSON.get(kind, {}))


def record_of(kind: type, **more: dict[str, Any]) -> dict[str, Any]:
    """The object of a value's fields."""
    hints = typing.get_type_hints(kind)
    shown = {name: schema_of(hints[name]) for name in fields(kind)} | more
    return {"type": "object", "properties": shown, "required": sorted(shown)}


def _shapes() -> dict[str, Any]:
    record = record_of(Record)
    nested = record["properties"]
    for name, kind in (("statement", Statement), ("weight", Weight)):
        del nested[name]
        nested |= record_of(kind)["properties"]
    record["required"] = sorted(nested)
    string, number = {"type": "string"}, {"type": "number"}
    some = {"type": "object", "additionalProperties": True}
    hit = {
        "type": "object",
        "properties": {
            **dict.fromkeys(
                ("id", "text", "kind", "source", "cite", "path", "title", "who", "channel"), string
            ),
            **{key: {"type": "integer"} for key in ("first_line", "last_line", "version")},
            **dict.fromkeys(("score", "activation", "importance", "confidence", "trust"), number),
            **{key: {"type": "boolean"} for key in ("quoted", "pinned")},
            **dict.fromkeys(("status", "project", "seat", "session"), string),
            "at": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
            "tags": {"type": "array", "items": string},
            "around": {"type": "array", "items": some},
            "validity": some,
        },
        "required": ["id", "text", "kind", "cite", "score", "at"],
        "additionalProperties": True,
    }
    hits = {"type": "array", "items": {"$ref": "#/components/schemas/Hit"}}
    return {
        "Document": some,
        "Record": record,
        "RecordList": _object(items={"type": "array", "items": {"$ref": "#/components/schemas/Record"}}),
        "Receipt": record_of(Receipt),
        "Hit": hit,
        "HitPage": _object(items=hits, next={"anyOf": [string, {"type": "null"}]}),
        "Recollection": {
            **_object(
                status={"type": "string", "enum": ["found", "weak", "not_in_memory_db", "not_ready"]},
                confidence=number,
                question=string,
                hits=hits,
                warnings={"type": "array", "items": string},
            ),
            "additionalProperties": True,
        },
        "Problem": _object(
            error={**_object(code=string, message=string, hint=string), "additionalProperties": True}
        ),
    }


def _object(**shown: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": shown, "required": sorted(shown)}


_PROBLEMS = {
    "401": "the token is missing",
    "403": "refused by policy or ownership",
    "404": "nothing answers to that name",
    "409": "the record was changed meanwhile: both versions are in the answer",
    "422": "the arguments are off",
    "428": "it erases for good: say `confirm`",
    "503": "somebody else holds the memory; try again",
}


def document(version: str) -> dict[str, Any]:
    """The whole description."""
    paths: dict[str, Any] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(PREFIX + endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Memoracle",
            "version": version,
            "description": "Long-term memory that its owner can read, own and trust: every everyday verb over HTTP.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": _shapes(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    names = [part[1:-1] for part in endpoint.path.split("/") if part.startswith("{")]
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names
    ]
    made: dict[str, Any] = {"operationId": _called(endpoint), "summary": endpoint.summary}
    if endpoint.method == "GET":
        parameters += [
            {"name": name, "in": "query", "required": name in endpoint.needs, "schema": dict(kind)}
            for name, kind in endpoint.takes.items()
        ]
    elif endpoint.takes:
        body = {
            "content": {"application/json": {"schema": endpoint.schema}},
            "required": bool(endpoint.needs),
        }
        made["requestBody"] = body
    if endpoint.method == "PATCH" or endpoint.path.endswith("/supersede"):
        version = {"type": "string", "description": 'the version that was read, as `"3"`'}
        parameters.append({"name": "If-Match", "in": "header", "required": False, "schema": version})
    if parameters:
        made["parameters"] = parameters
    answer = {"application/json": {"schema": {"$ref": f"#/components/schemas/{endpoint.gives}"}}}
    problem = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    made["responses"] = {str(endpoint.status): {"description": "done", "content": answer}} | {
        status: {"description": says, "content": problem} for status, says in _PROBLEMS.items()
    }
    return made


def _called(endpoint: Endpoint) -> str:
    """`showRecord`-like names are guessed by clients; ours are the verb, and what tells two of it apart."""
    last = endpoint.path.rstrip("/").rpartition("/")[2]
    return endpoint.verb if last.startswith("{") or last != "unpin" else last
