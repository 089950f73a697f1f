"""Conversations in, turns out.

sources.py      which reader understands a file
hosts.py        where the hosts keep their transcripts
reading.py      read a source from its watermark on
cursor.py       Watermark and Reading
openclaw.py  openclaw_db.py  claude.py  codex.py  gemini.py      the hosts
plain.py  markdown.py  locomo.py  longmemeval.py  packs.py       other files
branches.py     which branch of a conversation is live
hygiene.py      what in a turn its speaker did not say
envelope.py     OpenClaw's wrapping around a message
graph_server.py the knowledge graph of the reference MCP memory server, as drafts
lines.py  content.py  moments.py      bytes, blocks and times

Everything is opened read-only. Nothing here stores anything: watermarks go out and come back in.
"""

from memoracle.ingest.cursor import Reading, Watermark
from memoracle.ingest.hosts import Discovery, Host, Listing, discover, folders
from memoracle.ingest.reading import read, read_all
from memoracle.ingest.sources import Shape, Source, recognise

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
