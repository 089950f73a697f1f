"""What a channel may say. Only the owner's own words become a preference, a rule or an identity.

Structure, not wording, carries the promise: what came from outside never steers, however it is phrased.
"""

from __future__ import annotations

from memoracle.model.hit import Passage, Source
from memoracle.model.record import BY_OWNER, BY_SESSION, QUOTED, TRUST, Channel, Draft, Kind
from memoracle.model.value import replace, value

OWNERS_ONLY = frozenset({Kind.PREFERENCE, Kind.RULE, Kind.IDENTITY})
"""Kinds that only the owner, or Memoracle itself, can give to something."""

STEERING = OWNERS_ONLY | {
    Kind.SAFETY,
    Kind.HEALTH,
    Kind.PROCEDURE,
    Kind.DECISION,
    Kind.LESSON,
    Kind.TASK,
    Kind.PLAN,
}
"""Kinds that say what to do, or never fade: nothing from outside, and nothing another person says, has them."""


@value
class Standing:
    """A draft with no more weight than its channel gives it."""

    draft: Draft
    rules: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def may_become(channel: Channel, kind: str) -> bool:
    """True when something that came through this channel may be of this kind."""
    if channel in {Channel.OWNER, Channel.SYSTEM}:
        return True
    return kind not in (STEERING if channel in QUOTED else OWNERS_ONLY)


def stand(draft: Draft) -> Standing:
    """What its channel allows of a draft."""
    channel = draft.origin.channel
    if channel in {Channel.OWNER, Channel.SYSTEM}:
        return Standing(draft=draft)
    outside = channel in QUOTED
    rules: list[str] = []
    warnings: list[str] = []
    if draft.origin.trust > TRUST[channel]:
        draft = replace(draft, origin=replace(draft.origin, trust=TRUST[channel]))
        rules.append("trust-of-channel")
    if draft.origin.confirmed_by:  # nobody brings along that it was confirmed
        draft = replace(draft, origin=replace(draft.origin, confirmed_by=""))
    if not may_become(channel, draft.kind):
        warnings.append(f"kept as a fact: the {channel} channel cannot give a {draft.kind}")
        rules.append("outside-kind" if outside else "owner-only")
        draft = replace(draft, kind=Kind.FACT)
    if outside and draft.pinned:
        warnings.append(f"not pinned: the {channel} channel cannot pin")
        rules.append("outside-pin")
        draft = replace(draft, pinned=False)
    return Standing(draft=draft, rules=tuple(rules), warnings=tuple(warnings))


def is_vouched_for(passage: Passage) -> bool:
    """True for what an agent may be told unasked: not its own kind's word alone.

    An agent's record needs the owner, who may have pinned it, or a second session that said the same by itself. The
    latter never vouches for what only the owner can say, nor for what reads like an order, however often it is said.
    """
    if passage.source is not Source.RECORD or passage.channel != Channel.AGENT:
        return True
    if passage.pinned or passage.confirmed_by == BY_OWNER:
        return True
    if passage.confirmed_by != BY_SESSION:
        return False
    from memoracle.guard.quarantine import suspicions
    from memoracle.model.predicates import owners_kind

    return owners_kind(passage.text) is None and not suspicions(passage.text, Channel.EXTERNAL)
