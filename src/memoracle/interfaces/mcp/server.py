"""The service as a server of the SDK, for HTTP. Blocking work runs on worker threads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from memoracle import __version__
from memoracle.interfaces.mcp.service import READERS, RpcError, Service
from memoracle.interfaces.mcp.tool import INSTRUCTIONS, Lane

_Answer = Callable[[ServerRequestContext[Any], Any], Any]


def build(service: Service) -> Server[Any]:
    """A server of the SDK that answers as the service does."""
    room = {Lane.READ: anyio.CapacityLimiter(READERS), Lane.WRITE: anyio.CapacityLimiter(1)}

    def answering(method: str, result: type[types.Result]) -> _Answer:
        async def answer(context: ServerRequestContext[Any], params: Any) -> types.Result:
            given = params.model_dump(by_alias=True) if params else {}
            client = context.session.client_params
            name = client.client_info.name if client else ""
            try:
                lane = service.lane(method, given)
                work = partial(service.answer, method, given, client=name)
                # Never abandoned: a write that has begun is finished, whether or not its client still waits.
                told = await anyio.to_thread.run_sync(work, limiter=room[lane]) if lane else work()
            except RpcError as refused:
                raise MCPError(refused.code, refused.message, refused.data) from None
            return result.model_validate(told)

        return answer

    return Server(
        "memoracle",
        version=__version__,
        title="Memoracle",
        instructions=INSTRUCTIONS,
        on_list_tools=answering("tools/list", types.ListToolsResult),
        on_call_tool=answering("tools/call", types.CallToolResult),
        on_list_resources=answering("resources/list", types.ListResourcesResult),
        on_list_resource_templates=answering("resources/templates/list", types.ListResourceTemplatesResult),
        on_read_resource=answering("resources/read", types.ReadResourceResult),
        on_list_prompts=answering("prompts/list", types.ListPromptsResult),
        on_get_prompt=answering("prompts/get", types.GetPromptResult),
        on_completion=answering("completion/complete", types.CompleteResult),
    )
