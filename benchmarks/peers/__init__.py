"""The peers: other ways to remember, behind the same port and measured by the same code.

plain.py needs no package; every other file drives one package as it ships. A peer that is absent is skipped, with
what to install. It may live in another environment, so nothing here imports more of Memoracle than reading dates,
stemming words and `benchmarks.vectors`, which is one model for every peer that embeds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from benchmarks.packs import Asked, Said
from benchmarks.subject import Answer, Subject
from memoracle.hosts.lines import read_moment

ENVIRONMENT_VARIABLE = "MEMORACLE_BENCH_ENVIRONMENT"
"""Where a worker finds what npm installed for its peer."""


class Peer(NamedTuple):
    """A peer: its class among the files here, what it is, what to install, and whether it turns turns into vectors."""

    subject: str
    what: str
    requires: str = ""
    embeds: bool = False
    npm: bool = False

    @property
    def install(self) -> str | None:
        """The command that brings its package; None for a peer that needs none."""
        return f"{'npm' if self.npm else 'pip'} install {self.requires}" if self.requires else None


PEERS = {
    "bm25": Peer("plain:Bm25", "stemmed words and Chinese pairs with the speaker, BM25: the floor"),
    "fts5": Peer("plain:Fts5", "SQLite FTS5, unicode61"),
    "hybrid": Peer("plain:Hybrid", "0.7 vector + 0.3 BM25, as OpenClaw merges", "numpy", embeds=True),
    "chroma": Peer("chroma:Chroma", "Chroma, nearest vectors", "'chromadb>=1.5'", embeds=True),
    "memsearch": Peer(
        "memsearch:MemSearchPeer",
        "markdown in Milvus Lite, dense + BM25 by reciprocal rank",
        "'memsearch>=0.4.23'",
        embeds=True,
    ),
    "mem0": Peer("mem0:Mem0", "mem0 without a language model", "'mem0ai>=2.2'", embeds=True),
    "txtai": Peer("txtai:Txtai", "txtai hybrid index", "'txtai>=9'", embeds=True),
    "mempalace": Peer(
        "mempalace:MemPalace", "MemPalace, verbatim drawers in Chroma", "'mempalace>=3.11'", embeds=True
    ),
    "basic_memory": Peer(
        "basic_memory:BasicMemory",
        "basic-memory, full text of one note a turn",
        "'basic-memory>=0.23' (Python 3.12)",
    ),
    "mnemosyne": Peer("mnemosyne:MnemosynePeer", "Mnemosyne, no model", "'mnemosyne-memory>=3.15'"),
    "langgraph": Peer(
        "langgraph:LangGraph", "LangGraph's InMemoryStore with an index", "'langgraph>=1'", embeds=True
    ),
    "openclaw": Peer(
        "openclaw:OpenClaw",
        "OpenClaw's memory-core, one note a turn, words and vectors",
        "openclaw node@24",
        embeds=True,
        npm=True,
    ),
    "qmd": Peer(
        "qmd:Qmd", "qmd, full text of one note a turn, every word required", "@tobilu/qmd node@24", npm=True
    ),
}


def open_peer(name: str) -> Subject:
    """The peer called `name`; `ImportError` when its package is absent."""
    module, _, kind = PEERS[name].subject.partition(":")
    subject: Subject = getattr(import_module(f"{__name__}.{module}"), kind)()
    return subject


def version_of(name: str, subject: Subject) -> str:
    """The version of the package behind a subject; empty for one that has none."""
    told = getattr(subject, "version", "")
    package = re.match(r"'([\w-]+)", PEERS[name].requires) if name in PEERS else None
    if told or package is None:
        return str(told)
    try:
        return version(package[1])
    except PackageNotFoundError:
        return ""


UNDATED = datetime(1970, 1, 1, tzinfo=UTC)


class PlainPeer:
    """A peer that ranks; the runner lays its best turns into a context in their order."""

    def pack(self, asked: Asked, k: int, budget: int) -> Answer | None:  # noqa: ARG002
        """None."""
        return None


def words_of(turn: Said) -> str:
    """The turn as peers are given it: the speaker before the text, which every one of them gains from."""
    return f"{turn.speaker}: {turn.text}"


def moment_of(turn: Said) -> datetime:
    """When it was said, for peers that keep a time; a fixed early day when nobody wrote one."""
    return read_moment(turn.date) or UNDATED


def ranked(turn_ids: Iterable[str], confidence: float | None = None) -> Answer:
    """The answer of a peer that returns single turns."""
    return Answer(chunks=tuple((turn,) for turn in turn_ids), confidence=confidence)
