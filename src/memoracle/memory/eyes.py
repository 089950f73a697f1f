"""Through whose eyes a memory is read: what is somebody else's is not there, and what reaches everything is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from memoracle.errors import BeyondScope
from memoracle.model.hit import Passage
from memoracle.model.query import Filters
from memoracle.model.record import Draft, Record, Sensitivity
from memoracle.model.scope import EVERYBODY, SCOPES, Scope
from memoracle.model.value import replace
from memoracle.project import OUTSIDE

if TYPE_CHECKING:
    from memoracle.policy.shield import Shield
    from memoracle.store.store import Store

_AGENTS = frozenset({"mcp", "hook"})


class Eyes:
    """The reader of one memory, and what that reader may see and change."""

    store: Store
    _shield: Shield

    def __init__(self, reader: Scope) -> None:
        self._reader = reader
        self._public = False
        self._here: Scope | None = None

    def read_as(self, reader: Scope, *, public: bool = False) -> Self:
        """This memory through these eyes: what is another user's, agent's, project's or seat's is not there.

        `public` leaves public records alone. Said once, when a connection opens; what is kept gets the same scope.
        """
        self._reader, self._public = reader, public
        return self

    def work_in(self, folder: str) -> Self:
        """This memory as it is told to somebody who works in a folder: of its project, and of what belongs to none.

        What is asked for by id or for a named project is still there: this narrows what is told, not what may be seen.
        """
        from memoracle.acts.projects import reader_in

        self._here = reader_in(folder, self.store)
        return self

    def placed(self, draft: Draft) -> Draft:
        """A draft in the project that is worked on, when it is about that; what is about a person goes everywhere."""
        from memoracle.extract.project_scope import is_about_project

        here = self._here
        if here is None or here.project == OUTSIDE or self._told_to.project != here.project:
            return draft
        is_kept_here = not draft.scope.project and is_about_project(draft)
        return replace(draft, scope=replace(draft.scope, project=here.project)) if is_kept_here else draft

    @property
    def _told_to(self) -> Scope:
        """Through whose eyes things are told unasked."""
        here = self._here
        if here is None or self._reader.project:
            return self._reader
        return replace(self._reader, project=here.project, also=here.also)

    def _asks_here(self, filters: Filters) -> Scope:
        """Through whose eyes a question is asked: inside a project, of that one, unless another was named."""
        here = self._here
        is_elsewhere = here is None or here.project == OUTSIDE or filters.scope.project
        return filters.reader if is_elsewhere or filters.reader != EVERYBODY else self._told_to

    def sees(self, record: Record) -> bool:
        """True when the reader of this memory may see a record."""
        is_shown = not self._shows_public_alone or record.sensitivity is Sensitivity.PUBLIC
        is_withheld = record.sensitivity.value in self._withheld
        return is_shown and not is_withheld and record.scope.is_open_to(self._reader)

    def shows(self, passage: Passage) -> bool:
        """True when the reader of this memory may see a piece of a note or a turn; seats read each other's pages."""
        return not self._shows_public_alone and Scope(project=passage.project).is_open_to(self._reader)

    @property
    def _withheld(self) -> tuple[str, ...]:
        """What the policy keeps from agents: it is not there for whoever comes through their doors."""
        return self._shield.withheld() if self.store.via in _AGENTS else ()

    @property
    def _shows_public_alone(self) -> bool:
        return self._public or "private" in self._withheld

    @property
    def is_whole(self) -> bool:
        """True when this memory is read by its owner, who sees all of it, or by an agent that nothing is kept from."""
        return not self._public and self._reader == EVERYBODY and not self._withheld

    def _within(self, filters: Filters | None) -> Filters:
        """Filters as this memory's reader may use them: the scope is part of the query itself.

        A reader that the filters name sees what both may see; another than this memory is open for is refused.
        """
        asked = filters or Filters()
        return replace(
            asked,
            reader=self._through(self._asks_here(asked)),
            public=asked.public or self._shows_public_alone,
            withheld=tuple(dict.fromkeys((*self._withheld, *asked.withheld))),
        )

    def _through(self, other: Scope) -> Scope:
        if other in {EVERYBODY, self._reader}:
            return self._reader
        pairs = {name: (getattr(self._reader, name), getattr(other, name)) for name in SCOPES}
        if any(own and asked and own != asked for own, asked in pairs.values()):
            raise BeyondScope
        merged = {name: own or asked for name, (own, asked) in pairs.items()}
        return Scope(**merged, also=() if self._reader.project else other.also)

    def _must_see_all(self) -> None:
        """Refuse what reads or changes the whole memory when it is opened for one reader among several."""
        if self._public or self._reader != EVERYBODY:
            raise BeyondScope

    def _own_project(self, project: str) -> str:
        """The project that was asked for; a memory that is open for one project has no other."""
        if self._shows_public_alone:
            raise BeyondScope
        own = self._reader.project
        if own and project not in {"", own}:
            raise BeyondScope
        return project or own

    def _must_not_overhear(self) -> None:
        """Refuse to learn from a conversation for one user: what is heard has no scope, so others would read it."""
        if self._reader.user:
            raise BeyondScope

    def _must_be_theirs(self, record: Record) -> None:
        """Refuse that one reader among several takes away what is everybody's."""
        is_one_of_several = self._public or self._reader != EVERYBODY
        if is_one_of_several and not any(
            getattr(self._reader, name) and getattr(record.scope, name) == getattr(self._reader, name)
            for name in SCOPES
        ):
            raise BeyondScope
