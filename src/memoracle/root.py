"""`Root`: everything that the verbs of one memory work with, as one frozen value. It is the first argument of each.

It names what it holds and makes nothing: `compose` chooses, and what is expensive (the view, the embedders, a model,
the time zone) is opened when somebody asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.model.value import replace, value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import tzinfo

    from memoracle.guard.guard import PolicyGuard, Reader
    from memoracle.index.api import Index
    from memoracle.inference.api import Reranker, Tagger
    from memoracle.inference.language import Model
    from memoracle.model.ids import IdSource
    from memoracle.model.record import Change, Draft, Law, Scope
    from memoracle.recall.freshness import Freshness
    from memoracle.settings import Settings
    from memoracle.store.store import Store
    from memoracle.times import Clock


@value
class Root:
    """One memory as one reader has it."""

    store: Store
    open_view: Callable[[], Freshness]
    """Gives the view, made when it is first asked for: keeping something never does."""
    opened: Sequence[Freshness]
    """The view, once somebody has asked for it."""
    guard: PolicyGuard
    reader: Reader
    clock: Clock
    ids: IdSource
    decay: Law
    settings: Settings
    environment: Mapping[str, str]
    actor: str
    find_zone: Callable[[], tzinfo]
    open_model: Callable[[], Model | None]
    open_reranker: Callable[[], Reranker | None]
    open_tagger: Callable[[], Tagger | None]
    open_other: Callable[[str], Root]
    """The memory at another path, with the same settings of this process."""

    @property
    def view(self) -> Freshness:
        """The index, in sync with the files whenever it is asked."""
        return self.open_view()

    @property
    def index(self) -> Index:
        """The view itself, opened when it is first asked for."""
        return self.view.index

    @property
    def zone(self) -> tzinfo:
        """Where the owner's days begin."""
        return self.find_zone()

    @property
    def seat(self) -> str:
        """The seat that this process sits in, where it has one."""
        return self.reader.scope.seat or self.environment.get("MEMORACLE_SEAT", "")

    def for_reader(self, scope: Scope, *, public: bool = False) -> Root:
        """The same memory for another reader: what is another user's, agent's, project's or seat's is not there.

        `public` leaves public records alone. What is kept through it gets the same scope.
        """
        return replace(self, reader=replace(self.reader, scope=scope, public=public))

    def in_folder(self, folder: str) -> Root:
        """The same memory as it is told to somebody who works in a folder: of its project, and of what belongs to none.

        What is asked for by id or for a named project is still there: this narrows what is told, not what may be seen.
        """
        import os
        from hashlib import sha256

        from memoracle.model.record import Scope
        from memoracle.project import OUTSIDE, project_of, root_of
        from memoracle.store.roots import names_here

        here = Scope(project=OUTSIDE)
        if place := root_of(folder):
            # Some hosts know a folder by the digest of its path alone.
            paths = dict.fromkeys((place, os.path.realpath(folder)))
            also = [sha256(os.fsencode(one)).hexdigest() for one in paths]
            here = Scope(project=project_of(folder), also=(*also, *names_here(self.store, place)))
        return replace(self, reader=replace(self.reader, here=here))

    def placed(self, draft: Draft) -> Draft:
        """A draft in the project that is worked on, when it is about that; what is about a person goes everywhere."""
        from memoracle.learn.rules import is_about_project

        project = self.reader.works_in
        if not project or draft.scope.project or not is_about_project(draft):
            return draft
        return replace(draft, scope=replace(draft.scope, project=project))

    def change(self, verb: str, because: str = "", *, undoes: str = "") -> Change:
        """A change that is made now: a new operation, its reason without secrets."""
        from memoracle.model.ids import OPERATION_PREFIX
        from memoracle.model.record import Change

        now = self.clock()
        operation = self.ids.next(OPERATION_PREFIX, now)
        reason = self.guard.mask(because).text if because else ""
        return Change(at=now, verb=verb, by=self.actor, because=reason, operation=operation, undoes=undoes)

    def log(self, act: str, *, about: Sequence[str], rules: Sequence[str] = (), operation: str = "") -> None:
        """Have an act of upkeep in the audit trail; one that came to nothing leaves no line."""
        if not about:
            return
        from memoracle.model.event import Event

        names, kinds = tuple(dict.fromkeys(about)), tuple(dict.fromkeys(rules))
        event = Event(act=act, at=self.clock(), about=names, rules=kinds, operation=operation)
        self.store.audit.try_log(event, loose=self.store.holds_lock())

    def log_reading(self, verb: str, seen: Iterable[tuple[str, str]]) -> tuple[str, ...]:
        """Have it in the audit trail that secret records were handed out; what to say where that cannot be written."""
        secret = tuple(dict.fromkeys(ref for ref, sensitivity in seen if sensitivity == "secret"))
        if not secret:
            return ()
        from memoracle.model.event import Event

        event = Event(act="read", at=self.clock(), about=secret, facts={"verb": verb})
        if self.store.audit.try_log(event):
            return ()
        return ("that secret records were read could not be written into the audit trail",)

    def must_hold_no_secret(self, *names: str) -> None:
        """Refuse names that hold a secret: they become places of files."""
        if any(self.guard.mask(name).types for name in names):
            from memoracle.errors import RefusedByPolicy

            raise RefusedByPolicy(("secret-in-a-name",))

    def close(self) -> None:
        """Let go of the view and of the files."""
        for view in self.opened:
            view.close()
        self.store.close()

    def reopen(self) -> None:
        """Open the files again, in a process that was forked."""
        for view in self.opened:
            view.reopen()
        self.store.forget_locks()
        self.ids.begin_anew()
