"""A model behind an OpenAI-compatible endpoint: Ollama, vLLM, llama.cpp, a hosted service.

Used only when the owner configured one. Servers differ in what they take, so the request starts with
all that helps (JSON mode, no chance, a limit) and drops what the server refuses, for good. A request
the server may have worked on is not sent a second time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from memoracle.errors import ModelUnavailable
from memoracle.llm.api import Reply
from memoracle.text import estimate_tokens
from memoracle.wire import Answer, Patience, is_http, post_json

_PATH = "/chat/completions"
_PATIENCE = Patience(timeout_s=120.0, jitter=0.25, longest_pause_s=20.0, pays_once=True)
_REFUSALS = {400, 422}
_MOST_TOKENS = 100_000_000


class Endpoint:
    """Asks one model of one server."""

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        patience: Patience = _PATIENCE,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`url` is the base with its version (`http://localhost:11434/v1`) or the whole `…/chat/completions`."""
        if not is_http(url):
            raise ModelUnavailable(model, f"`{url}` is no http address")
        place, mark, query = url.partition("?")
        self._url = (place if place.endswith(_PATH) else f"{place.rstrip('/')}{_PATH}") + mark + query
        self._model = model
        self._key = key
        self._patience = patience
        self._sleep = sleep
        self._dropped: set[str] = set()

    @property
    def name(self) -> str:
        """The model's name on its server."""
        return self._model

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Reply:
        """The model's answer to `prompt`."""
        document = self._ask(system, prompt, most_tokens)
        try:
            text = document["choices"][0]["message"]["content"]
        except (LookupError, TypeError):
            text = None
        if not isinstance(text, str):
            raise ModelUnavailable(self._model, "its answer holds no text", may_have_cost=True)
        usage = document.get("usage")
        counted = usage if isinstance(usage, dict) else {}
        return Reply(
            text=text,
            tokens_in=_count(counted.get("prompt_tokens"), f"{system}\n{prompt}"),
            tokens_out=_count(counted.get("completion_tokens"), text),
        )

    def _ask(self, system: str, prompt: str, most_tokens: int) -> Any:
        while True:
            body = self._body(system, prompt, most_tokens)
            answer = post_json(self._url, body, key=self._key, patience=self._patience, sleep=self._sleep)
            if not answer.because:
                return answer.document
            refused = _refused(answer, body)
            if refused is None:
                cost = answer.was_lost or answer.status == 200
                raise ModelUnavailable(self._model, answer.because, may_have_cost=cost)
            self._dropped.add(refused)

    def _body(self, system: str, prompt: str, most_tokens: int) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt}],
            "stream": False,
        }
        extras = {
            "response_format": {"type": "json_object"},
            "temperature": 0,
            "max_tokens": most_tokens,
        }
        if "max_tokens" in self._dropped:  # newer servers call it by another name
            extras["max_completion_tokens"] = extras.pop("max_tokens")
        return body | {name: given for name, given in extras.items() if name not in self._dropped}


def _refused(answer: Answer, body: dict[str, Any]) -> str | None:
    """What the server would not take; None when leaving something out would not help.

    The limit on the answer's length may get another name, but is never left out: it is what was paid for.
    """
    if answer.status not in _REFUSALS:
        return None
    droppable = [name for name in ("response_format", "temperature", "max_tokens") if name in body]
    named = [name for name in droppable if name in answer.because]
    if named:
        return named[0]
    return "response_format" if "response_format" in droppable else None


def _count(told: Any, text: str) -> int:
    """The server's own count when it is one; otherwise our estimate."""
    if isinstance(told, int) and not isinstance(told, bool) and 0 <= told <= _MOST_TOKENS:
        return told
    return estimate_tokens(text)
