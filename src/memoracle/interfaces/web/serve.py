"""`memoracle web`: the page on this machine, in the browser. `memoracle serve` is the same with MCP beside it."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, MissingExtra

if TYPE_CHECKING:
    from memoracle.memory import Memory

TOKEN_VARIABLE = "MEMORACLE_WEB_TOKEN"  # noqa: S105 - the name of a variable
USUAL = "127.0.0.1:8766"
_ORIGIN = re.compile(r"https?://[^\s/?#]+")


def web(
    root: str | None = None,
    *,
    http: str = USUAL,
    remote: bool = False,
    origins: Sequence[str] = (),
    read_only: bool = False,
    incognito: bool = False,
    mcp: bool = False,
    show: bool = True,
    say: Callable[[str], object] | None = None,
) -> None:
    """Serve the page, and the API beside it, until a signal. `origins` are the addresses people use from elsewhere."""
    need_server()
    for one in origins:
        if not _ORIGIN.fullmatch(one):
            raise BadInput(f"`{one}` is no address of a page", "such as https://memory.example.org")
    import uvicorn

    from memoracle.interfaces.http.server import application, guarded
    from memoracle.interfaces.mcp.http import PATH, listen, read_address, token_of
    from memoracle.interfaces.mcp.service import Lanes
    from memoracle.interfaces.mcp.tool import Lane
    from memoracle.interfaces.web.pages import Frame, routes
    from memoracle.interfaces.web.screens import warm

    tell = say or (lambda words: sys.stderr.write(f"{words}\n"))
    given = os.environ.get(TOKEN_VARIABLE, "")
    address, token = read_address(http, remote=remote), token_of(given)

    def opened() -> Memory:
        from memoracle.compose import open_memory

        return open_memory(root, via="web")

    def warm_up() -> None:
        with contextlib.suppress(Exception):  # it is only quicker with it
            lanes.use(Lane.READ, warm)

    lanes = Lanes(opened)
    try:
        # A person is told at once that no memory is there.
        lanes.use(Lane.READ, lambda memory: memory.store.root)
        frame = Frame(read_only=read_only, incognito=incognito)
        app: Any = application(lanes, read_only=read_only, pages=routes(lanes, frame))
        if mcp:
            app = with_mcp(app, lanes, PATH, address.host, read_only=read_only)
        listening = listen(address)
        port = listening.getsockname()[1]
        gate = guarded(app, token, address.host, port, origins=origins)
        shown = f"[{address.host}]" if ":" in address.host else address.host
        place = f"http://{shown}:{port}/?token={token}"
        tell(f"listening: {place}")
        threading.Thread(target=warm_up, daemon=True).start()
        if show and sys.stderr.isatty():
            import webbrowser

            webbrowser.open(place)
        config = uvicorn.Config(
            gate, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=2
        )
        with listening:
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        lanes.close()


def need_server() -> None:
    """Raise where the libraries of the extra are not installed."""
    try:
        import jinja2  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingExtra("server", "the page (starlette, uvicorn, jinja2)") from None


def with_mcp(pages: Any, lanes: Any, path: str, host: str, *, read_only: bool = False) -> Any:
    """The page and MCP as one application; a read-only one has no tool that changes memory."""
    from memoracle.interfaces.mcp.serve import tools
    from memoracle.interfaces.mcp.server import build
    from memoracle.interfaces.mcp.service import Service
    from memoracle.interfaces.mcp.tool import Caller

    offered = [tool for tool in tools(graph=False) if tool.read_only or not read_only]
    service = Service(offered, lanes, Caller(run=f"run-{os.urandom(8).hex()}"))
    served = build(service).streamable_http_app(streamable_http_path=path, json_response=True, host=host)

    async def both(scope: Any, receive: Any, send: Any) -> None:
        is_mcp = scope["type"] == "lifespan" or scope["path"].startswith(path)
        await (served if is_mcp else pages)(scope, receive, send)

    return both
