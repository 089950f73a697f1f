"""A gstack folder: that it is there, and what stands at its top."""

from __future__ import annotations

from memoracle.extensions.seats.scan.fact import Fact, listed
from memoracle.extensions.seats.scan.machine.surroundings import Around
from memoracle.extensions.seats.scan.tree import words

_PLACES = (".gstack", ".claude/skills/gstack", ".agents/skills/gstack")
_MOST = 200


def look(around: Around) -> list[Fact]:
    """The first that is found."""
    for tree in around.trees:
        for place in _PLACES:
            if tree.has_folder(place):
                source = tree.at(place)
                facts = [
                    Fact(path=("installed",), says=True, source=source),
                    Fact(path=("home",), says=words(source), source=source),
                ]
                version = words(tree.text(f"{place}/VERSION").strip()[:60])
                if version:
                    facts.append(Fact(path=("version",), says=version, source=f"{source}/VERSION"))
                return [*facts, *listed(("contents",), tree.names(place)[:_MOST], source)]
    source = around.trees[0].at(_PLACES[0]) if around.trees else "environment"
    return [Fact(path=("installed",), says=False, source=source)]
