"""JSON over HTTP, for the few rooms that may talk to a server the owner configured.

Follows no redirect, so words and keys reach the configured host and no other; asks no proxy for this
machine's own address. Never raises for what a server does: an answer says what came of it. Nothing here
is imported, and no socket opened, before somebody posts.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memoracle.model.value import value

if TYPE_CHECKING:
    from urllib.request import OpenerDirector

_LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}
_LONGEST_ANSWER = 64 << 20
_BLOCK = 1 << 16
_EXCERPT = 300


@value
class Patience:
    """How long to wait, and how often to try again. Each pause is twice the last, and up to `jitter` longer."""

    timeout_s: float = 60.0
    attempts: int = 4
    first_pause_s: float = 0.5
    longest_pause_s: float = 30.0
    jitter: float = 0.0
    pays_once: bool = False
    """A request that the server may have worked on is not sent again: it would be paid for twice."""


@value
class HttpReply:
    """What a server said: its JSON, or why there is none.

    `was_lost`: the server had the request and its answer did not arrive whole or in time.
    """

    document: Any = None
    because: str = ""
    status: int = 0
    was_lost: bool = False


def is_http(url: str) -> bool:
    """True for an address that can be posted to. Passwords do not belong in it: errors name addresses."""
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False


def post_json(
    url: str,
    body: Any,
    *,
    key: str | None = None,
    patience: Patience | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> HttpReply:
    """The server's answer. Passing faults (429, 5xx, a broken connection) are tried again; a refusal is final."""
    from urllib.request import Request

    how = patience or Patience()
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    request = Request(url, json.dumps(body).encode(), headers)  # noqa: S310 - `is_http` is asked by the rooms
    opener = _opener(local=urlsplit(url).hostname in _LOCAL_HOSTS)
    for attempt in range(1, how.attempts + 1):
        answer, wanted = _post_once(opener, request, how.timeout_s)
        is_passing = answer.status in {0, 429} or answer.status >= 500
        may_pass = not how.pays_once if answer.was_lost else is_passing
        if not answer.because or not may_pass or attempt == how.attempts:
            return answer
        pause = how.first_pause_s * 2 ** (attempt - 1) * (1 + how.jitter * os.urandom(1)[0] / 255)
        sleep(min(max(pause, wanted), how.longest_pause_s))
    return HttpReply(because=f"{url} was not asked")


def _post_once(opener: OpenerDirector, request: Any, timeout_s: float) -> tuple[HttpReply, float]:
    """One attempt, and how many seconds the server asks to be left alone."""
    from http.client import HTTPException, IncompleteRead
    from urllib.error import HTTPError, URLError

    url = request.full_url.partition("?")[0]  # what follows may hold a key
    try:
        with opener.open(request, timeout=timeout_s) as found:
            return HttpReply(document=json.loads(_read(found, timeout_s)), status=int(found.status)), 0.0
    except HTTPError as problem:
        because = f"{url} answered {problem.code} {_excerpt(problem)}".rstrip()
        return HttpReply(because=because, status=problem.code), _retry_after(problem)
    except TimeoutError:
        return HttpReply(because=f"{url} did not answer within {timeout_s:g} s", was_lost=True), 0.0
    except IncompleteRead:
        return HttpReply(because=f"{url} stopped in the middle of its answer", was_lost=True), 0.0
    except URLError as problem:
        return HttpReply(because=f"{url}: {problem.reason}"), 0.0  # no connection came about
    except (OSError, HTTPException) as problem:
        return HttpReply(because=f"{url}: {problem or type(problem).__name__}"), 0.0
    except (ValueError, RecursionError):
        return HttpReply(because=f"{url} did not answer with JSON", status=200), 0.0


def _read(found: Any, timeout_s: float) -> bytes:
    """The whole body; a server that trickles is as slow as one that is silent."""
    from http.client import IncompleteRead

    deadline = time.monotonic() + timeout_s
    named = str(found.headers.get("Content-Length") or "")
    length = int(named) if named.isdecimal() and len(named) < 16 else None
    content = bytearray()
    while length is None or len(content) < length:
        block = found.read1(_BLOCK)
        if not block:
            break
        content += block
        if time.monotonic() > deadline:
            raise TimeoutError
        if len(content) > _LONGEST_ANSWER:
            raise ValueError
    if length is not None and len(content) < length:
        raise IncompleteRead(bytes(content), length - len(content))
    return bytes(content)


def _opener(*, local: bool) -> OpenerDirector:
    """An opener that follows no redirect, and asks no proxy for this machine's own address."""
    from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    return build_opener(Stay(), ProxyHandler({})) if local else build_opener(Stay())


def _retry_after(problem: Any) -> float:
    """The seconds of a `Retry-After`; a date or nonsense counts as none."""
    named = str(problem.headers.get("Retry-After") or "").strip()
    return float(named) if named[:9].isdecimal() and named.isdecimal() else 0.0


def _excerpt(problem: Any) -> str:
    from http.client import HTTPException

    try:
        said = str(problem.read(_EXCERPT).decode("utf-8", "replace"))
    except (OSError, HTTPException):
        return ""
    return " ".join(said.split())
