"""Keeping the view in sync with the truth: before every question, and without anybody asking for it.

The view may be behind, half built, broken, gone, or in the hands of another process. Whatever it
is, a question is answered from what is there, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from memoracle.errors import EmbedderProblem, MissingExtra, ViewUnavailable
from memoracle.index.sync import Synced, silent, sync
from memoracle.model.report import Severity

if TYPE_CHECKING:
    from memoracle.index.api import Index
    from memoracle.inference.api import Embedder
    from memoracle.inference.script import Space
    from memoracle.recall.embedding import Embedders
    from memoracle.root import Root
    from memoracle.store.store import Store

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
        warnings = [_CATCHING_UP] if self.is_behind else []
        if self.ask(self.index.has_errors):
            warnings.append(_DAMAGED)
        return warnings + self._troubles()

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
        from memoracle.recall.embedding import embed_pending

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
        from memoracle.recall.embedding import embed_pending

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
            from memoracle.recall.embedding import recover

            recover(self.index, self.models)


def embed(root: Root) -> int:
    """Compute the vectors that are missing; how many passages got theirs is returned."""
    root.view.catch_up()
    return root.view.embed()
