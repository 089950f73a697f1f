"""Pictures as numbers: where the bars of a timeline lie, and the points of a plot. Pure; templates draw them as SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from memoracle.model.search import Passage
from memoracle.model.value import value

WIDTH = 1000.0
_LEFT = 110.0
_ROW = 22.0
_LABEL, _LONGEST_LABEL = 6.2, 190.0
_MOST_ROWS = 14
_GAP = 6.0


@value
class _PlacedBar:
    """A bar on the picture; `ends` is False while it still holds."""

    id: str
    text: str
    kind: str
    status: str
    x: float
    y: float
    width: float
    ends: bool


@value
class _DrawnLane:
    """A name, its top and height, and how many bars found no room."""

    name: str
    y: float
    height: float
    left_out: int


@value
class _Drawing:
    """Everything that an SVG of a timeline draws."""

    height: float
    bars: tuple[_PlacedBar, ...]
    lanes: tuple[_DrawnLane, ...]
    ticks: tuple[tuple[float, str], ...]


def drawn(lanes: Mapping[str, Sequence[Passage]], now: datetime) -> _Drawing:
    """The picture of these lanes, from the oldest beginning to now."""
    first = min(_since(bar, now) for bars in lanes.values() for bar in bars)
    span = max(now - first, timedelta(days=1)) / timedelta(seconds=1)

    def x(moment: datetime) -> float:
        share = (min(max(moment, first), now) - first) / timedelta(seconds=1) / span
        return round(_LEFT + share * (WIDTH - _LEFT - _LONGEST_LABEL), 1)

    placed: list[_PlacedBar] = []
    made: list[_DrawnLane] = []
    top = 24.0
    for name, bars in sorted(lanes.items()):
        ends: list[float] = []
        rows: dict[str, int] = {}
        left_out = 0
        for bar in sorted(bars, key=lambda bar: (_since(bar, now), bar.ref)):
            begin, end = x(_since(bar, now)), x(bar.validity.until or now)
            successor = bar.validity.superseded_by
            row = rows.get(bar.ref)  # a successor stands in the row of what it replaced
            if row is None or ends[row] > begin + _GAP:
                row = next((n for n, used in enumerate(ends) if used + _GAP <= begin), len(ends))
            if row >= _MOST_ROWS:
                left_out += 1
                continue
            if row == len(ends):
                ends.append(0.0)
            label = min(_LONGEST_LABEL, _LABEL * len(bar.text))
            # What is replaced makes room for its successor at once; other labels keep theirs.
            ends[row] = end if successor else max(end, begin + label)
            if successor:
                rows[successor] = row
            placed.append(
                _PlacedBar(
                    id=bar.ref,
                    text=bar.text,
                    kind=bar.kind,
                    status=bar.status.value,
                    x=begin,
                    y=round(top + row * _ROW, 1),
                    width=round(max(4.0, end - begin), 1),
                    ends=bar.validity.until is not None,
                )
            )
        height = max(1, len(ends)) * _ROW
        made.append(_DrawnLane(name=name, y=top, height=height, left_out=left_out))
        top += height + 10
    return _Drawing(height=top, bars=tuple(placed), lanes=tuple(made), ticks=_ticks(first, now, x))


def _since(bar: Passage, now: datetime) -> datetime:
    return bar.validity.since or bar.at or now


def _ticks(first: datetime, now: datetime, x: Callable[[datetime], float]) -> tuple[tuple[float, str], ...]:
    """Years, or months where the span is short, or days: about eight of them."""
    days = max(1, (now - first).days)
    found: list[tuple[float, str]] = []
    moment = datetime(first.year, first.month, 1, tzinfo=UTC)
    step = 1 if days < 400 else 3 if days < 1200 else 12 if days < 5000 else 60
    if days < 45:
        every = max(1, days // 7)
        start = datetime(first.year, first.month, first.day, tzinfo=UTC)
        shown = (start + timedelta(days=n) for n in range(0, days + 2, every))
        return tuple((x(day), day.strftime("%m-%d")) for day in shown if first <= day <= now)
    while moment <= now:
        if (
            moment >= first
            and (moment.month - 1) % min(step, 12) == 0
            and moment.year % max(1, step // 12) == 0
        ):
            found.append((x(moment), moment.strftime("%Y" if step >= 12 else "%Y-%m")))
        moment = datetime(moment.year + moment.month // 12, moment.month % 12 + 1, 1, tzinfo=UTC)
    return tuple(found)
