"""Turns become passages: what a view is told of a transcript.

Reads through `reading.py`; the watermark travels as a memo that the view keeps and hands back.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from memoracle.ingest.cursor import Watermark
from memoracle.ingest.hygiene import is_said
from memoracle.ingest.lines import UNPACK_ERRORS, is_packed, open_bytes
from memoracle.ingest.reading import project_in, read
from memoracle.ingest.sources import Shape, Source
from memoracle.model.hit import Passage
from memoracle.model.hit import Source as PassageSource
from memoracle.model.manifest import Loaded, Mark, Role
from memoracle.model.origin import TRUST
from memoracle.model.turn import Turn, owned
from memoracle.model.value import replace
from memoracle.store import sealed


def hear(
    path: str,
    shape: str,
    memo: str = "",
    *,
    hide: Callable[[str], str] = str,
    names: frozenset[str] = frozenset(),
) -> Loaded:
    """What a transcript says, or what it says since the memo was written.

    `hide` takes secrets out of everything a view is told; `names` are the owner's own in conversations.
    """
    source = Source(path=Path(path), shape=Shape(shape))
    if source.shape is Shape.OPENCLAW_DB and is_packed(source.path):
        return _hear_unpacked(source, hide, names)
    watermark = Watermark.from_dict(json.loads(memo)) if memo else None
    reading = read(source, watermark)
    reached = reading.watermark
    mark = Mark(size=0, lines=0, digest="", memo=json.dumps(reached.to_dict())) if reached else None
    return Loaded(
        path=path,
        role=Role.TRANSCRIPT,
        whole=reading.whole or watermark is None,
        mark=mark,
        passages=tuple(
            _passages([owned(turn, names) for turn in reading.turns if _is_worth_finding(turn)], hide)
        ),
        withdrawn=reading.withdrawn,
        findings=reading.findings,
    )


def _hear_unpacked(source: Source, hide: Callable[[str], str], names: frozenset[str]) -> Loaded:
    """What the compressed copy of a database says: SQLite reads it in a place of our own, always whole."""
    path = str(source.path)
    with tempfile.TemporaryDirectory(dir=sealed.scratch(path)) as folder:
        place = Path(folder) / "copy.sqlite"
        with suppress(*UNPACK_ERRORS), open_bytes(source.path) as packed:
            place.write_bytes(packed.read())
        heard = hear(str(place), source.shape, hide=hide, names=names)
    return replace(
        heard,
        path=path,
        passages=tuple(replace(passage, path=path) for passage in heard.passages),
        findings=tuple(replace(finding, path=path) for finding in heard.findings),
    )


def _is_worth_finding(turn: Turn) -> bool:
    return turn.session_kind.has_people and is_said(turn.text)


def _passages(turns: list[Turn], hide: Callable[[str], str]) -> Iterator[Passage]:
    """Each turn without its secrets; a value may be named only after it was mentioned first."""
    texts = [hide(turn.text) for turn in turns]
    if any(turn.text != text for turn, text in zip(turns, texts, strict=True)):
        texts = list(map(hide, texts))
    for turn, text in zip(turns, texts, strict=True):
        yield _passage(turn, text, hide)


def _passage(turn: Turn, text: str, hide: Callable[[str], str]) -> Passage:
    return Passage(
        ref=turn.id,
        source=PassageSource.TURN,
        kind="turn",
        text=text,
        path=turn.path,
        first_line=turn.line,
        last_line=turn.line,
        who=hide(turn.speaker),
        at=turn.at,
        session=turn.session,
        channel=turn.role.value,
        trust=TRUST[turn.role],
        project=project_in(turn),
    )
