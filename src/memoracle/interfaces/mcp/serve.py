"""The way in: settings of a call become a running server. Imports the SDK only here and below."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from memoracle.errors import MissingExtra
from memoracle.model.record import Scope

if TYPE_CHECKING:
    from memoracle.interfaces.mcp.tool import Tool
    from memoracle.memory import Memory

TOKEN_VARIABLE = "MEMORACLE_MCP_TOKEN"  # noqa: S105 - the name of a variable

_PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"
"""Where some hosts name the folder of the project."""


def serve(
    root: str | None = None,
    *,
    http: str | None = None,
    remote: bool = False,
    graph: bool = False,
    scope: Scope | None = None,
    agent_only: bool = False,
    audience: str = "private",
    say: Callable[[str], object] | None = None,
) -> None:
    """Serve a memory over MCP: on the standard streams, or at an address. Returns when the client leaves."""
    try:
        import mcp_types  # noqa: F401 - part of the SDK since version 2
    except ImportError:
        raise MissingExtra("mcp", "the MCP SDK (version 2)") from None
    from memoracle.compose import locate, open_memory
    from memoracle.interfaces.mcp.http import read_address, token_of
    from memoracle.interfaces.mcp.http import run as run_http
    from memoracle.interfaces.mcp.server import Lanes, build
    from memoracle.interfaces.mcp.stdio import run as run_stdio
    from memoracle.interfaces.mcp.tool import Caller, Lane

    tell = say or (lambda words: sys.stderr.write(f"{words}\n"))
    place = locate(root, os.environ)
    # The scope is fixed here, where the connection opens: no call can choose another.
    # A server that a host started works where the host does; one at an address works nowhere in particular.
    folder = "" if http else os.environ.get(_PROJECT_VARIABLE) or os.getcwd()

    def opened() -> Memory:
        memory = open_memory(place, via="mcp").read_as(scope or Scope(), public=audience == "group")
        return memory.work_in(folder)

    lanes = Lanes(opened)
    lanes.use(Lane.READ, lambda memory: memory.store.root)  # no memory there is said at once
    # Bare digits behind a colon would be taken for a key wherever the name of this run is cited.
    run = f"run-{os.urandom(8).hex()}"
    caller = Caller(scope=scope or Scope(), agent_only=agent_only, run=run)
    server = build(tools(graph=graph, seat=bool(caller.scope.seat)), lanes, caller)
    try:
        if http is None:
            run_stdio(server)
            return
        given = os.environ.get(TOKEN_VARIABLE, "")
        address, token = read_address(http, remote=remote), token_of(given)
        if not given:
            tell(f"token: {token}")
        run_http(server, address, token, say=tell)
    finally:
        lanes.close()


def tools(*, graph: bool, seat: bool = False) -> tuple[Tool, ...]:
    """The nine tools, that of pages for a seat, and the nine of the knowledge graph where they are wanted."""
    from memoracle.interfaces.mcp.changing import FORGET, REVIEW, SAVE, UPDATE
    from memoracle.interfaces.mcp.fetching import GET
    from memoracle.interfaces.mcp.finding import CONTEXT, SEARCH, STATUS, TIMELINE
    from memoracle.registry import contributed, needed

    ours: tuple[Tool, ...] = (SEARCH, GET, SAVE, UPDATE, FORGET, REVIEW, CONTEXT, TIMELINE, STATUS)
    if seat:
        ours += tuple(contributed("tools"))
    return (*ours, *needed("graph_tools")) if graph else ours
