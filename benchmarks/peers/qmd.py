"""qmd: a folder of markdown in SQLite FTS5, through its own library.

Words only: its vectors and its reranker are GGUF files that have to be downloaded. It wants every word of a query in
the same note, so it is given what its tool asks for, the words of the question that say something.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from benchmarks.packs import Asked, Said
from benchmarks.peers import words_of
from benchmarks.peers.notes import NodePeer, write_notes
from benchmarks.peers.plain import STOPS
from benchmarks.subject import Answer
from memoracle.model.value import replace

_WORDS = re.compile(r"\w+")


class Qmd(NodePeer):
    """One collection per memory."""

    package = "@tobilu/qmd"

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Write the notes and update the index."""
        notes = os.path.join(folder, "notes")
        write_notes([words_of(turn) for turn in turns], notes)
        self._run(turns, "qmd.mjs", [notes, os.path.join(folder, "index.sqlite")], {})
        return 0.0

    def search(self, asked: Asked, k: int) -> Answer:
        """The best k notes that hold every word."""
        return super().search(replace(asked, text=keywords(asked.text)), k)


def keywords(question: str) -> str:
    """The words that say something, in their order."""
    return " ".join(word for word in _WORDS.findall(question) if word.lower() not in STOPS)
