"""A dotted key, looked up where it can be proved, in the order in which sources are believed.

What was said this turn, then the project's facts, then the machine's, then pages of seats, then records. Every
answer carries the file and the path in it; a value that stands nowhere is `not_in_memory_db`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from memoracle.extensions.seats.model import MISSING, parts_of, walk
from memoracle.model.value import value

DATA = "data"


class Layer(StrEnum):
    """Where a value stands, most believed first."""

    CONTEXT = "context"
    PROJECT = "project"
    MACHINE = "machine"
    PAGE = "page"
    RECORD = "record"


class Fetched(StrEnum):
    """How a look-up ends."""

    FOUND = "found"
    NOT_IN_MEMORY = "not_in_memory_db"
    NOT_FEDERATED = "not_in_federated_kb"


@value
class FactHolder:
    """One document that keys are looked up in. `names` are first parts that mean this very document.

    `whole`: a key may also begin inside it, without naming it.
    """

    layer: Layer
    file: str
    document: Any
    names: tuple[str, ...] = ()
    whole: bool = False
    owner: str = ""


@value
class Looked:
    """The answer to a key, with its evidence; or which answer there is not."""

    key: str
    status: Fetched
    value: Any = None
    layer: str = ""
    file: str = ""
    path: str = ""
    owner: str = ""
    looked_in: tuple[str, ...] = ()

    @property
    def evidence(self) -> str:
        """File and path, as a claim cites them."""
        return f"{self.file}#{self.path}" if self.path else self.file


def look_up(key: str, shelves: Iterable[FactHolder]) -> Looked:
    """The first value that a shelf has under a key."""
    parts = parts_of(key)
    looked: list[str] = []
    for shelf in shelves:
        looked.append(shelf.file)
        for rest in _ways_in(parts, shelf):
            path, held = _walk(shelf.document, rest)
            if held is not MISSING:
                return Looked(
                    key=key,
                    status=Fetched.FOUND,
                    value=held,
                    layer=shelf.layer.value,
                    file=shelf.file,
                    path=path,
                    owner=shelf.owner,
                    looked_in=tuple(dict.fromkeys(looked)),
                )
    return Looked(key=key, status=Fetched.NOT_IN_MEMORY, looked_in=tuple(dict.fromkeys(looked)))


def _ways_in(parts: Sequence[str], shelf: FactHolder) -> list[Sequence[str]]:
    """What is left of a key inside a shelf, by each of the shelf's names; all of it where no name is needed."""
    ways: list[Sequence[str]] = []
    for name in shelf.names:
        own = name.split(".")
        if list(parts[: len(own)]) == own:
            ways.append(parts[len(own) :])
    if shelf.whole and parts:
        ways.append(parts)
    return ways


def _walk(document: Any, parts: Sequence[str]) -> tuple[str, Any]:
    """The value at the end of a path and that path; facts may stand under `data`."""
    if (
        isinstance(document, Mapping)
        and parts
        and parts[0] not in document
        and isinstance(document.get(DATA), Mapping)
    ):
        path, held = walk(document[DATA], parts)
        return f"{DATA}.{path}", held
    return walk(document, parts)
