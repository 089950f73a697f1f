"""What a run sets apart: claims from pasted turns and claims that the guard does not trust.

They become records that wait for their owner. The same claim at the same moment has the same id, so a run that is
repeated writes them once. No more of a session waits than there is room for; the rest is counted and said.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.lifecycle.quarantine import FULL, MOST, already_apart, set_apart
from memoracle.lifecycle.said import said_of
from memoracle.model.change import Change
from memoracle.model.claim import Claim
from memoracle.model.ids import RECORD_PREFIX, derived_id
from memoracle.model.origin import TRUST, Channel
from memoracle.model.plan import Step
from memoracle.model.query import Filters
from memoracle.model.record import Record, Status
from memoracle.model.value import replace, value

if TYPE_CHECKING:
    from memoracle.consolidation.tools import Bench
    from memoracle.lifecycle.work import Work
    from memoracle.policy.guard import PolicyGuard

PASTED = "pasted"


@value
class Waiting:
    """Records that wait, and what is said about them."""

    versions: tuple[Record, ...] = ()
    steps: tuple[Step, ...] = ()


def quoted(claim: Claim) -> Claim:
    """A claim from a pasted turn: nobody knows whose words they are."""
    origin = replace(claim.draft.origin, channel=Channel.EXTERNAL, trust=TRUST[Channel.EXTERNAL])
    return replace(claim, draft=replace(claim.draft, origin=origin), apart=(PASTED,))


def guarded_claim(shield: PolicyGuard, claim: Claim) -> Claim | None:
    """The claim as it may be written, or set apart; None when it may not be kept."""
    guarded = shield.passed(claim.draft)
    if guarded is None:
        return None
    apart = (*claim.apart, *guarded.rules) if guarded.outcome.value == "quarantined" else claim.apart
    return replace(claim, draft=guarded.draft, apart=tuple(dict.fromkeys(apart)))


def waiting(bench: Bench, claims: Sequence[Claim], work: Work) -> Waiting:
    """What becomes of claims that are set apart."""
    if not claims:
        return Waiting()
    left: dict[str, int] = {}
    versions: dict[str, Record] = {}
    steps: list[Step] = []
    full = 0
    for claim in claims:
        said = said_of(claim, work.started)
        record_id = derived_id(RECORD_PREFIX, work.started, PASTED, said.name)
        if record_id in versions or already_apart(claim.draft, bench.books.with_key, work.started):
            continue
        session = claim.draft.origin.session
        if left.setdefault(session, MOST - _count(bench, session, work.started)) <= 0:
            full += 1
            continue
        left[session] -= 1
        heard = said.at if said.at < work.started else None
        change = Change(
            at=work.started, verb="consolidate", by=bench.actor, operation=work.operation, heard=heard
        )
        record = set_apart(
            replace(claim.draft, idempotency=said.name), claim.apart, record_id=record_id, change=change
        )
        versions[record_id] = record
        steps.append(Step(act="set apart", target=record_id, because=", ".join(claim.apart)))
    if full:
        steps.append(
            Step(act="not kept", target=FULL, because=f"{full} more of sessions of which {MOST} wait already")
        )
    return Waiting(versions=tuple(versions.values()), steps=tuple(steps))


def _count(bench: Bench, session: str, now: datetime) -> int:
    bench.level.ensure()
    wanted = Filters(statuses=(Status.QUARANTINED.value,), session=session)
    return len(bench.index.list_records(wanted, MOST, now))
