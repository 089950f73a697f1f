"""For peers that search a folder of notes in a process of their own: one note a turn, and lines of JSON to it.

The process is asked `[question, k]` and answers `[[file, score], …]`, best first; a file may come several times.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.packs import Asked, Said
from benchmarks.peers import ENVIRONMENT_VARIABLE, PlainPeer, ranked
from benchmarks.subject import Answer


class NotesPeer(PlainPeer):
    """One folder of notes and one server per memory."""

    _server: subprocess.Popen[str] | None = None
    _ids: Sequence[str] = ()

    def search(self, asked: Asked, k: int) -> Answer:
        """The turns of the best k notes."""
        found = self._ask([asked.text, k])
        return ranked(turns_of((name for name, _ in found), self._ids)[:k], found[0][1] if found else 0.0)

    def _start(self, command: Sequence[str], surroundings: Mapping[str, str]) -> None:
        self._stop()
        self._server = subprocess.Popen(
            command,
            env=os.environ | surroundings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def _ask(self, request: Any) -> Any:
        server = self._server
        assert server is not None
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        line = server.stdout.readline()
        if not line:
            raise RuntimeError(f"its process ended with status {server.wait()}")
        return json.loads(line)

    def _stop(self) -> None:
        if self._server is not None:
            if self._server.stdin is not None:
                self._server.stdin.close()
            self._server.wait(timeout=30)


def write_notes(texts: Sequence[str], folder: str) -> None:
    """`n0.md`, `n1.md` and so on, one for each text."""
    os.makedirs(folder)
    for place, text in enumerate(texts):
        with open(os.path.join(folder, f"n{place}.md"), "w", encoding="utf-8") as file:
            file.write(text + "\n")


def turns_of(files: Any, ids: Sequence[str]) -> list[str]:
    """The turns whose notes these are, each once, at its best place."""
    return [ids[place] for place in dict.fromkeys(int(os.path.basename(name)[1:-3]) for name in files)]


class NodePeer(NotesPeer):
    """A peer that npm installs; the script beside its file speaks for it. `package` is what npm calls it."""

    package = ""

    def __init__(self) -> None:
        own = os.environ.get(ENVIRONMENT_VARIABLE, "")
        self._folder = os.path.join(own, "node_modules", *self.package.split("/"))
        try:
            with open(os.path.join(self._folder, "package.json"), encoding="utf-8") as file:
                self.version = json.load(file)["version"]
        except OSError:
            raise ImportError(f"no npm package `{self.package}` in its environment") from None
        bundled = os.path.join(own, "node_modules", "node", "bin", "node")
        self._node = bundled if os.path.exists(bundled) else "node"

    def _run(self, turns: Sequence[Said], script: str, request: Any, surroundings: Mapping[str, str]) -> None:
        self._ids = [turn.id for turn in turns]
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), script)
        self._start([self._node, path, self._folder], surroundings)
        self._ask(request)
