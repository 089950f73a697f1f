"""What a view can do.

The contract: a view never holds anything that cannot be read again from truth; applying the same
file twice changes nothing; two views that saw the same files, in whatever order and in however
many steps, answer alike (`dump` is equal). Reading never waits for a long write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from memoracle.index.graph import Near
from memoracle.model.activation import Law
from memoracle.model.hit import Passage
from memoracle.model.link import Edge
from memoracle.model.manifest import FileState, Loaded, Looks, Mark, Role
from memoracle.model.query import Filters
from memoracle.model.report import Finding
from memoracle.model.scope import EVERYBODY, Scope
from memoracle.model.standing import Standing
from memoracle.model.value import value

Progress = Callable[[int, int], None]


@value
class Found:
    """A passage that a search met, its raw score, and the anchor of its activation."""

    passage: Passage
    score: float
    anchor_value: float
    anchor_at: datetime | None


@value
class Cited:
    """A record that was made of the words at a place: its version at that moment, how and when it came about."""

    place: str
    passage: Passage
    verb: str
    changed: datetime


@value
class Pending:
    """A passage that has no vector yet."""

    row: int
    who: str
    title: str
    text: str
    stretch: int
    most: int


@value
class Stretch:
    """Some words of a passage and their vector (f16), known by the digest of the words."""

    content: str
    vector: bytes


class Graph(Protocol):
    """What links to what at one moment; edges come in a fixed order, one for each source, target and type."""

    def outgoing(self, node: str, limit: int = -1) -> list[Edge]:
        """What a page or a record links to."""

    def incoming(self, node: str, limit: int = -1) -> list[Edge]:
        """What links to a node."""

    def near(self, node: str, cap: int) -> Near:
        """Both, at most so many."""

    def leads_to(self, target: str, source: str = "") -> str:
        """The node that a target means."""


class Truth(Protocol):
    """The side a view is brought level with."""

    def manifest(self) -> list[FileState]:
        """Every file, sorted by path."""

    def load(self, path: str, role: Role, after: Mark | None = None, *, most: int | None = None) -> Loaded:
        """What a file says, or what is new in it."""


class Index(Protocol):
    """A view of truth."""

    def known(self) -> Mapping[str, Looks]:
        """The files this view has read, and how each looked."""

    def mark_of(self, path: str) -> Mark | None:
        """How far a file was read."""

    def generation(self) -> int:
        """A number that is another one after every change to the view."""

    def changing(self, *, wait: float) -> AbstractContextManager[bool]:
        """The right to change the view; False when another process holds it for longer than `wait`."""

    def apply(self, state: FileState, loaded: Loaded, progress: Progress) -> None:
        """Take in what a file says."""

    def drop(self, path: str) -> None:
        """Forget a file that is gone."""

    def is_whole(self) -> bool:
        """False while the view is being rebuilt and may miss passages."""

    def set_whole(self, whole: bool) -> None:
        """Say whether everything has been read."""

    def search_words(
        self,
        terms: Sequence[str],
        filters: Filters,
        limit: int,
        now: datetime,
        *,
        only: Callable[[str], bool] = bool,
    ) -> list[Found]:
        """The passages that hold any of these terms, best first; greater scores are better. `only` sees the words."""

    def search_names(self, names: Sequence[str], filters: Filters, limit: int, now: datetime) -> list[Found]:
        """The passages that answer to one of these exact names, keys or ids."""

    def frequencies(self, terms: Iterable[str]) -> tuple[Mapping[str, int], int]:
        """In how many passages each term stands, and how many passages there are."""

    def list_records(self, filters: Filters, limit: int, now: datetime) -> list[Found]:
        """The standing records that fit, newest first."""

    def resolve(self, reference: str, limit: int) -> list[str]:
        """The ids of records that answer to an id, a unique prefix of one, or an alias."""

    def standing(self, law: Law, now: datetime, *, reader: Scope = EVERYBODY) -> list[Standing]:
        """Every standing record, whatever its status, with its activation; oldest first."""

    def at_hand(
        self,
        law: Law,
        now: datetime,
        *,
        since: datetime,
        shown: Sequence[str] = (),
        public: bool = False,
        reader: Scope = EVERYBODY,
    ) -> list[Standing]:
        """The active records that may be wanted unasked, with their activation: a few, oldest first.

        Pinned ones, lasting kinds, tasks and plans, what was written since a moment, and those of `shown`; without
        these, the weightiest.
        """

    def in_slot(self, subject: str, predicate: str) -> list[Found]:
        """Every standing record, ended ones included, that says this sort of thing of this subject."""

    def links(self, *, reader: Scope = EVERYBODY, public: bool = False) -> AbstractContextManager[Graph]:
        """What links to what, at one moment of the view, as far as a reader may see it."""

    def uses_of(self, refs: Sequence[str]) -> Mapping[str, list[datetime]]:
        """When these records were handed over."""

    def findings(self) -> list[Finding]:
        """What was wrong with the files when they were read."""

    def count_pending(self) -> int:
        """How many standing passages have no vector."""

    def counts(self) -> Mapping[str, int]:
        """How many records and passages there are, by kind and by status."""

    def dump(self) -> list[str]:
        """Everything the view holds, in an order that does not depend on how it came there."""

    def scrub(self) -> None:
        """Leave no trace of removed passages in the view's own files."""

    def close(self) -> None:
        """Let go of the files."""
