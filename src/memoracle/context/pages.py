"""Notes as pieces of a pack: the owner's lines, each cited by its place. Pure: text in, pieces out.

What memory wrote into a note itself stands in records already, and is left out. So is what a note quotes or fences,
and a paragraph that reads like an injected order: nobody knows whose words these are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memoracle.context.frame import harmless
from memoracle.context.own import reads_like_an_order, says_nothing
from memoracle.context.portion import Piece
from memoracle.extract.fences import lines_of_others
from memoracle.model.cite import on_one_line
from memoracle.store.chunks import headings, split_lines
from memoracle.store.closure import LABELS, closing_at, said_in
from memoracle.store.frontmatter import parse
from memoracle.store.generated import generated_lines

_LONGEST = 90
_LONGEST_HEADING = 24
_MARKER = re.compile(r"\s{0,12}(?:[-*+>•]|\d{1,3}[.)])\s+(?=\S)")
"""What a list puts before its words; inside a line the same signs are the owner's own."""
_ABOUT = re.compile(r"#tags\s*[:：]|(?:>\s?)?(?:\*\*)?last_(?:verified|updated)", re.IGNORECASE)
_RULE = re.compile(r"[-*_=\s]+")


def page_pieces(path: str, text: str, *, newest_first: bool) -> list[Piece]:
    """The owner's lines of a note. With `newest_first` the last ones are chosen first; they are shown in order."""
    found = list(_said(text))
    pieces = []
    for at, (number, heading, line) in enumerate(found):
        rank = len(found) - at if newest_first else at
        pieces.append(
            Piece(
                text=_short(line), cite=f"{path}#L{number}", heading=_heading(heading), rank=rank, words=line
            )
        )
    return pieces


def closing_pieces(path: str, text: str) -> dict[str, Piece]:
    """What the closing lines of a note say, by label; a line that says nothing is left out."""
    lines = split_lines(text)
    start = closing_at(lines)
    if start is None:
        return {}
    found = {}
    for at, label in enumerate(LABELS):
        _, said = said_in(lines[start + at])
        if said:
            found[label] = Piece(text=_short(f"{label}: {said}"), cite=f"{path}#L{start + at + 1}")
    return found


def buffer_pieces(path: str, entries: Sequence[tuple[int, str]]) -> list[Piece]:
    """The lines of the working buffer; the newest are chosen first."""
    others = lines_of_others([line for _, line in entries])
    said = [
        (number, line)
        for at, (number, line) in enumerate(entries)
        if line.strip() and at not in others and not reads_like_an_order(line, to_a_fellow=True)
    ]
    return [
        Piece(text=_short(_without_marker(line)), cite=f"{path}#L{number}", rank=len(said) - at)
        for at, (number, line) in enumerate(said)
    ]


def _said(text: str) -> Iterator[tuple[int, str, str]]:
    """Number, heading and words of each line that says something; closing lines are not among them."""
    head = parse(text).head
    before = head.count("\n")
    lines = split_lines(text[len(head) :])
    hidden = generated_lines(text)
    closing = closing_at(lines)
    titles = {one.line: one for one in headings(lines)}
    others = lines_of_others(lines) | _orders(lines)
    heading = ""
    for at, line in enumerate(lines[:closing]):
        if at + before in hidden or at in others or not line.strip():
            continue
        if title := titles.get(at):
            heading = title.title if title.level > 1 else ""
        elif not _ABOUT.match(line.strip()) and not _RULE.fullmatch(line) and not says_nothing(line):
            yield before + at + 1, heading, _without_marker(line)


def _orders(lines: Sequence[str]) -> set[int]:
    """The places of paragraphs that read like injected orders."""
    found: set[int] = set()
    start = 0
    for at in range(len(lines) + 1):
        if at == len(lines) or not lines[at].strip():
            if start < at and reads_like_an_order("\n".join(lines[start:at]), to_a_fellow=True):
                found |= set(range(start, at))
            start = at + 1
    return found


def _without_marker(line: str) -> str:
    found = _MARKER.match(line)
    return line[found.end() :] if found else line


def _short(line: str) -> str:
    return harmless(on_one_line(line, tokens=_LONGEST))


def _heading(title: str) -> str:
    return harmless(on_one_line(title, tokens=_LONGEST_HEADING)) if title else ""
