"""A subject in another process, as its worker tells it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from signal import SIGKILL
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Timer
from time import monotonic
from typing import Any, Self

import memoracle
from benchmarks.packs import Asked, Said
from benchmarks.peers import ENVIRONMENT_VARIABLE, PEERS
from benchmarks.subject import Answer
from benchmarks.vectors import shared_places
from memoracle.errors import MemoracleError
from memoracle.model.value import as_fields

_TAIL = 2000
# One thread for everybody, no telemetry, no model hub.
_SURROUNDINGS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "MEM0_TELEMETRY": "False",
    "BASIC_MEMORY_NO_PROMOS": "1",
    "DO_NOT_TRACK": "1",
    "PYTHONUNBUFFERED": "1",
}


class SubjectFailed(MemoracleError):
    """A subject that could not be measured."""

    code = "bench-subject-failed"

    def __init__(self, name: str, because: str) -> None:
        self.name = name
        self.because = because
        super().__init__(f"{name} could not be measured: {because}")


class SubjectAbsent(SubjectFailed):
    """A peer whose package is not installed."""

    code = "bench-subject-absent"

    def __init__(self, name: str, because: str) -> None:
        self.hint = PEERS[name].install if name in PEERS else None
        super().__init__(name, because)


class SubjectSlow(SubjectFailed):
    """A subject that was stopped because it took too long."""

    code = "bench-subject-slow"


class Remote:
    """Starts a worker, speaks with it, ends it."""

    def __init__(
        self,
        name: str,
        *,
        environment: str | None = None,
        python: str | None = None,
        recipe: str | None = None,
        limit: float | None = None,
    ) -> None:
        self.name = name
        self.version = ""
        self._limit = limit
        self._home = TemporaryDirectory(prefix="memoracle-bench-home-")
        self._log = TemporaryFile(prefix="memoracle-bench-log-")  # noqa: SIM115 - open while the worker is
        words = [python or sys.executable, "-m", "benchmarks.worker", name]
        self._process = subprocess.Popen(
            [*words, recipe] if recipe else words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            encoding="utf-8",
            env=self._surroundings(environment, is_peer=name in PEERS),
            start_new_session=True,
        )
        self._started = monotonic()
        # What a peer has started goes with it.
        self._timer = Timer(limit, os.killpg, (self._process.pid, SIGKILL)) if limit else None
        if self._timer:
            self._timer.daemon = True
            self._timer.start()
        try:
            hello = self._read()
            if "absent" in hello:
                raise SubjectAbsent(name, hello["absent"])
            self.version = hello["version"]
        except SubjectFailed:
            self.close()
            raise

    def build(self, turns: Sequence[Said], folder: str) -> tuple[float, float]:
        """Keep the turns: seconds it took and MiB it takes."""
        reply = self._ask({"do": "build", "turns": [as_fields(turn) for turn in turns], "folder": folder})
        return reply["seconds"], reply["disk_mb"]

    def search(self, asked: Asked, k: int, budget: int) -> Answer:
        """The answer to one question, timed, with its context."""
        reply = self._ask({"do": "search", "asked": as_fields(asked), "k": k, "budget": budget})
        chunks = tuple(tuple(chunk) for chunk in reply.pop("chunks"))
        return Answer(chunks=chunks, packed=tuple(reply.pop("packed")), **reply)

    def rss_mb(self) -> float:
        """The most memory the worker has held."""
        return float(self._ask({"do": "rss"})["rss_mb"])

    def close(self) -> None:
        """End the worker."""
        if self._timer:
            self._timer.cancel()
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, SIGKILL)
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._log.close()
        self._home.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(json.dumps(request) + "\n")
            stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None
        reply = self._read()
        if "error" in reply:
            raise SubjectFailed(self.name, f"{reply['error']}\n{reply['trace']}")
        return reply

    def _read(self) -> dict[str, Any]:
        stdout = self._process.stdout
        assert stdout is not None
        line = stdout.readline()
        if not line:
            raise self._ended()
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _ended(self) -> SubjectFailed:
        status = self._process.wait()
        if self._limit and status == -SIGKILL and monotonic() - self._started >= self._limit:
            return SubjectSlow(self.name, f"stopped after {self._limit:g} s")
        self._log.seek(0)
        said = self._log.read().decode("utf-8", "replace")[-_TAIL:].strip()
        return SubjectFailed(self.name, said or f"it ended with status {status}")

    def _surroundings(self, environment: str | None, *, is_peer: bool) -> dict[str, str]:
        # Another interpreter finds these two packages, and nothing else from here, in a folder of its own.
        door = os.path.join(self._home.name, "door")
        os.mkdir(door)
        for file in (memoracle.__file__, __file__):
            package = os.path.dirname(os.path.abspath(file))
            os.symlink(package, os.path.join(door, os.path.basename(package)))
        surroundings = {
            name: value for name, value in os.environ.items() if not name.startswith("MEMORACLE_")
        }
        surroundings |= _SURROUNDINGS | shared_places() | {"PYTHONPATH": door}
        surroundings |= {ENVIRONMENT_VARIABLE: environment} if environment else {}
        # A peer writes into no home but this one; Memoracle keeps its unpacked weights in the real one.
        return surroundings | ({"HOME": self._home.name} if is_peer else {})
