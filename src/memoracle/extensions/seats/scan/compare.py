"""What changed between two documents, fact by fact; and many changes of one fact as one. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memoracle.extensions.seats.scan.document import facts_in
from memoracle.model.value import value

_NAMED_BY = ("name", "path", "host", "file")


@value
class Changed:
    """One fact, before and after; None where there was or is nothing."""

    path: str
    before: Any
    after: Any


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Changed]:
    """The facts that differ, in the order of their places."""
    old, new = dict(_leaves(facts_in(before))), dict(_leaves(facts_in(after)))
    return [
        Changed(path=path, before=old.get(path), after=new.get(path))
        for path in sorted(old.keys() | new.keys())
        if old.get(path) != new.get(path)
    ]


def count_facts(document: Mapping[str, Any]) -> int:
    """How many facts a document holds."""
    return sum(1 for _ in _leaves(facts_in(document)))


def netted(changes: Iterable[Changed]) -> list[Changed]:
    """Changes of the same fact, oldest first, as one; what came back to where it was is none."""
    first: dict[str, Changed] = {}
    last: dict[str, Changed] = {}
    for change in changes:
        first.setdefault(change.path, change)
        last[change.path] = change
    return [
        Changed(path=path, before=first[path].before, after=last[path].after)
        for path in sorted(first)
        if first[path].before != last[path].after
    ]


def _leaves(said: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(said, Mapping):
        for name, one in said.items():
            yield from _leaves(one, f"{path}.{name}" if path else str(name))
    elif isinstance(said, list) and said and all(isinstance(one, Mapping) for one in said):
        for place, one in enumerate(said):
            # A thing with a name keeps its place when another comes before it.
            name = next((str(one[key]) for key in _NAMED_BY if one.get(key)), str(place))
            yield from _leaves(one, f"{path}[{name}]")
    elif isinstance(said, list):
        # Names in a list come and go one by one; their order is nobody's fact.
        yield from ((f"{path}[{one}]", True) for one in map(str, said))
    else:
        yield path, said
