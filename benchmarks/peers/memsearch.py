"""memsearch: markdown files, Milvus Lite underneath, dense and BM25 merged by reciprocal rank.

One file per session, one heading per turn, as its own plugins write. A long turn becomes several chunks;
each counts as its turn. The shared model stands in for its own, which has to be downloaded.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from benchmarks.packs import Asked, Said
from benchmarks.peers import PlainPeer, ranked, words_of
from benchmarks.subject import Answer
from benchmarks.vectors import SharedModel, open_vectors

_core: Any = import_module("memsearch.core")
_MORE = 3


class _Provider:
    """The shared model as memsearch wants its embedders."""

    model_name = "shared"
    batch_size = 256

    def __init__(self, model: SharedModel) -> None:
        self._model = model
        self.dimension = model.dims
        self.is_asking = False

    async def embed(self, texts: list[str]) -> list[list[float]]:
        if self.is_asking:
            return [self._model.question(text).tolist() for text in texts]
        return [row.tolist() for row in self._model.passages(texts)]


class MemSearchPeer(PlainPeer):
    """One folder of markdown and one Milvus file per memory."""

    def __init__(self) -> None:
        self._model = open_vectors()
        self._provider = _Provider(self._model)
        _core.get_provider = lambda *_, **__: self._provider
        self._loop = asyncio.new_event_loop()

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Write the files and index them."""
        notes = os.path.join(folder, "notes")
        os.mkdir(notes)
        self._starts = _write(turns, notes)
        self._provider.is_asking = False
        self._search = _core.MemSearch([notes], milvus_uri=os.path.join(folder, "milvus.db"))
        self._loop.run_until_complete(self._search.index())
        return self._model.take_charge()

    def search(self, asked: Asked, k: int) -> Answer:
        """The turns of the best chunks; several chunks of one turn are that turn once."""
        self._provider.is_asking = True
        found = self._loop.run_until_complete(self._search.search(asked.text, top_k=k * _MORE))
        turns = dict.fromkeys(self._turn_of(hit["source"], hit["start_line"]) for hit in found)
        return ranked(list(turns)[:k], found[0]["score"] if found else 0.0)

    def _turn_of(self, source: str, line: int) -> str:
        starts = self._starts[os.path.basename(source)]
        return next(turn for start, turn in reversed(starts) if start <= line)


def _write(turns: Sequence[Said], folder: str) -> dict[str, list[tuple[int, str]]]:
    """Markdown by session; for each file the line where every turn starts."""
    sessions = {session: number for number, session in enumerate(dict.fromkeys(t.session for t in turns))}
    starts: dict[str, list[tuple[int, str]]] = {}
    lines: dict[str, list[str]] = {}
    for turn in turns:
        name = f"session-{sessions[turn.session]}.md"
        said = lines.setdefault(name, [])
        starts.setdefault(name, []).append((len(said) + 1, turn.id))
        # A heading inside what was said would begin a section of its own.
        body = words_of(turn).replace("\n#", "\n #")
        said += [f"## {turn.date or 'undated'}", *body.split("\n"), ""]
    for name, said in lines.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("\n".join(said))
    return starts
