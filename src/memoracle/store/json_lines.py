"""A JSON document in which every value knows the lines it stands on. Pure."""

from __future__ import annotations

import re
from json import decoder
from typing import Any

from memoracle.model.value import value

_BLANK = re.compile(r"[ \t\r\n]*")
_PLAIN = re.compile(r"true|false|null|-?(?:0|[1-9]\d{0,300})(?:\.\d{1,300})?(?:[eE][+-]?\d{1,4})?")
_WORDS = {"true": True, "false": False, "null": None}
_DEEPEST = 60
_scan: Any = vars(decoder)["scanstring"]


@value
class Node:
    """A value, the lines from which to which it stands, and what it is made of."""

    says: Any
    first_line: int
    last_line: int
    members: tuple[tuple[str, Node], ...] = ()
    is_list: bool = False

    @property
    def is_leaf(self) -> bool:
        """A plain value, or an empty object or list."""
        return not self.members


def read_lines(text: str) -> Node:
    """The document; raises ValueError when it is none."""
    reader = _Reader(text)
    node = reader.value(0)
    if reader.at != len(text.rstrip()):
        raise ValueError("something follows the document")
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._line, self._counted = 1, 0

    def value(self, depth: int) -> Node:
        if depth > _DEEPEST:
            raise ValueError("it is nested too deeply")
        self._skip()
        first = self._here()
        opening = self.text[self.at : self.at + 1]
        if opening in {"{", "["}:
            members = self._members(depth, is_list=opening == "[")
            says: Any = (
                [one.says for _, one in members]
                if opening == "["
                else {name: one.says for name, one in members}
            )
            return Node(
                says=says,
                first_line=first,
                last_line=self._here(),
                members=tuple(members),
                is_list=opening == "[",
            )
        if opening == '"':
            says = self._string()
        elif found := _PLAIN.match(self.text, self.at):
            self.at = found.end()
            word = found[0]
            says = _WORDS[word] if word in _WORDS else float(word) if set(word) & set(".eE") else int(word)
        else:
            raise ValueError(f"nothing JSON knows stands at line {first}")
        return Node(says=says, first_line=first, last_line=self._here())

    def _members(self, depth: int, *, is_list: bool) -> list[tuple[str, Node]]:
        closing = "]" if is_list else "}"
        self.at += 1
        members: list[tuple[str, Node]] = []
        self._skip()
        if self._takes(closing):
            return members
        while True:
            name = str(len(members))
            if not is_list:
                self._skip()
                if self.text[self.at : self.at + 1] != '"':
                    raise ValueError(f"a name is missing at line {self._here()}")
                name = self._string()
                self._skip()
                if not self._takes(":"):
                    raise ValueError(f"a colon is missing at line {self._here()}")
            members.append((name, self.value(depth + 1)))
            self._skip()
            if self._takes(closing):
                return members
            if not self._takes(","):
                raise ValueError(f"a comma is missing at line {self._here()}")

    def _string(self) -> str:
        said, self.at = _scan(self.text, self.at + 1, True)
        return str(said)

    def _takes(self, char: str) -> bool:
        if self.text[self.at : self.at + 1] != char:
            return False
        self.at += 1
        return True

    def _skip(self) -> None:
        if found := _BLANK.match(self.text, self.at):
            self.at = found.end()

    def _here(self) -> int:
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line
