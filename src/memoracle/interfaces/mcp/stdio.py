"""One client on the standard streams: JSON-RPC by the line, on threads and the standard library alone.

The thread that reads answers what needs no memory at once; the rest waits its turn in a lane. A host starts a server
beside its first request and waits about a second for the list of tools, so a memory is opened behind those answers.
Everything but the protocol is kept off the wire, and when stdin closes, what was asked is still answered.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from threading import Condition, Event, Lock, Thread
from typing import Any, BinaryIO

from memoracle import __version__
from memoracle.interfaces.mcp.service import INTERNAL_ERROR, INVALID_PARAMS, READERS, RpcError, Service
from memoracle.interfaces.mcp.tool import INSTRUCTIONS, Lane

PARSE_ERROR, INVALID_REQUEST, UNSUPPORTED_VERSION = -32700, -32600, -32022
HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
"""From this version on there is no handshake: a client may discover, and every request says who asks."""
_META = "io.modelcontextprotocol/"
_SERVER = {"name": "memoracle", "title": "Memoracle", "version": __version__}
_CAPABILITIES: dict[str, dict[str, bool]] = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}
_CACHED = frozenset(
    "server/discover tools/list prompts/list resources/list resources/templates/list resources/read".split()
)
_LONGEST_LINE = 16 << 20
_LAST_ANSWERS = 30.0
_QUIET = 0.25
_TICK = 2.0

Document = dict[str, Any]
_Reply = Callable[[Document | None], None]


def run(service: Service) -> None:
    """Serve until stdin closes; raise what keeps the memory shut when nobody asked anything."""
    # The thread that waits for stdin cannot be woken; an interrupt ends the process as a kill would, and that is safe.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # What code below prints, and what a program it calls would read, is not the wire.
    sys.stdout.flush()
    heard, said = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    connection = _Connection(service, said)
    warming = Thread(target=connection.warm, daemon=True)
    warming.start()
    is_asked = connection.listen(heard)
    if not is_asked:
        service.lanes.use(Lane.READ, lambda memory: memory.store.root)
    connection.finish(_LAST_ANSWERS)
    if warming.is_alive() and is_asked:
        service.lanes.close()
        sys.stderr.flush()
        os._exit(0)  # a half-imported library cannot be waited for, nor left to an interpreter that ends


class _Connection:
    """The requests of one client and their answers."""

    def __init__(self, service: Service, said: BinaryIO) -> None:
        self._service = service
        self._said = said
        self._writing = Lock()
        self._change = Condition()
        self._open: dict[str | int, list[_Request]] = {}
        self._crews = {Lane.READ: _Crew(READERS), Lane.WRITE: _Crew(1)}
        self._client = ""
        self._greeted, self._listed = Event(), Event()
        self._is_gone = self._is_told = False

    def listen(self, heard: BinaryIO) -> bool:
        """Take every line until there are no more; True when there was one."""
        is_asked = False
        while not self._is_gone and (line := heard.readline(_LONGEST_LINE)):
            is_asked = True
            if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = heard.readline(_LONGEST_LINE)
                self._send(_error(None, INVALID_REQUEST, f"a line has at most {_LONGEST_LINE >> 20} MiB"))
            elif line.strip():
                self.hear(line)
        return is_asked

    def hear(self, line: bytes) -> None:
        """One line: a message, or several at once as version 2025-03-26 has it."""
        try:
            message = json.loads(line.decode(), parse_constant=_refuse)
        except (ValueError, RecursionError):
            self._send(_error(None, PARSE_ERROR, "Parse error"))
            return
        if isinstance(message, list) and message:
            batch = _Batch(len(message), self._send)
            for one in message:
                self._take(one, batch.add)
        else:
            self._take(message, self._send)

    def warm(self) -> None:
        """Open a memory once the client has its list of tools, so that the first call finds it ready."""
        self._greeted.wait()
        self._listed.wait(_QUIET)
        if self._open:
            return  # a call came first: it opens one itself, and should not share the processor with another
        with suppress(Exception):  # the first call meets it again, and tells it
            self._service.lanes.use(Lane.READ, lambda memory: memory.search("warm", limit=1))
        self._complain()

    def _complain(self) -> None:
        """Say once on stderr that no memory can be opened; the handshake stands, and who calls a tool is told, too."""
        with self._change:
            problem = None if self._is_told else self._service.lanes.problem
            self._is_told = self._is_told or problem is not None
        if problem:
            from memoracle.interfaces.render import safe
            from memoracle.text import visible

            hint = f"\nhint: {visible(safe(problem.hint))}" if problem.hint else ""
            sys.stderr.write(f"memoracle: {visible(safe(str(problem)))}{hint}\n")

    def finish(self, seconds: float) -> None:
        """Return when everything is answered, or after so long."""
        with self._change:
            self._change.wait_for(lambda: self._is_gone or not self._open, seconds)

    def _take(self, message: Any, reply: _Reply) -> None:
        known = message.get("id") if isinstance(message, dict) else None
        is_id = isinstance(known, str | int) and not isinstance(known, bool)
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            reply(_error(known if is_id else None, INVALID_REQUEST, "Invalid request"))
        elif "method" not in message and ("result" in message or "error" in message):
            reply(None)  # an answer, and nothing was asked
        elif not isinstance(method := message.get("method"), str) or ("id" in message and not is_id):
            reply(_error(known if is_id else None, INVALID_REQUEST, "Invalid request"))
        elif "id" not in message:
            if method == "notifications/cancelled":
                self._cancel(message.get("params"))
            reply(None)
        else:
            self._ask(_Request(known, method, message.get("params") or {}, reply))

    def _ask(self, asked: _Request) -> None:
        try:
            asked.must_be_readable()
            lane = self._service.lane(asked.method, asked.params)
            if lane is None:
                asked.reply(asked.answered(self._at_once(asked)))
                self._greeted.set()
                if asked.method == "tools/list":
                    self._listed.set()
                return
        except RpcError as refused:
            asked.reply(_error(asked.id, refused.code, refused.message, refused.data))
            return
        with self._change:
            self._open.setdefault(asked.id, []).append(asked)
        self._greeted.set()
        self._listed.set()
        self._crews[lane].put(lambda: self._work(asked))

    def _at_once(self, asked: _Request) -> Document:
        match asked.method:
            case "initialize":
                self._client = _name(asked.params.get("clientInfo"))
                wanted = asked.params.get("protocolVersion")
                return {
                    "protocolVersion": wanted if wanted in HANDSHAKES else HANDSHAKES[-1],
                    "capabilities": _CAPABILITIES,
                    "serverInfo": _SERVER,
                    "instructions": INSTRUCTIONS,
                }
            case "server/discover":
                return {
                    "supportedVersions": [MODERN],
                    "capabilities": _CAPABILITIES,
                    "instructions": INSTRUCTIONS,
                }
            case "ping":
                return {}
            case _:
                return self._service.answer(asked.method, asked.params)

    def _work(self, asked: _Request) -> None:
        """One request on a worker thread; one that was taken back while it waited is not begun."""
        with self._change:
            if asked not in self._open.get(asked.id, ()):
                return
        if isinstance(token := asked.meta.get("progressToken"), str | int):
            Thread(target=self._tick, args=(token, asked.done), daemon=True).start()
        try:
            client = _name(asked.meta.get(f"{_META}clientInfo")) or self._client
            answer = asked.answered(self._service.answer(asked.method, asked.params, client=client))
        except RpcError as refused:
            answer = _error(asked.id, refused.code, refused.message, refused.data)
        except Exception as problem:  # noqa: BLE001 - a thread of a crew must not end; the client is told
            sys.stderr.write(f"memoracle: {type(problem).__name__}\n")
            answer = _error(asked.id, INTERNAL_ERROR, "Internal error")
        asked.done.set()
        self._complain()
        with self._change:
            asked.is_settled = asked in self._open.get(asked.id, ())
        if asked.is_settled:
            asked.reply(answer)
            with self._change:
                self._forget(asked)

    def _tick(self, token: str | int, done: Event) -> None:
        """Say now and then that a call is still being worked on."""
        begun = time.monotonic()
        while not done.wait(_TICK):
            told = {"progressToken": token, "progress": round(time.monotonic() - begun), "message": "working"}
            self._send({"jsonrpc": "2.0", "method": "notifications/progress", "params": told})

    def _cancel(self, params: Any) -> None:
        """Never answer a request; a write that has begun is finished all the same."""
        wanted = params.get("requestId") if isinstance(params, dict) else None
        if not isinstance(wanted, str | int):
            return
        with self._change:
            taken = [one for one in self._open.get(wanted, ()) if not one.is_settled]
            for one in taken:
                self._forget(one)
        for one in taken:
            one.done.set()
            one.reply(None)

    def _forget(self, asked: _Request) -> None:
        self._open[asked.id].remove(asked)
        if not self._open[asked.id]:
            del self._open[asked.id]
            self._change.notify_all()

    def _send(self, message: Document | list[Document] | None) -> None:
        if message is None:
            return
        # No lone surrogate leaves: half of all clients could not read the line.
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        left = memoryview(line + b"\n")
        with self._writing:
            try:
                while left:
                    left = left[self._said.write(left) :]
            except OSError:  # the client is gone in the middle of an answer: nobody is left to be told
                self._is_gone = True


class _Request:
    """One request, until it is answered or taken back."""

    def __init__(self, known: Any, method: str, params: Any, reply: _Reply) -> None:
        self.id, self.method, self.params, self.reply = known, method, params, reply
        self.done = Event()
        """Set when nothing more is said of it on the way."""
        self.is_settled = False
        """True from when its answer is on the way: it can no longer be taken back."""

    @property
    def meta(self) -> Mapping[str, Any]:
        found = self.params.get("_meta")
        return found if isinstance(found, dict) else {}

    def must_be_readable(self) -> None:
        """Raise for what no version of the protocol would send."""
        if not isinstance(self.params, dict):
            raise RpcError(INVALID_PARAMS, "`params` has to be an object")
        version = self.meta.get(f"{_META}protocolVersion", MODERN)
        if version != MODERN and self.method != "initialize":
            known = {"supported": [MODERN], "requested": version}
            raise RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", known)

    def answered(self, result: Document) -> Document:
        """The answer, in the words of the version that asked."""
        if f"{_META}protocolVersion" in self.meta or self.method == "server/discover":
            result = {"resultType": "complete", **result, "_meta": {f"{_META}serverInfo": _SERVER}}
            if self.method in _CACHED:
                result |= {"ttlMs": 0, "cacheScope": "private"}
        return {"jsonrpc": "2.0", "id": self.id, "result": result}


class _Batch:
    """The answers to what was asked in one line, said in one line when the last is there."""

    def __init__(self, waiting: int, send: Callable[[list[Document]], None]) -> None:
        self._waiting, self._send = waiting, send
        self._answers: list[Document] = []
        self._lock = Lock()

    def add(self, answer: Document | None) -> None:
        with self._lock:
            self._waiting -= 1
            if answer is not None:
                self._answers.append(answer)
            is_last = not self._waiting
        if is_last and self._answers:
            self._send(self._answers)


class _Crew:
    """So many threads that work on one queue; each is started when there is first work for it."""

    def __init__(self, size: int) -> None:
        self._left = size
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def put(self, job: Callable[[], None]) -> None:
        if self._left:
            self._left -= 1
            Thread(target=self._run, daemon=True).start()
        self._jobs.put(job)

    def _run(self) -> None:
        while True:
            self._jobs.get()()


def _error(known: str | int | None, code: int, message: str, data: Any = None) -> Document:
    told = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return {"jsonrpc": "2.0", "id": known, "error": told}


def _name(client: Any) -> str:
    return client["name"] if isinstance(client, dict) and isinstance(client.get("name"), str) else ""


def _refuse(constant: str) -> None:
    raise ValueError(constant)
