"""The peers: other ways to remember, behind the same port and measured by the same code.

base.py       what all of them share
vectors.py    all-MiniLM-L6-v2 for every peer that embeds
bm25.py  fts5.py  hybrid.py                                        no package needed
chroma.py  memsearch.py  mem0.py  txtai.py  mnemosyne.py …         the peers' own packages, as they ship

Every file has `open_subject()`. Peers are optional: one that is absent is skipped, with what to install.
A peer may live in another environment: no file here imports more of Memoracle than this folder and `embed`.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from memoracle.interfaces.bench.subject import Subject


class Peer(NamedTuple):
    """A peer: what it is, what to install, and whether it turns turns into vectors."""

    what: str
    requires: str = ""
    embeds: bool = False


PEERS = {
    "bm25": Peer("stemmed words and Chinese pairs with the speaker, BM25: the floor"),
    "fts5": Peer("SQLite FTS5, unicode61"),
    "hybrid": Peer("0.7 vector + 0.3 BM25, as OpenClaw merges", "numpy", embeds=True),
    "chroma": Peer("Chroma with MiniLM", "'chromadb>=1.5'", embeds=True),
    "memsearch": Peer(
        "markdown in Milvus Lite, dense + BM25 by reciprocal rank", "'memsearch>=0.4.23'", embeds=True
    ),
    "mem0": Peer("mem0 without a language model", "'mem0ai>=2.2'", embeds=True),
    "txtai": Peer("txtai hybrid index", "'txtai>=9'", embeds=True),
    "mempalace": Peer("MemPalace, verbatim drawers in Chroma", "'mempalace>=3.11'", embeds=True),
    "basic_memory": Peer("basic-memory, full text of one note a turn", "'basic-memory>=0.23' (Python 3.12)"),
    "mnemosyne": Peer("Mnemosyne, no model", "'mnemosyne-memory>=3.15'"),
}


def open_peer(name: str) -> Subject:
    """The peer called `name`; `ImportError` when its package is absent."""
    subject: Subject = import_module(f"{__name__}.{name}").open_subject()
    return subject
