"""As many lines as a budget holds, by need: parts are filled in their order, each line as long as it is.

Pure. A part that comes late has a floor that earlier parts cannot take: constraints, recent days and open
items are there however much is pinned. What a part does not need goes to the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memoracle.context.choose import Part
from memoracle.model.value import value
from memoracle.text import estimate_tokens

_FLOORS = {Part.CONSTRAINTS: 0.25, Part.RECENT: 0.1, Part.OPEN: 0.1}
_ORDINARY = frozenset({Part.USER, Part.PEOPLE, Part.CORE, Part.RECENT})
"""Parts that keep to the target; the others may go up to the cap."""

_HEADING_LINES = 2


@value
class Limits:
    """How large a hot file may be: tokens bind; so many lines are meant, so many are the most."""

    tokens: int = 2000
    lines: int = 200
    target_lines: int = 60
    warn_lines: int = 180


@value
class Line:
    """One line of a part, and the record it names; a line without a record is none's."""

    text: str
    ref: str = ""

    @property
    def cost(self) -> int:
        """What it costs in tokens."""
        return estimate_tokens(self.text + "\n")


def fill(
    parts: Mapping[Part, Sequence[Line]], *, tokens: int, lines: int, target: int
) -> dict[Part, list[Line]]:
    """The lines of each part that fit; parts without any are left out."""
    chosen: dict[Part, list[Line]] = {}
    floors = {
        part: min(_need(parts[part]), int(tokens * share))
        for part, share in _FLOORS.items()
        if parts.get(part)
    }
    kept_back = {part: min(_HEADING_LINES + 3, lines // 8) for part in floors}
    used_tokens = used_lines = 0
    for part in Part:
        floors.pop(part, None)
        kept_back.pop(part, None)
        room = tokens - sum(floors.values())
        most = min(lines, target) if part in _ORDINARY else lines
        most -= sum(kept_back.values())
        for line in parts.get(part, ()):
            is_first = part not in chosen
            cost = line.cost + (_heading_cost(part) if is_first else 0)
            height = 1 + (_HEADING_LINES if is_first else 0)
            if used_tokens + cost <= room and used_lines + height <= most:
                chosen.setdefault(part, []).append(line)
                used_tokens += cost
                used_lines += height
    return chosen


def _need(lines: Sequence[Line]) -> int:
    return sum(line.cost for line in lines) + max(map(_heading_cost, Part))


def _heading_cost(part: Part) -> int:
    return estimate_tokens(f"\n## {part}\n")
