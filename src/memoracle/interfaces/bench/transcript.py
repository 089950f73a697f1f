"""A space as the plain transcript that `memoracle ingest` reads, and the way back from its ids."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from memoracle.ingest.moments import read_moment
from memoracle.interfaces.bench.packs import Asked, Said


def write_transcript(path: str, turns: Iterable[Said]) -> None:
    """One JSON object per line: id, session, speaker, date, text."""
    with open(path, "w", encoding="utf-8") as file:
        for turn in turns:
            line = {"id": turn.id, "session": turn.session, "speaker": turn.speaker, "text": turn.text}
            if turn.date:
                line["date"] = turn.date
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def ids_by_ref(turns: Iterable[Said]) -> dict[str, str]:
    """Turn ids by the references under which a memory may know them: it puts the session in front."""
    listed = list(turns)
    bare = {turn.id: turn.id for turn in listed}
    return bare | {f"{turn.session}:{turn.id}": turn.id for turn in listed}


def asked_at(asked: Asked, turns: Sequence[Said]) -> datetime | None:
    """When a question is asked: its own date, or that of the last thing said before it."""
    own = read_moment(asked.date)
    if own is not None:
        return own
    dated = [moment for turn in turns if turn.date and (moment := read_moment(turn.date))]
    return max(dated, default=None)
