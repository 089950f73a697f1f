"""A view in memory that is told things directly, and transcripts written by hand."""

import json
from itertools import count

from memoracle.index.api import silent
from memoracle.index.sqlite.view import SqliteIndex
from memoracle.model.manifest import FileState, Loaded, Mark, Role
from memoracle.model.search import EvidenceSource
from support.build import a_passage
from support.clock import START

TALK = "talk.jsonl"
_TICKS = count(1)


def a_turn(text, *, who="Mei", session="s1", path=TALK, **fields):
    """One thing said in a conversation."""
    fields.setdefault("at", START)
    fields.setdefault("kind", "turn")
    return a_passage(text, source=EvidenceSource.TURN, who=who, session=session, path=path, **fields)


def told(view, *passages, path=TALK, whole=False, withdrawn=()):
    """Let a view take in what was added to a file, or all of it; the view is returned."""
    tick = next(_TICKS)
    state = FileState(path=path, role=Role.TRANSCRIPT, size=tick, modified=tick, changed=tick, inode=1)
    loaded = Loaded(
        path=path,
        role=Role.TRANSCRIPT,
        whole=whole,
        mark=Mark(size=tick, lines=tick, digest=str(tick)),
        passages=tuple(passages),
        withdrawn=tuple(withdrawn),
    )
    with view.changing(wait=1.0) as mine:
        assert mine
        view.apply(state, loaded, silent)
    return view


def a_view(*passages):
    """A view in memory that was told these passages; their rows are 1, 2, 3 …"""
    return told(SqliteIndex(None), *passages) if passages else SqliteIndex(None)


def rows_of(view):
    """The row of every passage, by its words."""
    return dict(view._connection.execute("SELECT text, rowid FROM passages ORDER BY rowid"))


def a_transcript(path, *lines, at=START, **fields):
    """A conversation as one JSON object per line: (who, what), or (who, what, more fields)."""
    entries = [
        {"speaker": who, "text": what, "timestamp": at.isoformat(), **fields, **(more[0] if more else {})}
        for who, what, *more in lines
    ]
    path.write_text("".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries), "utf-8")
    return path
