"""Many clients on a port, each with the token: streamable HTTP at `/mcp`.

Bound to this machine alone unless the caller says otherwise; there is no way to serve without a token.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any

from memoracle.errors import BadInput
from memoracle.model.value import value

PATH = "/mcp"
_HERE = "127.0.0.1"
_SHORTEST_TOKEN = 16
_LAST_ANSWERS = 5
_CALL = "memoracle mcp --http 127.0.0.1:8765"


@value
class Address:
    """Where to listen."""

    host: str
    port: int

    @property
    def is_local(self) -> bool:
        """True when only this machine can reach it."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False


def read_address(text: str, *, remote: bool) -> Address:
    """`HOST:PORT`, `:PORT` or `PORT`; an address that others can reach has to be wanted."""
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or _HERE
    if not port.isdecimal() or int(port[:6]) > 65_535:
        raise BadInput("the address has no port", _CALL)
    address = Address(host=_HERE if host == "localhost" else host, port=int(port))
    if not address.is_local and not remote:
        raise BadInput("others could reach that address", "add --remote if that is wanted, behind TLS")
    return address


def token_of(given: str) -> str:
    """The token that was given, or a new one."""
    if given and len(given) < _SHORTEST_TOKEN:
        raise BadInput(f"the token is shorter than {_SHORTEST_TOKEN} characters")
    return given or secrets.token_urlsafe(32)


def run(server: Any, address: Address, token: str, *, say: Callable[[str], object]) -> None:
    """Serve until a signal."""
    import uvicorn

    from memoracle.interfaces.http.gate import Gate

    listening = listen(address)
    port = listening.getsockname()[1]
    host = f"[{address.host}]" if ":" in address.host else address.host
    app = server.streamable_http_app(streamable_http_path=PATH, json_response=True, host=address.host)
    config = uvicorn.Config(
        Gate(app, token),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_LAST_ANSWERS,
    )
    say(f"listening: http://{host}:{port}{PATH}")
    with listening:
        uvicorn.Server(config).run(sockets=[listening])


def listen(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    # Named in full: asyncio turns off the delay of small packets, 40 ms a call, only for a socket that says TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address.host, address.port))
        listening.listen()  # from here on a client may connect; it waits until we answer
    except OSError as problem:
        listening.close()
        raise BadInput(f"cannot listen at {address.host}:{address.port}: {problem.strerror}", _CALL) from None
    return listening
