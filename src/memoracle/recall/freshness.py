"""Keeping the view in sync with the truth: before every question, and without anybody asking for it.

The view may be behind, half built, broken, gone, or in the hands of another process. Whatever it
is, a question is answered from what is there, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from memoracle.errors import EmbedderProblem, MissingExtra, ViewUnavailable
from memoracle.index.api import Catalogue, EmbeddedChunk, Pending, Synced, silent, sync
from memoracle.inference.api import Embedder, EmbeddingKind, Space, space_of
from memoracle.model.ids import file_digest
from memoracle.model.report import Severity
from memoracle.text import chunks

if TYPE_CHECKING:
    from memoracle.index.api import Index
    from memoracle.root import Root
    from memoracle.store.store import Store


# Passages into vectors, batch by batch; what was computed before is found by content.

Embedders = Callable[[], Mapping[Space, Embedder]]
_BATCH = 512


def embed_pending(index: Catalogue, embedders: Embedders, *, progress: Progress) -> int:
    """Give every standing passage its vectors; how many got theirs is returned."""
    total = index.count_pending()
    if not total or not (models := embedders()):
        return 0
    done = 0
    while batch := index.pending(_BATCH):
        by_space: dict[Space, list[Pending]] = {}
        for item in batch:
            by_space.setdefault(_space(item, models), []).append(item)
        for space, items in by_space.items():
            if not index.keep_vectors(models[space].name, _chunks(items, models[space], index)):
                return done  # another process is at it
        done += len(batch)
        progress(done, max(total, done))
    return done


def recover(index: Catalogue, embedders: Embedders) -> int:
    """Give a view that was built anew the vectors that are still kept; nothing is computed."""
    if not index.keeps_vectors() or not (models := embedders()):
        return 0
    done = 0
    waiting = index.pending(index.count_pending())
    for start in range(0, len(waiting), _BATCH):
        for space, model in models.items():
            batch = [item for item in waiting[start : start + _BATCH] if _space(item, models) is space]
            contents = {item.row: [_content(text) for text in texts_of(item)] for item in batch}
            known = index.known_vectors(model.name, list({one for many in contents.values() for one in many}))
            kept = {
                row: [EmbeddedChunk(content=content, vector=known[content]) for content in many]
                for row, many in contents.items()
                if all(content in known for content in many)
            }
            if kept and index.keep_vectors(model.name, kept):
                done += len(kept)
    return done


def texts_of(item: Pending) -> list[str]:
    """What is embedded for a passage: its first chunks, in English with the speaker or title before each."""
    before = (item.who or item.title) if space_of(item.text) is Space.ENGLISH else ""
    parts = chunks(item.text, size=item.chunk_size, most=item.most)
    return [f"{before}: {part}" if before else part for part in parts]


def _space(item: Pending, models: Mapping[Space, Embedder]) -> Space:
    space = space_of(item.text)
    return space if space in models else next(iter(models))


def _chunks(items: Sequence[Pending], model: Embedder, index: Catalogue) -> dict[int, list[EmbeddedChunk]]:
    texts = {item.row: texts_of(item) for item in items}
    contents = {text: _content(text) for many in texts.values() for text in many}
    known = index.known_vectors(model.name, list(contents.values()))
    fresh = [text for text, content in contents.items() if content not in known]
    if fresh:
        vectors = model.embed(fresh, EmbeddingKind.PASSAGE).astype("<f2")
        known |= {contents[text]: vector.tobytes() for text, vector in zip(fresh, vectors, strict=True)}
    return {
        row: [EmbeddedChunk(content=contents[text], vector=known[contents[text]]) for text in many]
        for row, many in texts.items()
    }


def _content(text: str) -> str:
    return file_digest(text.encode("utf-8", "replace"))


Progress = Callable[[int, int], None]
_Answer = TypeVar("_Answer")
_A_FEW = 16
_LITTLE = 128 * 1024
PATIENCE = 8.0
"""How many seconds a question waits for another process that is changing the view."""
BEHIND = "the index is behind the files; newest writes may be missing"
_CATCHING_UP = "the index is being brought up to date by another process; newest writes may be missing"
_LISTS = "a list of conversations is damaged, so some of them may be missing; `memoracle check` says which"
_ELSEWHERE = (
    "`state/` was written on another machine or in another place and is not used; `memoracle check` says more"
)
_DAMAGED = "some lines of the memory cannot be read; `memoracle check` names them"


class Freshness:
    """The view of one store, in sync with it whenever it is asked, its vectors where there are any."""

    def __init__(
        self,
        store: Store,
        open_index: Callable[[], Index],
        *,
        embedders: Embedders,
        progress: Progress = silent,
        embedding: Progress = silent,
        hurry: bool = False,
    ) -> None:
        """The view is opened when somebody first asks for it: keeping something never does."""
        self._store = store
        self._open_index = open_index
        self._held: Index | None = None
        self._embedders = embedders
        self._opened: Mapping[Space, Embedder] | None = None
        self._problem: EmbedderProblem | MissingExtra | None = None
        self._progress = progress
        self._embedding = embedding
        self._hurry = hurry
        self._is_damaged: bool | None = None
        self.is_behind = False
        """True while the view lacks something of the files: what it does not hold may be in memory all the same."""

    @property
    def index(self) -> Index:
        """The view itself."""
        if self._held is None:
            self._held = self._open_index()
        return self._held

    def close(self) -> None:
        """Let go of the view."""
        if self._held is not None:
            self._held.close()

    def reopen(self) -> None:
        """Open the view again, in a process that was forked."""
        if self._held is not None:
            self._held.reopen()

    def models(self) -> Mapping[Space, Embedder]:
        """The embedders, opened once; none when they cannot be used, which an answer mentions."""
        if self._opened is None:
            try:
                self._opened = self._embedders()
            except (EmbedderProblem, MissingExtra) as problem:
                self._problem = problem
                self._opened = {}
        return self._opened

    def complaints(self) -> list[str]:
        """What kept the vectors out of an answer."""
        return [f"{self._problem}; this answer goes by words alone"] if self._problem else []

    def catch_up(self) -> list[str]:
        """Bring the view in sync with the files; what an answer should mention is returned."""
        if self._hurry:
            return self._glance()
        try:
            self.index.refresh()
            synced = sync(self._store, self.index, wait=PATIENCE, progress=self._progress)
        except ViewUnavailable:
            synced = self._build_anew()
        if synced.rebuilt:
            self._recover_vectors()
        self.is_behind = not synced.level
        self._is_damaged = self.ask(self.index.has_errors)
        behind, damaged = [_CATCHING_UP] if self.is_behind else [], [_DAMAGED] if self._is_damaged else []
        return behind + damaged + self._troubles()

    def is_damaged(self) -> bool:
        """True when some line of the files could not be read, as far as the view has read them."""
        return self.ask(self.index.has_errors) if self._is_damaged is None else self._is_damaged

    def ask(self, question: Callable[[], _Answer]) -> _Answer:
        """What the view says; damage that only shows where somebody looks means a new view."""
        try:
            return question()
        except ViewUnavailable:
            if self._hurry:
                raise
            self.is_behind = not self._build_anew().level
            return question()

    def rebuild(self) -> Synced:
        """Throw the view away and build it again from the files."""
        self.index.reset()
        synced = sync(self._store, self.index, wait=60.0, progress=self._progress)
        self._recover_vectors()
        return synced

    def embed(self) -> int:
        """Compute the vectors that are missing; a model that was changed means all of them."""
        names = {model.name for model in self.models().values()}
        if self._problem is not None:
            raise self._problem
        if names:
            self.index.leave_spaces_unlike(names)
        return embed_pending(self.index, self.models, progress=self._embedding)

    def embed_a_few(self) -> None:
        """Give the newest passages their vectors when they are few; many are left to `embed`."""
        if not self.index.has_vectors() or not 0 < self.index.count_pending() <= _A_FEW:
            return
        if self.index.spaces().isdisjoint(model.name for model in self.models().values()):
            return  # another model's vectors: `embed` replaces all of them, or none

        embed_pending(self.index, self.models, progress=silent)

    def forget(self, ids: Sequence[str]) -> None:
        """Leave nothing of erased records in the view; a view that is busy or broken is built anew."""
        from memoracle.store.erase import finish

        try:
            self.catch_up()
            self.index.scrub()
        except ViewUnavailable:
            self.index.reset()
        with self._store.writing():
            finish(self._store, ids)

    def _glance(self) -> list[str]:
        """Read what is little; much of it, or a broken view, is left to a process that has the time."""
        self.index.refresh()
        self.is_behind = True
        if not self.index.is_whole() and self.index.keeps_vectors():
            return [BEHIND]  # whoever builds it anew gives it the vectors back
        self.is_behind = not sync(self._store, self.index, wait=0.05, most=_LITTLE).level
        return ([BEHIND] if self.is_behind else []) + self._troubles()

    def _troubles(self) -> list[str]:
        """What keeps conversations out of an answer."""
        told = [one for one in self._store.sessions.findings() if one.severity is Severity.ERROR]
        return [*([_LISTS] if told else []), *([_ELSEWHERE] if self._store.own_state().fresh else [])]

    def _build_anew(self) -> Synced:
        """A new view in place of a broken one; in memory when the disk has no room for it."""
        try:
            self.index.reset()
            return sync(self._store, self.index, wait=PATIENCE, progress=self._progress)
        except ViewUnavailable:
            self.index.retreat()
            return sync(self._store, self.index, wait=PATIENCE, progress=self._progress)

    def _recover_vectors(self) -> None:
        """Give a view that was built anew the vectors that were computed before."""
        if self.index.keeps_vectors():
            recover(self.index, self.models)


def embed(root: Root) -> int:
    """Compute the vectors that are missing; how many passages got theirs is returned."""
    root.view.catch_up()
    return root.view.embed()
