"""One place of a JSON, JSON5, TOML or Markdown text, put in and taken out; the rest keeps its bytes and comments.

Every change is judged by reading the text again: it says what it said but for that place, or `Unclear` is raised.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from memoracle.model.value import value

# Reading JSON and JSON5 with the place of every value, so that a file can be changed without being written anew.

_BLANK = re.compile(r"(?:[ \t\r\n\f\v\xa0\u2028\u2029]|//[^\r\n]*+|/\*[\s\S]*?\*/)*+")
_BARE = re.compile(r"[^\s,:\[\]{}\"'/]+")
_DOUBLE = re.compile(r'"(?:[^"\\\r\n]++|\\(?:\r\n|[\s\S]))*+"')
_SINGLE = re.compile(r"'(?:[^'\\\r\n]++|\\(?:\r\n|[\s\S]))*+'")
_ESCAPE = re.compile(r"\\(?:\r\n|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))")
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_HEX = re.compile(r"[+-]?0[xX][0-9a-fA-F]+")
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_WORDS = {"true": True, "false": False, "null": None}
_DEEPEST = 100


class Unclear(Exception):
    """Not JSON5, or more than one thing at once."""


@value
class _ConfigNode:
    """One value and where it stands; children of an object carry their keys, in the order of the file."""

    start: int
    end: int
    value: Any
    keys: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()
    """Where each child begins: its key, in an object."""
    children: tuple[_ConfigNode, ...] = ()

    @property
    def is_object(self) -> bool:
        """True for what stands in braces."""
        return isinstance(self.value, dict)

    @property
    def is_array(self) -> bool:
        """True for what stands in brackets."""
        return isinstance(self.value, list)

    def child(self, key: str) -> _ConfigNode | None:
        """The value of a key."""
        return self.children[self.keys.index(key)] if key in self.keys else None


@lru_cache(maxsize=4)
def read(text: str) -> _ConfigNode:
    """The one value of a text; raises `Unclear`. A large file is asked many things, and read once."""
    start = skip(text, 1 if text.startswith("\ufeff") else 0)
    node = _value(text, start, 0)
    if skip(text, node.end) != len(text):
        raise Unclear(f"line {_line(text, node.end)}: something follows the end")
    return node


def skip(text: str, at: int) -> int:
    """Past blanks and comments."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> _ConfigNode:
    if depth > _DEEPEST:
        raise Unclear("it is nested too deeply")
    first = text[at : at + 1]
    if first in {"{", "["}:
        return _container(text, at, depth)
    if first in {'"', "'"}:
        end, said = _string(text, at)
        return _ConfigNode(start=at, end=end, value=said)
    found = _BARE.match(text, at)
    if not found:
        raise Unclear(f"line {_line(text, at)}: a value is missing")
    return _ConfigNode(start=at, end=found.end(), value=_scalar(text, at, found[0]))


def _container(text: str, at: int, depth: int) -> _ConfigNode:
    is_object = text[at] == "{"
    closing = "}" if is_object else "]"
    keys: dict[str, None] = {}
    starts: list[int] = []
    children: list[_ConfigNode] = []
    where = skip(text, at + 1)
    while text[where : where + 1] != closing:
        starts.append(where)
        if is_object:
            where, key = _key(text, where)
            if key in keys:
                raise Unclear(f"line {_line(text, where)}: `{key}` stands there twice")
            keys[key] = None
            where = skip(text, where)
            if text[where : where + 1] != ":":
                raise Unclear(f"line {_line(text, where)}: a colon is missing")
            where = skip(text, where + 1)
        children.append(_value(text, where, depth + 1))
        where = skip(text, children[-1].end)
        if text[where : where + 1] == ",":
            where = skip(text, where + 1)
        elif text[where : where + 1] != closing:
            raise Unclear(f"line {_line(text, where)}: a comma or `{closing}` is missing")
    values = [child.value for child in children]
    return _ConfigNode(
        start=at,
        end=where + 1,
        value=dict(zip(keys, values, strict=True)) if is_object else values,
        keys=tuple(keys),
        starts=tuple(starts),
        children=tuple(children),
    )


def _key(text: str, at: int) -> tuple[int, str]:
    if text[at : at + 1] in {'"', "'"}:
        return _string(text, at)
    found = _BARE.match(text, at)
    if not found or "\\" in found[0]:
        raise Unclear(f"line {_line(text, at)}: a key is missing")
    return found.end(), found[0]


def _string(text: str, at: int) -> tuple[int, str]:
    found = (_DOUBLE if text[at] == '"' else _SINGLE).match(text, at)
    if not found:
        raise Unclear(f"line {_line(text, at)}: a string has no end")
    raw = found[0]
    try:
        return found.end(), json.loads(raw)
    except ValueError:
        # What JSON5 allows beyond JSON: single quotes, other escapes, lines that go on.
        return found.end(), _ESCAPE.sub(_unescaped, raw[1:-1])


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    if code:
        return chr(int(code, 16))
    plain = found[3] or ""
    return "" if plain in {"", "\n", "\r", "\u2028", "\u2029"} else _PLAIN_ESCAPES.get(plain, plain)


def _scalar(text: str, at: int, word: str) -> Any:
    if word in _WORDS:
        return _WORDS[word]
    if len(word) < 1000 and _NUMBER.fullmatch(word):
        return float(word) if any(ch in word for ch in ".eE") else int(word)
    if len(word) < 1000 and _HEX.fullmatch(word):
        return int(word, 16)
    if word.lstrip("+-") in {"Infinity", "NaN"}:
        return word  # it is never changed, so its name is enough
    raise Unclear(f"line {_line(text, at)}: `{word[:40]}` means nothing here")


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


# Changing JSON and JSON5.

Path = Sequence[str]
_INDENT = re.compile(r"[{\[]\r?\n([ \t]+)")


def find(text: str, path: Path) -> _ConfigNode | None:
    """What stands at a path; None when nothing does."""
    node: _ConfigNode | None = read(text)
    for key in path:
        node = node.child(key) if node is not None and node.is_object else None
    return node


def put(text: str, path: Path, given: Any, index: int | None = None) -> str:
    """The text with a value at a path, or in a place of the array there; objects that it needs are added."""
    found = find(text, path)
    if found is None:
        holder, rest = _deepest(text, path)
        inner = given
        for key in reversed(rest[1:]):
            inner = {key: inner}
        return _judged(text, _insert(text, holder, inner, rest[0]), path, given)
    old = found if index is None else found.children[index]
    is_flat = "\n" not in text[old.start : old.end]
    new = _written(given, text, _indent_at(text, old.start), is_flat=is_flat)
    expected = given if index is None else [*found.value[:index], given, *found.value[index + 1 :]]
    return _judged(text, text[: old.start] + new + text[old.end :], path, expected)


def append(text: str, path: Path, item: Any) -> str:
    """The text with one more item in the array at a path, which is made when there is none."""
    found = find(text, path)
    if found is None:
        return put(text, path, [item])
    return _judged(text, _insert(text, found, item, None), path, [*found.value, item])


def merge(text: str, path: tuple[str, ...], found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """The text with each field as it should be; what hosts and people added beside them stays."""
    for key, item in wanted.items():
        held = found.get(key)
        if isinstance(item, Mapping) and isinstance(held, Mapping):
            text = merge(text, (*path, key), held, item)
        elif held != item:
            text = put(text, (*path, key), item)
    return text


def take(text: str, path: Path, index: int | None = None) -> str:
    """The text without what stands at a path, or without one item of the array there."""
    where = path if index is not None else path[:-1]
    holder = find(text, where)
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
    again = find(left, where)
    if again is not None and not again.children and not left[again.start + 1 : again.end - 1].strip():
        left = left[: again.start + 1] + left[again.end - 1 :]
    expected = _GONE if index is None else [*holder.value[:at], *holder.value[at + 1 :]]
    return _judged(was, left, path, expected)


def _judged(before: str, after: str, path: Path, expected: Any) -> str:
    """The new text, when it says what the old one said but for this one place."""
    if read(after).value != _changed(read(before).value, path, expected):
        raise Unclear(f"`{'.'.join(path)}` could not be written there")
    return after


_GONE = object()


def _changed(held: Any, path: Path, expected: Any) -> Any:
    """What is said, with another value at a path, or with nothing there."""
    if not path:
        return expected
    if not isinstance(held, dict):
        raise Unclear(f"something before `{path[0]}` is no table")
    inner = _changed(held.get(path[0], {}), path[1:], expected)
    if inner is _GONE:
        return {name: item for name, item in held.items() if name != path[0]}
    return {**held, path[0]: inner}


def _deepest(text: str, path: Path) -> tuple[_ConfigNode, Path]:
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


def _insert(text: str, holder: _ConfigNode, given: Any, key: str | None) -> str:
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


# Changing one table of a TOML text.

_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def parsed(text: str) -> dict[str, Any]:
    """What a TOML text says; raises `Unclear`."""
    import tomllib

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


def put_toml_text(text: str, path: Sequence[str], values: Mapping[str, Any]) -> str:
    """The text with the table: where it stood, or at the end."""
    before = parsed(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    table = written(path, values).replace("\n", newline)
    place = _table_place(text, path)
    head, tail = (text[: place[0]], text[place[1] :]) if place else (text + _fence(text, newline), "")
    after = head + table + tail
    if parsed(after) != _changed(before, path, dict(values)):
        raise Unclear(f"`{'.'.join(path)}` could not be written there")
    return after


def take_toml_text(text: str, path: Sequence[str]) -> str:
    """The text without the table and what stands below it, and without the blank line before."""
    before, after = parsed(text), text
    while place := _table_place(after, path, deep=True):
        after = closed(after[: place[0]]) + after[place[1] :]
    expected = _changed(before, path, _GONE)
    if parsed(after) not in (before if after == text else expected, _pruned(expected, path)):
        raise Unclear(f"`{'.'.join(path)}` could not be taken out")
    return after


def closed(head: str) -> str:
    """What stands before something that is taken out, without the blank line between them."""
    for blank in ("\r\n\r\n", "\n\n"):
        if head.endswith(blank):
            return head[: len(head) - len(blank) // 2]
    return head


def _table_place(text: str, path: Sequence[str], *, deep: bool = False) -> tuple[int, int] | None:
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


def _pruned(document: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """Without the tables on the way that hold nothing any more: a header of its own was never there."""
    if len(path) < 2:
        return document
    inner = _pruned(document.get(path[0], {}), path[1:])
    if inner:
        return {**document, path[0]: inner}
    return {name: item for name, item in document.items() if name != path[0]}


# A section of ours in a Markdown file of somebody's, between two markers; so is a block of a crontab.

_BEGIN = re.compile(r"^<!-- memoracle:begin ([0-9a-f]{12}) -->\r?\n", re.MULTILINE)
_END = re.compile(r"^<!-- memoracle:end -->\r?\n?", re.MULTILINE)


def section(body: str) -> str:
    """The section as it stands in a file."""
    body = body.strip("\n") + "\n"
    return f"<!-- memoracle:begin {_digest(body)} -->\n{body}<!-- memoracle:end -->\n"


def is_edited(text: str) -> bool:
    """Whether somebody changed what stands between the markers."""
    place = marked_place(text, _BEGIN, _END)
    return place is not None and _digest(text[place[0].end() : place[1].start()]) != place[0][1]


def put_section(text: str, body: str) -> str:
    """The text with the section: where it stood, or at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    new = section(body).replace("\n", newline)
    if place := marked_place(text, _BEGIN, _END):
        return text[: place[0].start()] + new + text[place[1].end() :]
    return text + _fence(text, newline) + new


def take_section(text: str) -> str:
    """The text without the section, and without the blank line before it."""
    place = marked_place(text, _BEGIN, _END)
    return closed(text[: place[0].start()]) + text[place[1].end() :] if place else text


def marked_place(
    text: str, begin: re.Pattern[str], end: re.Pattern[str]
) -> tuple[re.Match[str], re.Match[str]] | None:
    """The two markers of a block; half a block, or two, is somebody's edit and stays."""
    begins, ends = list(begin.finditer(text)), list(end.finditer(text))
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0].end():
        raise Unclear("the section between the `memoracle` markers is not whole")
    return begins[0], ends[0]


def _digest(body: str) -> str:
    return hashlib.sha256(body.replace("\r\n", "\n").encode("utf-8", "surrogateescape")).hexdigest()[:12]


def _fence(text: str, newline: str) -> str:
    """What parts the end of a text from what is added to it: a blank line."""
    return "" if not text.strip("\ufeff") else newline if text.endswith("\n") else newline * 2
