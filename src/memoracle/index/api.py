"""What a view can do, as three protocols: `Catalogue` keeps it in sync, `Lookup` reads it, `Ranking` is it as arrays.

`Index` is all of them, and the only type that anything outside this room knows; `compose.py` alone chooses an
implementation.

*Derived.* A view holds nothing that cannot be read again from truth.
*Repetition.* Applying the same file twice changes nothing. Two views that saw the same files, in whatever order and in
however many steps, answer alike (`dump` is equal).
*Order.* Every list has an order of its own, which does not depend on how the view was built. A row is the number of a
passage in one view: it is never used twice, and says nothing outside of it.
*Failure.* `ViewUnavailable` when the view is damaged or cannot be used: whoever meets it throws the view away
(`reset`) and builds it again. "Busy" is no damage: `changing` then says False. Reading never waits for a long write.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from memoracle.index.graph import Near
from memoracle.model.link import Edge
from memoracle.model.manifest import FileState, Loaded, Looks, Mark, Role
from memoracle.model.record import EVERYBODY, Law, Scope
from memoracle.model.report import Finding
from memoracle.model.search import Filters, Passage, Standing
from memoracle.model.value import field, replace, value

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float32]
    Rows: TypeAlias = NDArray[np.int64]

Progress = Callable[[int, int], None]


@value
class Candidate:
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
    chunk_size: int
    most: int


@value
class EmbeddedChunk:
    """Some words of a passage and their vector (f16), known by the digest of the words."""

    content: str
    vector: bytes


@value
class Passages:
    """What is known of every passage; place r belongs to row r, place 0 to nobody.

    `memo` is for figures that ranking derives once per generation.
    """

    generation: int
    before: NDArray[np.int32]
    after: NDArray[np.int32]
    session: NDArray[np.int32]
    day: NDArray[np.int32]
    length: Numbers
    flags: NDArray[np.uint16]
    speaker: NDArray[np.uint16]
    standing: NDArray[np.bool_]
    average: float
    count: int
    session_length: Numbers
    has_agents: bool
    by_people: float
    chunk_average: float
    memo: dict[str, float] = field(default_factory=dict)


class _Truth(Protocol):
    """The side a view is kept in sync with."""

    def manifest(self) -> list[FileState]:
        """Every file, sorted by path."""

    def load(self, path: str, role: Role, after: Mark | None = None, *, most: int | None = None) -> Loaded:
        """What a file says, or what is new in it."""


class LinkGraph(Protocol):
    """What links to what at one moment; edges come in a fixed order, one for each source, target and type."""

    def outgoing(self, node: str, limit: int = -1) -> list[Edge]:
        """What a page or a record links to, by type and target."""

    def incoming(self, node: str, limit: int = -1) -> list[Edge]:
        """What links to a node, by source."""

    def near(self, node: str, cap: int) -> Near:
        """Both, those out of it first, at most so many."""

    def leads_to(self, target: str, source: str = "") -> str:
        """The node that a target means."""

    def node_of(self, name: str) -> str | None:
        """The node that somebody names; None when there is none."""

    def is_record(self, ref: str) -> bool:
        """True when a record of that id stands."""

    def pages(self) -> list[tuple[str, str]]:
        """Every page and what sort of note it is, by address."""

    def sources(self) -> list[str]:
        """Everything that links to something, by name."""

    def rows(self, node: str, limit: int) -> list[int]:
        """The rows of a page's passages in their order, or of a record's standing version."""

    def to_places(self) -> Iterator[Edge]:
        """Every edge to a page, a file or a record, by source."""


class Catalogue(Protocol):
    """Which files a view has read, how far, and which passages have vectors: what keeps it in sync with truth.

    `apply`, `drop` and `set_whole` are called within `changing`; when that ends by an error, the view is what it was.
    """

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

    def prune(self, kind: str, before: datetime) -> int:
        """Let go of the passages of a kind from before a moment; how many went."""

    def is_whole(self) -> bool:
        """False while the view is being rebuilt and may miss passages."""

    def set_whole(self, whole: bool) -> None:
        """Say whether everything has been read."""

    def refresh(self) -> None:
        """Look whether the view was replaced meanwhile, or has to be another one; costs next to nothing."""

    def reset(self) -> None:
        """Throw the view away and begin an empty one; vectors are kept."""

    def retreat(self) -> None:
        """Go on in memory; what is kept of the view is left to whoever can use it."""

    def reopen(self) -> None:
        """Go on in a process that was forked."""

    def scrub(self) -> None:
        """Leave no trace of removed passages, nor of their vectors."""

    def close(self) -> None:
        """Let go of everything; may be called twice."""

    def has_vectors(self) -> bool:
        """True when at least one passage has a vector."""

    def keeps_vectors(self) -> bool:
        """True when vectors of an earlier build are still there."""

    def spaces(self) -> set[str]:
        """The names of the spaces that hold vectors; a space is a model and its dimensions."""

    def pending(self, limit: int) -> list[Pending]:
        """Standing passages that have no vector yet, newest first."""

    def count_pending(self, space: str = "") -> int:
        """How many there are; with a space, those whose vectors stand in another are among them."""

    def known_vectors(self, space: str, contents: Sequence[str]) -> dict[str, bytes]:
        """The vectors (f16) that were computed for these contents before, in whatever build."""

    def keep_vectors(self, space: str, passages: Mapping[int, Sequence[EmbeddedChunk]]) -> bool:
        """Give passages their vectors, those that are still there; False when another process changes the view."""

    def leave_other_spaces(self, space: str) -> None:
        """Give up the vectors of all other models, which could never be asked about: those passages wait again."""

    def drop_other_vectors(self, space: str) -> None:
        """Keep no longer, by content, what other models have computed."""


class _Lookup(Protocol):
    """What a view answers: passages by words, names and rows; records; links; counts."""

    def snapshot(self) -> AbstractContextManager[None]:
        """One moment of the view: what another process commits meanwhile is not seen."""

    def search_words(
        self,
        terms: Sequence[str],
        filters: Filters,
        limit: int,
        now: datetime,
        *,
        only: Callable[[str], bool] = bool,
    ) -> list[Candidate]:
        """The passages that hold any of these terms, best first; greater scores are better. `only` sees the words."""

    def search_names(
        self, names: Sequence[str], filters: Filters, limit: int, now: datetime
    ) -> list[Candidate]:
        """The passages that answer to one of these exact names, keys or ids, in the order of the names."""

    def rows_named(
        self, names: Sequence[str], filters: Filters, limit: int, now: datetime
    ) -> dict[int, Candidate]:
        """The same, by row."""

    def fetch(self, rows: Sequence[int], filters: Filters, now: datetime) -> dict[int, Candidate]:
        """The passages of these rows that fit the filters, in the order of the rows."""

    def frequencies(self, terms: Iterable[str]) -> tuple[Mapping[str, int], int]:
        """In how many passages each term stands, and how many passages there are."""

    def around(self, refs: Sequence[str], filters: Filters, now: datetime) -> dict[str, tuple[Passage, ...]]:
        """The turn before and two after each of these, named by id or place, in their session, that may be seen."""

    def turns_before(self, refs: Sequence[str]) -> dict[str, Passage]:
        """The turn before each of these, named by id or place (`path#Lx`), in the same session."""

    def list_records(self, filters: Filters, limit: int, now: datetime) -> list[Candidate]:
        """The standing records that fit, newest first, or the notes of the kinds that are asked for."""

    def count_records(self, filters: Filters, now: datetime) -> int:
        """How many standing records fit."""

    def kinds(self) -> set[str]:
        """Every kind that something here has."""

    def resolve(self, reference: str, limit: int) -> list[str]:
        """The ids of records that answer to an id, a unique prefix of one, or an alias; by id."""

    def in_slot(self, subject: str, predicate: str) -> list[Candidate]:
        """Every standing record, ended ones included, that says this sort of thing of this subject; oldest first."""

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

    def standing_record(self, ref: str, filters: Filters) -> Passage | None:
        """A record as it stands, or stood at the moment asked about; None where this reader may not see it."""

    def citing(self, places: Sequence[str], filters: Filters) -> list[Cited]:
        """The records that were made of the words at these places, whatever became of them; by id."""

    def sources_of(self, ref: str) -> tuple[str, ...]:
        """The places that a record was made of, in order."""

    def earlier_words(self, ref: str) -> list[str]:
        """What the earlier versions of a record said, oldest first."""

    def uses_of(self, refs: Sequence[str]) -> Mapping[str, list[datetime]]:
        """When these records were handed over, oldest first; nothing for those that never were."""

    def has_links(self) -> bool:
        """True when anything links to anything."""

    def links(self, *, reader: Scope = EVERYBODY, public: bool = False) -> AbstractContextManager[LinkGraph]:
        """What links to what, at one moment of the view, as far as a reader may see it."""

    def has_errors(self) -> bool:
        """True when some file could not be read whole."""

    def findings(self) -> list[Finding]:
        """What was wrong with the files when they were read, by path and line."""

    def counts(self) -> Mapping[str, int]:
        """How many records and passages there are, by kind and by status."""

    def dump(self) -> list[str]:
        """Everything the view holds, in an order that does not depend on how it came there."""


class Ranking(Protocol):
    """A view as numpy arrays: passages, the inverted index and the vectors, as scoring many at once needs them.

    What was read is kept for as long as the view does not change; within a `snapshot` nothing is read twice.
    """

    def passages(self) -> Passages:
        """The numbers of all passages: the same object until the view changes."""

    def allowed(self, filters: Filters, now: datetime) -> NDArray[np.bool_]:
        """Which rows fit the filters; not to be written to."""

    def speakers(self) -> Mapping[str, int]:
        """Everybody who says something, and the number under which `Passages.speaker` knows them."""

    def terms(self, terms: Sequence[str]) -> dict[str, tuple[int, int]]:
        """The number of each term that some passage holds, and how many hold it; in the order asked."""

    def words(self, terms: Sequence[int]) -> dict[int, tuple[str, int]]:
        """The words behind term numbers, and how many passages hold each."""

    def postings(self, term: int) -> tuple[Rows, Numbers]:
        """The posting list of a term: the rows that hold it, and how often each does; not to be written to."""

    def tokens(self, rows: Sequence[int]) -> dict[int, NDArray[np.uint32]]:
        """The terms of these passages in order; 0 divides pieces. Nothing for a row that is not there."""

    def spaces(self) -> Sequence[str]:
        """The names of the spaces that hold vectors, in order."""

    def nearness(self, space: str, question: Numbers) -> tuple[Numbers, float]:
        """Every passage's best cosine with the question, estimated from sign bits (-2: it has no vector).

        Beside it the background: how near any chunk of the store is to the question on average.
        """

    def cosines(self, space: str, question: Numbers, rows: Sequence[int]) -> dict[int, float]:
        """The exact best cosine of these passages with the question; nothing for those without a vector."""

    def vectors(self, space: str, rows: Sequence[int]) -> dict[int, Numbers]:
        """The vectors of these passages, one line for each chunk; nothing for those without any."""


class Index(Catalogue, _Lookup, Protocol):
    """A view of truth."""

    def ranking(self) -> Ranking:
        """The view as arrays; until it is closed or opened anew."""

    def blank(self) -> Index:
        """An empty view of the same sort, in memory: to build a second one and compare."""


# What makes a view old: raise a number when the same passage gives other rows.

FEATURES = 7
"""The numbers that `features.py` reads from a passage, and how they are stored."""
LINKS = 1
"""The rules by which links are found, and how they are stored."""


# Bringing a view in sync with the truth: the difference between two sorted lists.

_UNSETTLED_NS = 50_000_000
_PORTION = 16_384
"""Lines of records that are read at once."""


@value
class Synced:
    """What a sync did. `level` is False when another process was busy changing the view."""

    level: bool
    changed: int = 0
    rebuilt: bool = False


@value
class _Difference:
    """The files a view has to read, and those it has to forget."""

    stale: tuple[FileState, ...]
    gone: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.stale or self.gone)


def silent(done: int, total: int) -> None:
    """Progress that nobody watches."""


def compare(truth: list[FileState], known: Mapping[str, Looks]) -> _Difference:
    """What changed between two manifests."""
    stale = tuple(
        one
        for one in truth
        if known.get(one.path) != (one.role, one.size, one.modified, one.changed, one.inode)
    )
    if not stale and len(truth) == len(known):
        return _Difference(stale=(), gone=())
    present = {state.path for state in truth}
    return _Difference(stale=stale, gone=tuple(sorted(path for path in known if path not in present)))


def sync(
    truth: _Truth, index: Index, *, wait: float = 2.0, progress: Progress = silent, most: int | None = None
) -> Synced:
    """Read what changed; doing it again changes nothing. With `most`, only when it is no more bytes than that."""
    seen = index.generation()
    known = index.known()
    difference = compare(truth.manifest(), known)
    if not difference and index.is_whole():
        return Synced(level=True)
    if most is not None and _weight(difference, known) > most:
        return Synced(level=False)
    with index.changing(wait=wait) as mine:
        if not mine:
            return Synced(level=False)
        if index.generation() != seen:
            # Another process did some of the work while we waited for our turn: look again.
            known = index.known()
            difference = compare(truth.manifest(), known)
        for path in difference.gone:
            index.drop(path)
        rebuilt = not index.is_whole()
        for state in difference.stale:
            _read(state, truth, index, progress, is_new=state.path not in known)
        index.set_whole(True)
        return Synced(level=True, changed=len(difference.stale) + len(difference.gone), rebuilt=rebuilt)


def _read(state: FileState, truth: _Truth, index: Index, progress: Progress, *, is_new: bool) -> None:
    """Have a view take in a file, a long one portion by portion."""
    mark = index.mark_of(state.path)
    # A file that is known but has no mark is compared with what is known of it: it comes whole.
    loaded = truth.load(state.path, state.role, mark, most=_PORTION if is_new or mark else None)
    done = 0
    while loaded.more and loaded.mark:
        lines, size = loaded.mark.lines, loaded.mark.size
        every = lines * max(state.size, size) // max(1, size)
        # Whoever looks meanwhile, or after a crash, must not take the file for read: it goes on behind the mark.
        index.apply(replace(state, size=size, changed=0), loaded, silent)
        done = lines
        progress(done, max(every, done + 1))
        loaded = truth.load(state.path, state.role, loaded.mark, most=_PORTION)
    index.apply(_settled(state), loaded, lambda part, total: progress(done + part, done + total))


def _weight(difference: _Difference, known: Mapping[str, Looks]) -> int:
    """How many bytes are new; a file that shrank is read whole."""
    total = 0
    for state in difference.stale:
        _, before, *_ = known.get(state.path, ("", 0))
        total += state.size - before if 0 <= before <= state.size else max(state.size, 0)
    return total


def _settled(state: FileState) -> FileState:
    # A file changed this very moment may change again within the same tick of its clock: do not
    # trust its times yet, so that the next sync compares its bytes.
    fresh = time.time_ns() - max(state.modified, state.changed) < _UNSETTLED_NS
    return replace(state, changed=0) if fresh else state
