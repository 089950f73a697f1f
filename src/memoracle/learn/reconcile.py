"""Claims meet what is known: confirmed, replaced, ended, set aside, or asked about. Pure.

Claims are taken in the order they were said, and later ones see what earlier ones made. The same claims on the
resulting state change nothing. Only records of the same scope meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoracle.learn.confirm import confirm, confirm_fact, covers, deny, is_ending, reopens
from memoracle.learn.evidence import (
    SpokenEvidence,
    contradict_belief,
    is_same,
    last_heard,
    looks_alike,
    object_of,
    said_at,
    said_of,
)
from memoracle.learn.reconciliation import (
    Reconciliation,
    Uses,
    end_all,
    is_counted,
    is_firm,
    is_in_past,
    is_older,
    place_in_past,
    take_over,
)
from memoracle.learn.record_sets import RecordSet
from memoracle.model.claim import Claim, Stance
from memoracle.model.ids import idempotency_key
from memoracle.model.inbox import InboxItem, Matter
from memoracle.model.record import Change, Kind, Law, Record, Status, content_key_of
from memoracle.model.report import Step
from memoracle.model.value import replace, value

# A claim that nothing in force says yet: it replaces its rivals, stands beside them, or is set aside. Pure.

_IN_FORCE = frozenset({Status.ACTIVE, Status.ARCHIVED})


def is_in_force(record: Record, at: datetime) -> bool:
    """True for a record that holds at that time, as far as memory knows; one put away by age still does."""
    ends = (record.validity.until, record.validity.expires)
    return record.status in _IN_FORCE and all(end is None or at < end for end in ends)


def why_not(said: SpokenEvidence, rival: Record) -> str:
    """Why a claim does not replace a record that it contradicts; empty when it does."""
    if said.is_hedged:
        return "it is not meant to be sure"
    if said.trust < rival.origin.trust:
        return "it comes from somebody who is trusted less"
    is_settled = said.is_stable and is_firm(rival) and said.trust <= rival.origin.trust
    if is_settled and not (said.corrects and said.is_explicit):
        return "one remark does not replace what was confirmed or kept on purpose"
    return ""


def settle(
    run: Reconciliation,
    said: SpokenEvidence,
    rivals: Sequence[Record],
    endings: Sequence[Record],
    line: Sequence[Record],
) -> None:
    """A claim that nothing in force says: beside its rivals, and beside what says that it has ended."""
    if later := [one for one in rivals if is_older(said, one)]:
        place_in_past(run, said, said.draft, line, later[0])
        return
    if over := [one for one in endings if is_older(said, one) and covers(one, said.object)]:
        place_in_past(run, said, said.draft, line, over[0])
        return
    taken_back = [one for one in endings if reopens(said.object, one) and not is_older(said, one)]
    taken_back += [one for one in _changed(run, said) if one not in rivals and one not in taken_back]
    against = [*rivals, *taken_back]
    if reasons := [(one, why) for one in against if (why := why_not(said, one))]:
        run.set_aside(said, said.draft, reasons, asks=not said.is_hedged or said.corrects)
        return
    if said.rule is None and said.subject:
        _meet_own_words(run, said, taken_back)
        return
    corrected = _corrected(run, said) if said.corrects and not rivals else []
    because = f"said {'later, ' if against or corrected else ''}in {said.reason}"
    keep(run, said, [*against, *corrected], because)


def _changed(run: Reconciliation, said: SpokenEvidence) -> list[Record]:
    """The records that a claim says it changes: those of its own scope that are in force and not said later."""
    named = [run.standing(one) for one in said.claim.changes if run.holds(one)]
    mine = [one for one in named if one.scope == said.draft.scope and not is_older(said, one)]
    return [one for one in mine if is_in_force(one, said.at)]


def _meet_own_words(run: Reconciliation, said: SpokenEvidence, taken_back: Sequence[Record]) -> None:
    """A predicate that is somebody's own word: nothing is known of it, so two values may both be meant."""
    facts = [one for one in _stated(run, said) if one.kind is not Kind.BELIEF]
    rival = facts[0] if len(facts) == 1 and not said.is_hedged else None
    is_correction = (
        rival is not None
        and said.corrects
        and said.at.date() == said_at(rival).date()
        and not is_older(said, rival)
        and not why_not(said, rival)
    )
    replaced = [*taken_back, rival] if rival and is_correction else taken_back
    new = keep(run, said, replaced, f"said in {said.reason}")
    if rival and not is_correction:
        old, later = (new, rival) if is_older(said, rival) else (rival, new)
        because = f"`{said.predicate}` has two values, and no rule says whether both hold"
        run.ask(Matter.CONTRADICTION, old, later, because)


def _corrected(run: Reconciliation, said: SpokenEvidence) -> list[Record]:
    """Of several things that hold together, the one a correction means: said just before, in the same session.

    One that was said elsewhere is not replaced; when it looks alike, the owner could mean it, and both stay.
    """
    session = said.draft.origin.session
    if not session:
        return []
    just_said = [
        one
        for one in _stated(run, said)
        if one.origin.session == session
        and one.statement.predicate == said.predicate
        and not why_not(said, one)
    ]
    if len(just_said) > 1:
        just_said = [one for one in just_said if looks_alike(object_of(one), said.object)]
    return just_said if len(just_said) == 1 else []


def _stated(run: Reconciliation, said: SpokenEvidence) -> list[Record]:
    return [
        one
        for one in slot_records(run, said, said.predicate)
        if is_in_force(one, said.at) and not is_ending(one) and not is_same(object_of(one), said.object)
    ]


def keep(run: Reconciliation, said: SpokenEvidence, replaced: Sequence[Record], because: str) -> Record:
    """A new record, and the end of those it replaces."""
    draft = said.draft
    if replaced or said.is_single:
        supersedes = tuple(one.id for one in replaced)
        validity = replace(draft.validity, since=said.since, until=None, supersedes=supersedes)
        draft = replace(draft, validity=validity)
    new = run.add(said, draft, because)
    run.log("supersede" if replaced else "add", new, because)
    end_all(run, said, replaced, new, because, at=said.since)
    return new


def slot_records(run: Reconciliation, said: SpokenEvidence, predicate: str) -> list[Record]:
    """The records of a slot in the claim's own scope."""
    return [
        one
        for one in run.in_slot(said.subject, predicate)
        if one.scope == said.draft.scope and one.id != said.claim.record
    ]


_OPPOSITES = {
    "likes": ("dislikes",),
    "prefers": ("dislikes",),
    "favourite": ("dislikes",),
    "dislikes": ("likes", "prefers", "favourite"),
    "wants_always": ("wants_never",),
    "wants_never": ("wants_always",),
}
_FIRST = {Status.ACTIVE: 0, Status.ARCHIVED: 1}


@value
class Reconciled:
    """Versions to write in this order, questions for the inbox, questions that are answered, and reasons."""

    versions: tuple[Record, ...] = ()
    items: tuple[InboxItem, ...] = ()
    closed: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


def reconcile(
    claims: Sequence[Claim],
    known: RecordSet,
    change: Change,
    *,
    law: Law | None = None,
    uses: Uses = lambda _: (),
) -> Reconciled:
    """What these claims change in what is known; every version is of that change."""
    run = Reconciliation(known, change, law or Law(), uses)
    for said in sorted((said_of(claim, change.at) for claim in claims), key=lambda said: said.at):
        _meet(run, said)
    return Reconciled(
        versions=run.versions,
        items=tuple(run.items.values()),
        closed=tuple(run.closed),
        steps=tuple(run.steps),
    )


def _meet(run: Reconciliation, said: SpokenEvidence) -> None:
    """One claim beside the records of its slot."""
    if run.with_key(idempotency_key(said.name)):
        return
    if not said.predicate:
        _meet_words(run, said)
        return
    slot = slot_records(run, said, said.predicate)
    denies = said.claim.stance is Stance.DENY
    # What says, or once said, what the claim says.
    alike = [
        one
        for one in slot
        if is_ending(one) is denies
        and (reopens(said.object, one) if denies else is_same(object_of(one), said.object))
    ]
    if any(is_counted(said, one) or is_in_past(run, said, one) for one in alike):
        return
    standing = [one for one in slot if is_in_force(one, said.at)]
    if denies:
        deny(run, said, standing)
        return
    stated = [one for one in standing if not is_ending(one)]
    same = [one for one in stated if is_same(object_of(one), said.object)]
    rivals = find_rivals(run, said, stated)
    facts = [one for one in rivals if one.kind is not Kind.BELIEF]
    # What held at some time where the claim holds: every value of one, or the same among many.
    line = [
        one
        for one in slot
        if not (is_ending(one) or one.kind is Kind.BELIEF)
        and (said.is_single or is_same(object_of(one), said.object))
    ]
    if same:
        held = min(same, key=lambda one: (one.kind is Kind.BELIEF, _FIRST[one.status], one.id))
        confirm(run, said, held, facts, line)
        _prevail(run, said, held.id, [*facts, *(one for one in _changed(run, said) if one not in same)])
    else:
        settle(run, said, facts, [one for one in standing if is_ending(one)], line)
    _weaken(run, said, [one for one in rivals if one.kind is Kind.BELIEF])


def find_rivals(run: Reconciliation, said: SpokenEvidence, stated: Sequence[Record]) -> list[Record]:
    """The records in force that cannot hold beside the claim: another value of one, or the opposite."""
    rivals = [one for one in stated if said.is_single and not is_same(object_of(one), said.object)]
    for predicate in _OPPOSITES.get(said.predicate, ()):
        rivals += [
            one
            for one in slot_records(run, said, predicate)
            if is_in_force(one, said.at) and not is_ending(one) and is_same(object_of(one), said.object)
        ]
    return rivals


def _prevail(run: Reconciliation, said: SpokenEvidence, record_id: str, rivals: Sequence[Record]) -> None:
    """Two values of one, as two machines may have written them: the one that was said again stands."""
    held = run.standing(record_id)
    if held.kind is Kind.BELIEF or said.is_hedged or said.trust < held.origin.trust:
        return
    standing = [run.standing(one.id) for one in rivals]
    beaten = [
        one
        for one in standing
        if one.status in _IN_FORCE and not is_older(said, one) and not why_not(said, one)
    ]
    if beaten:
        take_over(run, said, held, beaten, f"said again in {said.reason}", at=said.since)


def _meet_words(run: Reconciliation, said: SpokenEvidence) -> None:
    """A claim without a slot is known by its words alone."""
    draft = said.draft
    held = run.with_key(content_key_of(draft.kind, draft.statement, draft.scope))
    if held is None or not is_in_force(held, said.at):
        changed = _changed(run, said)
        if reasons := [(one, why) for one in changed if (why := why_not(said, one))]:
            run.set_aside(said, draft, reasons, asks=True)
        else:
            keep(run, said, changed, f"said in {said.reason}")
    elif said.trust >= held.origin.trust:
        confirm_fact(run, said, held)


def _weaken(run: Reconciliation, said: SpokenEvidence, doubted: Sequence[Record]) -> None:
    """Beliefs that a claim contradicts; somebody trusted less, and what was said earlier, contradicts nothing."""
    for one in doubted:
        held = run.standing(one.id)
        is_later = said.at > last_heard(held)
        if held.kind is not Kind.BELIEF or not is_later or said.trust < held.origin.trust:
            continue
        weaker = contradict_belief(held, said.session)
        if weaker != held:
            because = f"confidence {weaker.weight.confidence:.2f}: contradicted in {said.reason}"
            act = "retire" if weaker.status is Status.ARCHIVED else "doubt"
            run.log(act, run.put(weaker, because, said.at), because)
