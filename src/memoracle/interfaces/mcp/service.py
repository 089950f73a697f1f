"""What the server answers to each method, as plain documents: the same on the standard streams and on a port.

What a tool refuses is an answer with `isError`; what the protocol does not know (a tool, a resource, a prompt) is a
protocol error. What needs no memory is answered before one is open.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from memoracle.errors import MemoracleError, NoRoot, NotFound
from memoracle.interfaces.mcp.prompts import PROMPTS
from memoracle.interfaces.mcp.resources import TEMPLATES, completed, listed, read
from memoracle.interfaces.mcp.tool import Caller, Lane, Tool, check, failure
from memoracle.model.value import replace
from memoracle.text import shorten, visible

if TYPE_CHECKING:
    from memoracle.memory import Memory

METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32601, -32602, -32603
_Result = TypeVar("_Result")


class RpcError(Exception):
    """An answer that is an error of the protocol, with its code."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


# Memories for worker threads: each is used by one call at a time.

READERS = 3


class Lanes:
    """The memories of one server. The one used last is taken first: it is warm."""

    def __init__(self, opened: Callable[[], Memory]) -> None:
        self._open = opened
        self._idle: dict[Lane, list[Memory]] = {Lane.READ: [], Lane.WRITE: []}
        self._lock = Lock()
        self._opening = Lock()
        self._is_closed = False
        self.problem: MemoracleError | None = None
        """Why no memory could be opened, when one was last tried."""

    def use(self, lane: Lane, work: Callable[[Memory], _Result]) -> _Result:
        """What `work` gives with a memory of this lane; called on a worker thread."""
        memory = self._take(lane)
        if memory is None:
            with self._opening:  # whoever waited here may find one that has become free
                memory = self._take(lane) or self._opened()
        try:
            return work(memory)
        finally:
            with self._lock:
                keep = not self._is_closed
                if keep:
                    self._idle[lane].append(memory)
            if not keep:
                memory.close()

    def close(self) -> None:
        """Let go of every memory that is not in use; the others follow when their call ends."""
        with self._lock:
            self._is_closed = True
            idle = [memory for lane in self._idle.values() for memory in lane]
            self._idle = {lane: [] for lane in self._idle}
        for memory in idle:
            memory.close()

    def _opened(self) -> Memory:
        try:
            memory = self._open()
        except MemoracleError as problem:
            self.problem = problem
            raise
        self.problem = None
        return memory

    def _take(self, lane: Lane) -> Memory | None:
        with self._lock:
            return self._idle[lane].pop() if self._idle[lane] else None


_LONGEST_NAME = 60
_RECORDS = re.compile(r"mem_[0-9A-Z]{26}")
_READS = ("resources/list", "resources/read", "completion/complete")


class Service:
    """Tools, resources and prompts over the memories of one server, for a caller known before it names itself."""

    def __init__(self, tools: Sequence[Tool], lanes: Lanes, caller: Caller) -> None:
        self.lanes = lanes
        self._tools = {tool.name: tool for tool in tools}
        self._prompts = {prompt.name: prompt for prompt in PROMPTS}
        self._caller = caller

    def lane(self, method: str, params: Mapping[str, Any]) -> Lane | None:
        """Whose turn a request waits for; None when it needs no memory."""
        if method == "tools/call":
            return self._tool(params).lane
        return Lane.READ if method in _READS else None

    def answer(self, method: str, params: Mapping[str, Any], *, client: str = "") -> dict[str, Any]:
        """The result of a request; `RpcError` when the protocol has another answer."""
        match method:
            case "tools/list":
                return {"tools": [tool.listed for tool in self._tools.values()]}
            case "tools/call":
                return self._call(self._tool(params), params.get("arguments") or {}, client)
            case "prompts/list":
                return {"prompts": [prompt.listed for prompt in self._prompts.values()]}
            case "prompts/get":
                return self._prompt(params)
            case "resources/templates/list":
                return {"resourceTemplates": TEMPLATES}
            case "resources/list":
                return {"resources": self._read(listed)}
            case "resources/read":
                return self._resource(str(params.get("uri", "")))
            case "completion/complete":
                return self._read(lambda memory: completed(memory, params))
            case _:
                raise RpcError(METHOD_NOT_FOUND, "Method not found")

    def _tool(self, params: Mapping[str, Any]) -> Tool:
        tool = self._tools.get(name) if isinstance(name := params.get("name"), str) else None
        if tool is None:
            raise RpcError(INVALID_PARAMS, "Unknown tool", {"known": [*self._tools]})
        return tool

    def _call(self, tool: Tool, given: Any, client: str) -> dict[str, Any]:
        if not isinstance(given, dict):
            raise RpcError(INVALID_PARAMS, "`arguments` has to be an object")
        caller = replace(self._caller, name=shorten(visible(client), _LONGEST_NAME))
        try:
            check(given, tool.takes)
            answer = self.lanes.use(tool.lane, lambda memory: tool.run(memory, given, caller))
        except Exception as problem:  # noqa: BLE001 - whatever it is, the client is told and the server goes on
            return {"content": [_text(failure(problem))], "isError": True}
        content = _text(answer.document, answer.text)
        if tool.lane is Lane.READ:
            caller.told.update(_RECORDS.findall(content["text"]))
        structured = {"structuredContent": dict(answer.document)} if tool.gives else {}
        return {"content": [content], **structured, "isError": False}

    def _prompt(self, params: Mapping[str, Any]) -> dict[str, Any]:
        prompt = self._prompts.get(str(params.get("name")))
        given = params.get("arguments") or {}
        if prompt is None or not isinstance(given, dict):
            raise RpcError(INVALID_PARAMS, "Unknown prompt", {"known": [*self._prompts]})
        return prompt.said(given)

    def _resource(self, uri: str) -> dict[str, Any]:
        text, kind = self._read(lambda memory: read(memory, uri))
        self._caller.told.update(_RECORDS.findall(f"{uri} {text}"))
        return {"contents": [{"uri": uri, "mimeType": kind, "text": text}]}

    def _read(self, work: Callable[[Memory], _Result]) -> _Result:
        try:
            return self.lanes.use(Lane.READ, work)
        except Exception as problem:  # noqa: BLE001 - its words stay on this side
            is_missing = isinstance(problem, NotFound) and not isinstance(problem, NoRoot)
            told = (
                (INVALID_PARAMS, "Resource not found")
                if is_missing
                else (INTERNAL_ERROR, "this cannot be read now")
            )
            raise RpcError(*told, failure(problem)["error"]) from None


def _text(document: Mapping[str, Any], text: str | None = None) -> dict[str, str]:
    said = json.dumps(document, ensure_ascii=False, separators=(",", ":")) if text is None else text
    return {"type": "text", "text": said}
