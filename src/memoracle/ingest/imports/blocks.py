"""Markdown cut into list items and paragraphs, each with its sections and the comments that belong to it.

Pure, and linear in the length of the text. A list item keeps what is indented below it; a code block stays whole;
blocks that Memoracle generated are no part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memoracle.model.value import value
from memoracle.store.chunks import headings, split_lines
from memoracle.store.generated import generated_lines

_ITEM = re.compile(r" {0,1}(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?=\S)")
_DEEPER = re.compile(r"(?: {2,8}|\t)")
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")
_RULE = re.compile(r" {0,3}(?:(?:- ?){3,20}|(?:\* ?){3,20}|(?:_ ?){3,20})\s{0,8}")
_TAGS = re.compile(r"#tags:(.{0,2000})", re.IGNORECASE)


@value
class Block:
    """Some lines that say one thing, numbered from 1. `comments` are the insides of HTML comments."""

    first: int
    last: int
    text: str
    sections: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    is_item: bool = False


@value
class Page:
    """A Markdown text: its blocks, and the tags of its tag line."""

    blocks: tuple[Block, ...]
    tags: tuple[str, ...] = ()
    title: str = ""


def cut(text: str, *, first_line: int = 1) -> Page:
    """The blocks of a text. A comment on a line of its own belongs to what follows, up to the next heading."""
    hidden = generated_lines(text)
    bare, comments = _uncommented(text)
    lines = split_lines(bare)
    titles = {heading.line: heading for heading in headings(lines)}
    cutter = _Cutter(first_line, comments)
    for at, line in enumerate(lines):
        if at in hidden:
            cutter.end()
        elif cutter.in_fence or at not in titles:
            cutter.take(at, line)
        else:
            cutter.head(titles[at].level, titles[at].title)
    cutter.end()
    first = next(iter(titles.values()), None)
    return Page(
        blocks=tuple(cutter.blocks),
        tags=tuple(dict.fromkeys(cutter.tags)),
        title=first.title if first and first.level == 1 else "",
    )


class _Cutter:
    """Takes line by line; holds the block that is open, the sections around it and the comments that wait."""

    def __init__(self, first_line: int, comments: dict[int, list[str]]) -> None:
        self.blocks: list[Block] = []
        self.tags: list[str] = []
        self.in_fence = False
        self._first_line = first_line
        self._comments = comments
        self._path: list[tuple[int, str]] = []
        self._open: list[tuple[int, str]] = []
        self._is_item = False
        self._blank = False
        self._standing: list[str] = []

    def head(self, level: int, title: str) -> None:
        """A heading: what stood before ends."""
        self.end()
        self._standing = []
        self._path = [*((depth, name) for depth, name in self._path if depth < level), (level, title)]

    def take(self, at: int, line: str) -> None:
        """A line that is no heading."""
        if _FENCE.match(line):
            self.in_fence = not self.in_fence
        elif not self.in_fence:
            if not line.strip():
                self._rest(at, line)
                return
            if _RULE.fullmatch(line) and at not in self._comments:
                self.end()
                return
            if not self._open and (found := _TAGS.match(line.strip())):
                self.tags += [tag.lstrip("#") for tag in re.split(r"[\s,，、]+", found[1]) if tag.lstrip("#")]
                return
            if _ITEM.match(line):
                self.end()
                self._is_item = True
            elif self._blank and not (self._is_item and _DEEPER.match(line)):
                self.end()
        if self._blank and self._open:
            self._open.append((at, ""))
        self._blank = False
        self._open.append((at, line))

    def _rest(self, at: int, line: str) -> None:
        """A blank line; a comment that stood on it alone waits for what follows, an indented one ends its item."""
        if alone := self._comments.get(at):
            if self._is_item and not self._blank and line:
                self._open.append((at, ""))
                return
            self.end()
            self._standing = alone
        self._blank = True

    def end(self) -> None:
        """The open block is whole."""
        if self._open:
            first, last = self._open[0][0], self._open[-1][0]
            said = [said for at in range(first, last + 1) for said in self._comments.get(at, ())]
            text = _item_text(self._open) if self._is_item else "\n".join(line for _, line in self._open)
            if text.strip() or said:
                self.blocks.append(
                    Block(
                        first=self._first_line + first,
                        last=self._first_line + last,
                        text="\n".join(line.rstrip() for line in text.split("\n")).strip("\n"),
                        sections=tuple(title for _, title in self._path if title),
                        comments=(*self._standing, *said),
                        is_item=self._is_item,
                    )
                )
        self._open, self._is_item, self._blank = [], False, False


def _item_text(lines: Sequence[tuple[int, str]]) -> str:
    """An item without its bullet; what is below it without its indent."""
    head = _ITEM.sub("", lines[0][1], count=1)
    rest = [line[2:] if line.startswith("  ") else line.removeprefix("\t") for _, line in lines[1:]]
    return "\n".join([head, *rest])


def _uncommented(text: str) -> tuple[str, dict[int, list[str]]]:
    """The text without its comments, every line where it was; and the comments by the line they begin on, from 0."""
    kept: list[str] = []
    comments: dict[int, list[str]] = {}
    line = place = 0
    while (begin := text.find("<!--", place)) >= 0 and (close := text.find("-->", begin + 4)) >= 0:
        before, said = text[place:begin], text[begin + 4 : close]
        line += before.count("\n")
        kept += [before, "\n" * said.count("\n")]
        comments.setdefault(line, []).append(said.strip())
        line += said.count("\n")
        place = close + 3
    kept.append(text[place:])
    return "".join(kept), comments
