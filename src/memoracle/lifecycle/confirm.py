"""The same thing said again: a fact is confirmed, a belief grows surer or becomes a fact.

One version per record and day at most; an echo from somebody trusted less confirms nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from memoracle.lifecycle import beliefs
from memoracle.lifecycle.desk import Desk
from memoracle.lifecycle.evidence import (
    FOR,
    MOST_SESSIONS,
    OWNER_SAID_NO,
    SAVED,
    confirmations,
    last_heard,
    said_at,
    sessions_for,
    vouched_for,
    with_source,
)
from memoracle.lifecycle.hysteresis import FIRM_AFTER
from memoracle.lifecycle.said import Said
from memoracle.lifecycle.timeline import is_older, take_over
from memoracle.model.activation import Anchor, reinforce
from memoracle.model.ids import idempotency_key
from memoracle.model.origin import BY_SESSION, Channel
from memoracle.model.record import Kind, Record, Status
from memoracle.model.value import replace

_ECHO = timedelta(days=1)
"""Who says something within this time after memory handed it out may only repeat it."""
REPEATED = 0.2
"""What the first repetition adds to importance."""


def confirm(desk: Desk, said: Said, held: Record, rivals: Sequence[Record], line: Sequence[Record]) -> None:
    """Meet a claim that says what a record says; `rivals` are the facts that exclude it."""
    if said.trust < held.origin.trust:
        return
    if held.kind is Kind.BELIEF:
        confirm_belief(desk, said, held, rivals)
    elif not said.is_hedged:
        confirm_fact(desk, said, held, line)


def confirm_fact(desk: Desk, said: Said, held: Record, line: Sequence[Record] = ()) -> None:
    """A fact that was said again."""
    because = f"said again in {said.reason}"
    again = _with_evidence(desk, said, held)
    again = _begun_earlier(said, again, line)
    if said.trust > held.origin.trust:
        again = vouched_for(again, said.draft)
    elif _is_second_session(desk, said, held):
        again = replace(_counted(said, again), origin=replace(again.origin, confirmed_by=BY_SESSION))
    if held.status is Status.ARCHIVED:
        fresh = replace(again.weight, anchor=Anchor(value=1.0, at=desk.now))
        again = replace(again, status=Status.ACTIVE, weight=fresh)
    if again != held:
        desk.tell("confirm", desk.put(again, because, said.at), because)


def confirm_belief(desk: Desk, said: Said, held: Record, rivals: Sequence[Record]) -> None:
    """A belief that was said again: by whom, and against what, decides whether it becomes a fact."""
    if said.is_explicit and may_stand(said, held, rivals):
        stands = stated_plainly(desk, said, held)
        take_over(desk, said, stands, rivals, f"said plainly by the owner in {said.reason}")
        return
    surer = beliefs.confirm_belief(held, said.session)
    if surer == held and not said.is_explicit:
        return
    if (
        said.is_explicit
    ):  # held back now; what it met may be gone when it is read again, and it has had its say
        surer = replace(surer, keys=(*surer.keys, idempotency_key(said.name)))
    surer = _heard(desk, said, surer)
    because = f"confidence {surer.weight.confidence:.2f}: said again in {said.reason}"
    if not rivals and beliefs.may_be_promoted(surer):
        because = f"{because}; confirmed by {confirmations(surer)} sessions"
        desk.tell("promote", desk.put(beliefs.promote(surer), because, said.at), because)
        return
    desk.tell("confirm", desk.put(surer, because, said.at), because)


def stated_plainly(desk: Desk, said: Said, held: Record) -> Record:
    """The record after its owner said so: sure, whatever it was before."""
    again = vouched_for(_heard(desk, said, _counted(said, held)), said.draft)
    return beliefs.promote(again, confidence=1.0) if held.kind is Kind.BELIEF else again


def may_stand(said: Said, held: Record, rivals: Sequence[Record]) -> bool:
    """True when a remark that was set aside may replace what it contradicts: it was said a second time, elsewhere."""
    if any(is_older(said, one) or said.trust < one.origin.trust for one in rivals):
        return False
    if not rivals or said.corrects:
        return True
    return said.session not in sessions_for(held) and OWNER_SAID_NO not in held.sources


def is_first_repetition(record: Record) -> bool:
    """True when nothing but its first saying speaks for it."""
    confirmed = record.validity.confirmed
    is_same_day = confirmed is None or confirmed.date() == said_at(record).date()
    return is_same_day and not confirmations(record)


def _is_second_session(desk: Desk, said: Said, held: Record) -> bool:
    """True when another conversation of an agent says what one said before, and was not handed it shortly before."""
    agents = said.draft.origin.channel is Channel.AGENT and held.origin.channel is Channel.AGENT
    named = bool(said.draft.origin.session and held.origin.session)
    if not agents or not named or held.origin.confirmed_by or said.session in sessions_for(held):
        return False
    if any(one.startswith(SAVED) for one in held.sources):
        return False  # a save and the conversation it was made in are one word
    return not any(timedelta(0) <= said.at - use < _ECHO for use in desk.uses(held.id))


def _with_evidence(desk: Desk, said: Said, held: Record) -> Record:
    last, sessions = last_heard(held), sessions_for(held)
    is_new_day = said.at > last and said.at.date() != last.date()
    is_news = said.session not in sessions and confirmations(held) < FIRM_AFTER
    if not is_new_day and not is_news:
        # Nothing worth a version; one that is written anyway may say how late it was heard.
        moved = desk.known.is_decided(held.id) and said.at > last
        return replace(held, validity=replace(held.validity, confirmed=said.at)) if moved else held
    again = _heard(desk, said, held)
    if is_first_repetition(held):
        important = round(min(1.0, held.weight.importance + REPEATED), 6)
        again = replace(again, weight=replace(again.weight, importance=important))
    return _counted(said, again) if len(sessions) < MOST_SESSIONS else again


def _heard(desk: Desk, said: Said, record: Record) -> Record:
    """The record as it is after it was heard again: confirmed then, and lifted like a use."""
    validity = replace(record.validity, confirmed=max(said.at, last_heard(record)))
    if record.validity.expires and said.draft.validity.expires:
        validity = replace(validity, expires=max(record.validity.expires, said.draft.validity.expires))
    return replace(
        record, validity=validity, weight=replace(record.weight, anchor=_lifted(desk, record, said.at))
    )


def _lifted(desk: Desk, record: Record, at: datetime) -> Anchor:
    anchor, every = record.anchor, desk.law.boost_every
    if at - anchor.at < every:
        return record.weight.anchor or anchor
    half_life = desk.law.half_life(record.kind.value, record.weight.importance)
    earlier = [use for use in desk.uses(record.id) if use < at]
    return reinforce(anchor, half_life, [*earlier, at], desk.law)


def _counted(said: Said, record: Record) -> Record:
    return record if said.session in sessions_for(record) else with_source(record, FOR + said.session)


def _begun_earlier(said: Said, record: Record, line: Sequence[Record]) -> Record:
    """Since when it holds, when that turns out to be earlier and nothing else held in between."""
    since = record.validity.since
    if since is None or said.since >= since:
        return record
    if any(one.id != record.id and said.since < (one.validity.until or since) for one in line):
        return record
    return replace(record, validity=replace(record.validity, since=said.since))
