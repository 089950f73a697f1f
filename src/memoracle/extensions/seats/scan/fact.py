"""One thing that was seen, and the file that says so. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from memoracle.model.value import value

HIGH, MEDIUM, LOW = "high", "medium", "low"
"""A file states it; it follows from what stands there; it is a guess."""


@value
class Fact:
    """What a file says of one thing. Of two facts at one place the first stands; lists grow together."""

    path: tuple[str, ...]
    says: Any
    source: str
    trust: str = HIGH


def tree_of(facts: Iterable[Fact]) -> dict[str, Any]:
    """All of them as one document."""
    tree: dict[str, Any] = {}
    for fact in facts:
        *steps, last = fact.path
        node = tree
        for step in steps:
            below = node.setdefault(step, {})
            if not isinstance(below, dict):
                break  # a plain value stands there already
            node = below
        else:
            _put(node, last, fact.says)
    return _ordered(tree)


def evidence_of(facts: Iterable[Fact]) -> list[dict[str, Any]]:
    """Which file says what: every fact names one."""
    told: dict[tuple[str, str], list[str]] = {}
    for fact in facts:
        places = told.setdefault((fact.source, fact.trust), [])
        if (place := ".".join(fact.path)) not in places:
            places.append(place)
    return [
        {"source_url": source, "trust": trust, "facts": sorted(places)}
        for (source, trust), places in sorted(told.items())
    ]


def listed(path: Sequence[str], names: Iterable[str], source: str, trust: str = HIGH) -> list[Fact]:
    """Names as one fact; none when there are none."""
    held = list(names)
    return [Fact(path=tuple(path), says=held, source=source, trust=trust)] if held else []


def _ordered(node: dict[str, Any]) -> dict[str, Any]:
    """Plain values first, so that those which belong together stand on neighbouring lines."""
    plain = {name: said for name, said in node.items() if not isinstance(said, dict)}
    return plain | {name: _ordered(said) for name, said in node.items() if isinstance(said, dict)}


def _put(node: dict[str, Any], name: str, says: Any) -> None:
    held = node.get(name)
    if held is None:
        node[name] = list(says) if isinstance(says, list) else says
    elif isinstance(held, list) and isinstance(says, list):
        held += [one for one in says if one not in held]
