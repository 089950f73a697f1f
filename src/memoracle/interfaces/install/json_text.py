"""Changing one place of a JSON or JSON5 text: everything else keeps its bytes, comments and commas.

Pure. After each change the text is read again, and what it says must be what was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from memoracle.interfaces.install.json5 import Node, Unclear, read, skip

Path = Sequence[str]
_INDENT = re.compile(r"[{\[]\r?\n([ \t]+)")


def find(text: str, path: Path) -> Node | None:
    """What stands at a path; None when nothing does."""
    node: Node | None = read(text)
    for key in path:
        node = node.child(key) if node is not None and node.is_object else None
    return node


def put(text: str, path: Path, given: Any) -> str:
    """The text with a value at a path: replaced, or added with the objects it needs."""
    found = find(text, path)
    if found is not None:
        is_flat = "\n" not in text[found.start : found.end]
        new = _written(given, text, _indent_at(text, found.start), is_flat=is_flat)
        return _judged(text, text[: found.start] + new + text[found.end :], path, given)
    holder, rest = _deepest(text, path)
    inner: Any = given
    for key in reversed(rest[1:]):
        inner = {key: inner}
    return _judged(text, _insert(text, holder, inner, rest[0]), path, given)


def append(text: str, path: Path, item: Any) -> str:
    """The text with one more item in the array at a path, which is made when there is none."""
    found = find(text, path)
    if found is None:
        return put(text, path, [item])
    if not found.is_array:
        raise Unclear(f"`{'.'.join(path)}` is no list")
    return _judged(text, _insert(text, found, item, None), path, [*found.value, item])


def swap(text: str, path: Path, index: int, item: Any) -> str:
    """The text with another item in a place of the array at a path."""
    found = find(text, path)
    if found is None or not found.is_array:
        raise Unclear(f"`{'.'.join(path)}` is no list")
    old = found.children[index]
    is_flat = "\n" not in text[old.start : old.end]
    new = _written(item, text, _indent_at(text, old.start), is_flat=is_flat)
    items = [*found.value[:index], item, *found.value[index + 1 :]]
    return _judged(text, text[: old.start] + new + text[old.end :], path, items)


def take(text: str, path: Path, index: int | None = None) -> str:
    """The text without what stands at a path, or without one item of the array there."""
    holder = find(text, path if index is not None else path[:-1])
    if holder is None:
        return text
    at = index if index is not None else holder.keys.index(path[-1])
    begin, child, was = holder.starts[at], holder.children[at], text
    comma = skip(text, child.end)
    has_comma = text[comma : comma + 1] == ","
    start, end = _line_start(text, begin), comma + 1 if has_comma else child.end
    if not has_comma and at > 0:
        # It was the last one: the comma before it goes too.
        before = skip(text, holder.children[at - 1].end)
        text, shift = text[:before] + text[before + 1 :], 1
    else:
        shift = 0
    left = text[: start - shift] + text[end - shift :]
    again = find(left, path if index is not None else path[:-1])
    if again is not None and not again.children and not left[again.start + 1 : again.end - 1].strip():
        left = left[: again.start + 1] + left[again.end - 1 :]
    expected = _without(holder.value, at, path[-1] if index is None else None)
    return _judged(was, left, path if index is not None else path[:-1], expected)


def _without(held: Any, at: int, key: str | None) -> Any:
    if key is not None:
        return {name: item for name, item in held.items() if name != key}
    return [item for place, item in enumerate(held) if place != at]


def _judged(before: str, after: str, path: Path, expected: Any) -> str:
    """The new text, when it says what the old one said but for this one place."""
    if read(after).value != _changed(read(before).value, path, expected):
        raise Unclear(f"`{'.'.join(path)}` could not be written there")
    return after


def _changed(held: Any, path: Path, expected: Any) -> Any:
    if not path:
        return expected
    return {**held, path[0]: _changed(held.get(path[0], {}), path[1:], expected)}


def _deepest(text: str, path: Path) -> tuple[Node, Path]:
    """The innermost object on the way that is there, and the keys still to be made."""
    node = read(text)
    for at, key in enumerate(path):
        if not node.is_object:
            raise Unclear(f"`{'.'.join(path[:at])}` is no object" if at else "it holds no object")
        if "$include" in node.keys:
            raise Unclear(f"`{'.'.join(path[:at]) or 'it'}` is kept in another file (`$include`)")
        child = node.child(key)
        if child is None:
            return node, path[at:]
        node = child
    raise Unclear("there is nothing to make")


def _insert(text: str, holder: Node, given: Any, key: str | None) -> str:
    """One more child at the end of an object or an array, written the way its neighbours are."""
    closing = holder.end - 1
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    newline = "\r\n" if "\r\n" in text else "\n"
    inner = text[holder.start + 1 : closing]
    if holder.children:
        last = holder.children[-1].end
        comma = skip(text, last)
        has_comma = text[comma : comma + 1] == ","
        if "\n" not in inner:
            new = name + _written(given, text, "", is_flat=True)
            return (
                f"{text[:comma]}, {new}{text[comma:]}" if has_comma else f"{text[:last]}, {new}{text[last:]}"
            )
        indent = _indent_at(text, holder.starts[-1])
        new = name + _written(given, text, indent, is_flat=False)
        body = text[last:closing] if has_comma else "," + text[last:closing]
        kept = body.rstrip(" \t\r\n")
        tail = body[len(kept) :]
        return f"{text[:last]}{kept}{newline}{indent}{new}{',' if has_comma else ''}{tail}{text[closing:]}"
    base = _indent_at(text, holder.start)
    indent = base + _unit(text)
    new = name + _written(given, text, indent, is_flat=False)
    kept = inner.rstrip(" \t\r\n")
    return f"{text[: holder.start + 1]}{kept}{newline}{indent}{new}{newline}{base}{text[closing:]}"


def _written(given: Any, text: str, indent: str, *, is_flat: bool) -> str:
    if is_flat:
        return json.dumps(given, ensure_ascii=False)
    newline = "\r\n" if "\r\n" in text else "\n"
    return json.dumps(given, ensure_ascii=False, indent=_unit(text)).replace("\n", newline + indent)


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _indent_at(text: str, at: int) -> str:
    """The blanks that begin the line of a place."""
    start = text.rfind("\n", 0, at) + 1
    line = text[start:at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _line_start(text: str, at: int) -> int:
    """Back over blanks, and over the line's end when nothing else stands before it."""
    start = at
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    if start > 0 and text[start - 1] == "\n":
        start -= 2 if text[start - 2 : start] == "\r\n" else 1
    return start
