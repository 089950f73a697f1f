"""Today's ledger on disk: `state/ledger.json`, replaced whole under the root's lock.

Two processes change it one after the other, so together they cannot spend more than the budget. An
absent or unreadable ledger is an empty one: the file is this machine's own, and only a day old.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TypeVar

from memoracle.model.report import Ledger
from memoracle.model.value import as_fields
from memoracle.store.documents import read_document, write_document
from memoracle.store.store import Store

FILE = "ledger.json"
_Told = TypeVar("_Told")


def read_ledger(store: Store) -> Ledger:
    """The ledger as it was written last; nothing is locked."""
    held = read_document(store.volume, store.state_name(FILE))
    numbers = {name: held.get(name) for name in ("spent", "reserved", "calls", "failures")}
    try:
        day = date.fromisoformat(held["day"]).isoformat()
        if all(type(number) is int and number >= 0 for number in numbers.values()):
            return Ledger(day=day, **{name: int(number or 0) for name, number in numbers.items()})
    except (ValueError, TypeError, LookupError):
        pass
    return Ledger()


def change_ledger(store: Store, change: Callable[[Ledger], tuple[Ledger, _Told]]) -> _Told:
    """Put another ledger in the place of the one that stands, durably; what `change` tells is returned."""
    with store.writing():
        before = read_ledger(store)
        after, told = change(before)
        if after != before:
            write_document(store.volume, store.state_name(FILE), as_fields(after))
    return told
