"""An embedder behind an OpenAI-compatible endpoint: Ollama, vLLM, llama.cpp, a hosted service.

Used only when the owner configured one: this is the one embedder through which texts leave the process.
It follows no redirect, so a text and a key reach the configured host and no other.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from memoracle.embed.api import Kind
from memoracle.embed.prefixes import Prefixes
from memoracle.embed.rows import unit_rows
from memoracle.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from urllib.request import OpenerDirector

    from memoracle.embed.api import Vectors

_TEXTS_AT_ONCE = 64
_TIMEOUT_S = 60.0
_ATTEMPTS = 4
_FIRST_PAUSE_S = 0.5
_LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}


class Endpoint:
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
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise EmbedderUnavailable(model, f"`{url}` is no http address")
        self._url = url if url.endswith("/embeddings") else f"{url.rstrip('/')}/embeddings"
        self._local = parts.hostname in _LOCAL_HOSTS
        self._model = model
        self._key = key
        self._dims = dims
        self._prefixes = prefixes or Prefixes()
        self._timeout_s = timeout_s
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

    def embed(self, texts: Sequence[str], kind: Kind = Kind.PASSAGE) -> Vectors:
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
            raise self._unavailable("its vectors differ in length or hold no numbers") from None
        if found.ndim != 2 or found.shape[1] != self.dims or not np.isfinite(found).all():
            raise self._unavailable(f"its vectors are not {self.dims} finite numbers each")
        return found

    def _ask(self, texts: list[str]) -> list[list[float]]:
        answer = self._post({"model": self._model, "input": texts, "encoding_format": "float"})
        try:
            entries = sorted(answer["data"], key=lambda entry: int(entry["index"]))
            rows = [entry["embedding"] for entry in entries]
        except (KeyError, TypeError, ValueError):
            raise self._unavailable("its answer holds no embeddings") from None
        if len(rows) != len(texts):
            raise self._unavailable(f"it answered {len(rows)} vectors for {len(texts)} texts")
        return rows

    def _post(self, body: dict[str, Any]) -> Any:
        """The server's JSON. Passing faults are tried again after 0.5, 1 and 2 s; a refusal is final."""
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import Request

        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(self._url, json.dumps(body).encode(), headers)  # noqa: S310
        opener = _opener(local=self._local)
        because = ""
        for attempt in range(_ATTEMPTS):
            if attempt:
                self._sleep(_FIRST_PAUSE_S * 2 ** (attempt - 1))
            try:
                with opener.open(request, timeout=self._timeout_s) as answer:
                    return json.loads(answer.read())
            except HTTPError as problem:
                because = f"{self._url} answered {problem.code} {_excerpt(problem)}".rstrip()
                if problem.code != 429 and problem.code < 500:
                    break
            except (OSError, HTTPException) as problem:
                because = f"{self._url}: {problem}"
            except ValueError:
                because = f"{self._url} did not answer with JSON"
                break
        raise self._unavailable(because)

    def _unavailable(self, because: str) -> EmbedderUnavailable:
        return EmbedderUnavailable(self._model, because)


def _opener(*, local: bool) -> OpenerDirector:
    """An opener that follows no redirect, and asks no proxy for this machine's own address."""
    from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    return build_opener(Stay(), ProxyHandler({})) if local else build_opener(Stay())


def _excerpt(problem: Any) -> str:
    try:
        return str(problem.read(200).decode("utf-8", "replace")).strip()
    except OSError:
        return ""
