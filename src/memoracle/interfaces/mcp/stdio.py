"""One client on the standard streams.

The SDK keeps everything but the protocol off stdout. Two things are added here: a line that is no message is answered
at once, and when stdin closes, what was asked before is still answered; then the process ends.
"""

from __future__ import annotations

import os
import signal
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage

_LAST_ANSWERS = 30.0
_CANCELLED = "notifications/cancelled"


def run(server: Server[Any]) -> None:
    """Serve until stdin closes."""
    # The thread that waits for stdin cannot be woken; an interrupt ends the process as a kill would, and that is safe.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(_serve, server)
    except* (BrokenPipeError, ConnectionResetError, anyio.BrokenResourceError):
        # The client is gone in the middle of an answer: nobody is left to be told. Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


async def _serve(server: Server[Any]) -> None:
    open_requests = _OpenRequests()
    async with stdio_server() as (heard, said), said:
        messages, inbox = anyio.create_memory_object_stream[SessionMessage | Exception]()
        outbox, answers = anyio.create_memory_object_stream[SessionMessage]()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_hear, heard, messages, said, open_requests)
            tasks.start_soon(_say, answers, said, open_requests)
            await server.run(inbox, outbox, server.create_initialization_options())


async def _hear(
    heard: ReadStream[SessionMessage | Exception],
    messages: MemoryObjectSendStream[SessionMessage | Exception],
    said: WriteStream[SessionMessage],
    open_requests: _OpenRequests,
) -> None:
    async with messages:
        async for item in heard:
            if isinstance(item, Exception):
                await said.send(SessionMessage(_complaint(item)))
                continue
            open_requests.note_heard(item.message)
            await messages.send(item)
        with anyio.move_on_after(_LAST_ANSWERS):
            await open_requests.wait_for_none()


async def _say(
    answers: MemoryObjectReceiveStream[SessionMessage],
    said: WriteStream[SessionMessage],
    open_requests: _OpenRequests,
) -> None:
    async with answers:
        async for item in answers:
            await said.send(item)
            open_requests.note_said(item.message)


class _OpenRequests:
    """The ids of what was asked and not yet answered."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._none = anyio.Event()

    def note_heard(self, message: object) -> None:
        """A request opens; taking it back closes it, for it is never answered."""
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(str(message.id))
        elif isinstance(message, types.JSONRPCNotification) and message.method == _CANCELLED:
            self._close((message.params or {}).get("requestId"))

    def note_said(self, message: object) -> None:
        """An answer closes its request."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._close(message.id)

    async def wait_for_none(self) -> None:
        """Return when everything is answered."""
        while self._ids:
            self._none = anyio.Event()
            await self._none.wait()

    def _close(self, request_id: object) -> None:
        self._ids.discard(str(request_id))
        if not self._ids:
            self._none.set()


def _complaint(problem: Exception) -> types.JSONRPCError:
    """What is said to a line that is no message; with the id, where one can be made out."""
    errors: list[Any] = getattr(problem, "errors", list)()
    is_json = not any(one["type"] == "json_invalid" for one in errors)
    inputs = [one["input"] for one in errors if isinstance(one["input"], dict)]
    ids = [one.get("id") for one in inputs]
    known = next((one for one in ids if isinstance(one, str | int) and not isinstance(one, bool)), None)
    told = types.ErrorData(code=types.PARSE_ERROR, message="Parse error")
    if is_json:
        told = types.ErrorData(code=types.INVALID_REQUEST, message="Invalid request")
    return types.JSONRPCError(jsonrpc="2.0", id=known, error=told)
