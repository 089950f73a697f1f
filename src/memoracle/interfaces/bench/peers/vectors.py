"""all-MiniLM-L6-v2 for every peer that embeds: our weights and arithmetic, behind the same cache."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoracle.embed.api import Kind
from memoracle.embed.minilm import open_minilm
from memoracle.interfaces.bench.charged import Charged
from memoracle.interfaces.bench.places import CACHE_VARIABLE, MODEL_VARIABLE

if TYPE_CHECKING:
    from memoracle.embed.api import Vectors

DIMS = 384


class SharedMiniLM:
    """Passages and questions into vectors."""

    def __init__(self, model: Charged) -> None:
        self._model = model
        self.take_charge = model.take_charge

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text."""
        return self._model.embed(texts)

    def question(self, text: str) -> Vectors:
        """The vector of a question, computed now."""
        vector: Vectors = self._model.embed([text], Kind.QUERY)[0]
        return vector


def open_vectors() -> SharedMiniLM:
    """The shared model, where the runner says that weights and cache are."""
    cache = os.environ[CACHE_VARIABLE]
    return SharedMiniLM(Charged(open_minilm(os.environ.get(MODEL_VARIABLE), cache_dir=cache), cache))
