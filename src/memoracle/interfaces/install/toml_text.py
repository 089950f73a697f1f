"""One table in a TOML text, put in and taken out as text: the rest keeps its bytes, and `tomllib` is the judge."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from memoracle.interfaces.install.json5 import Unclear

_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def parsed(text: str) -> dict[str, Any]:
    """What a text says; raises `Unclear`."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as problem:
        raise Unclear(str(problem)) from None


def at(document: Mapping[str, Any], path: Sequence[str]) -> Any:
    """What stands at a path; None when nothing does."""
    found: Any = document
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def written(path: Sequence[str], values: Mapping[str, Any]) -> str:
    """The table as it stands in a file."""
    lines = [f"[{'.'.join(path)}]"]
    lines += [f"{key} = {json.dumps(item, ensure_ascii=False)}" for key, item in values.items()]
    return "\n".join(lines) + "\n"


def put(text: str, path: Sequence[str], values: Mapping[str, Any]) -> str:
    """The text with the table: where it stood, or at the end."""
    before = parsed(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    table = written(path, values).replace("\n", newline)
    place = _place(text, path)
    if place:
        after = text[: place[0]] + table + text[place[1] :]
    else:
        fence = "" if not text.strip("\ufeff") else newline if text.endswith("\n") else newline * 2
        after = text + fence + table
    if parsed(after) != _with(before, path, dict(values)):
        raise Unclear(f"`{'.'.join(path)}` could not be written there")
    return after


def take(text: str, path: Sequence[str]) -> str:
    """The text without the table and what stands below it, and without the blank line before."""
    before, after = parsed(text), text
    while place := _place(after, path, deep=True):
        after = _closed(after[: place[0]]) + after[place[1] :]
    expected = _with(before, path, None)
    if parsed(after) not in (before if after == text else expected, _pruned(expected, path)):
        raise Unclear(f"`{'.'.join(path)}` could not be taken out")
    return after


def _closed(head: str) -> str:
    for blank in ("\r\n\r\n", "\n\n"):
        if head.endswith(blank):
            return head[: len(head) - len(blank) // 2]
    return head


def _place(text: str, path: Sequence[str], *, deep: bool = False) -> tuple[int, int] | None:
    """From the table's header to the end of its last line that says something; `deep` finds tables below it too."""
    below = r"(?:[ \t]*\.[^\]\r\n]*)?" if deep else ""
    name = r"[ \t]*\.[ \t]*".join(
        rf"(?:{re.escape(key)}|\"{re.escape(key)}\"|'{re.escape(key)}')" for key in path
    )
    found = re.search(rf"^[ \t]*\[[ \t]*{name}{below}[ \t]*\][^\r\n]*\r?\n?", text, re.MULTILINE)
    if not found:
        return None
    following = _HEADER.search(text, found.end())
    end = following.start() if following else len(text)
    # Comments and blank lines before the next table are that table's.
    lines = text[found.end() : end].splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return found.start(), found.end() + sum(map(len, lines))


def _with(document: dict[str, Any], path: Sequence[str], values: Any) -> dict[str, Any]:
    key = path[0]
    if len(path) > 1:
        inner = document.get(key, {})
        if not isinstance(inner, dict):
            raise Unclear(f"`{key}` is no table")
        return {**document, key: _with(inner, path[1:], values)}
    if values is None:
        return {name: item for name, item in document.items() if name != key}
    return {**document, key: values}


def _pruned(document: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """Without the tables on the way that hold nothing any more: a header of its own was never there."""
    if len(path) < 2:
        return document
    inner = _pruned(document.get(path[0], {}), path[1:])
    if inner:
        return {**document, path[0]: inner}
    return {name: item for name, item in document.items() if name != path[0]}
