"""Mnemosyne without a model: SQLite, words and its own scoring."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.packs import Asked, Said
from benchmarks.peers import PlainPeer, ranked, words_of
from benchmarks.subject import Answer

_Mnemosyne = import_module("mnemosyne").Mnemosyne


class MnemosynePeer(PlainPeer):
    """One database per memory."""

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Remember the turns one by one."""
        self._memory = _Mnemosyne(session_id="bench", db_path=Path(os.path.join(folder, "memory.db")))
        self._turns: dict[str, str] = {}
        for turn in turns:
            kept = self._memory.remember(words_of(turn), metadata={"turn": turn.id, "date": turn.date})
            self._turns.setdefault(kept, turn.id)
        return 0.0

    def search(self, asked: Asked, k: int) -> Answer:
        """The best k."""
        found = self._memory.recall(asked.text, top_k=k)
        ids = [self._turns.get(hit["id"], f"?{hit['id']}") for hit in found]
        return ranked(ids, float(found[0].get("score", 0.0)) if found else 0.0)
