"""Whether work has left its project's goal, by measured numbers, and the card that calls it back. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from memoracle.extensions.seats.manners.intake import Card, Option
from memoracle.extensions.seats.manners.language import CHINESE, choose
from memoracle.extensions.seats.manners.north_star import NorthStar
from memoracle.model.value import value
from memoracle.text import telling_terms

SCOPE, BLOCKED, TIME, DISPATCHES, HOURS = 2.0, 0.2, 1.5, 3, 24.0
_SAME = 0.6


@value
class DriftMeasures:
    """What was measured since the goal was locked. Ratios are against the plan; a number nobody has is None."""

    scope: float | None = None
    new_requirements: int = 0
    blocked: float | None = None
    time: float | None = None
    broken_assumptions: int = 0
    unrelated_dispatches: int = 0
    hours_without_progress: float | None = None
    doing: str = ""


@value
class Signal:
    """One threshold that was passed: which, what was measured, and the limit."""

    code: str
    measured: float | str
    limit: float | str


@value
class Drift:
    """Whether it drifted, by which signals, and the card to show; without drift there is none."""

    drifted: bool
    goal: str
    signals: tuple[Signal, ...]
    card: Card | None = None


def check_drift(star: NorthStar, measured: DriftMeasures, *, language: str = "") -> Drift:
    """The thresholds that were passed. Numbers at a limit pass it only where the limit is a count or a day."""
    signals = tuple(_signals(star, measured))
    if not signals:
        return Drift(drifted=False, goal=star.goal, signals=())
    spoken = language or choose([star.goal]).language
    return Drift(drifted=True, goal=star.goal, signals=signals, card=_card(star, spoken))


def _signals(star: NorthStar, measured: DriftMeasures) -> Iterator[Signal]:
    if measured.scope is not None and measured.scope > SCOPE:
        yield Signal(code="scope", measured=measured.scope, limit=SCOPE)
    if measured.new_requirements > 0:
        yield Signal(code="new-requirement", measured=measured.new_requirements, limit=0)
    if measured.blocked is not None and measured.blocked > BLOCKED:
        yield Signal(code="blocked", measured=measured.blocked, limit=BLOCKED)
    if measured.time is not None and measured.time > TIME:
        yield Signal(code="time", measured=measured.time, limit=TIME)
    if measured.broken_assumptions > 0:
        yield Signal(code="assumption", measured=measured.broken_assumptions, limit=0)
    if measured.unrelated_dispatches >= DISPATCHES:
        yield Signal(code="unrelated-dispatches", measured=measured.unrelated_dispatches, limit=DISPATCHES)
    if measured.hours_without_progress is not None and measured.hours_without_progress >= HOURS:
        yield Signal(code="no-progress", measured=measured.hours_without_progress, limit=HOURS)
    for anti_goal in star.anti_goals if measured.doing else ():
        terms = set(telling_terms(anti_goal))
        if terms and len(terms & set(telling_terms(measured.doing))) >= _SAME * len(terms):
            yield Signal(code="anti-goal", measured=measured.doing, limit=anti_goal)


def _card(star: NorthStar, language: str) -> Card:
    """Never more than three options."""
    if language == CHINESE:
        labels = ("回到目标，放下其余", "改目标：更新 north-star.toml", "先停下，一起看一遍")
        question = f"工作偏离了目标“{star.goal}”，怎么办？"
    else:
        labels = (
            "Back to the goal; put the rest aside",
            "Change the goal: renew north-star.toml",
            "Stop and look at it together",
        )
        question = f"Work has left the goal “{star.goal}”. What now?"
    return Card(
        question=question,
        options=tuple(Option(id=one, label=label) for one, label in zip("ABC", labels, strict=True)),
    )
