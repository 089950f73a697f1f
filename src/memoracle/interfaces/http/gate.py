"""Who may come in: the token, the name this machine is called by, the page a request was sent from.

A browser that is tricked into asking (another site's form, a name that suddenly leads to this machine) is turned away
before anything of memory is touched, and what is answered may be framed, run or sent on by nobody.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from memoracle.model.value import value

COOKIE = "memoracle"
LARGEST_BODY = 2 << 20
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_OPEN = ("/static/",)
_HEADERS: Mapping[str, str] = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # With `no-referrer` a browser would not even name our own page as the sender of a form.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_FIXED = [(name.encode(), held.encode()) for name, held in _HEADERS.items()]


@value
class _Turned:
    """A request that is turned away: the status, and one sentence."""

    status: int
    says: str


class Gate:
    """Lets requests pass that carry the token, are meant for this server and were not sent by another site."""

    def __init__(self, app: Any, token: str, origins: Iterable[str] | None = None) -> None:
        """`origins` are ours, as browsers name them (`http://127.0.0.1:8766`); without any, every name is."""
        self._app = app
        self._token = token
        self._origins = None if origins is None else {urlsplit(one).netloc: one for one in origins}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One connection, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers: dict[str, str] = {}
        for name, held in scope["headers"]:  # one that comes twice is neither: its two readers would disagree
            own = name.decode("latin-1").lower()
            headers[own] = "" if own in headers else held.decode("latin-1")
        if arrival := self._arrival(scope):
            await _answer(
                send, 303, b"", [(b"location", arrival.encode()), (b"set-cookie", self._cookie(headers))]
            )
            return
        if turned := self._turned(scope["method"], scope["path"], headers):
            body = json.dumps({"error": {"code": "not-admitted", "message": turned.says}}).encode()
            kind = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
            await _answer(send, turned.status, body, kind)
            return

        async def out(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = [*message.get("headers", ())]
                names = {name.lower() for name, _ in own}
                kept = (b"cache-control", b"no-store")
                own += [] if kept[0] in names else [kept]
                message = {**message, "headers": [*own, *_FIXED]}
            await send(message)

        await self._app(scope, receive, out)

    def _arrival(self, scope: Any) -> str:
        """Where somebody goes who comes with the right token in the address: the same place without it."""
        if scope["method"] != "GET" or b"token=" not in scope["query_string"]:
            return ""
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if not any(name == "token" and self._is_token(held) for name, held in asked):
            return ""
        rest = urlencode([(name, held) for name, held in asked if name != "token"])
        path = "/" + quote(scope["path"].lstrip("/"))  # `//elsewhere` would be another machine
        return f"{path}?{rest}" if rest else path

    def _cookie(self, headers: Mapping[str, str]) -> bytes:
        name = _cookie_of(headers)
        secure = "; Secure" if self._origin(headers).startswith("https:") else ""
        return f"{name}={self._token}; Path=/; HttpOnly; SameSite=Strict{secure}".encode()

    def _origin(self, headers: Mapping[str, str]) -> str:
        """Ours by the name this request calls us; empty for a name that is not ours."""
        host = headers.get("host", "")
        return f"http://{host}" if self._origins is None else self._origins.get(host, "")

    def _turned(self, method: str, path: str, headers: Mapping[str, str]) -> _Turned | None:
        if not (own := self._origin(headers)):
            return _Turned(status=421, says="this server does not go by that name")
        scheme, _, given = headers.get("authorization", "").partition(" ")
        bearer = scheme == "Bearer" and self._is_token(given)
        if not bearer and not path.startswith(_OPEN) and not self._has_cookie(headers):
            return _Turned(
                status=401, says="the token is missing: open the address that `memoracle web` printed"
            )
        if method not in _SAFE:
            sent_from = headers.get("origin", "")
            # A browser names the page that sends; without a name only whoever holds the token itself is believed.
            if sent_from != own and (sent_from or not bearer):
                return _Turned(status=403, says="another site sent this")
        return None

    def _has_cookie(self, headers: Mapping[str, str]) -> bool:
        own, given = _cookie_of(headers), headers.get("cookie", "")
        pairs = (one.strip().partition("=") for one in given.split(";"))
        return any(name == own and self._is_token(held) for name, _, held in pairs)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())


def _cookie_of(headers: Mapping[str, str]) -> str:
    """A browser keeps cookies by machine and not by port: two memories served here have one each."""
    port = headers.get("host", "").rpartition(":")[2]
    return f"{COOKIE}-{port}" if port.isdecimal() else COOKIE


async def _answer(send: Any, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *_FIXED]})
    await send({"type": "http.response.body", "body": body})
