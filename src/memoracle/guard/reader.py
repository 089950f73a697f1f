"""Whoever a root is open for: what is somebody else's is not there, and what reaches everything is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.errors import BeyondScope
from memoracle.model.query import Filters
from memoracle.model.record import EVERYBODY, SCOPES, Record, Scope, Sensitivity
from memoracle.model.value import replace, value
from memoracle.project import OUTSIDE

if TYPE_CHECKING:
    from memoracle.guard.guard import PolicyGuard
    from memoracle.model.hit import Passage


@value
class Reader:
    """One reader: a scope, whether public records alone are shown, and the project that is worked on (`here`).

    `here` narrows what is told unasked, not what may be seen. An agent is not handed what the policy withholds.
    """

    guard: PolicyGuard
    scope: Scope = EVERYBODY
    public: bool = False
    here: Scope | None = None
    is_agent: bool = False

    @property
    def withheld(self) -> tuple[str, ...]:
        """What the policy keeps from agents: it is not there for whoever comes through their doors."""
        return self.guard.withheld() if self.is_agent else ()

    @property
    def sees_public_alone(self) -> bool:
        """True when nothing but public records is shown."""
        return self.public or "private" in self.withheld

    @property
    def is_one_of_several(self) -> bool:
        """True when the root is open for one reader among others."""
        return self.public or self.scope != EVERYBODY

    @property
    def sees_all(self) -> bool:
        """True for the owner, who sees everything, and for an agent that nothing is kept from."""
        return not self.is_one_of_several and not self.withheld

    @property
    def warnings(self) -> tuple[str, ...]:
        """What an answer says while the policy cannot be read."""
        problem = self.guard.problem
        if not problem:
            return ()
        kept_back = ", and agents are handed public records alone" if self.withheld else ""
        return (f"nothing is written{kept_back} while the policy cannot be read: {problem}",)

    @property
    def told_to(self) -> Scope:
        """The scope through which things are told unasked."""
        if self.here is None or self.scope.project:
            return self.scope
        return replace(self.scope, project=self.here.project, also=self.here.also)

    @property
    def works_in(self) -> str:
        """The project that is worked on and that new things belong to; empty outside of any."""
        here = self.here
        if here is None or here.project == OUTSIDE or self.told_to.project != here.project:
            return ""
        return here.project

    def sees(self, record: Record) -> bool:
        """True when this reader may see a record."""
        is_shown = not self.sees_public_alone or record.sensitivity is Sensitivity.PUBLIC
        is_withheld = record.sensitivity.value in self.withheld
        return is_shown and not is_withheld and record.scope.is_open_to(self.scope)

    def sees_passage(self, passage: Passage) -> bool:
        """True when this reader may see a piece of a note or a turn; seats read each other's pages."""
        return not self.sees_public_alone and Scope(project=passage.project).is_open_to(self.scope)

    def narrowed(self, filters: Filters | None) -> Filters:
        """Filters as this reader may use them: the scope is part of the query itself.

        A reader that the filters name sees what both may see; another than the root is open for is refused.
        """
        asked = filters or Filters()
        return replace(
            asked,
            reader=self._merged(self._asking(asked)),
            public=asked.public or self.sees_public_alone,
            withheld=tuple(dict.fromkeys((*self.withheld, *asked.withheld))),
        )

    def _asking(self, filters: Filters) -> Scope:
        """Through whose eyes a question is asked: inside a project, of that one, unless another was named."""
        is_elsewhere = self.here is None or self.here.project == OUTSIDE or filters.scope.project
        return filters.reader if is_elsewhere or filters.reader != EVERYBODY else self.told_to

    def _merged(self, other: Scope) -> Scope:
        if other in {EVERYBODY, self.scope}:
            return self.scope
        pairs = {name: (getattr(self.scope, name), getattr(other, name)) for name in SCOPES}
        if any(own and asked and own != asked for own, asked in pairs.values()):
            raise BeyondScope
        merged = {name: own or asked for name, (own, asked) in pairs.items()}
        return Scope(**merged, also=() if self.scope.project else other.also)

    def project(self, asked: str = "") -> str:
        """The project that was asked for; a root that is open for one project has no other."""
        if self.sees_public_alone:
            raise BeyondScope
        own = self.scope.project
        if own and asked not in {"", own}:
            raise BeyondScope
        return asked or own

    def must_see_all(self) -> None:
        """Refuse what reads or changes the whole memory when it is open for one reader among several."""
        if self.is_one_of_several:
            raise BeyondScope

    def must_not_overhear(self) -> None:
        """Refuse to learn from a conversation for one user: what is heard has no scope, so others would read it."""
        if self.scope.user:
            raise BeyondScope

    def must_own(self, record: Record) -> None:
        """Refuse that one reader among several takes away what is everybody's."""
        if self.is_one_of_several and not any(
            getattr(self.scope, name) and getattr(record.scope, name) == getattr(self.scope, name)
            for name in SCOPES
        ):
            raise BeyondScope
