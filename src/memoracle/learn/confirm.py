"""The same thing said again: a fact is confirmed, a belief grows surer or becomes a fact.

One version per record and day at most; an echo from somebody trusted less confirms nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from memoracle.learn import evidence as beliefs
from memoracle.learn.evidence import (
    FOR,
    MOST_SESSIONS,
    OWNER_SAID_NO,
    SAVED,
    SpokenEvidence,
    confirmations,
    holds,
    is_same,
    last_heard,
    looks_alike,
    said_at,
    sessions_for,
    vouched_for,
    with_source,
)
from memoracle.learn.reconciliation import (
    FIRM_AFTER,
    Reconciliation,
    end_all,
    is_older,
    place_in_past,
    take_over,
)
from memoracle.model.ids import idempotency_key
from memoracle.model.inbox import Matter
from memoracle.model.predicates import NO_LONGER
from memoracle.model.record import (
    BY_SESSION,
    Anchor,
    Channel,
    Draft,
    Kind,
    Record,
    Status,
    Validity,
    reinforce,
)
from memoracle.model.value import replace

_ECHO = timedelta(days=1)
"""Who says something within this time after memory handed it out may only repeat it."""
REPEATED = 0.2
"""What the first repetition adds to importance."""


def confirm(
    run: Reconciliation, said: SpokenEvidence, held: Record, rivals: Sequence[Record], line: Sequence[Record]
) -> None:
    """Meet a claim that says what a record says; `rivals` are the facts that exclude it."""
    if said.trust < held.origin.trust:
        return
    if held.kind is Kind.BELIEF:
        confirm_belief(run, said, held, rivals)
    elif not said.is_hedged:
        confirm_fact(run, said, held, line)


def confirm_fact(
    run: Reconciliation, said: SpokenEvidence, held: Record, line: Sequence[Record] = ()
) -> None:
    """A fact that was said again."""
    because = f"said again in {said.reason}"
    again = _begun_earlier(said, _with_evidence(run, said, held), line)
    if said.trust > held.origin.trust:
        again = vouched_for(again, said.draft)
    elif _is_second_session(run, said, held):
        again = replace(_counted(said, again), origin=replace(again.origin, confirmed_by=BY_SESSION))
    if held.status is Status.ARCHIVED:
        fresh = replace(again.weight, anchor=Anchor(value=1.0, at=run.now))
        again = replace(again, status=Status.ACTIVE, weight=fresh)
    if again != held:
        run.log("confirm", run.put(again, because, said.at), because)


def confirm_belief(run: Reconciliation, said: SpokenEvidence, held: Record, rivals: Sequence[Record]) -> None:
    """A belief that was said again: by whom, and against what, decides whether it becomes a fact."""
    if said.is_explicit and may_stand(said, held, rivals):
        stands = stated_plainly(run, said, held)
        take_over(run, said, stands, rivals, f"said plainly by the owner in {said.reason}")
        return
    surer = beliefs.confirm_belief(held, said.session)
    if surer == held and not said.is_explicit:
        return
    if said.is_explicit:
        # Held back now; what it met may be gone when it is read again, and it has had its say.
        surer = replace(surer, keys=(*surer.keys, idempotency_key(said.name)))
    surer = _heard(run, said, surer)
    because = f"confidence {surer.weight.confidence:.2f}: said again in {said.reason}"
    act = "confirm"
    if not rivals and beliefs.may_be_promoted(surer):
        act, because = "promote", f"{because}; confirmed by {confirmations(surer)} sessions"
        surer = beliefs.promote(surer)
    run.log(act, run.put(surer, because, said.at), because)


def stated_plainly(run: Reconciliation, said: SpokenEvidence, held: Record) -> Record:
    """The record after its owner said so: sure, whatever it was before."""
    again = vouched_for(_heard(run, said, _counted(said, held)), said.draft)
    if held.kind is not Kind.BELIEF:
        return again
    plain = replace(held.statement, text=said.draft.statement.text)  # not “may like”, once it is known
    return replace(beliefs.promote(again, confidence=1.0), statement=plain)


def may_stand(said: SpokenEvidence, held: Record, rivals: Sequence[Record]) -> bool:
    """True when a remark that was set aside may replace what it contradicts: it was said a second time, elsewhere."""
    if any(is_older(said, one) or said.trust < one.origin.trust for one in rivals):
        return False
    if not rivals or said.corrects:
        return True
    return said.session not in sessions_for(held) and OWNER_SAID_NO not in held.sources


def _is_second_session(run: Reconciliation, said: SpokenEvidence, held: Record) -> bool:
    """True when another conversation of an agent says what one said before, and was not handed it shortly before."""
    agents = said.draft.origin.channel is Channel.AGENT and held.origin.channel is Channel.AGENT
    named = bool(said.draft.origin.session and held.origin.session)
    if not agents or not named or held.origin.confirmed_by or said.session in sessions_for(held):
        return False
    if any(one.startswith(SAVED) for one in held.sources):
        return False  # a save and the conversation it was made in are one word
    return not any(timedelta(0) <= said.at - use < _ECHO for use in run.uses(held.id))


def _with_evidence(run: Reconciliation, said: SpokenEvidence, held: Record) -> Record:
    last, sessions = last_heard(held), sessions_for(held)
    is_new_day = said.at > last and said.at.date() != last.date()
    is_news = said.session not in sessions and confirmations(held) < FIRM_AFTER
    if not is_new_day and not is_news:
        # Nothing worth a version; one that is written anyway may say how late it was heard.
        moved = run.is_decided(held.id) and said.at > last
        return replace(held, validity=replace(held.validity, confirmed=said.at)) if moved else held
    again, confirmed = _heard(run, said, held), held.validity.confirmed
    is_same_day = confirmed is None or confirmed.date() == said_at(held).date()
    if is_same_day and not confirmations(held):  # nothing but its first saying speaks for it
        important = round(min(1.0, held.weight.importance + REPEATED), 6)
        again = replace(again, weight=replace(again.weight, importance=important))
    return _counted(said, again) if len(sessions) < MOST_SESSIONS else again


def _heard(run: Reconciliation, said: SpokenEvidence, record: Record) -> Record:
    """The record as it is after it was heard again: confirmed then, and lifted like a use."""
    validity = replace(record.validity, confirmed=max(said.at, last_heard(record)))
    if record.validity.expires and said.draft.validity.expires:
        validity = replace(validity, expires=max(record.validity.expires, said.draft.validity.expires))
    anchor = record.anchor
    if said.at - anchor.at >= run.law.boost_every:
        half_life = run.law.half_life(record.kind.value, record.weight.importance)
        earlier = [use for use in run.uses(record.id) if use < said.at]
        anchor = reinforce(anchor, half_life, [*earlier, said.at], run.law)
    return replace(record, validity=validity, weight=replace(record.weight, anchor=anchor))


def _counted(said: SpokenEvidence, record: Record) -> Record:
    return record if said.session in sessions_for(record) else with_source(record, FOR + said.session)


def _begun_earlier(said: SpokenEvidence, record: Record, line: Sequence[Record]) -> Record:
    """Since when it holds, when that turns out to be earlier and nothing else held in between."""
    since = record.validity.since
    if since is None or said.since >= since:
        return record
    if any(one.id != record.id and said.since < (one.validity.until or since) for one in line):
        return record
    return replace(record, validity=replace(record.validity, since=said.since))


# “No longer”: what a denial ends, and what it leaves behind.


def is_ending(record: Record) -> bool:
    """True for a record that says that something has ended."""
    return record.statement.predicate.startswith(NO_LONGER)


def covers(ending: Record, what: str) -> bool:
    """True when an ending is about this object: the same, one that holds it, or the whole slot."""
    return holds(what, ending.statement.object)


def reopens(what: str, ending: Record) -> bool:
    """True when saying this again takes the ending back, rather than naming something beside it."""
    return not ending.statement.object or is_same(what, ending.statement.object)


def deny(run: Reconciliation, said: SpokenEvidence, standing: Sequence[Record]) -> None:
    """Meet a denial; `standing` are the records of its slot that are in force."""
    matching = [one for one in standing if not is_ending(one) and holds(one.statement.object, said.object)]
    later = [one for one in matching if is_older(said, one)]
    ended = [one for one in matching if one not in later]
    firmer = [one for one in ended if said.trust < one.origin.trust or said.is_hedged]
    # The record that says so already: of the very object rather than of the slot, by whom is trusted most.
    known = max(
        (one for one in standing if is_ending(one) and reopens(said.object, one)),
        key=lambda one: (is_same(one.statement.object, said.object), one.origin.trust, one.id),
        default=None,
    )
    if known is not None:
        if ended or not later:
            _deny_again(run, said, known, ended, firmer)
        return
    if later and not ended:
        place_in_past(run, said, _ending(said), [], min(later, key=lambda one: one.id))
        return
    if firmer:
        because = (
            "it is not meant to be sure" if said.is_hedged else "it comes from somebody who is trusted less"
        )
        run.set_aside(said, _ending(said), [(one, because) for one in firmer], asks=True)
        return
    because = f"it ended, said in {said.reason}"
    new = run.add(said, _ending(said, ended), because)
    run.log("end" if ended else "add", new, because)
    end_all(run, said, ended, new, because, at=said.since)
    if matching or not said.object:
        return
    # Nothing is ended by likeness: the owner is asked about the one record that may be meant.
    others = [one for one in standing if not is_ending(one)]
    alike = [one for one in others if looks_alike(one.statement.object, said.object)]
    if len(alike) == 1 and not is_older(said, alike[0]):
        run.ask(Matter.CHANGE, alike[0], new, "it may have ended too: they have words in common")


def _deny_again(
    run: Reconciliation,
    said: SpokenEvidence,
    known: Record,
    ended: Sequence[Record],
    firmer: Sequence[Record],
) -> None:
    """A denial of what is known to have ended, or believed to."""
    if said.trust < known.origin.trust:
        return
    if firmer:
        confirm(run, said, known, firmer, ())
        return
    if ended or (known.kind is Kind.BELIEF and said.is_explicit):
        sure = stated_plainly(run, said, known)
        take_over(run, said, sure, ended, f"it ended, said in {said.reason}", at=said.since)
    else:
        confirm(run, said, known, (), ())


def _ending(said: SpokenEvidence, ended: Sequence[Record] = ()) -> Draft:
    statement = replace(said.draft.statement, predicate=NO_LONGER + said.predicate)
    validity = Validity(since=said.since, supersedes=tuple(one.id for one in ended))
    return replace(said.draft, statement=statement, validity=validity)
