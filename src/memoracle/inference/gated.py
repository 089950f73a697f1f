"""An embedder to which not every text may go: what the privacy gate stops stays here.

A passage that is stopped gets a vector of zeros, which is near to nothing, so it is found by its words alone; nothing
else of its batch is held up. A question cannot wait: what stops it is cut out, and the rest is sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memoracle.inference.api import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memoracle.inference.api import Embedder, Vectors


class Gated:
    """An embedder behind a gate: `stops` says why a text may not go, `cut` gives a question without what stops it."""

    def __init__(
        self, embedder: Embedder, *, stops: Callable[[str], tuple[str, ...]], cut: Callable[[str], str]
    ) -> None:
        self._embedder = embedder
        self._stops = stops
        self._cut = cut

    @property
    def name(self) -> str:
        """The embedder's own name: the vectors are the same."""
        return self._embedder.name

    @property
    def dims(self) -> int:
        """The length of a vector."""
        return self._embedder.dims

    def embed(self, texts: Sequence[str], kind: Kind = Kind.PASSAGE) -> Vectors:
        """One vector per text, in the order of `texts`; of zeros for a passage that may not go."""
        if kind is Kind.QUERY:
            return self._embedder.embed([self._cut(text) for text in texts], kind)
        may_go = [not self._stops(text) for text in texts]
        sent = self._embedder.embed([text for text, open_ in zip(texts, may_go, strict=True) if open_], kind)
        if all(may_go):
            return sent
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        rows[np.array(may_go, dtype=bool)] = sent
        return rows
