"""The page's routes: a screen rendered, its JSON twin, and the forms that act.

A form does one verb, then leads back with what was done and how to undo it. Without script everything can be read and
every form works; the islands of script in `static/` only make it quicker.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from memoracle import __version__
from memoracle.errors import BadInput, MemoracleError
from memoracle.interfaces.http.api import Call, failure
from memoracle.interfaces.mcp.service import Lanes
from memoracle.interfaces.mcp.tool import Lane
from memoracle.interfaces.web.screens import SCREENS, Screen, waiting
from memoracle.model.value import value

if TYPE_CHECKING:
    from jinja2 import Environment

    from memoracle.memory import Memory

HERE = os.path.dirname(os.path.abspath(__file__))
LANGUAGES = ("en", "zh")
NAVIGATION = (
    ("/today", "Today", "."),
    ("/ask", "Ask", "g a"),
    ("/timeline", "Timeline", "g t"),
    ("/memories", "Memories", "g m"),
    ("/things", "People & things", "g p"),
    ("/graph", "Graph", "g g"),
    ("/sources", "Notes & chats", "g n"),
    ("/review", "Review", "g r"),
    ("/told", "What agents see", "g w"),
    ("/health", "Health", "g h"),
    ("/settings", "Settings", "g s"),
)
CARRIED = ("as_of", "project", "user")
"""What the frame narrows goes along from page to page."""
_ONCE = ("done", "operation")
_LARGEST_FORM = 256 << 10


@value
class Frame:
    """How a server shows its pages."""

    read_only: bool = False
    incognito: bool = False
    is_copy: bool = False
    """Files that nobody serves: nothing can be asked or sent."""


def routes(lanes: Lanes, frame: Frame) -> list[BaseRoute]:
    """Every page, its twin, and what forms post to."""
    found: list[BaseRoute] = []
    for path, screen in SCREENS.items():
        # The twin stands first: a name may hold a dot.
        found.append(Route(f"{path}.json", _twin(screen, lanes), methods=["GET"]))
        found.append(Route(path, _page(path, screen, lanes, frame), methods=["GET"]))
    found.append(Route("/", _page("/today", SCREENS["/today"], lanes, frame), methods=["GET"]))
    found.append(Route("/do/{verb}", _act(lanes, frame), methods=["POST"]))
    found.append(Route("/language/{name}", _speak, methods=["POST"]))
    found.append(Mount("/static", StaticFiles(directory=os.path.join(HERE, "static"))))
    return found


def _asked(request: Request) -> Call:
    return Call(
        names={name: str(held) for name, held in request.path_params.items()},
        given=dict(request.query_params),
    )


def _twin(screen: Screen, lanes: Lanes) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        asked = _asked(request)
        try:
            return JSONResponse(await asyncio.to_thread(lanes.use, Lane.READ, lambda m: screen(m, asked)))
        except Exception as problem:  # noqa: BLE001 - whatever it is, the client is told
            status, document = failure(problem)
            return JSONResponse(document, status)

    return serve


def _page(path: str, screen: Screen, lanes: Lanes, frame: Frame) -> Callable[[Request], Awaitable[Response]]:
    template = path.strip("/").replace("/{id}", "_one").replace("/{name:path}", "_one")

    async def serve(request: Request) -> Response:
        asked = _asked(request)

        def work(memory: Memory) -> tuple[int, str]:
            try:
                document, status, shown = screen(memory, asked), 200, template
            except MemoracleError as problem:
                status, document = failure(problem)
                shown = "problem"
            return status, render(shown, _links(request), frame, document, _about(memory, request))

        try:
            status, text = await asyncio.to_thread(lanes.use, Lane.READ, work)
        except Exception as problem:  # noqa: BLE001 - a page says what happened, too
            status, document = failure(problem)
            text = render("problem", _links(request), frame, document, {"language": language_of(request)})
        return Response(text, status, media_type="text/html")

    return serve


def _links(request: Request) -> PageLinks:
    return PageLinks(request.url.path, dict(request.query_params))


def _about(memory: Memory, request: Request) -> dict[str, Any]:
    return about(memory, language_of(request, memory.root.settings.reply_language))


def about(memory: Memory, language: str) -> dict[str, Any]:
    """What stands around every screen."""
    return {
        "root": memory.store.root,
        "waiting": waiting(memory),
        "is_behind": memory.root.view.is_behind,
        "language": language,
    }


def language_of(request: Request, chosen: str = "") -> str:
    """The language of the interface: as chosen here, in the settings, or as the browser asks for it."""
    if (held := request.cookies.get("language", "")) in LANGUAGES:
        return held
    if chosen in LANGUAGES:
        return chosen
    wanted = request.headers.get("accept-language", "").lower()
    return "zh" if wanted.startswith("zh") else "en"


class PageLinks:
    """How a page leads elsewhere: here to a server's addresses, in `export` to files beside it."""

    def __init__(self, path: str, given: Mapping[str, str]) -> None:
        self.path, self.given = path, given

    def to(self, place: str, /, **more: Any) -> str:
        """An address that keeps what the frame narrows."""
        carried = {name: self.given[name] for name in CARRIED if self.given.get(name)}
        return _address(place, {**carried, **more})

    def here(self, **more: Any) -> str:
        """This page without what was done a moment ago."""
        kept = {name: held for name, held in {**self.given, **more}.items() if name not in _ONCE}
        return _address(self.path, kept)

    def asset(self, name: str) -> str:
        """Under one place."""
        return f"/static/{name}"


def _address(place: str, asked: Mapping[str, Any]) -> str:
    said = {name: held for name, held in asked.items() if held not in (None, "", False)}
    return f"{place}?{urlencode(said)}" if said else place


def render(
    template: str, links: PageLinks, frame: Frame, document: Mapping[str, Any], about: Mapping[str, Any]
) -> str:
    """The HTML of a screen."""
    words, given = words_of(about["language"]), links.given
    return (
        environment()
        .get_template(f"{template}.html")
        .render(
            it=document,
            frame=frame,
            about=about,
            language=about["language"],
            _=lambda text: words.get(text, text),
            to=links.to,
            here=links.here,
            asset=links.asset,
            path=links.path,
            given=given,
            carried={name: given[name] for name in CARRIED if given.get(name)},
            navigation=NAVIGATION,
            version=__version__,
            done=given.get("done", ""),
            operation=given.get("operation", ""),
        )
    )


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Jinja, which writes every text as text unless it is told otherwise, and is never told so."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from memoracle.text import visible

    made = Environment(
        loader=FileSystemLoader(os.path.join(HERE, "templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["visible"] = lambda text: visible(str(text))
    made.filters["day"] = lambda moment: str(moment or "")[:10]
    made.filters["minute"] = lambda moment: str(moment or "")[:16].replace("T", " ")
    made.filters["short"] = _short
    made.filters["chinese"] = lambda text: any("\u4e00" <= ch <= "\u9fff" for ch in str(text))
    return made


def _short(text: str, most: int = 280) -> str:
    return text if len(text) <= most else text[:most].rstrip() + "…"


@lru_cache(maxsize=4)
def words_of(language: str) -> Mapping[str, str]:
    """The interface's words in another language, by their English."""
    import tomllib

    path = os.path.join(HERE, "words", f"{language}.toml")
    if not os.path.exists(path):
        return {}
    with open(path, "rb") as file:
        found: dict[str, str] = tomllib.load(file)["words"]
    return found


# What forms do: one verb each, then back to where they stood.


def _act(lanes: Lanes, frame: Frame) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        if (form := await _form(request)) is None:
            return Response("the form is too large", 413)
        back = _back(form.pop("back", ""))
        if frame.read_only:
            return Response("this page only reads", 403)
        action = ACTIONS.get(request.path_params["verb"])
        if action is None:
            return Response("there is no such action", 404)

        def work(memory: Memory) -> tuple[int, str, str]:
            try:
                done, operation = action(memory, form)
            except MemoracleError as problem:
                status, document = failure(problem, memory)
                shown = {**document, "form": form}
                return status, render("problem", _links(request), frame, shown, _about(memory, request)), ""
            return 303, done, operation

        try:
            status, said, operation = await asyncio.to_thread(lanes.use, Lane.WRITE, work)
        except Exception as problem:  # noqa: BLE001 - a page says what happened, too
            status, document = failure(problem)
            return Response(
                render("problem", _links(request), frame, document, {"language": language_of(request)}),
                status,
                media_type="text/html",
            )
        if status != 303:
            return Response(said, status, media_type="text/html")
        joint = "&" if "?" in back else "?"
        return RedirectResponse(f"{back}{joint}{urlencode({'done': said, 'operation': operation})}", 303)

    return serve


async def _form(request: Request) -> dict[str, str] | None:
    """What a form says; None when it says too much."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LARGEST_FORM:
            return None
    pairs = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
    return {name: held[-1] for name, held in pairs.items()}


def _back(given: str) -> str:
    """Where a form leads back to: a place of this server, without what an earlier one had done."""
    found = urlsplit(given)
    if found.scheme or found.netloc or not found.path.startswith("/") or found.path.startswith("//"):
        return "/today"
    kept = [(name, one) for name, held in parse_qs(found.query).items() for one in held]
    kept = [(name, one) for name, one in kept if name not in {"done", "operation"}]
    return f"{found.path}?{urlencode(kept)}" if kept else found.path


async def _speak(request: Request) -> Response:
    form, name = await _form(request), request.path_params["name"]
    response = RedirectResponse(_back((form or {}).get("back", "")), 303)
    if name in LANGUAGES:
        response.set_cookie("language", name, max_age=365 * 86_400, httponly=True, samesite="strict")
    return response


Action = Callable[["Memory", Mapping[str, str]], tuple[str, str]]
"""What was done, in a word, and the operation that `undo` reverses."""


def _id(form: Mapping[str, str]) -> str:
    if not form.get("id"):
        raise BadInput("the form names no record")
    return form["id"]


def _edit(memory: Memory, form: Mapping[str, str]) -> tuple[str, str]:
    fields: dict[str, Any] = {name: form[name] for name in ("text", "kind") if form.get(name)}
    for name in ("importance", "confidence"):
        if form.get(name):
            fields[name] = _share(name, form[name])
    if "tags" in form:
        fields["tags"] = [tag for tag in form["tags"].replace("，", ",").split(",") if tag.strip()]
    expected = int(form["version"]) if form.get("version", "").isdecimal() else None
    done = memory.edit(_id(form), expected=expected, because=form.get("because", ""), **fields)
    return "edited", done.operation


def _share(name: str, given: str) -> float:
    try:
        return float(given)
    except ValueError:
        raise BadInput(f"`{name}` has to be a number between 0 and 1") from None


def _remember(memory: Memory, form: Mapping[str, str]) -> tuple[str, str]:
    kept = memory.remember(form.get("text", ""), kind=form.get("kind") or None)
    return ("kept" if kept.created else "known already"), kept.operation


def _supersede(memory: Memory, form: Mapping[str, str]) -> tuple[str, str]:
    return "replaced", memory.supersede(
        _id(form), form.get("text", ""), because=form.get("because", "")
    ).operation


def _forget(memory: Memory, form: Mapping[str, str]) -> tuple[str, str]:
    return "forgotten", memory.withdraw([_id(form)], because=form.get("because", "")).operation


def _undo(memory: Memory, form: Mapping[str, str]) -> tuple[str, str]:
    receipts = memory.undo(form.get("operation") or None)
    return "undone", next((one.operation for one in receipts), "")


def _one(verb: str, done: str, **fixed: Any) -> Action:
    def do(memory: Memory, form: Mapping[str, str]) -> tuple[str, str]:
        return done, getattr(memory, verb)(_id(form), because=form.get("because", ""), **fixed).operation

    return do


def _answered(verb: str, done: str) -> Action:
    def do(memory: Memory, form: Mapping[str, str]) -> tuple[str, str]:
        receipts = getattr(memory, verb)([_id(form)])
        return done, next((one.operation for one in receipts), "")

    return do


def _look(memory: Memory, _: Mapping[str, str]) -> tuple[str, str]:
    return f"looked: {memory.health(read_back=None).status}", ""


ACTIONS: Mapping[str, Action] = {
    "look": _look,
    "remember": _remember,
    "edit": _edit,
    "supersede": _supersede,
    "forget": _forget,
    "undo": _undo,
    "pin": _one("pin", "pinned"),
    "unpin": _one("pin", "unpinned", pinned=False),
    "archive": _one("archive", "archived"),
    "restore": _one("restore", "restored"),
    "accept": _answered("accept", "kept"),
    "reject": _answered("reject", "turned down"),
}
