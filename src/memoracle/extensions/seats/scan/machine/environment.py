"""The names of variables; none of their values."""

from __future__ import annotations

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.machine.surroundings import Around

_MOST = 1_000
_SOURCE = "environment"


def look(around: Around) -> list[Fact]:
    """Every name, sorted."""
    names = sorted(name for name in around.environment if name.isidentifier() and name != "_")
    return [
        Fact(path=("count",), says=len(around.environment), source=_SOURCE),
        Fact(path=("names",), says=names[:_MOST], source=_SOURCE),
    ]
