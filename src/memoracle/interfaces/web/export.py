"""A static copy of the page: files that open from disk, with every memory, thing, note and conversation; nothing acts.

What the reader of the memory may not see is not in it, and secret records stay at home.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput
from memoracle.interfaces.http.api import Call
from memoracle.interfaces.web import screens
from memoracle.interfaces.web.pages import HERE, NAVIGATION, Frame, PageLinks, about, render
from memoracle.model.record import Sensitivity
from memoracle.model.search import Filters

if TYPE_CHECKING:
    from memoracle.memory import Memory

_FRAME = Frame(read_only=True, is_copy=True)
_A_PAGE = 200
_EVERYTHING = 10_000_000
_PLAIN = frozenset({"/today", "/timeline", "/graph", "/review", "/told", "/health", "/settings"})


class _FileLinks(PageLinks):
    """Links from one file of the copy to others."""

    def __init__(self, file: str, path: str, given: Mapping[str, str]) -> None:
        super().__init__(path, given)
        self._up = "../" * file.count("/")

    def to(self, place: str, /, **more: Any) -> str:
        """The file that shows a screen."""
        return self._up + file_of(place, more)

    def here(self, **more: Any) -> str:
        """Another page of the same list; filters need a server."""
        wanted = {
            name: str(held) for name, held in {**self.given, **more}.items() if name in {"page", "path"}
        }
        return self._up + file_of(self.path, wanted)

    def asset(self, name: str) -> str:
        """Beside the copy's own pages."""
        return f"{self._up}static/{name}"


def file_of(place: str, given: Mapping[str, Any]) -> str:
    """Where a screen stands in the copy."""
    folder, _, name = place.strip("/").partition("/")
    page = f"-{given['page']}" if str(given.get("page") or 1) != "1" else ""
    if folder == "source":
        return f"source/{_digest(str(given.get('path', '')))}{page}.html"
    if folder == "things" and name:
        return f"things/{_digest(name)}.html"
    return f"{folder or 'today'}/{name}.html" if name else f"{folder or 'today'}{page}.html"


def _digest(text: str) -> str:
    from urllib.parse import unquote

    return blake2b(unquote(text).encode(), digest_size=10).hexdigest()


def export(
    memory: Memory, folder: str, *, language: str = "en", progress: Callable[[int], object] = int
) -> int:
    """Write the copy into an empty folder; how many pages there are is returned."""
    if os.path.isdir(folder) and os.listdir(folder):
        raise BadInput(f"{folder} is not empty", "name a new folder: what stands there is left alone")
    around, written = about(memory, language), 0
    every = memory.list(limit=_EVERYTHING, filters=Filters(wide=True))
    secret = frozenset(hit.passage.ref for hit in every if hit.passage.sensitivity == Sensitivity.SECRET)
    for file, template, place, whole in _pages(memory, secret):
        document = _without(whole, secret)
        target = os.path.join(folder, file)
        os.makedirs(os.path.dirname(target) or folder, exist_ok=True)
        given = {"page": str(document["page"])} if "page" in document else {}
        given |= {"path": document["path"]} if place == "/source" else {}
        with open(target, "w", encoding="utf-8") as out:
            out.write(render(template, _FileLinks(file, place, given), _FRAME, document, around))
        written += 1
        progress(written)
    shutil.copytree(os.path.join(HERE, "static"), os.path.join(folder, "static"))
    return written


def _without(document: Any, ids: frozenset[str]) -> Any:
    """A document without what stands in its lists under one of these ids."""
    if isinstance(document, dict):
        return {name: _without(held, ids) for name, held in document.items()}
    if isinstance(document, list):
        return [
            _without(one, ids) for one in document if not (isinstance(one, dict) and one.get("id") in ids)
        ]
    return document


def _pages(memory: Memory, secret: frozenset[str]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Every file with its template, its place and its document."""
    for place, _, _ in NAVIGATION:
        if place in _PLAIN:
            yield file_of(place, {}), place.strip("/"), place, screens.SCREENS[place](memory, Call())
    yield from _records(memory, secret)
    for page in _numbered(memory, screens.things, {}):
        yield file_of("/things", page), "things", "/things", page
        for one in page["items"]:
            named = screens.one_thing(memory, Call(names={"name": one["name"]}))
            yield file_of(f"/things/{one['name']}", {}), "things_one", "/things", named
    for listed in _numbered(memory, screens.sources, {}):
        yield file_of("/sources", listed), "sources", "/sources", listed
        for source in listed["items"]:
            for page in _numbered(memory, screens.one_source, {"path": source["path"]}):
                yield file_of("/source", page), "source", "/source", page


def _records(memory: Memory, secret: frozenset[str]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    number, until = 1, ""
    while True:
        given = {"limit": str(_A_PAGE), "wide": "1", **({"until": until} if until else {})}
        page = screens.memories(memory, Call(given=given))
        page["page"], until = number, page["next"] or ""
        page["next"] = None
        page["pages"] = number + bool(until)
        yield file_of("/memories", {"page": number}), "memories", "/memories", page
        for item in page["items"]:
            if item["id"] in secret:
                continue
            shown = screens.one_memory(memory, Call(names={"id": item["id"]}))
            yield file_of(f"/memories/{item['id']}", {}), "memories_one", "/memories", shown
        if not until:
            return
        number += 1


def _numbered(memory: Memory, screen: screens.Screen, given: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    number = 1
    while True:
        page = screen(memory, Call(given={**given, "page": str(number)}))
        yield page
        if number >= page["pages"]:
            return
        number += 1
