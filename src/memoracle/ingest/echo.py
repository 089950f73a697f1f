"""Whether an agent only repeats what it was shown: tool output, a page, a file, or what somebody pasted.

Looks back in the transcript itself, because tool output is no turn. Reads a bounded stretch, changes nothing, and takes
a transcript that cannot be looked into for one that was repeated from.
"""

from __future__ import annotations

import re
import sqlite3
from collections import deque
from pathlib import Path

from memoracle.ingest.lines import UNPACK_ERRORS, is_packed, open_bytes, split_lines

_LINES = 400
_LONGEST = 200_000
_RUN = 4
_SHARE = 0.5
_SQLITE = b"SQLite format 3\0"
_WORD = re.compile(r"[⺀-鿿豈-﫿]|[^\W_⺀-鿿]+")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_OWN = (
    b'"role":"assistant"',
    b'"role": "assistant"',
    b'"type":"assistant"',
    b'"type":"gemini"',
    b'"type": "gemini"',
)


def repeats(where: str, text: str) -> bool:
    """True when half of the runs of words in a text, said at `path#Lx`, were shown to the agent before."""
    path, _, line = where.rpartition("#L")
    runs = _runs(text)
    if not runs or not line.isdecimal():
        return False
    try:
        shown = _before(Path(path), int(line))
    except (OSError, sqlite3.Error, *UNPACK_ERRORS):
        return True
    return any(len(runs & _runs(_plain(raw))) >= _SHARE * len(runs) for raw in shown if raw)


def _before(path: Path, line: int) -> list[bytes]:
    """What stands in a transcript before a line, its agent's own lines left out."""
    with open_bytes(path) as stream:
        is_database = stream.read(len(_SQLITE)) == _SQLITE
    if is_database and not is_packed(path):
        return _rows_before(path, line)
    kept: deque[bytes] = deque(maxlen=_LINES)
    with open_bytes(path) as stream:
        for one in split_lines(stream):
            if one.number >= line:
                break
            if not any(mark in one.raw[:2000] for mark in _OWN):
                kept.append(one.raw[:_LONGEST])
    return list(kept)


def _rows_before(path: Path, row: int) -> list[bytes]:
    from memoracle.ingest.openclaw_db import opened

    with opened(path, calm=False) as database:
        query = "SELECT event_json FROM transcript_events WHERE rowid < ? ORDER BY rowid DESC LIMIT ?"
        found = [event for (event,) in database.execute(query, (row, _LINES))]
    rows = [event.encode("utf-8", "replace") for event in found if isinstance(event, str)]
    return [raw[:_LONGEST] for raw in rows if not any(mark in raw[:2000] for mark in _OWN)]


def _plain(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace").replace("\\n", " ").replace("\\t", " ")
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return {tuple(words[at : at + _RUN]) for at in range(max(1, len(words) - _RUN + 1))} if words else set()
