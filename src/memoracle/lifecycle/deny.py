"""“No longer”: what a denial ends, and what it leaves behind.

It ends the records of its slot that name what it denies, all of them when it names nothing, and stays as
a record of its own that says so. The owner's word settles; somebody trusted less only raises the question.
"""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.lifecycle import beliefs
from memoracle.lifecycle.confirm import confirm, stated_plainly
from memoracle.lifecycle.desk import Desk
from memoracle.lifecycle.said import Said
from memoracle.lifecycle.sameness import holds, is_same, looks_alike
from memoracle.lifecycle.timeline import end_all, is_older, place_in_past, take_over
from memoracle.model.inbox import Matter
from memoracle.model.predicates import NO_LONGER
from memoracle.model.record import Draft, Kind, Record
from memoracle.model.validity import Validity
from memoracle.model.value import replace


def is_ending(record: Record) -> bool:
    """True for a record that says that something has ended."""
    return record.statement.predicate.startswith(NO_LONGER)


def covers(ending: Record, what: str) -> bool:
    """True when an ending is about this object: the same, one that holds it, or the whole slot."""
    return holds(what, ending.statement.object)


def reopens(what: str, ending: Record) -> bool:
    """True when saying this again takes the ending back, rather than naming something beside it."""
    return not ending.statement.object or is_same(what, ending.statement.object)


def deny(desk: Desk, said: Said, standing: Sequence[Record]) -> None:
    """Meet a denial; `standing` are the records of its slot that are in force."""
    matching = [one for one in standing if not is_ending(one) and holds(one.statement.object, said.object)]
    later = [one for one in matching if is_older(said, one)]
    ended = [one for one in matching if one not in later]
    firmer = [one for one in ended if said.trust < one.origin.trust or said.is_hedged]
    known = _known_end(said, standing)
    if known is not None:
        if ended or not later:
            _deny_again(desk, said, known, ended, firmer)
        return
    if later and not ended:
        place_in_past(desk, said, _ending(said), [], min(later, key=lambda one: one.id))
        return
    if firmer:
        _set_aside(desk, said, firmer)
        return
    because = f"it ended, said in {said.reason}"
    new = desk.add(said, _ending(said, ended), because)
    desk.tell("end" if ended else "add", new, because)
    end_all(desk, said, ended, new, because, at=said.since)
    if not matching:
        _propose(desk, said, new, [one for one in standing if not is_ending(one)])


def _known_end(said: Said, standing: Sequence[Record]) -> Record | None:
    """The record that says so already: of the very object rather than of the slot, by whom is trusted most."""
    endings = [one for one in standing if is_ending(one) and reopens(said.object, one)]
    return max(
        endings,
        key=lambda one: (is_same(one.statement.object, said.object), one.origin.trust, one.id),
        default=None,
    )


def _deny_again(
    desk: Desk, said: Said, known: Record, ended: Sequence[Record], firmer: Sequence[Record]
) -> None:
    """A denial of what is known to have ended, or believed to."""
    if said.trust < known.origin.trust:
        return
    if firmer:
        confirm(desk, said, known, firmer, ())
        return
    if ended or (known.kind is Kind.BELIEF and said.is_explicit):
        sure = stated_plainly(desk, said, known)
        take_over(desk, said, sure, ended, f"it ended, said in {said.reason}", at=said.since)
    else:
        confirm(desk, said, known, (), ())


def _ending(said: Said, ended: Sequence[Record] = ()) -> Draft:
    statement = replace(said.draft.statement, predicate=NO_LONGER + said.predicate)
    validity = Validity(since=said.since, supersedes=tuple(one.id for one in ended))
    return replace(said.draft, statement=statement, validity=validity)


def _set_aside(desk: Desk, said: Said, firmer: Sequence[Record]) -> None:
    draft = _ending(said)
    weight = replace(draft.weight, confidence=min(draft.weight.confidence, beliefs.ASIDE))
    because = "it is not meant to be sure" if said.is_hedged else "it comes from somebody who is trusted less"
    new = desk.add(said, replace(draft, kind=Kind.BELIEF, weight=weight), because)
    desk.tell("set aside", new, because)
    for one in firmer:
        desk.ask(Matter.CHANGE, one, new, because)


def _propose(desk: Desk, said: Said, new: Record, others: Sequence[Record]) -> None:
    """Nothing is ended by likeness: the owner is asked about the one record that may be meant."""
    alike = [one for one in others if said.object and looks_alike(one.statement.object, said.object)]
    if len(alike) == 1 and not is_older(said, alike[0]):
        desk.ask(Matter.CHANGE, alike[0], new, "it may have ended too: they have words in common")
