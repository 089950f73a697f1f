"""A model behind a local command: the question on stdin, the answer on stdout. No shell is involved.

The command runs in a group of its own and is ended with all its children: when it takes too long, when
it says too much, and when it leaves children behind.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memoracle.errors import ModelUnavailable
from memoracle.llm.api import Reply
from memoracle.text import estimate_tokens

if TYPE_CHECKING:
    from subprocess import Popen

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

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Reply:
        """The command's answer to `prompt`. The limit is a line of the question: a command has no other ear for it."""
        question = f"{system}\n\n{prompt}\n\nAt most {most_tokens} tokens.\n"
        text = self._run(question.encode("utf-8", "replace")).decode("utf-8", "replace")
        return Reply(text=text, tokens_in=estimate_tokens(question), tokens_out=estimate_tokens(text))

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
