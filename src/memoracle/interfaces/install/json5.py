"""Reading JSON and JSON5 with the place of every value, so that a file can be changed without being written anew.

Comments, trailing commas, single quotes and bare keys are read. What is not quite clear is refused: a file of
somebody else's is never guessed at.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from memoracle.model.value import value

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
class Node:
    """One value and where it stands; children of an object carry their keys, in the order of the file."""

    start: int
    end: int
    value: Any
    keys: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()
    """Where each child begins: its key, in an object."""
    children: tuple[Node, ...] = ()

    @property
    def is_object(self) -> bool:
        """True for what stands in braces."""
        return isinstance(self.value, dict)

    @property
    def is_array(self) -> bool:
        """True for what stands in brackets."""
        return isinstance(self.value, list)

    def child(self, key: str) -> Node | None:
        """The value of a key."""
        return self.children[self.keys.index(key)] if key in self.keys else None


@lru_cache(maxsize=4)
def read(text: str) -> Node:
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


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _DEEPEST:
        raise Unclear("it is nested too deeply")
    first = text[at : at + 1]
    if first == "{":
        return _object(text, at, depth)
    if first == "[":
        return _array(text, at, depth)
    if first in {'"', "'"}:
        end, said = _string(text, at)
        return Node(start=at, end=end, value=said)
    found = _BARE.match(text, at)
    if not found:
        raise Unclear(f"line {_line(text, at)}: a value is missing")
    return Node(start=at, end=found.end(), value=_scalar(text, at, found[0]))


def _object(text: str, at: int, depth: int) -> Node:
    inner: dict[str, Any] = {}
    starts: list[int] = []
    children: list[Node] = []
    where = skip(text, at + 1)
    while text[where : where + 1] != "}":
        starts.append(where)
        where, key = _key(text, where)
        if key in inner:
            raise Unclear(f"line {_line(text, where)}: `{key}` stands there twice")
        where = skip(text, where)
        if text[where : where + 1] != ":":
            raise Unclear(f"line {_line(text, where)}: a colon is missing")
        child = _value(text, skip(text, where + 1), depth + 1)
        inner[key] = child.value
        children.append(child)
        where = _after(text, child.end, "}")
    return Node(
        start=at,
        end=where + 1,
        value=inner,
        keys=tuple(inner),
        starts=tuple(starts),
        children=tuple(children),
    )


def _array(text: str, at: int, depth: int) -> Node:
    children: list[Node] = []
    where = skip(text, at + 1)
    while text[where : where + 1] != "]":
        child = _value(text, where, depth + 1)
        children.append(child)
        where = _after(text, child.end, "]")
    return Node(
        start=at,
        end=where + 1,
        value=[child.value for child in children],
        starts=tuple(child.start for child in children),
        children=tuple(children),
    )


def _after(text: str, at: int, closing: str) -> int:
    """Where the next child or the end stands, after one child."""
    where = skip(text, at)
    found = text[where : where + 1]
    if found == ",":
        return skip(text, where + 1)
    if found != closing:
        raise Unclear(f"line {_line(text, where)}: a comma or `{closing}` is missing")
    return where


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
