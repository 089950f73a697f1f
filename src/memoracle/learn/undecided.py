"""What neither rules nor a model decided, put to the agent that is there anyway.

The question is a model's, and so are the checks of an answer. What is kept is the agent's own note with the owner's
words as its evidence; what only the owner can say is put to them.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from memoracle.errors import RefusedByPolicy
from memoracle.learn import phases
from memoracle.learn.ask_model import Case, read_answers
from memoracle.learn.asking import cases_of, waiting_here
from memoracle.learn.evidence import SAVED
from memoracle.learn.inbox import ask_to_confirm
from memoracle.learn.records import guard, put_to_confirm
from memoracle.learn.unit_of_work import alone, begin, do_phase, unit_of_work
from memoracle.model.ids import content_key, idempotency_key
from memoracle.model.record import TRUST, Channel, Draft, Kind
from memoracle.model.value import replace, value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memoracle.model.claim import Fragment
    from memoracle.root import Root

AT_A_TIME = 8
"""Fragments that an agent is handed at once."""


@value
class Reviewed:
    """What came of an agent's answers: records by id, how many are put to the owner, what was refused and why."""

    kept: tuple[str, ...]
    proposed: int
    dropped: int
    refused: tuple[Mapping[str, str], ...]
    waiting: int


def undecided(root: Root) -> tuple[dict[str, Case], int]:
    """The newest fragments that an agent may settle, as they are asked about; and how many wait in all."""
    fragments = waiting_here(root)
    free = (one for one in fragments if not root.guard.stops(one.text))
    return _cases(root, islice(free, AT_A_TIME)), len(fragments)


def settle_undecided(root: Root, answers: Sequence[Mapping[str, Any]], *, by: str, run: str = "") -> Reviewed:
    """Settle fragments by an agent's answers, each by itself; one whose answer is refused waits on.

    `by` names the agent, `run` the run of its server: what it keeps twice in one is one word.
    """
    root.guard.must_be_ready()
    with alone(root.store, briefly=True):
        named, waiting = {one.get("id") for one in answers}, waiting_here(root)
        cases = _cases(root, [one for one in waiting if _name(one.id) in named])
        read = read_answers(answers, cases)
        claims, done, proposed, refused = [], set(read.dropped), {}, list(read.refused)
        for name, claim in read.claims:
            try:
                wish = guard(root, _as_agents(claim.draft, by, run))
            except RefusedByPolicy as problem:
                refused.append((_name(name), str(problem)))
                continue
            done.add(name)
            claims.append(replace(claim, draft=wish.draft, apart=wish.rules if wish.is_apart else ()))
            proposed[idempotency_key(wish.draft.idempotency)] = wish.proposes
        shared = unit_of_work(root)
        unit = replace(shared, commit=shared.records.write)
        work = replace(begin(root), claims=tuple(claims), decided=tuple(done))
        if done:
            do_phase("reconcile", phases.settle, unit, work)
        kept = {one.id: (one, kind) for key, kind in proposed.items() if (one := unit.records.with_key(key))}
        # One that was set aside beside what the owner said has its question already.
        plain = [(one, kind) for one, kind in kept.values() if kind and one.kind is not Kind.BELIEF]
        asked = [ask_to_confirm(one, kind, since=work.started) for one, kind in plain]
        with root.store.writing():
            put_to_confirm(root, asked, work.started)
    return Reviewed(
        kept=tuple(kept),
        proposed=len(asked),
        dropped=len(read.dropped),
        refused=tuple({"id": name, "because": because} for name, because in refused),
        waiting=len(waiting) - len(done),
    )


def _cases(root: Root, fragments: Iterable[Fragment]) -> dict[str, Case]:
    masked = [replace(one, text=root.guard.hide(one.text)) for one in fragments]
    return {_name(case.fragment.id): case for case in cases_of(root, masked, name=_name)}


def _name(reference: str) -> str:
    """A fragment or a record by a name that is short, and the same in the next call."""
    return content_key(reference)[2:8]


def _as_agents(draft: Draft, by: str, run: str) -> Draft:
    """A draft as the agent's own note; where the owner said it is its evidence."""
    origin = replace(draft.origin, channel=Channel.AGENT, who=by, trust=TRUST[Channel.AGENT])
    sources = (*draft.sources, SAVED + run) if run else draft.sources
    name = f"review:{draft.idempotency}"[:480]
    return replace(phases.at_home(draft), origin=origin, sources=sources, idempotency=name)
