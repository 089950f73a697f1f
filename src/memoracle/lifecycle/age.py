"""What age does: records that ended, expired or faded leave the active set. Nothing is lost by it.

Pure: standing records in, steps out. Identity, health, safety and whatever is pinned never leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoracle.clock import write_time
from memoracle.model.activation import Law
from memoracle.model.hit import Passage
from memoracle.model.plan import Step
from memoracle.model.record import EVERLASTING, Status
from memoracle.model.standing import Standing

RETIRED_BELOW = 0.2
"""A belief less sure than this is put away."""


def plan_ageing(standing: Sequence[Standing], law: Law, now: datetime, *, most_active: int) -> list[Step]:
    """Who leaves the active set, and why; the weakest go first when there are too many."""
    active = [one for one in standing if one.passage.status is Status.ACTIVE]
    steps = [
        Step(act="archive", target=one.passage.ref, because=why)
        for one in active
        if (why := _why(one, law, now))
    ]
    gone = {step.target for step in steps}
    return steps + _over_the_cap([one for one in active if one.passage.ref not in gone], most_active)


def never_leaves(passage: Passage) -> bool:
    """True for what no age can take out of the live set."""
    return passage.pinned or passage.kind in EVERLASTING


def _why(one: Standing, law: Law, now: datetime) -> str:
    passage, validity = one.passage, one.passage.validity
    if validity.expires is not None and validity.expires <= now:
        return f"it expired on {write_time(validity.expires)[:10]}"
    if validity.until is not None and validity.until <= now:
        return f"it held until {write_time(validity.until)[:10]}"
    if never_leaves(passage):
        return ""
    if passage.kind == "belief" and passage.confidence < RETIRED_BELOW:
        return f"nobody is sure of it any more: confidence {passage.confidence:.2f}"
    if one.activation < law.archive_below:
        return f"it has faded: activation {one.activation:.3f} is below {law.archive_below:g}"
    return ""


def _over_the_cap(active: Sequence[Standing], most: int) -> list[Step]:
    too_many = len(active) - most
    if too_many <= 0:
        return []
    may_go = [one for one in active if not never_leaves(one.passage) and one.passage.importance < 1.0]
    weakest = sorted(may_go, key=lambda one: (one.activation, one.passage.importance, one.passage.ref))
    return [
        Step(
            act="archive", target=one.passage.ref, because=f"the weakest of more than {most:,} active records"
        )
        for one in weakest[:too_many]
    ]
