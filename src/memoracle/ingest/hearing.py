"""Turns become passages: what a view is told of a transcript.

Reads through `reading.py`; the watermark travels as a memo that the view keeps and hands back.
"""

from __future__ import annotations

import json
from pathlib import Path

from memoracle.ingest.cursor import Watermark
from memoracle.ingest.hygiene import is_said
from memoracle.ingest.reading import read
from memoracle.ingest.sources import Shape, Source
from memoracle.model.hit import Passage
from memoracle.model.hit import Source as PassageSource
from memoracle.model.manifest import Loaded, Mark, Role
from memoracle.model.origin import TRUST
from memoracle.model.turn import Turn


def hear(path: str, shape: str, memo: str = "") -> Loaded:
    """What a transcript says, or what it says since the memo was written."""
    source = Source(path=Path(path), shape=Shape(shape))
    watermark = Watermark.from_dict(json.loads(memo)) if memo else None
    reading = read(source, watermark)
    reached = reading.watermark
    mark = Mark(size=0, lines=0, digest="", memo=json.dumps(reached.to_dict())) if reached else None
    return Loaded(
        path=path,
        role=Role.TRANSCRIPT,
        whole=reading.whole or watermark is None,
        mark=mark,
        passages=tuple(_passage(turn) for turn in reading.turns if _is_worth_finding(turn)),
        withdrawn=reading.withdrawn,
        findings=reading.findings,
    )


def _is_worth_finding(turn: Turn) -> bool:
    return turn.session_kind.has_people and is_said(turn.text)


def _passage(turn: Turn) -> Passage:
    return Passage(
        ref=turn.id,
        source=PassageSource.TURN,
        kind="turn",
        text=turn.text,
        path=turn.path,
        first_line=turn.line,
        last_line=turn.line,
        who=turn.speaker,
        at=turn.at,
        session=turn.session,
        channel=turn.role.value,
        trust=TRUST[turn.role],
        project=Path(turn.project).name if turn.project else "",
    )
