"""What was said since the last time: the turns behind each transcript's watermark, less what is noise.

Only people's own sessions teach memory anything. Reads transcripts, changes nothing, keeps nothing:
the caller holds the watermarks and moves them once what was read is safe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from memoracle.ingest.cursor import Watermark, look
from memoracle.ingest.hygiene import noise_of
from memoracle.ingest.lines import is_packed
from memoracle.ingest.reading import read
from memoracle.ingest.sources import Shape, Source
from memoracle.model.origin import Channel
from memoracle.model.report import Finding
from memoracle.model.turn import Turn, owned
from memoracle.model.value import field, value

TURNS_AT_ONCE = 5_000
_TEACHES = frozenset({Channel.OWNER, Channel.AGENT, Channel.PERSON})


@value
class Collected:
    """Turns worth looking at, in the order they were said; why the others are not among them."""

    turns: tuple[Turn, ...] = ()
    read: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    watermarks: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    is_all: bool = True


def collect(
    transcripts: Iterable[tuple[str, str, str]],
    watermarks: Mapping[str, Any],
    *,
    most: int = TURNS_AT_ONCE,
    names: frozenset[str] = frozenset(),
) -> Collected:
    """What these transcripts (name, place, shape) say behind their watermarks, until `most` turns were read.

    `names` are the owner's own: whoever speaks by one of them is no other person.
    """
    found: dict[str, Turn] = {}
    dropped: Counter[str] = Counter()
    reached: dict[str, Any] = {}
    findings: list[Finding] = []
    seen = 0
    is_all = True
    for name, place, shape in transcripts:
        if seen >= most:
            is_all = False
            break
        if shape not in set(Shape):
            continue  # the view tells that nobody knows how it is read
        source = Source(path=Path(place), shape=Shape(shape))
        if source.shape is Shape.OPENCLAW_DB and is_packed(source.path):
            continue  # the view reads a packed database; what it says was collected while its host had it
        reading = read(source, Watermark.from_dict(watermarks.get(name)))
        findings += reading.findings
        if reading.watermark is not None and (mark := reading.watermark.to_dict()) != watermarks.get(name):
            reached[name] = mark
        seen += len(reading.turns)
        for turn in (owned(one, names) for one in reading.turns):
            if why := _noise(turn):
                dropped[why] += 1
            elif turn.id in found:
                dropped["duplicate"] += 1
            else:
                found[turn.id] = turn
    return Collected(
        turns=tuple(sorted(found.values(), key=_moment)),
        read=seen,
        dropped=dict(dropped),
        watermarks=reached,
        findings=tuple(findings),
        is_all=is_all,
    )


def is_finished(path: str, watermarks: Mapping[str, Any]) -> bool:
    """True for a transcript that was read to its end, and nothing has been added since."""
    reached = Watermark.from_dict(watermarks.get(path))
    try:
        return reached is not None and reached.is_current(look(Path(path)))
    except OSError:
        return reached is not None  # its host has tidied it away; what it said was read


def _noise(turn: Turn) -> str:
    """Why a turn teaches nothing; empty when it may."""
    if not turn.session_kind.has_people:
        return f"{turn.session_kind} session"
    if turn.role not in _TEACHES:
        return f"{turn.role} output"
    noise = noise_of(turn.text)
    return noise.value if noise else ""


def _moment(turn: Turn) -> tuple[float, str, int]:
    return (turn.at.timestamp() if turn.at else 0.0, turn.path, turn.line)
