"""Numbers of vanished lines that the owner has accepted as lost, in `state/gaps.json`.

Numbers are kept as spans, first and last: one forged line may claim any number, and a gap may be wide.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from memoracle.store.volume import Volume

Span = tuple[int, int]


def spans_missing(present: Iterable[int], last: int, accepted: Iterable[Span] = ()) -> list[Span]:
    """The stretches of 1 to `last` that are neither present nor accepted."""
    missing = []
    reached = 0
    for first, end in sorted([*((number, number) for number in present), *accepted, (last + 1, last + 1)]):
        if first > reached + 1:
            missing.append((reached + 1, min(first - 1, last)))
        reached = max(reached, end)
        if reached >= last:
            break
    return missing


def width(spans: Iterable[Span]) -> int:
    """How many numbers the spans hold."""
    return sum(last - first + 1 for first, last in spans)


def read_gaps(volume: Volume, name: str) -> dict[str, list[Span]]:
    """The accepted spans by writer; an unreadable file accepts nothing."""
    try:
        kept = json.loads(volume.read(name) or b"{}")
        return {
            str(writer): [(int(first), int(last)) for first, last in spans] for writer, spans in kept.items()
        }
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def write_gaps(volume: Volume, name: str, gaps: Mapping[str, list[Span]]) -> None:
    """Keep the accepted spans."""
    volume.replace(name, json.dumps(gaps).encode() + b"\n")
