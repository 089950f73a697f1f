"""Conversations in, turns out.

ingesting.py    the verb: conversations registered and read into the view
sources.py      which reader understands a file
hosts.py        where the hosts keep their transcripts
reading.py      read a source from its watermark on
cursor.py       Watermark and Reading
openclaw.py  openclaw_db.py  claude.py  codex.py  gemini.py      the hosts
plain.py  markdown.py  locomo.py  longmemeval.py  packs.py       other files
branches.py     which branch of a conversation is live
hygiene.py      what in a turn its speaker did not say
echo.py         whether an agent repeats what it was shown
envelope.py     OpenClaw's wrapping around a message
prune.py        a transcript without the bulk of its tool results
graph_server.py the knowledge graph of the reference MCP memory server, as drafts
imports/        memories of other programs, as pieces and sheets
lines.py  content.py  moments.py      bytes, blocks and times

Everything is opened read-only, and only `ingesting.py` stores anything: watermarks go out and come back in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoracle.ingest.cursor import Reading, Watermark
    from memoracle.ingest.hosts import Discovery, Host, Listing, discover, folders
    from memoracle.ingest.reading import read, read_all
    from memoracle.ingest.sources import Shape, Source, recognise

_HOMES = {
    "cursor": ("Reading", "Watermark"),
    "hosts": ("Discovery", "Host", "Listing", "discover", "folders"),
    "reading": ("read", "read_all"),
    "sources": ("Shape", "Source", "recognise"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Discovery",
    "Host",
    "Listing",
    "Reading",
    "Shape",
    "Source",
    "Watermark",
    "discover",
    "folders",
    "read",
    "read_all",
    "recognise",
]


def __getattr__(name: str) -> Any:
    """Names are loaded on first use: a hook needs one small file of this package, and no reader."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
