"""basic-memory: one markdown note per turn, its own reindex, questions through its MCP tool `search_notes`.

Full-text search only: its vectors come from a model that has to be downloaded. It keeps one configuration for
a process, so every memory gets a process of its own, which is this file run as a program.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.packs import Said
from benchmarks.peers import moment_of, words_of
from benchmarks.peers.notes import NotesPeer, write_notes

_SETTINGS = {
    "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false",
    "BASIC_MEMORY_SYNC_CHANGES": "false",
    "BASIC_MEMORY_AUTO_UPDATE": "false",
    "BASIC_MEMORY_LOG_LEVEL": "ERROR",
    "LOGURU_LEVEL": "ERROR",
}


class BasicMemory(NotesPeer):
    """One folder of notes and one server per memory."""

    def __init__(self) -> None:
        if find_spec("basic_memory") is None:
            raise ImportError("No module named 'basic_memory'")

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Write the notes, reindex, start the server."""
        self._stop()
        notes = os.path.join(folder, "notes")
        self._ids = [turn.id for turn in turns]
        write_notes([_note(place, turn) for place, turn in enumerate(turns)], notes)
        own = {"BASIC_MEMORY_HOME": notes, "BASIC_MEMORY_CONFIG_DIR": os.path.join(folder, "config")}
        surroundings = _SETTINGS | own
        program = os.path.join(os.path.dirname(sys.executable), "basic-memory")
        subprocess.run(
            [program, "reindex", "--search", "--full"],
            env=os.environ | surroundings,
            check=True,
            capture_output=True,
        )
        self._start([sys.executable, "-m", __name__], surroundings)
        return 0.0


def _note(place: int, turn: Said) -> str:
    day = moment_of(turn).date().isoformat()
    return f"---\ntitle: n{place}\ntype: note\ndate: {day}\n---\n\n{words_of(turn)}"


async def serve() -> None:
    """Answer as `notes` asks; its scores are lower for better notes."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    client: Any = import_module("fastmcp").Client
    server = import_module("basic_memory.mcp.server").mcp
    import_module("basic_memory.mcp.tools")
    async with client(server) as session:
        for line in sys.stdin:
            text, k = json.loads(line)
            wanted = {"query": text, "page_size": k, "search_type": "text", "output_format": "json"}
            found = (await session.call_tool("search_notes", wanted)).structured_content["result"]["results"]
            replies.write(json.dumps([[hit["file_path"], -hit["score"]] for hit in found]) + "\n")
            replies.flush()


if __name__ == "__main__":
    asyncio.run(serve())
