"""Room in quarantine: what the guard sets apart is kept, up to a bound for each session. No flood fills a memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memoracle.lifecycle.quarantine import FULL, MOST, already_apart, set_apart
from memoracle.model.record import Status

if TYPE_CHECKING:
    from memoracle.lifecycle.admit import Finder
    from memoracle.lifecycle.draft import Drafted
    from memoracle.model.change import Change
    from memoracle.model.receipt import Receipt
    from memoracle.model.record import Draft, Record

Count = Callable[[str, str], int]
"""How many wait of a session, or, where that is empty, of a channel."""


class Room:
    """The room that is left for what one act brings."""

    def __init__(self, wishes: Sequence[Drafted], count: Count) -> None:
        names = {_name(one.draft) for one in wishes if self.is_apart(one)}
        self._left = {name: MOST - count(*name) for name in names}

    @staticmethod
    def is_apart(wish: Drafted) -> bool:
        """True for what the guard sets apart."""
        return wish.outcome == "quarantined"

    def set_apart(
        self, wish: Drafted, find: Finder, *, record_id: str, change: Change
    ) -> tuple[Record | None, bool]:
        """The record that waits, and whether it is new; None when there is no room for it."""
        if held := already_apart(wish.draft, find, change.at):
            return held, False
        name = _name(wish.draft)
        if self._left.get(name, 0) <= 0:
            return None, False
        self._left[name] -= 1
        return set_apart(wish.draft, wish.rules, record_id=record_id, change=change), True


def not_kept(wish: Drafted) -> Receipt:
    """What is said about something that there was no room for."""
    from memoracle.model.receipt import Receipt

    return Receipt(
        id="",
        version=0,
        created=False,
        status=Status.QUARANTINED,
        warnings=wish.warnings,
        outcome="refused",
        rules=(*wish.rules, FULL),
    )


def _name(draft: Draft) -> tuple[str, str]:
    session = draft.origin.session
    return (session, "") if session else ("", draft.origin.channel.value)
