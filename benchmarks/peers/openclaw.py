"""OpenClaw's memory-core: markdown in the workspace, FTS5 and vectors merged, importance and diversity after that.

One undated note a turn, which its recency does not touch: dated ones would all be years old. The shared model is
offered to it as an embedding endpoint on this machine, which is one of the providers it has.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from benchmarks.packs import Asked, Said
from benchmarks.peers import words_of
from benchmarks.peers.notes import NodePeer, write_notes
from benchmarks.subject import Answer
from benchmarks.vectors import SharedModel, open_vectors

_MORE = 2


class OpenClaw(NodePeer):
    """One workspace and one state folder per memory."""

    package = "openclaw"

    def __init__(self) -> None:
        super().__init__()
        self._endpoint = _Endpoint(("127.0.0.1", 0), _Embeddings)
        Thread(target=self._endpoint.serve, daemon=True).start()

    def build(self, turns: Sequence[Said], folder: str) -> float:
        """Write the notes and let it index its workspace."""
        workspace = os.path.join(folder, "workspace")
        write_notes([words_of(turn) for turn in turns], os.path.join(workspace, "memory"))
        url = f"http://127.0.0.1:{self._endpoint.server_port}/v1"
        state = {"OPENCLAW_STATE_DIR": os.path.join(folder, "state")}
        self._run(turns, "openclaw.mjs", [workspace, url], state)
        return self._endpoint.take_charge()

    def search(self, asked: Asked, k: int) -> Answer:
        """The best k notes; several chunks of one note are that note once."""
        found = super().search(asked, k * _MORE)
        return Answer(chunks=found.chunks[:k], confidence=found.confidence)


class _Endpoint(HTTPServer):
    """The shared model as OpenAI's `/v1/embeddings`; one thread opens it and is the only one to use it."""

    model: SharedModel | None = None

    def serve(self) -> None:
        self.model = open_vectors()
        self.serve_forever()

    def take_charge(self) -> float:
        return self.model.take_charge() if self.model else 0.0

    def vectors(self, request: dict[str, object]) -> list[list[float]]:
        """As the request asks: of a question, or of passages."""
        assert self.model is not None
        given = request["input"]
        # A note ends with a newline, which says nothing and would miss the cache.
        texts = [str(text).rstrip() for text in (given if isinstance(given, list) else [given])]
        if request.get("input_type") == "query":
            return [self.model.question(text).tolist() for text in texts]
        return [row.tolist() for row in self.model.passages(texts)]


class _Embeddings(BaseHTTPRequestHandler):
    server: _Endpoint

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [
            {"index": place, "embedding": vector} for place, vector in enumerate(self.server.vectors(request))
        ]
        reply = json.dumps({"object": "list", "data": rows, "model": request.get("model")}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        """Nothing."""
