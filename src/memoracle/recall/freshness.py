"""Keeping the view in sync with the truth: before every question, and without anybody asking for it.

The view may be behind, half built, broken, gone, or in the hands of another process. Whatever it
is, a question is answered from what is there, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from memoracle.errors import EmbedderProblem, MissingExtra, ViewUnavailable
from memoracle.index.api import Catalogue, EmbeddedChunk, Pending, Synced, silent, sync
from memoracle.inference.api import Embedder, EmbeddingKind
from memoracle.model.ids import file_digest
from memoracle.model.report import Severity
from memoracle.text import chunks

if TYPE_CHECKING:
    from memoracle.index.api import Index
    from memoracle.root import Root
    from memoracle.store.store import Store


# Passages into vectors, batch by batch; what was computed before is found by content.

OpenEmbedder = Callable[[], Embedder | None]
_BATCH = 512


def embed_pending(index: Catalogue, model: Embedder, *, progress: Progress) -> int:
    """Give every standing passage its vectors; how many got theirs is returned."""
    total = index.count_pending()
    done = 0
    while batch := index.pending(_BATCH):
        if not index.keep_vectors(model.name, _chunks(batch, model, index)):
            return done  # another process is at it
        done += len(batch)
        progress(done, max(total, done))
    return done


def recover(index: Catalogue, model: Embedder) -> int:
    """Give a view that was built anew the vectors that are still kept; nothing is computed."""
    done = 0
    waiting = index.pending(index.count_pending())
    for start in range(0, len(waiting), _BATCH):
        contents = {
            item.row: [_content(text) for text in texts_of(item)] for item in waiting[start : start + _BATCH]
        }
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
    """What is embedded for a passage: its first chunks, each with the speaker or title before it."""
    before = item.who or item.title
    parts = chunks(item.text, size=item.chunk_size, most=item.most)
    return [f"{before}: {part}" if before else part for part in parts]


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
        embedder: OpenEmbedder,
        progress: Progress = silent,
        embedding: Progress = silent,
        hurry: bool = False,
    ) -> None:
        """The view is opened when somebody first asks for it: keeping something never does."""
        self._store = store
        self._open_index = open_index
        self._held: Index | None = None
        self._open_embedder = embedder
        self._opened: Embedder | None = None
        self._was_opened = False
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

    def embedder(self) -> Embedder | None:
        """The embedder, opened once; None when there is none or it cannot be used, which an answer mentions."""
        if not self._was_opened:
            self._was_opened = True
            try:
                self._opened = self._open_embedder()
            except (EmbedderProblem, MissingExtra) as problem:
                self._problem = problem
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
        model = self.embedder()
        if self._problem is not None:
            raise self._problem
        if model is None:
            return 0
        self.index.leave_other_spaces(model.name)
        done = embed_pending(self.index, model, progress=self._embedding)
        # Not before all is done: while old ones are kept, an upkeep that finds the work half done goes on with it.
        if not self.index.count_pending():
            self.index.drop_other_vectors(model.name)
        return done

    def space(self) -> str:
        """The name under which the present embedder's vectors stand; empty where there are none, or no embedder."""
        model = self.embedder() if self.index.has_vectors() else None
        return model.name if model else ""

    def wants_vectors(self) -> bool:
        """True where vectors were computed before, be it by another model or in another view."""
        return self.index.has_vectors() or self.index.keeps_vectors()

    def embed_a_few(self) -> None:
        """Give the newest passages their vectors when they are few; many are left to `embed`, and in a hurry all."""
        if self._hurry or not 0 < self.index.count_pending() <= _A_FEW:
            return
        model = self.embedder()
        # Another model's vectors: `embed` replaces all of them, or none.
        if model is not None and (not self.index.has_vectors() or model.name in self.index.spaces()):
            embed_pending(self.index, model, progress=silent)

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
        if self.index.keeps_vectors() and (model := self.embedder()):
            recover(self.index, model)


def embed(root: Root) -> int:
    """Compute the vectors that are missing; how many passages got theirs is returned."""
    root.view.catch_up()
    return root.view.embed()
