"""Tools and resources as a server of the SDK.

Blocking work runs on worker threads. What a tool refuses is an answer with `isError`; what the protocol does not
know (a tool, a resource) is a protocol error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from memoracle import __version__
from memoracle.errors import MemoracleError, NotFound
from memoracle.interfaces.mcp import resources
from memoracle.interfaces.mcp.failure import failure
from memoracle.interfaces.mcp.lanes import READERS, Lanes
from memoracle.interfaces.mcp.schema import check
from memoracle.interfaces.mcp.tool import Answer, Caller, Lane, Tool
from memoracle.interfaces.mcp.words import INSTRUCTIONS
from memoracle.memory import Memory
from memoracle.model.value import replace
from memoracle.text import shorten, visible

_Context = ServerRequestContext[Any]
_Result = TypeVar("_Result")
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
        return types.ListToolsResult(tools=[_described(tool) for tool in self._tools.values()])

    async def call_tool(self, context: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """What a tool gives, or why it does not."""
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, "Unknown tool", {"known": [*self._tools]})
        given = params.arguments or {}
        caller = replace(self._caller, name=_client_name(context))
        try:
            check(given, tool.takes)
            answer = await self._work(tool.lane, lambda memory: tool.run(memory, given, caller))
        except Exception as problem:  # noqa: BLE001 - whatever it is, the client is told and the server goes on
            return types.CallToolResult(content=[_text(failure(problem))], is_error=True)
        content = _content(answer)
        if tool.lane is Lane.READ:
            caller.told.update(_RECORDS.findall(content.text))
        return types.CallToolResult(content=[content], structured_content=dict(answer.document))

    async def list_resources(
        self, _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """What there is to attach now."""
        found = await self._protocol_work(resources.listed)
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=one.uri, name=one.name, description=one.description, mime_type="text/markdown"
                )
                for one in found
            ]
        )

    async def list_templates(
        self, _: _Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """What can be attached by name."""
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(uri_template=uri, name=name, description=says, mime_type=kind)
                for uri, (name, says, kind) in resources.TEMPLATES.items()
            ]
        )

    async def read_resource(
        self, _: _Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """The text of a resource."""
        uri = str(params.uri)
        text, kind = await self._protocol_work(lambda memory: resources.read(memory, uri))
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
        except MemoracleError as problem:
            raise MCPError(
                types.INTERNAL_ERROR, "this cannot be read now", failure(problem)["error"]
            ) from None
        except Exception as problem:  # noqa: BLE001 - its words stay on this side
            raise MCPError(
                types.INTERNAL_ERROR, "this cannot be read now", failure(problem)["error"]
            ) from None


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
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


def _client_name(context: _Context) -> str:
    params = context.session.client_params
    return shorten(visible(params.client_info.name), _LONGEST_NAME) if params else ""


def _content(answer: Answer) -> types.TextContent:
    return _text(answer.document) if answer.text is None else types.TextContent(type="text", text=answer.text)


def _text(document: Mapping[str, Any]) -> types.TextContent:
    said = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return types.TextContent(type="text", text=said)
