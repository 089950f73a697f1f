"""An embedder behind an OpenAI-compatible endpoint: Ollama, vLLM, llama.cpp, a hosted service.

Used only when the owner configured one: this is the one embedder through which texts leave the process.
It follows no redirect, so a text and a key reach the configured host and no other.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from memoracle.errors import EmbedderUnavailable
from memoracle.inference.api import NO_PREFIXES, EmbeddingKind, Prefixes
from memoracle.inference.bert import unit_rows
from memoracle.inference.http_client import Patience, is_http, post_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memoracle.inference.api import Embedder, Vectors


_TEXTS_AT_ONCE = 64
_TIMEOUT_S = 60.0


class EmbeddingEndpoint:
    """Asks one model of one server."""

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        dims: int | None = None,
        prefixes: Prefixes | None = None,
        timeout_s: float = _TIMEOUT_S,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`url` is the base with its version (`http://localhost:11434/v1`) or the whole `…/embeddings`."""
        if not is_http(url):
            raise EmbedderUnavailable(model, f"`{url}` is no http address")
        self._url = url if url.endswith("/embeddings") else f"{url.rstrip('/')}/embeddings"
        self._model = model
        self._key = key
        self._dims = dims
        self._prefixes = prefixes or NO_PREFIXES
        self._patience = Patience(timeout_s=timeout_s)
        self._sleep = sleep

    @property
    def dims(self) -> int:
        """The length of a vector; asked of the server once when it was not configured."""
        if self._dims is None:
            self._dims = len(self._ask(["dims"])[0])
        return self._dims

    @property
    def name(self) -> str:
        """The model's name and dims. Which server runs it may change without a new index."""
        return f"{self._model}@endpoint:{self.dims}"

    def embed(self, texts: Sequence[str], kind: EmbeddingKind = EmbeddingKind.PASSAGE) -> Vectors:
        """One unit vector per text, in the order of `texts`."""
        prefix = self._prefixes.before(kind)
        rows: list[list[float]] = []
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            # Servers refuse an empty input; a space stands for it.
            batch = [(prefix + text) or " " for text in texts[start : start + _TEXTS_AT_ONCE]]
            rows += self._ask(batch)
        if not rows:
            return np.empty((0, self.dims), dtype=np.float32)
        return unit_rows(self._matrix(rows))

    def _matrix(self, rows: list[list[float]]) -> Vectors:
        try:
            found = np.array(rows, dtype=np.float32)
        except (TypeError, ValueError):
            raise EmbedderUnavailable(
                self._model, "its vectors differ in length or hold no numbers"
            ) from None
        if found.ndim != 2 or found.shape[1] != self.dims or not np.isfinite(found).all():
            raise EmbedderUnavailable(self._model, f"its vectors are not {self.dims} finite numbers each")
        return found

    def _ask(self, texts: list[str]) -> list[list[float]]:
        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        answer = post_json(self._url, body, key=self._key, patience=self._patience, sleep=self._sleep)
        if answer.because:
            raise EmbedderUnavailable(self._model, answer.because)
        try:
            entries = sorted(answer.document["data"], key=lambda entry: int(entry["index"]))
            rows = [entry["embedding"] for entry in entries]
        except (KeyError, TypeError, ValueError):
            raise EmbedderUnavailable(self._model, "its answer holds no embeddings") from None
        if len(rows) != len(texts):
            raise EmbedderUnavailable(self._model, f"it answered {len(rows)} vectors for {len(texts)} texts")
        return rows


# An embedder to which not every text may go: what the privacy gate stops stays here.


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

    def embed(self, texts: Sequence[str], kind: EmbeddingKind = EmbeddingKind.PASSAGE) -> Vectors:
        """One vector per text, in the order of `texts`; of zeros for a passage that may not go."""
        if kind is EmbeddingKind.QUERY:
            return self._embedder.embed([self._cut(text) for text in texts], kind)
        may_go = [not self._stops(text) for text in texts]
        sent = self._embedder.embed([text for text, open_ in zip(texts, may_go, strict=True) if open_], kind)
        if all(may_go):
            return sent
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        rows[np.array(may_go, dtype=bool)] = sent
        return rows
