"""Generated blocks: what memory writes into a note that belongs to a person.

A block stands between two marker lines. Every byte outside them is its owner's and stays as it is, also
when the owner writes at the same moment: a note is only replaced while it still is what was read,
and read again when it is not. Markers that do not fit together are told, and nothing is touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memoracle.errors import ChangedUnderneath, OutsideRoot, Refused, StoreProblem
from memoracle.model.report import Finding, Severity
from memoracle.model.search import cited_in
from memoracle.model.value import value
from memoracle.store.chunks import split_lines
from memoracle.store.notes import end_of_body, read_text, write_text
from memoracle.store.volume import Volume

_MARKER = re.compile(r"<!-- memoracle:(begin|end) ([a-z][a-z-]{0,39})(?: \([^()]{0,80}\))? -->")
_TRIES = 5

Compose = Callable[[str, str], str]
"""The new inside of a block, made from the old one and from the owner's text around it."""


@value
class _Block:
    """A block of a text: its name, the places of its two marker lines, and what stands between them."""

    name: str
    first: int
    last: int
    inside: str


@value
class BlockPut:
    """What became of a note: whether it changed, and what stood in the way."""

    path: str
    changed: bool = False
    finding: Finding | None = None


def begin_marker(name: str) -> str:
    """The line that opens a block."""
    return f"<!-- memoracle:begin {name} (generated; text outside is yours) -->"


def end_marker(name: str) -> str:
    """The line that closes a block."""
    return f"<!-- memoracle:end {name} -->"


def blocks_in(text: str, *, path: str = "") -> tuple[list[_Block], list[Finding]]:
    """The whole blocks of a text, and the markers that belong to none."""
    lines = split_lines(text)
    found: list[_Block] = []
    broken: list[Finding] = []
    opened: tuple[str, int] | None = None
    for at, line in enumerate(lines):
        marker = _MARKER.fullmatch(line.strip()) if "memoracle:" in line else None
        if not marker:
            continue
        act, name = marker[1], marker[2]
        if act == "begin":
            if opened:
                broken.append(_broken(path, opened[1], f"the block `{opened[0]}` is not closed"))
            opened = (name, at)
        elif opened and opened[0] == name:
            if any(block.name == name for block in found):
                broken.append(_broken(path, opened[1], f"the block `{name}` stands here a second time"))
            inside = "\n".join(lines[opened[1] + 1 : at])
            found.append(_Block(name=name, first=opened[1], last=at, inside=inside))
            opened = None
        else:
            broken.append(_broken(path, at, f"the block `{name}` ends here and begins nowhere"))
    if opened:
        broken.append(_broken(path, opened[1], f"the block `{opened[0]}` is not closed"))
    return found, broken


def generated_lines(text: str) -> frozenset[int]:
    """The places, from 0, of all lines that are not the owner's: the blocks with their markers."""
    if "memoracle:begin" not in text:
        return frozenset()
    blocks, _ = blocks_in(text)
    return frozenset(at for block in blocks for at in range(block.first, block.last + 1))


def owners_text(text: str) -> str:
    """What stands outside all blocks."""
    hidden = generated_lines(text)
    return "\n".join(line for at, line in enumerate(split_lines(text)) if at not in hidden)


def with_block(text: str, name: str, inside: str) -> str:
    """The text with the inside of its block replaced, or with the block added behind the owner's text.

    The four closing lines of a daily note stay its last. All other bytes stay as they are.
    """
    newline = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    content = [begin_marker(name), *split_lines(inside.strip("\n")), end_marker(name)]
    block = next((one for one in blocks_in(text)[0] if one.name == name), None)
    if block is None:
        place = end_of_body(text)
        before, after = text[:place], text[place:]
        fence = newline if before and not before.endswith("\n") else ""
        is_apart = not before.strip("\ufeff\r\n") or (before + fence).endswith(("\n\n", "\n\r\n"))
        gap = "" if is_apart else newline
        return f"{before}{fence}{gap}{newline.join(content)}{newline}{newline if after else ''}{after}"
    lines = text.split("\n")
    ending = "\r" if newline == "\r\n" else ""
    head, tail = lines[: block.first], lines[block.last + 1 :]
    has_end = block.last + 1 < len(lines)
    body = [line + ending for line in content[:-1]] + [content[-1] + (ending if has_end else "")]
    mark = "\ufeff" if block.first == 0 and text.startswith("\ufeff") else ""
    return mark + "\n".join([*head, *body, *tail])


def put_block(
    volume: Volume,
    relative: str,
    name: str,
    compose: Compose,
    *,
    fresh: str = "",
    dry_run: bool = False,
    meanwhile: Callable[[], None] = lambda: None,
) -> BlockPut:
    """Bring one block of a note up to date. The caller holds the lock.

    `fresh` is what a note that is not there yet begins with; nothing is made for an empty block.
    `meanwhile` is called between reading and writing.
    """
    for _ in range(_TRIES):
        try:
            text, digest = read_text(volume, relative)
            blocks, broken = blocks_in(text, path=relative)
            if broken:
                return BlockPut(path=relative, finding=broken[0])
            held = next((one.inside for one in blocks if one.name == name), "")
            inside = compose(held, owners_text(text))
            if not inside.strip() and not any(one.name == name for one in blocks):
                return BlockPut(path=relative)
            changed = with_block(fresh if digest is None else text, name, inside)
            if digest is not None and changed == text:
                return BlockPut(path=relative)
            meanwhile()
            if not dry_run:
                write_text(volume, relative, changed, expected=digest)
            return BlockPut(path=relative, changed=True)
        except ChangedUnderneath:
            continue  # its owner wrote meanwhile: what they wrote is read, and stays
        except (StoreProblem, OutsideRoot, Refused) as problem:
            return BlockPut(path=relative, finding=_blocked(relative, str(problem)))
    return BlockPut(path=relative, finding=_blocked(relative, "it changes faster than it can be read"))


def strike(text: str, marks: frozenset[str]) -> str:
    """The text without those lines of its blocks that name one of these records."""
    hidden = generated_lines(text)
    if not hidden:
        return text
    kept = [
        line
        for at, line in enumerate(text.split("\n"))
        if at not in hidden or marks.isdisjoint(cited_in(line))
    ]
    return "\n".join(kept)


def _broken(path: str, at: int, says: str) -> Finding:
    return Finding(
        code="broken-block",
        severity=Severity.WARNING,
        path=path,
        line=at + 1,
        message=f"{says}; the file is left as it is",
        hint="remove the stray marker line, or all of the block: it is written anew",
    )


def _blocked(path: str, because: str) -> Finding:
    says = f"its generated block was not brought up to date: {because}"
    return Finding(code="block-not-written", severity=Severity.WARNING, path=path, message=says)
