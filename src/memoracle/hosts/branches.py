"""Which of the things once said still belong to the conversation.

Hosts keep a tree: going back and saying something else leaves the old words on a dead branch. The
live branch is the path from the last leaf to its root; words on other branches are left out. A
conversation that starts again without naming a parent (a compaction, a damaged line, a line written
by another tool) is another root, and every root keeps its own live branch: only a fork abandons.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

from memoracle.model.claim import Turn
from memoracle.model.report import Finding
from memoracle.model.value import as_fields, value

MOST_OPEN = 64


class BranchNode(NamedTuple):
    """One entry of a transcript. `follows` hangs it under whatever came last."""

    id: str
    parent: str | None = None
    turn: Turn | None = None
    follows: bool = False
    leaf: bool = True
    group: str | None = None
    prompt: bool = False


class Rewind(NamedTuple):
    """The conversation goes back: by so many prompts, or to just after an entry, `beyond` to just before it."""

    id: str = ""
    beyond: bool = False
    prompts: int = 0


Step = BranchNode | Rewind


class UnknownPast(Exception):
    """A step refers to something before the part that was read."""


@dataclass(slots=True)
class Branches:
    """The tree of one transcript, grown line by line.

    `past` holds the ids at which an earlier reading stopped, `known` the groups it left live: with it, the tree starts
    in the middle, and a step that reaches further back raises `UnknownPast`. Without it, unknown parents are roots.
    """

    past: tuple[str, ...] = ()
    known: Sequence[str] = ()
    tip: str | None = None
    _nodes: dict[str, BranchNode] = field(default_factory=dict)
    _parents: dict[str, str | None] = field(default_factory=dict)
    _roots: dict[str, str] = field(default_factory=dict)
    _tips: dict[str, str] = field(default_factory=dict)
    _open: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.past:
            self.tip = self.past[0]
            for known in self.past:
                self._place(BranchNode(known), None if known == self.tip else self.tip)
            self._tips[self.tip] = self.tip
            self._open = dict.fromkeys(self.past)

    @property
    def ends(self) -> tuple[str, ...]:
        """The ids after which a continuation is expected: the tip, and what hangs loosely below it."""
        return tuple(self._open)[:MOST_OPEN]

    @property
    def groups(self) -> str:
        """The last groups on the live branches, in one line: what belongs to one of them may still come."""
        return " ".join(list(self._live_path()[1])[:MOST_OPEN])

    def grow(self, step: Step) -> None:
        """Take one more line into account."""
        if isinstance(step, BranchNode):
            self._add(step)
        elif step.prompts:
            self._rewind_turns(step.prompts)
        else:
            self._rewind(step.id, beyond=step.beyond)

    def live(self) -> list[Turn]:
        """The turns of the live branches, in the order of the file."""
        path, groups = self._live_path()
        return [
            node.turn
            for key, node in self._nodes.items()
            if node.turn is not None and (key in path or node.group in groups)
        ]

    def _live_path(self) -> tuple[set[str], dict[str, None]]:
        """The ids on the live branches, and their groups, the latest first."""
        path: set[str] = set()
        groups: dict[str, None] = {}
        for tip in reversed(self._tips.values()):
            step: str | None = tip
            while step is not None and step not in path:
                path.add(step)
                group = self._nodes[step].group
                if group is not None:
                    groups[group] = None
                step = self._parents[step]
        return path, groups | dict.fromkeys(self.known)

    def _add(self, node: BranchNode) -> None:
        known = self._nodes.get(node.id)
        if known is not None:
            # A repeated id counts once; Gemini writes an entry again when its text has grown.
            if node.turn is not None and (known.turn is None or node.follows):
                self._nodes[node.id] = known._replace(turn=node.turn)
            return
        parent = self.tip if node.follows else node.parent
        if parent is not None and parent not in self._nodes:
            if self.past:
                raise UnknownPast(parent)
            parent = None
        self._place(node, parent)
        if node.leaf or node.turn is not None:
            self.tip = node.id
            self._tips[self._roots[node.id]] = node.id
            self._open = {node.id: None}
        elif parent in self._open:
            self._open[node.id] = None

    def _place(self, node: BranchNode, parent: str | None) -> None:
        self._nodes[node.id] = node
        self._parents[node.id] = parent
        self._roots[node.id] = node.id if parent is None else self._roots[parent]

    def _rewind(self, target: str, *, beyond: bool) -> None:
        if target not in self._nodes or (beyond and target in self.past):
            if self.past:
                raise UnknownPast(target)
            return
        self._point_at(self._parents[target] if beyond else target, self._roots[target])

    def _rewind_turns(self, count: int) -> None:
        step, left = self.tip, count
        root = None if step is None else self._roots[step]
        while step is not None and left > 0:
            if step in self.past:
                raise UnknownPast(step)
            left -= self._nodes[step].prompt
            step = self._parents[step]
        if left > 0 and self.past:
            raise UnknownPast(str(count))
        if root is not None:
            self._point_at(step, root)

    def _point_at(self, tip: str | None, root: str) -> None:
        if tip is None:
            self._tips.pop(root, None)
        else:
            self._tips[root] = tip
        self.tip = tip
        self._open = {} if tip is None else {tip: None}


# How far a source has been read.

_SAMPLE = 1024


class BranchState(NamedTuple):
    """A file as its folder shows it."""

    size: int
    mtime_ns: int
    inode: int


@value
class Watermark:
    """The place in one source up to which everything has been read.

    `offset` counts consumed bytes and `line` is the number of the next line; in a database they are the
    last row and unused. `ends` are the ids a continuation hangs under. `memo` is the reader's own.
    """

    path: str
    shape: str
    size: int
    mtime_ns: int
    inode: int
    offset: int = 0
    line: int = 1
    head: str = ""
    tail: str = ""
    ends: tuple[str, ...] = ()
    memo: tuple[tuple[str, str], ...] = ()

    def is_current(self, state: BranchState) -> bool:
        """Nothing has happened to the file since."""
        return BranchState(self.size, self.mtime_ns, self.inode) == state

    def fits(self, stream: IO[bytes], state: BranchState) -> bool:
        """The file still begins with the bytes that were read: it only grew."""
        if self.inode != state.inode or state.size < self.offset:
            return False
        return sample(stream, self.offset) == (self.head, self.tail)

    def to_dict(self) -> dict[str, Any]:
        """As it can be written to JSON."""
        return as_fields(self) | {"ends": list(self.ends), "memo": dict(self.memo)}

    @classmethod
    def from_dict(cls, kept: object) -> Watermark | None:
        """The watermark that was written; None when it is not one, which means reading whole."""
        if not isinstance(kept, dict):
            return None
        ends, memo = kept.get("ends", []), kept.get("memo", {})
        if not isinstance(ends, list) or not isinstance(memo, dict):
            return None
        texts = {key: kept.get(key, "") for key in ("path", "shape", "head", "tail")}
        numbers = {key: kept.get(key, 0) for key in ("size", "mtime_ns", "inode", "offset", "line")}
        if not all(isinstance(text, str) for text in (*texts.values(), *ends, *memo, *memo.values())):
            return None
        if not all(isinstance(number, int) and number >= 0 for number in numbers.values()):
            return None
        return cls(**texts, **numbers, ends=tuple(ends), memo=tuple(memo.items()))


@value
class Reading:
    """What one reading of one source gave.

    `turns` are new on the live branch; `withdrawn` are ids given earlier that a rewind has since
    abandoned. `whole` says that the source was read from its start, so ids known from it that are not
    among `turns` are gone from it.
    """

    watermark: Watermark | None
    turns: tuple[Turn, ...] = ()
    findings: tuple[Finding, ...] = ()
    withdrawn: tuple[str, ...] = ()
    whole: bool = False


def look(path: Path) -> BranchState:
    """The state of a file; a database's log counts as part of it, because news may stand there alone."""
    seen = os.stat(path)
    try:
        log = os.stat(f"{path}-wal")
    except OSError:
        return BranchState(seen.st_size, seen.st_mtime_ns, seen.st_ino)
    return BranchState(seen.st_size + log.st_size, max(seen.st_mtime_ns, log.st_mtime_ns), seen.st_ino)


def sample(stream: IO[bytes], offset: int) -> tuple[str, str]:
    """Digests of the first bytes and of the last bytes before `offset`."""
    stream.seek(0)
    head = stream.read(min(_SAMPLE, offset))
    stream.seek(max(0, offset - _SAMPLE))
    return digest(head), digest(stream.read(min(_SAMPLE, offset)))


def digest(content: bytes) -> str:
    """A short name for some bytes."""
    return hashlib.sha256(content).hexdigest()[:24]


def digest_ids(turns: Iterable[Turn]) -> str:
    """A short name for a sequence of turns."""
    return digest("\n".join(turn.id for turn in turns).encode("utf-8", "replace"))
