"""How alive a record is at a moment: a closed formula of an anchor and the clock.

    activation(t) = a0 * 2 ** (-(t - anchor) / H),   H = half_life(kind) / (1 - 0.5 * importance)

Nothing is rewritten as time passes, so running any upkeep once, five times or never gives
the same numbers. Use lifts a record at most once a day; the lift moves the anchor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from memoracle.model.value import field, value

DAY = timedelta(days=1)

HALF_LIFE_DAYS: Mapping[str, float] = MappingProxyType(
    {
        "fact": 87.0,
        "preference": 87.0,
        "summary": 28.0,
        "belief": 10.0,
        "event": 30.0,
        "note": 30.0,
    }
)
UNIFORM_30: Mapping[str, float] = MappingProxyType(dict.fromkeys(HALF_LIFE_DAYS, 30.0))


@value
class Law:
    """The numbers of the formula; a profile may bring its own."""

    half_life_days: Mapping[str, float] = field(default_factory=lambda: HALF_LIFE_DAYS)
    importance_slows: bool = True
    boost: float = 0.3
    boost_every: timedelta = DAY
    search_floor: float = 0.15
    archive_below: float = 0.05

    def half_life(self, kind: str, importance: float) -> timedelta:
        """How long until half the activation is left."""
        days = self.half_life_days.get(kind, self.half_life_days["fact"])
        return timedelta(days=days / (1 - 0.5 * importance) if self.importance_slows else days)


@value
class Anchor:
    """A known activation at a known moment."""

    value: float
    at: datetime


def activation(anchor: Anchor, half_life: timedelta, now: datetime) -> float:
    """The activation at `now`; a moment before the anchor counts as the anchor itself."""
    age = max(now - anchor.at, timedelta(0))
    return float(anchor.value * 2 ** -(age / half_life))


def reinforce(anchor: Anchor, half_life: timedelta, uses: Iterable[datetime], law: Law) -> Anchor:
    """The anchor after its record was used at these moments.

    A use within a day of the last lift changes nothing, so neither does replaying the uses.
    """
    last_lift: datetime | None = None
    for use in sorted(uses):
        if use < anchor.at or (last_lift is not None and use - last_lift < law.boost_every):
            continue
        anchor = Anchor(value=min(1.0, activation(anchor, half_life, use) + law.boost), at=use)
        last_lift = use
    return anchor
