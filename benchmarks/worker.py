"""One subject in a process of its own: `python -m benchmarks.worker NAME [RECIPE]`.

Requests come as JSON lines on stdin, answers go as JSON lines to what was stdout; whatever the subject
prints goes to stderr. Times are taken here, so that no pipe is part of them. A process of its own makes
memory honest, and lets a peer live in another environment.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from time import perf_counter
from typing import IO, Any

from benchmarks.packs import Asked, Said
from benchmarks.peers import open_peer, version_of
from benchmarks.subject import NAME as PRODUCT
from benchmarks.subject import Subject, disk_mb, open_product, peak_rss_mb
from memoracle.model.value import as_fields

_WARM_UP = Asked(
    id="warm-up", text="warm up 预热", category="", date="", answerable=False, gold=(), gold_sessions=()
)


def serve(subject: Subject, requests: IO[str], replies: IO[str]) -> None:
    """Answer requests until they end."""
    for line in requests:
        request = json.loads(line)
        try:
            reply = handle(subject, request)
        except Exception as problem:  # noqa: BLE001 - a peer may fail in any way; the run goes on without it
            reply = {"error": f"{type(problem).__name__}: {problem}", "trace": traceback.format_exc()}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def handle(subject: Subject, request: dict[str, Any]) -> dict[str, Any]:
    """The reply to one request."""
    if request["do"] == "build":
        folder = request["folder"]
        turns = [Said(**turn) for turn in request["turns"]]
        started = perf_counter()
        charged = subject.build(turns, folder)
        # The index is ready when it answers, not when `build` says so.
        subject.search(_WARM_UP, 1)
        return {"seconds": perf_counter() - started + charged, "disk_mb": disk_mb(folder)}
    if request["do"] == "search":
        asked = Asked(**request["asked"])
        started = perf_counter()
        answer = subject.search(asked, request["k"])
        seconds = perf_counter() - started
        packed = subject.pack(asked, request["k"], request["budget"])
        reply = as_fields(answer) | {"seconds": seconds}
        return reply | ({"context": packed.context, "packed": packed.packed} if packed else {})
    return {"rss_mb": peak_rss_mb()}


def main(words: list[str]) -> None:
    """Open the subject that is named and serve."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    recipe = words[1] if len(words) > 1 else None
    try:
        subject = open_product(recipe) if words[0] == PRODUCT else open_peer(words[0])
    except ImportError as problem:
        replies.write(json.dumps({"absent": str(problem)}) + "\n")
        return
    replies.write(json.dumps({"ready": words[0], "version": version_of(words[0], subject)}) + "\n")
    replies.flush()
    serve(subject, requests, replies)


if __name__ == "__main__":
    main(sys.argv[1:])
