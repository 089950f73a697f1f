"""Every value of a document with its path: what a search over facts looks at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memoracle.model.value import value
from memoracle.text import shorten

_SHOWN = 200
_DEEPEST = 40


@value
class Match:
    """One place of a document that holds a term: in its path (`key`) or in its value."""

    file: str
    path: str
    value: str
    match: str


def leaves(document: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every value that holds no other, with its dotted path."""
    if depth < _DEEPEST and isinstance(document, Mapping) and document:
        for name, held in document.items():
            yield from leaves(held, f"{path}.{name}" if path else str(name), depth + 1)
    elif depth < _DEEPEST and isinstance(document, list) and document:
        for place, held in enumerate(document):
            yield from leaves(held, f"{path}.{place}" if path else str(place), depth + 1)
    else:
        yield path, document


def matches(file: str, document: Any, term: str) -> Iterator[Match]:
    """The places of a document that hold a term, whatever its case."""
    wanted = term.casefold()
    for path, held in leaves(document):
        said = "" if held is None else str(held)
        if wanted in path.casefold():
            yield Match(file=file, path=path, value=shorten(said, _SHOWN), match="key")
        elif wanted in said.casefold():
            yield Match(file=file, path=path, value=shorten(said, _SHOWN), match="value")
