"""What somebody did to a record, done again to the record as it would have stood. Pure.

An act is the difference between two versions. Where the record stands as it stood then, the act is repeated as it
was; where it does not, what the act changed is changed and the rest stays.
"""

from __future__ import annotations

from typing import Any

from memoracle.model.record import Record
from memoracle.model.value import fields, replace

_BOOKKEEPING = frozenset({"id", "version", "change", "created"})
_INSIDE = ("weight", "validity", "origin", "statement")


def rebased(act: Record, before: Record, held: Record) -> Record:
    """The version that an act makes of `held`, when it made `act` of `before`."""
    changed = {
        name: _merged(getattr(before, name), getattr(act, name), getattr(held, name))
        if name in _INSIDE
        else getattr(act, name)
        for name in fields(act)
        if name not in _BOOKKEEPING and getattr(act, name) != getattr(before, name)
    }
    if "sources" in changed:
        changed["sources"] = _listed(before.sources, act.sources, held.sources)
    if "keys" in changed:
        changed["keys"] = _listed(before.keys, act.keys, held.keys)
    return replace(held, version=held.version + 1, change=act.change, **changed)


def said(record: Record) -> Record:
    """A version less what only says which line it is."""
    change = replace(record.change, writer="", sequence=0)
    return replace(record, version=0, change=change)


def _merged(before: Any, after: Any, held: Any) -> Any:
    changed = {
        name: getattr(after, name) for name in fields(after) if getattr(after, name) != getattr(before, name)
    }
    return replace(held, **changed)


def _listed(before: tuple[str, ...], after: tuple[str, ...], held: tuple[str, ...]) -> tuple[str, ...]:
    gone, new = set(before) - set(after), [one for one in after if one not in before]
    return tuple(dict.fromkeys([*(one for one in held if one not in gone), *new]))
