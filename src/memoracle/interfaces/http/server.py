"""The application: the API's table as routes, what changes as a stream, and pages beside them; `web/serve.py` runs it.

Verbs run on worker threads, each with a memory of its own (`Lanes`): reading never waits behind a write.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from memoracle import __version__
from memoracle.errors import BadInput
from memoracle.interfaces.http.api import ENDPOINTS, PREFIX, Call, Endpoint, failure
from memoracle.interfaces.http.gate import LARGEST_BODY, Gate
from memoracle.interfaces.mcp.service import Lanes
from memoracle.interfaces.mcp.tool import Lane, check
from memoracle.model.value import replace

if TYPE_CHECKING:
    from memoracle.memory import Memory

EVENTS = f"{PREFIX}/events"
_LOOKED_AT_EVERY = 0.7
_BEAT_EVERY = 20
_LIVE = ("records", "notes", "state/inbox.json", "events.jsonl", "MEMORY.md", "memoracle.toml")


def application(lanes: Lanes, *, read_only: bool = False, pages: Sequence[BaseRoute] = ()) -> Starlette:
    """The API, and the pages beside it. A read-only one refuses whatever changes memory, and its recall searches."""
    search = next(one.run for one in ENDPOINTS if one.verb == "search")
    rows = [replace(one, run=search) if read_only and one.verb == "recall" else one for one in ENDPOINTS]
    routes: list[BaseRoute] = [
        Route(PREFIX + one.path, _served(one, lanes, read_only=read_only), methods=[one.method])
        for one in rows
    ]
    routes.append(Route(f"{PREFIX}/openapi.json", _described, methods=["GET"]))
    routes.append(Route(EVENTS, _changes(lanes), methods=["GET"]))
    return Starlette(routes=[*routes, *pages])


def _served(endpoint: Endpoint, lanes: Lanes, *, read_only: bool) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        try:
            call = await _call(endpoint, request)
            if read_only and endpoint.lane is Lane.WRITE:
                return _problem(403, "read-only", "this server only reads")
        except Exception as problem:  # noqa: BLE001 - whatever it is, the client is told
            status, document = failure(problem)
            return JSONResponse(document, status)

        def work(memory: Memory) -> tuple[int, Any]:
            try:
                return endpoint.status, endpoint.run(memory, call)
            except Exception as problem:  # noqa: BLE001
                return failure(problem, memory)

        try:
            status, document = await asyncio.to_thread(lanes.use, endpoint.lane, work)
        except Exception as problem:  # noqa: BLE001 - no memory could be opened
            status, document = failure(problem)
        response = JSONResponse(document, status)
        if isinstance(document, dict) and isinstance(version := document.get("version"), int):
            response.headers["etag"] = f'"{version}"'
            if request.method == "GET" and request.headers.get("if-none-match") == f'"{version}"':
                return Response(status_code=304, headers={"etag": f'"{version}"'})
        return response

    return serve


async def _call(endpoint: Endpoint, request: Request) -> Call:
    if endpoint.method in {"GET", "DELETE"}:
        given = endpoint.read_query(request.query_params.multi_items())
    else:
        given = await read_body(request)
    check(given, endpoint.schema)
    tag = request.headers.get("if-match", "").strip('W/"')
    if tag and not tag.isdecimal():
        raise BadInput("If-Match is no version", 'the ETag of the record, as `"3"`')
    return Call(names=request.path_params, given=given, expected=int(tag) if tag else None)


async def read_body(request: Request) -> dict[str, Any]:
    """The JSON object of a request; an empty body is an empty one."""
    if int(request.headers.get("content-length") or 0) > LARGEST_BODY:
        raise BadInput("the request is too large")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_BODY:
            raise BadInput("the request is too large")
    try:
        found = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise BadInput("the body is not JSON") from None
    if not isinstance(found, dict):
        raise BadInput("the body has to be a JSON object")
    return found


def _problem(status: int, code: str, says: str) -> JSONResponse:
    return JSONResponse({"error": {"code": code, "message": says, "hint": ""}}, status)


async def _described(_: Request) -> Response:
    from memoracle.interfaces.http.openapi import document

    return JSONResponse(document(__version__))


# What changes: one process looks at the files while anybody listens, however it was changed.


def _changes(lanes: Lanes) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        root = await asyncio.to_thread(lanes.use, Lane.READ, lambda memory: memory.store.root)
        return StreamingResponse(_stream(root, request), media_type="text/event-stream")

    return serve


async def _stream(root: str, request: Request) -> AsyncIterator[str]:
    seen = await asyncio.to_thread(signature, root)
    yield "retry: 2000\nevent: hello\ndata: {}\n\n"
    quiet = 0.0
    while not await request.is_disconnected():
        await asyncio.sleep(_LOOKED_AT_EVERY)
        quiet += _LOOKED_AT_EVERY
        now = await asyncio.to_thread(signature, root)
        if now != seen:
            parts = sorted({name.partition("/")[0] for name, _ in set(now.items()) ^ set(seen.items())})
            seen, quiet = now, 0.0
            yield f"event: change\ndata: {json.dumps({'parts': parts})}\n\n"
        elif quiet > _BEAT_EVERY:
            quiet = 0.0
            yield ": still here\n\n"


def signature(root: str) -> dict[str, tuple[int, int]]:
    """Size and time of what a memory's owner would see change."""
    found: dict[str, tuple[int, int]] = {}
    for name in _LIVE:
        place = os.path.join(root, name)
        if os.path.isdir(place):
            for folder, _, files in os.walk(place):
                for file in files:
                    _note(found, root, os.path.join(folder, file))
        else:
            _note(found, root, place)
    return found


def _note(found: dict[str, tuple[int, int]], root: str, place: str) -> None:
    try:
        looks = os.stat(place)
    except OSError:
        return
    found[os.path.relpath(place, root)] = (looks.st_size, looks.st_mtime_ns)


def guarded(app: Any, token: str, host: str, port: int, *, origins: Sequence[str] = ()) -> Gate:
    """An application behind its gate, by the names this machine goes by, and those that a proxy before it has."""
    shown = f"[{host}]" if ":" in host else host
    own = {shown, "localhost", "127.0.0.1", "[::1]"}
    return Gate(app, token, [*(f"http://{one}:{port}" for one in own), *origins])
