"""What neither rules nor a model decided, put to the agent that is there anyway.

The question is a model's, and so are the checks of an answer. What is kept is the agent's own note with the owner's
words as its evidence; what only the owner can say is put to them.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from memoracle.errors import BeyondScope, RefusedByPolicy
from memoracle.learn import phases
from memoracle.learn.ask_model import Case, read_answers
from memoracle.learn.asking import cases_of
from memoracle.learn.evidence import SAVED
from memoracle.learn.inbox import ask_to_confirm
from memoracle.learn.records import guard, put_to_confirm
from memoracle.learn.unit_of_work import alone, begin, do_phase, unit_of_work
from memoracle.model.ids import content_key, idempotency_key
from memoracle.model.record import TRUST, Channel, Draft, Kind
from memoracle.model.value import replace, value
from memoracle.store.inbox import read_pending

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memoracle.model.claim import Claim, Fragment
    from memoracle.root import Root

AT_A_TIME = 8
"""Fragments that an agent is handed at once."""


@value
class Reviewed:
    """What came of an agent's answers: records by id, how many of them wait for the owner's word, and refusals."""

    kept: tuple[str, ...] = ()
    asked: int = 0
    dropped: int = 0
    refused: tuple[tuple[str, str], ...] = ()


def name_of(reference: str) -> str:
    """A fragment or a record by a name that is short, and the same in the next call."""
    return content_key(reference)[2:8]


def undecided(root: Root, most: int = AT_A_TIME) -> tuple[list[Case], int]:
    """The newest fragments that an agent may settle, as they are asked about; and how many wait in all."""
    fragments = _waiting(root)
    free = (one for one in fragments if not root.guard.stops(one.text))
    return cases_of(root, [_hidden(root, one) for one in islice(free, most)]), len(fragments)


def settle_undecided(root: Root, answers: Sequence[Mapping[str, Any]], *, by: str, run: str = "") -> Reviewed:
    """Settle fragments by an agent's answers, each by itself; one whose answer is refused waits on.

    `by` names the agent, `run` the run of its server: what it keeps twice in one is one word.
    """
    root.guard.must_be_ready()
    with alone(root.store, briefly=True):
        waiting = {name_of(one.id): one for one in _waiting(root)}
        names = [one for one in dict.fromkeys(str(item.get("id")) for item in answers) if one in waiting]
        cases = cases_of(root, [_hidden(root, waiting[one]) for one in names])
        read = read_answers([_by_places(item, names, cases) for item in answers], cases)
        refused = [(name_of(name) if name else "", because) for name, because in read.refused]
        claims: list[Claim] = []
        proposed: dict[str, str] = {}
        done = set(read.dropped)
        for name, claim in read.claims:
            try:
                wish = guard(root, _as_agents(claim.draft, by, run))
            except RefusedByPolicy as problem:
                refused.append((name_of(name), str(problem)))
                continue
            done.add(name)
            claims.append(replace(claim, draft=wish.draft, apart=wish.rules if wish.is_apart else ()))
            if wish.proposes:
                proposed[wish.draft.idempotency] = wish.proposes
        shared = unit_of_work(root)
        unit = replace(shared, commit=shared.records.write)
        work = replace(begin(root), claims=tuple(claims), decided=tuple(done))
        do_phase("reconcile", phases.settle, unit, work)
        made = [
            (one.draft.idempotency, unit.records.with_key(idempotency_key(one.draft.idempotency)))
            for one in claims
        ]
        kept = {one.id: (one, proposed.get(name, "")) for name, one in made if one}
        # One that was set aside beside what the owner said has its question already.
        items = [
            ask_to_confirm(one, kind, since=work.started)
            for one, kind in kept.values()
            if kind and one.kind is not Kind.BELIEF
        ]
        with root.store.writing():
            put_to_confirm(root, items, work.started)
    return Reviewed(kept=tuple(kept), asked=len(items), dropped=len(read.dropped), refused=tuple(refused))


def _waiting(root: Root) -> list[Fragment]:
    """What waits and may be told here, newest first: nothing of another project than the one worked on."""
    if not root.reader.sees_all:
        raise BeyondScope
    here = root.reader.here
    projects = None if here is None else {"", root.reader.works_in, *here.also}
    found = [one.fragment for one in reversed(read_pending(root.store).waiting)]
    return [one for one in found if projects is None or one.project in projects]


def _hidden(root: Root, fragment: Fragment) -> Fragment:
    return replace(fragment, text=root.guard.hide(fragment.text))


def _by_places(item: Mapping[str, Any], names: Sequence[str], cases: Sequence[Case]) -> dict[str, Any]:
    """An answer as a model gives it: fragments and records by their places."""
    name = str(item.get("id"))
    if name not in names:
        return dict(item) | {"id": None}
    place = names.index(name)
    records = {name_of(one.ref): f"r{at}" for at, one in enumerate(cases[place].known, start=1)}
    changes = {"changes": records.get(str(item["changes"]), "unknown")} if item.get("changes") else {}
    return dict(item) | {"id": place + 1} | changes


def _as_agents(draft: Draft, by: str, run: str) -> Draft:
    """A draft as the agent's own note; where the owner said it is its evidence."""
    origin = replace(draft.origin, channel=Channel.AGENT, who=by, trust=TRUST[Channel.AGENT])
    sources = (*draft.sources, SAVED + run) if run else draft.sources
    name = f"review:{draft.idempotency}"[:480]
    return replace(phases.at_home(draft), origin=origin, sources=sources, idempotency=name)
