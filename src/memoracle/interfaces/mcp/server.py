"""Tools and resources as a server of the SDK.

Blocking work runs on worker threads. What a tool refuses is an answer with `isError`; what the protocol does not
know (a tool, a resource) is a protocol error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import unquote

import anyio
import anyio.to_thread
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from memoracle import __version__
from memoracle.errors import InvalidTime, NotFound
from memoracle.interfaces.mcp.fetching import NOT_SHOWN, may_read, note_text, record_document
from memoracle.interfaces.mcp.tool import INSTRUCTIONS, Caller, Lane, Tool, check, failure
from memoracle.memory import Memory
from memoracle.model.value import replace
from memoracle.store.layouts import NoteRole
from memoracle.text import shorten, visible

# Memories for worker threads: each is used by one call at a time.

READERS = 3
_Result = TypeVar("_Result")


class Lanes:
    """The memories of one server. The one used last is taken first: it is warm."""

    def __init__(self, opened: Callable[[], Memory]) -> None:
        self._open = opened
        self._idle: dict[Lane, list[Memory]] = {Lane.READ: [], Lane.WRITE: []}
        self._lock = Lock()
        self._is_closed = False

    def use(self, lane: Lane, work: Callable[[Memory], _Result]) -> _Result:
        """What `work` gives with a memory of this lane; called on a worker thread."""
        with self._lock:
            memory = self._idle[lane].pop() if self._idle[lane] else None
        if memory is None:
            memory = self._open()
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


# What a client can attach: MEMORY.md, records by id, daily notes. Reading them changes nothing.

HOT = "memoracle://MEMORY.md"
TEMPLATES: Mapping[str, tuple[str, str, str]] = {
    "memoracle://record/{id}": (
        "record",
        "One record, with its origin and its history's neighbours",
        "application/json",
    ),
    "memoracle://daily/{date}": ("daily note", "What happened on a day, as YYYY-MM-DD", "text/markdown"),
}
_DAYS = 14
_URI = re.compile(r"memoracle://(record|daily)/([^/?#]{1,200})")


def listed(memory: Memory) -> list[types.Resource]:
    """MEMORY.md and the newest daily notes."""
    rows = [(HOT, "MEMORY.md", "What should be at hand without asking")]
    newest = sorted(_days(memory), reverse=True)[:_DAYS]
    rows += [(f"memoracle://daily/{day}", f"{day}.md", f"Daily note of {day}") for day in newest]
    return [
        types.Resource(uri=uri, name=name, description=says, mime_type="text/markdown")
        for uri, name, says in rows
    ]


def read(memory: Memory, uri: str) -> tuple[str, str]:
    """The text of a resource and what sort of text it is."""
    if uri == HOT and may_read(memory, memory.store.layout["hot"]):
        return note_text(memory, memory.store.layout["hot"]), "text/markdown"
    found = _URI.fullmatch(uri)
    if found and found[1] == "record":
        record = memory.show(unquote(found[2]))
        if record.status not in NOT_SHOWN:
            return json.dumps(
                record_document(memory, record), ensure_ascii=False, indent=1
            ), "application/json"
    if found and found[1] == "daily":
        day = unquote(found[2])
        try:
            path = _days(memory).get(date.fromisoformat(day).isoformat())
        except ValueError:
            raise InvalidTime(day) from None
        if path and may_read(memory, path):
            return note_text(memory, path), "text/markdown"
    raise NotFound("there is no such resource")


def _days(memory: Memory) -> dict[str, str]:
    from memoracle.store.notes import date_of

    return {
        day.isoformat(): path
        for path, role in memory.store.notes.files().items()
        if role is NoteRole.DAILY and (day := date_of(path))
    }


_Context = ServerRequestContext[Any]
_LONGEST_NAME = 60
_RECORDS = re.compile(r"mem_[0-9A-Z]{26}")


def build(tools: Sequence[Tool], lanes: Lanes, caller: Caller) -> Server[Any]:
    """A server that answers with these memories. `caller` is what is known of a client before it names itself."""
    handlers = _Handlers({tool.name: tool for tool in tools}, lanes, caller)
    return Server(
        "memoracle",
        version=__version__,
        title="Memoracle",
        instructions=INSTRUCTIONS,
        get_tool_input_schema=handlers.schema_of,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )


class _Handlers:
    """What the server does with each request it knows."""

    def __init__(self, tools: Mapping[str, Tool], lanes: Lanes, caller: Caller) -> None:
        self._tools = tools
        self._lanes = lanes
        self._caller = caller
        self._room = {Lane.READ: anyio.CapacityLimiter(READERS), Lane.WRITE: anyio.CapacityLimiter(1)}

    def schema_of(self, name: str) -> Mapping[str, Any] | None:
        """What a tool takes."""
        return self._tools[name].takes if name in self._tools else None

    async def list_tools(self, _: _Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """Every tool, with its schemas and hints."""
        described = [
            types.Tool(
                name=tool.name,
                title=tool.title,
                description=tool.description,
                input_schema=dict(tool.takes),
                output_schema=dict(tool.gives),
                annotations=types.ToolAnnotations(
                    title=tool.title,
                    read_only_hint=tool.read_only,
                    destructive_hint=tool.destructive,
                    idempotent_hint=tool.idempotent,
                    open_world_hint=False,
                ),
            )
            for tool in self._tools.values()
        ]
        return types.ListToolsResult(tools=described)

    async def call_tool(self, context: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """What a tool gives, or why it does not."""
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, "Unknown tool", {"known": [*self._tools]})
        given = params.arguments or {}
        client = context.session.client_params
        name = shorten(visible(client.client_info.name), _LONGEST_NAME) if client else ""
        caller = replace(self._caller, name=name)
        try:
            check(given, tool.takes)
            answer = await self._work(tool.lane, lambda memory: tool.run(memory, given, caller))
        except Exception as problem:  # noqa: BLE001 - whatever it is, the client is told and the server goes on
            return types.CallToolResult(content=[_text(failure(problem))], is_error=True)
        content = _text(answer.document, answer.text)
        if tool.lane is Lane.READ:
            caller.told.update(_RECORDS.findall(content.text))
        return types.CallToolResult(content=[content], structured_content=dict(answer.document))

    async def list_resources(
        self, _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """What there is to attach now."""
        return types.ListResourcesResult(resources=await self._protocol_work(listed))

    async def list_templates(
        self, _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """What can be attached by name."""
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(uri_template=uri, name=name, description=says, mime_type=kind)
                for uri, (name, says, kind) in TEMPLATES.items()
            ]
        )

    async def read_resource(
        self, _: _Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """The text of a resource."""
        uri = str(params.uri)
        text, kind = await self._protocol_work(lambda memory: read(memory, uri))
        self._caller.told.update(_RECORDS.findall(f"{uri} {text}"))
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, text=text, mime_type=kind)]
        )

    async def _work(self, lane: Lane, work: Callable[[Memory], _Result]) -> _Result:
        # Never abandoned: a write that has begun is finished, whether or not its client still waits.
        return await anyio.to_thread.run_sync(partial(self._lanes.use, lane, work), limiter=self._room[lane])

    async def _protocol_work(self, work: Callable[[Memory], _Result]) -> _Result:
        try:
            return await self._work(Lane.READ, work)
        except NotFound as problem:
            raise MCPError(types.INVALID_PARAMS, "Resource not found", failure(problem)["error"]) from None
        except Exception as problem:  # noqa: BLE001 - its words stay on this side
            raise MCPError(
                types.INTERNAL_ERROR, "this cannot be read now", failure(problem)["error"]
            ) from None


def _text(document: Mapping[str, Any], text: str | None = None) -> types.TextContent:
    said = json.dumps(document, ensure_ascii=False, separators=(",", ":")) if text is None else text
    return types.TextContent(type="text", text=said)
