"""A claim as it is compared with what is known: its slot, its rule, when it was said and since when it holds."""

from __future__ import annotations

from datetime import datetime

from memoracle.clock import write_time
from memoracle.lifecycle.evidence import session_of
from memoracle.model.claim import Claim, Stance
from memoracle.model.ids import content_key
from memoracle.model.origin import Channel
from memoracle.model.predicates import NO_LONGER, Predicate, predicate_named
from memoracle.model.record import Draft, Kind
from memoracle.model.value import value


@value
class Said:
    """One claim. `name` is what a repetition of this very claim is recognised by."""

    claim: Claim
    subject: str
    predicate: str
    object: str
    rule: Predicate | None
    is_single: bool
    at: datetime
    since: datetime
    session: str
    name: str

    @property
    def draft(self) -> Draft:
        """What it wants kept."""
        return self.claim.draft

    @property
    def trust(self) -> float:
        """How far whoever said it is trusted."""
        return self.draft.origin.trust

    @property
    def is_hedged(self) -> bool:
        """True for “probably”, “I think”: something that is not meant to be sure."""
        return self.draft.kind is Kind.BELIEF

    @property
    def is_explicit(self) -> bool:
        """True when the owner plainly says it."""
        return self.draft.origin.channel is Channel.OWNER and not self.is_hedged

    @property
    def corrects(self) -> bool:
        """True when it means to replace what was said before."""
        return self.claim.stance is Stance.CORRECT

    @property
    def is_stable(self) -> bool:
        """True when its predicate is one that a stray remark does not replace."""
        return self.rule is not None and self.rule.stable

    @property
    def reason(self) -> str:
        """Where it was said, for people: `path#Lx`, or a session."""
        origin = self.draft.origin
        return origin.where or (f"session {origin.session}" if origin.session else "a remark")


def said_of(claim: Claim, now: datetime) -> Said:
    """A claim made comparable."""
    draft, statement = claim.draft, claim.draft.statement
    at = draft.origin.observed or now
    if statement.subject and statement.predicate:
        subject, predicate, what = statement.subject, statement.predicate, statement.object
    else:
        subject, predicate, what = "", statement.key, statement.value
    predicate = predicate.removeprefix(NO_LONGER)
    rule = predicate_named(predicate) if subject else None
    since = draft.validity.since or at
    return Said(
        claim=claim,
        subject=subject,
        predicate=predicate,
        object=what,
        rule=rule,
        is_single=rule.single if rule else not subject,
        at=at,
        since=since if since <= now else at,  # what has not begun yet cannot end what holds
        session=session_of(draft.origin, at),
        name=draft.idempotency or _name(claim, at),
    )


def _name(claim: Claim, at: datetime) -> str:
    draft = claim.draft
    said, scope = draft.statement, draft.scope
    parts = (said.subject, said.predicate, said.object, said.key, said.value, said.text)
    whose = (scope.user, scope.agent, scope.project, scope.seat)
    heard = (draft.origin.session, draft.origin.where, draft.origin.channel.value)
    return content_key("claim", claim.stance.value, draft.kind.value, write_time(at), *whose, *heard, *parts)
