r"""Notes cut into pieces that fit an embedder and can be cited by line.

Pure: text in, pieces out. A piece never crosses a heading; long sections are cut by size, with
some overlap, so that a sentence at the seam is whole in one of the two. Lines end at `\n` alone,
as editors and `path#Lx` count them; a `\r` before it and a byte-order mark are no part of a piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoracle.errors import BadInput
from memoracle.model.value import value
from memoracle.text import estimate_tokens, shorten

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_LONGEST_HEADING = 120
_Lines = list[tuple[int, str]]


@value
class Chunk:
    """Some lines of a note under one heading; both line numbers are in the file, from 1."""

    first_line: int
    last_line: int
    heading: str
    text: str


@value
class _Unit:
    """What is never cut again: a line, a strip of a very long line, a code block that fits."""

    first: int
    last: int
    text: str
    continues: bool = False

    @property
    def cost(self) -> int:
        return estimate_tokens(self.text + "\n")


@value
class _Heading:
    """A Markdown heading and the number of its line, from 0."""

    line: int
    level: int
    title: str


def chunk(
    text: str,
    *,
    tokens: int = 400,
    overlap: int = 80,
    first_line: int = 1,
    hidden: frozenset[int] = frozenset(),
) -> list[Chunk]:
    """The pieces of a text, in order; `first_line` is the number of its first line in the file.

    Lines at the `hidden` places, counted from 0, are left out; all others keep their numbers.
    """
    if tokens < 1 or overlap < 0:
        raise BadInput(f"a window of {tokens} tokens with {overlap} of overlap cannot be cut")
    overlap = min(overlap, tokens // 2)
    lines = ["" if at in hidden else line for at, line in enumerate(split_lines(text))]
    return [
        piece
        for heading, section in _sections(lines, first_line, hidden)
        for window in _windows(_units(section, tokens, overlap or tokens), tokens, overlap)
        if (piece := _piece(window, heading))
    ]


def split_lines(text: str) -> list[str]:
    """The lines of a text, without their ends."""
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


def headings(lines: list[str]) -> list[_Heading]:
    """The headings among these lines; what looks like one inside a code block is none."""
    fenced = {at for first, last in _fences(lines) for at in range(first, last + 1)}
    return [
        _Heading(line=at, level=len(found[1]), title=_title(found[2] or ""))
        for at, line in enumerate(lines)
        if at not in fenced and (found := _HEADING.fullmatch(line))
    ]


def _title(words: str) -> str:
    """The words of a heading without the hashes that may close it."""
    opened = words.strip().rstrip("#")
    return opened.strip() if not opened or opened[-1] in " \t" else words.strip()


def _fences(lines: list[str]) -> Iterator[tuple[int, int]]:
    """First and last line of each code block; one that is never closed reaches to the end."""
    opened: tuple[int, str] | None = None
    for at, line in enumerate(lines):
        found = _FENCE.fullmatch(line)
        if not found:
            continue
        mark, rest = found[1], found[2]
        if opened is None:
            if mark[0] == "~" or "`" not in rest:
                opened = (at, mark)
        elif mark.startswith(opened[1]) and not rest.strip():
            yield opened[0], at
            opened = None
    if opened is not None:
        yield opened[0], len(lines) - 1


def _sections(lines: list[str], first_line: int, hidden: frozenset[int]) -> list[tuple[str, _Lines]]:
    """The text by heading; a heading with nothing under it goes along with the deeper one that follows."""
    path: list[_Heading] = []
    sections: list[tuple[str, _Lines]] = [("", [])]
    marks = {heading.line: heading for heading in headings(lines)}
    is_bare = True  # nothing but headings and blanks in the present section
    for at, line in enumerate(lines):
        if at in hidden:
            continue
        if mark := marks.get(at):
            parents = [above for above in path if above.level < mark.level]
            went_deeper = parents == path
            path = [*parents, mark]
            title = " > ".join(shorten(step.title, _LONGEST_HEADING) for step in path if step.title)
            sections.append((title, sections.pop()[1] if is_bare and went_deeper else []))
            is_bare = True
        elif line.strip():
            is_bare = False
        sections[-1][1].append((first_line + at, line))
    return sections


def _units(lines: _Lines, tokens: int, strip: int) -> Iterator[_Unit]:
    blocks = dict(_fences([line for _, line in lines]))
    at = 0
    while at < len(lines):
        number, line = lines[at]
        last = blocks.get(at, at)
        text = "\n".join(one for _, one in lines[at : last + 1])
        block = _Unit(first=number, last=lines[last][0], text=text)
        if block.cost <= tokens:
            yield block
            at = last + 1
        elif estimate_tokens(line + "\n") <= tokens:
            yield _Unit(first=number, last=number, text=line)
            at += 1
        else:
            start = 0
            while start < len(line):
                end = _strip_end(line, start, strip)
                yield _Unit(first=number, last=number, text=line[start:end], continues=start > 0)
                start = end
            at += 1


def _strip_end(line: str, start: int, size: int) -> int:
    """Where a strip of at most `size` tokens ends: behind a space near its end, if there is one."""
    low, high = start + 1, min(len(line), start + 4 * size)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(line[start:middle] + "\n") <= size:
            low = middle
        else:
            high = middle - 1
    space = line.rfind(" ", start + (low - start) * 3 // 4, low)
    return space + 1 if space > 0 and low < len(line) else low


def _windows(units: Iterator[_Unit], tokens: int, overlap: int) -> Iterator[list[_Unit]]:
    """Runs of units that fit the window; each run after the first begins with the end of the one before."""
    window: list[_Unit] = []
    size = 0
    for unit in units:
        if window and size + unit.cost > tokens:
            yield window
            room, kept = min(overlap, tokens - unit.cost), len(window)
            while kept > 0 and window[kept - 1].cost <= room:
                kept -= 1
                room -= window[kept].cost
            window = window[kept:]
            size = sum(one.cost for one in window)
        window.append(unit)
        size += unit.cost
    if window:
        yield window


def _piece(window: list[_Unit], heading: str) -> Chunk | None:
    """The chunk of a window without the blank lines at its edges; None when nothing else is there."""
    while window and not window[0].text.strip():
        window = window[1:]
    while window and not window[-1].text.strip():
        window = window[:-1]
    if not window:
        return None
    text = window[0].text + "".join(("" if unit.continues else "\n") + unit.text for unit in window[1:])
    return Chunk(first_line=window[0].first, last_line=window[-1].last, heading=heading, text=text)
