"""Claims meet what is known: confirmed, replaced, ended, set aside, or asked about. Pure.

Claims are taken in the order they were said, and later ones see what earlier ones made. The same claims on the
resulting state change nothing. Only records of the same scope meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoracle.lifecycle import beliefs
from memoracle.lifecycle.confirm import confirm, confirm_fact
from memoracle.lifecycle.deny import deny, is_ending, reopens
from memoracle.lifecycle.desk import Desk, Uses
from memoracle.lifecycle.evidence import last_heard
from memoracle.lifecycle.known import Known
from memoracle.lifecycle.said import Said, said_of
from memoracle.lifecycle.sameness import is_same
from memoracle.lifecycle.settle import is_in_force, keep, object_of, settle, slot_records, why_not
from memoracle.lifecycle.timeline import (
    is_counted,
    is_in_past,
    is_older,
    take_over,
)
from memoracle.model.activation import Law
from memoracle.model.claim import Claim, Stance
from memoracle.model.ids import idempotency_key
from memoracle.model.inbox import Item
from memoracle.model.plan import Step
from memoracle.model.record import Kind, Record, Status, content_key_of
from memoracle.model.value import value

_OPPOSITES = {
    "likes": ("dislikes",),
    "prefers": ("dislikes",),
    "favourite": ("dislikes",),
    "dislikes": ("likes", "prefers", "favourite"),
    "wants_always": ("wants_never",),
    "wants_never": ("wants_always",),
}
_IN_FORCE = frozenset({Status.ACTIVE, Status.ARCHIVED})
_FIRST = {Status.ACTIVE: 0, Status.ARCHIVED: 1}


@value
class Reconciled:
    """Versions to write in this order, questions for the inbox, questions that are answered, and reasons."""

    versions: tuple[Record, ...] = ()
    items: tuple[Item, ...] = ()
    closed: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


def reconcile(
    claims: Sequence[Claim],
    known: Known,
    *,
    now: datetime,
    operation: str,
    by: str,
    law: Law | None = None,
    uses: Uses = lambda _: (),
) -> Reconciled:
    """What these claims change in what is known."""
    desk = Desk(known, now=now, operation=operation, by=by, law=law or Law(), uses=uses)
    for said in sorted((said_of(claim, now) for claim in claims), key=lambda said: said.at):
        meet(desk, said)
    return Reconciled(
        versions=desk.known.versions,
        items=tuple(desk.items.values()),
        closed=tuple(desk.closed),
        steps=tuple(desk.steps),
    )


def meet(desk: Desk, said: Said) -> None:
    """One claim beside the records of its slot."""
    if desk.known.with_key(idempotency_key(said.name)):
        return
    if not said.predicate:
        _meet_words(desk, said)
        return
    slot = slot_records(desk, said, said.predicate)
    denies = said.claim.stance is Stance.DENY
    alike = [one for one in slot if _is_alike(one, said)]
    if any(is_counted(said, one) or is_in_past(desk, said, one) for one in alike):
        return
    standing = [one for one in slot if is_in_force(one, said.at)]
    if denies:
        deny(desk, said, standing)
        return
    stated = [one for one in standing if not is_ending(one)]
    same = [one for one in stated if is_same(object_of(one), said.object)]
    rivals = find_rivals(desk, said, stated)
    facts = [one for one in rivals if one.kind is not Kind.BELIEF]
    line = [one for one in slot if _is_of_the_line(one, said)]
    if same:
        held = min(same, key=lambda one: (one.kind is Kind.BELIEF, _FIRST[one.status], one.id))
        confirm(desk, said, held, facts, line)
        _prevail(desk, said, held.id, facts)
    else:
        settle(desk, said, facts, [one for one in standing if is_ending(one)], line)
    _weaken(desk, said, [one for one in rivals if one.kind is Kind.BELIEF])


def _is_alike(record: Record, said: Said) -> bool:
    """True for a record that says, or once said, what the claim says."""
    if said.claim.stance is Stance.DENY:
        return is_ending(record) and reopens(said.object, record)
    return not is_ending(record) and is_same(object_of(record), said.object)


def _is_of_the_line(record: Record, said: Said) -> bool:
    """True for what held at some time where the claim holds: every value of one, or the same among many."""
    if is_ending(record) or record.kind is Kind.BELIEF:
        return False
    return said.is_single or is_same(object_of(record), said.object)


def find_rivals(desk: Desk, said: Said, stated: Sequence[Record]) -> list[Record]:
    """The records in force that cannot hold beside the claim: another value of one, or the opposite."""
    rivals = [one for one in stated if said.is_single and not is_same(object_of(one), said.object)]
    for predicate in _OPPOSITES.get(said.predicate, ()):
        rivals += [
            one
            for one in slot_records(desk, said, predicate)
            if is_in_force(one, said.at) and not is_ending(one) and is_same(object_of(one), said.object)
        ]
    return rivals


def _prevail(desk: Desk, said: Said, record_id: str, rivals: Sequence[Record]) -> None:
    """Two values of one, as two machines may have written them: the one that was said again stands."""
    held = desk.known.standing(record_id)
    if held.kind is Kind.BELIEF or said.is_hedged or said.trust < held.origin.trust:
        return
    standing = [desk.known.standing(one.id) for one in rivals]
    beaten = [
        one
        for one in standing
        if one.status in _IN_FORCE and not is_older(said, one) and not why_not(said, one)
    ]
    if beaten:
        take_over(desk, said, held, beaten, f"said again in {said.reason}", at=said.since)


def _meet_words(desk: Desk, said: Said) -> None:
    """A claim without a slot is known by its words alone."""
    draft = said.draft
    held = desk.known.with_key(content_key_of(draft.kind, draft.statement, draft.scope))
    if held is None or not is_in_force(held, said.at):
        keep(desk, said, draft, [], f"said in {said.reason}")
    elif said.trust >= held.origin.trust:
        confirm_fact(desk, said, held)


def _weaken(desk: Desk, said: Said, doubted: Sequence[Record]) -> None:
    """Beliefs that a claim contradicts; somebody trusted less, and what was said earlier, contradicts nothing."""
    for one in doubted:
        held = desk.known.standing(one.id)
        is_later = said.at > last_heard(held)
        if held.kind is not Kind.BELIEF or not is_later or said.trust < held.origin.trust:
            continue
        weaker = beliefs.contradict_belief(held, said.session)
        if weaker != held:
            because = f"confidence {weaker.weight.confidence:.2f}: contradicted in {said.reason}"
            act = "retire" if weaker.status is Status.ARCHIVED else "doubt"
            desk.tell(act, desk.put(weaker, because, said.at), because)
