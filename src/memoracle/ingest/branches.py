"""Which of the things once said still belong to the conversation.

Hosts keep a tree: going back and saying something else leaves the old words on a dead branch. The
live branch is the path from the last leaf to its root; words on other branches are left out. A
conversation that starts again without naming a parent (a compaction, a damaged line, a line written
by another tool) is another root, and every root keeps its own live branch: only a fork abandons.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from memoracle.model.turn import Turn

MOST_OPEN = 64


class Node(NamedTuple):
    """One entry of a transcript. `follows` hangs it under whatever came last."""

    id: str
    parent: str | None = None
    turn: Turn | None = None
    follows: bool = False
    leaf: bool = True
    group: str | None = None
    prompt: bool = False


class RewindBefore(NamedTuple):
    """The conversation goes back to just before this entry."""

    id: str


class RewindTo(NamedTuple):
    """The conversation goes back to just after this entry."""

    id: str


class RewindTurns(NamedTuple):
    """The conversation goes back by so many prompts."""

    prompts: int


Step = Node | RewindBefore | RewindTo | RewindTurns


class UnknownPast(Exception):
    """A step refers to something before the part that was read."""


@dataclass(slots=True)
class Branches:
    """The tree of one transcript, grown line by line.

    `past` holds the ids at which an earlier reading stopped: with it, the tree starts in the middle,
    and a step that reaches further back raises `UnknownPast`. Without it, unknown parents are roots.
    """

    past: tuple[str, ...] = ()
    tip: str | None = None
    _nodes: dict[str, Node] = field(default_factory=dict)
    _parents: dict[str, str | None] = field(default_factory=dict)
    _roots: dict[str, str] = field(default_factory=dict)
    _tips: dict[str, str] = field(default_factory=dict)
    _open: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.past:
            self.tip = self.past[0]
            for known in self.past:
                self._place(Node(known), None if known == self.tip else self.tip)
            self._tips[self.tip] = self.tip
            self._open = dict.fromkeys(self.past)

    @property
    def ends(self) -> tuple[str, ...]:
        """The ids after which a continuation is expected: the tip, and what hangs loosely below it."""
        return tuple(self._open)[:MOST_OPEN]

    def grow(self, step: Step) -> None:
        """Take one more line into account."""
        if isinstance(step, Node):
            self._add(step)
        elif isinstance(step, RewindBefore):
            self._rewind(step.id, beyond=True)
        elif isinstance(step, RewindTo):
            self._rewind(step.id, beyond=False)
        else:
            self._rewind_turns(step.prompts)

    def live(self) -> list[Turn]:
        """The turns of the live branches, in the order of the file."""
        path: set[str] = set()
        groups: set[str] = set()
        for tip in self._tips.values():
            step: str | None = tip
            while step is not None and step not in path:
                path.add(step)
                group = self._nodes[step].group
                if group is not None:
                    groups.add(group)
                step = self._parents[step]
        return [
            node.turn
            for key, node in self._nodes.items()
            if node.turn is not None and (key in path or node.group in groups)
        ]

    def _add(self, node: Node) -> None:
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

    def _place(self, node: Node, parent: str | None) -> None:
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
