"""The way in: the words of a call become a server. HTTP alone imports the SDK; a memory is opened on demand."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from memoracle.errors import MissingExtra
from memoracle.model.record import Scope
from memoracle.resolve import folder_here

if TYPE_CHECKING:
    from memoracle.interfaces.mcp.service import Service
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
    from memoracle.interfaces.mcp.service import Lanes, Service
    from memoracle.interfaces.mcp.tool import Caller, Lane

    # The scope is fixed here, where the connection opens: no call can choose another.
    # A server that a host started works where the host does; one at an address works nowhere in particular.
    reader = scope or Scope()
    folder = "" if http else os.environ.get(_PROJECT_VARIABLE) or folder_here()

    def opened() -> Memory:
        from memoracle.compose import open_memory

        memory = open_memory(root, via="mcp").read_as(reader, public=audience == "group")
        return memory.work_in(folder)

    lanes = Lanes(opened)
    # Bare digits behind a colon would be taken for a key wherever the name of this run is cited.
    caller = Caller(scope=reader, agent_only=agent_only, run=f"run-{os.urandom(8).hex()}")
    service = Service(tools(graph=graph, seat=bool(reader.seat)), lanes, caller)
    try:
        if http is not None or os.isatty(0):
            lanes.use(
                Lane.READ, lambda memory: memory.store.root
            )  # a person is told at once that no memory is there
        if http is None:
            from memoracle.interfaces.mcp.stdio import run

            run(service)
        else:
            _serve_http(service, http, remote=remote, say=say)
    finally:
        lanes.close()


def _serve_http(service: Service, http: str, *, remote: bool, say: Callable[[str], object] | None) -> None:
    try:
        import mcp_types  # noqa: F401 - part of the SDK since version 2
    except ImportError:
        raise MissingExtra("server", "the MCP SDK (version 2)") from None
    from memoracle.interfaces.mcp.http import read_address, run, token_of
    from memoracle.interfaces.mcp.server import build

    tell = say or (lambda words: sys.stderr.write(f"{words}\n"))
    given = os.environ.get(TOKEN_VARIABLE, "")
    address, token = read_address(http, remote=remote), token_of(given)
    if not given:
        tell(f"token: {token}")
    run(build(service), address, token, say=tell)


def tools(*, graph: bool, seat: bool = False) -> tuple[Tool, ...]:
    """The eight tools, that of pages for a seat, and the nine of the knowledge graph where they are wanted."""
    from memoracle.interfaces.mcp.changing import FORGET, REVIEW, SAVE, UPDATE
    from memoracle.interfaces.mcp.fetching import GET
    from memoracle.interfaces.mcp.finding import CONTEXT, SEARCH, STATUS

    ours: tuple[Tool, ...] = (SEARCH, GET, SAVE, UPDATE, FORGET, REVIEW, CONTEXT, STATUS)
    if seat or graph:
        from memoracle.registry import contributed, needed

        ours += tuple(contributed("tools")) if seat else ()
        ours += tuple(needed("graph_tools")) if graph else ()
    return ours
