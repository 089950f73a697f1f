"""A claim that nothing in force says yet: it replaces its rivals, stands beside them, or is set aside. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoracle.lifecycle import beliefs
from memoracle.lifecycle.deny import covers, is_ending, reopens
from memoracle.lifecycle.desk import Desk
from memoracle.lifecycle.evidence import said_at
from memoracle.lifecycle.hysteresis import is_firm
from memoracle.lifecycle.said import Said
from memoracle.lifecycle.sameness import is_same, looks_alike
from memoracle.lifecycle.timeline import is_older, place_in_past, stand_in_place
from memoracle.model.inbox import Matter
from memoracle.model.record import Draft, Kind, Record, Status
from memoracle.model.value import replace

_IN_FORCE = frozenset({Status.ACTIVE, Status.ARCHIVED})


def is_in_force(record: Record, at: datetime) -> bool:
    """True for a record that holds at that time, as far as memory knows; one put away by age still does."""
    ends = (record.validity.until, record.validity.expires)
    return record.status in _IN_FORCE and all(end is None or at < end for end in ends)


def why_not(said: Said, rival: Record) -> str:
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
    desk: Desk, said: Said, rivals: Sequence[Record], endings: Sequence[Record], line: Sequence[Record]
) -> None:
    """A claim that nothing in force says: beside its rivals, and beside what says that it has ended."""
    if later := [one for one in rivals if is_older(said, one)]:
        place_in_past(desk, said, said.draft, line, later[0])
        return
    if over := [one for one in endings if is_older(said, one) and covers(one, said.object)]:
        place_in_past(desk, said, said.draft, line, over[0])
        return
    taken_back = [one for one in endings if reopens(said.object, one) and not is_older(said, one)]
    against = [*rivals, *taken_back]
    if reasons := [(one, why) for one in against if (why := why_not(said, one))]:
        set_aside(desk, said, reasons)
        return
    if said.rule is None and said.subject:
        _meet_own_words(desk, said, _stated(desk, said), taken_back)
        return
    corrected = _corrected(desk, said) if said.corrects and not rivals else []
    because = f"said in {said.reason}"
    if against or corrected:
        because = f"said later, in {said.reason}"
    keep(desk, said, said.draft, [*against, *corrected], because)


def set_aside(desk: Desk, said: Said, reasons: Sequence[tuple[Record, str]]) -> None:
    """Keep a remark as a belief beside what it contradicts; a plain one is put to the owner."""
    weight = replace(said.draft.weight, confidence=min(said.draft.weight.confidence, beliefs.ASIDE))
    because = reasons[0][1]
    new = desk.add(said, replace(said.draft, kind=Kind.BELIEF, weight=weight), because)
    desk.tell("set aside", new, because)
    for rival, why in reasons:
        if not said.is_hedged or said.corrects:
            desk.ask(Matter.CHANGE, rival, new, why)


def _meet_own_words(desk: Desk, said: Said, others: Sequence[Record], taken_back: Sequence[Record]) -> None:
    """A predicate that is somebody's own word: nothing is known of it, so two values may both be meant."""
    facts = [one for one in others if one.kind is not Kind.BELIEF]
    rival = facts[0] if len(facts) == 1 and not said.is_hedged else None
    is_correction = (
        rival is not None
        and said.corrects
        and said.at.date() == said_at(rival).date()
        and not is_older(said, rival)
        and not why_not(said, rival)
    )
    if rival is None or is_correction:
        replaced = [*taken_back, *([rival] if rival else [])]
        keep(desk, said, said.draft, replaced, f"said in {said.reason}")
        return
    new = keep(desk, said, said.draft, taken_back, f"said in {said.reason}")
    old, later = (new, rival) if is_older(said, rival) else (rival, new)
    desk.ask(
        Matter.CONTRADICTION,
        old,
        later,
        f"`{said.predicate}` has two values, and no rule says whether both hold",
    )


def _corrected(desk: Desk, said: Said) -> list[Record]:
    """Of several things that hold together, the one a correction means: said just before, in the same session.

    One that was said elsewhere is not replaced; when it looks alike, the owner could mean it, and both stay.
    """
    session = said.draft.origin.session
    if not session:
        return []
    just_said = [
        one
        for one in _stated(desk, said)
        if one.origin.session == session
        and one.statement.predicate == said.predicate
        and not why_not(said, one)
    ]
    if len(just_said) > 1:
        just_said = [one for one in just_said if looks_alike(object_of(one), said.object)]
    return just_said if len(just_said) == 1 else []


def _stated(desk: Desk, said: Said) -> list[Record]:
    return [
        one
        for one in slot_records(desk, said, said.predicate)
        if is_in_force(one, said.at) and not is_ending(one) and not is_same(object_of(one), said.object)
    ]


def keep(desk: Desk, said: Said, draft: Draft, replaced: Sequence[Record], because: str) -> Record:
    """A new record, in place of these."""
    if replaced or said.is_single:
        return stand_in_place(desk, said, draft, replaced, because)
    new = desk.add(said, draft, because)
    desk.tell("add", new, because)
    return new


def slot_records(desk: Desk, said: Said, predicate: str) -> list[Record]:
    """The records of a slot in the claim's own scope."""
    return [
        one
        for one in desk.known.in_slot(said.subject, predicate)
        if one.scope == said.draft.scope and one.id != said.claim.record
    ]


def object_of(record: Record) -> str:
    """What a record says of its subject."""
    return record.statement.object or record.statement.value
