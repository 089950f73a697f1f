"""A model behind an OpenAI-compatible endpoint: Ollama, vLLM, llama.cpp, a hosted service.

Used only when the owner configured one. Servers differ in what they take, so the request starts with
all that helps (JSON mode, no chance, a limit) and drops what the server refuses, for good. A request
the server may have worked on is not sent a second time.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memoracle.errors import ModelUnavailable
from memoracle.inference.http_client import HttpReply, Patience, is_http, post_json
from memoracle.inference.language import ModelReply
from memoracle.text import estimate_tokens

if TYPE_CHECKING:
    from subprocess import Popen


# A model behind a local command: the question on stdin, the answer on stdout. No shell is involved.

_TIMEOUT_S = 120.0
_LONGEST_ANSWER = 1 << 20
_BLOCK = 1 << 16
_LOOK_S = 0.05
_PIPES = ("in", "out", "err")


class Command:
    """Runs one command per question."""

    def __init__(self, words: Sequence[str], *, timeout_s: float = _TIMEOUT_S) -> None:
        """`words` are the program and its arguments, already split."""
        if not words or not words[0]:
            raise ModelUnavailable("command", "it names no program")
        self._words = list(words)
        self._timeout_s = timeout_s

    @property
    def name(self) -> str:
        """The program's file name."""
        return f"command:{os.path.basename(self._words[0])}"

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> ModelReply:
        """The command's answer to `prompt`. The limit is a line of the question: a command has no other ear for it."""
        question = f"{system}\n\n{prompt}\n\nAt most {most_tokens} tokens.\n"
        text = self._run(question.encode("utf-8", "replace")).decode("utf-8", "replace")
        return ModelReply(text=text, tokens_in=estimate_tokens(question), tokens_out=estimate_tokens(text))

    def _run(self, question: bytes) -> bytes:
        from subprocess import PIPE, Popen

        try:
            process = Popen(  # noqa: S603 - the owner named it; no shell, no words of a fragment among its arguments
                self._words, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True, bufsize=0
            )
        except (OSError, ValueError) as problem:
            raise ModelUnavailable(self.name, str(problem)) from None
        try:
            said, complained, because = _talk(process, question, self._timeout_s)
        finally:
            _end(process)
        if because:
            raise ModelUnavailable(self.name, because, may_have_cost=True)
        if process.returncode:
            excerpt = " ".join(complained.decode("utf-8", "replace").split())[:300]
            raise ModelUnavailable(self.name, f"it ended with status {process.returncode} {excerpt}".rstrip())
        return said


def _talk(process: Popen[bytes], question: bytes, timeout_s: float) -> tuple[bytes, bytes, str]:
    """What the command wrote to both its outputs, and why it was not waited for any longer."""
    import selectors

    deadline = time.monotonic() + timeout_s
    heard = {"out": bytearray(), "err": bytearray()}
    rest = memoryview(question)
    with selectors.DefaultSelector() as ready:
        pipes: list[Any] = [process.stdin, process.stdout, process.stderr]
        for pipe, what in zip(pipes, _PIPES, strict=True):
            os.set_blocking(pipe.fileno(), False)
            ready.register(pipe, selectors.EVENT_WRITE if what == "in" else selectors.EVENT_READ, what)
        while any(key.data != "in" for key in ready.get_map().values()):
            if time.monotonic() > deadline:
                return b"", b"", f"it did not answer within {timeout_s:g} s"
            events = ready.select(_LOOK_S)
            if not events and process.poll() is not None:
                break  # it has ended; a child may still hold the pipes, and is not waited for
            for key, _ in events:
                pipe = pipes[_PIPES.index(key.data)]
                if key.data == "in":
                    rest = _write(pipe.fileno(), rest)
                    is_done = not rest
                else:
                    block = _read(pipe.fileno())
                    heard[key.data] += block
                    is_done = not block
                if is_done:
                    ready.unregister(pipe)
                    pipe.close()
            if sum(map(len, heard.values())) > _LONGEST_ANSWER:
                return b"", b"", f"it wrote more than {_LONGEST_ANSWER >> 20} MiB"
    while process.poll() is None:
        if time.monotonic() > deadline:
            return b"", b"", f"it did not end within {timeout_s:g} s"
        time.sleep(_LOOK_S / 10)
    return bytes(heard["out"]), bytes(heard["err"]), ""


def _write(handle: int, rest: memoryview) -> memoryview:
    """What is still to be written; nothing, when the command does not want to hear more."""
    try:
        return rest[os.write(handle, rest[:_BLOCK]) :]
    except BlockingIOError:
        return rest
    except OSError:
        return rest[:0]


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, _BLOCK)
    except OSError:
        return b""


def _end(process: Popen[bytes]) -> None:
    """End the command and everything it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.wait()


_PATH = "/chat/completions"
_PATIENCE = Patience(timeout_s=120.0, jitter=0.25, longest_pause_s=20.0, pays_once=True)
_REFUSALS = {400, 422}
_MOST_TOKENS = 100_000_000


class ChatEndpoint:
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

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> ModelReply:
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
        return ModelReply(
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
                # A page in place of an answer is a gateway's: no model has worked for it.
                raise ModelUnavailable(self._model, answer.because, may_have_cost=answer.was_lost)
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


def _refused(answer: HttpReply, body: dict[str, Any]) -> str | None:
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
