"""What is never read again: `sessions/never.json`, one selection per row.

Written when a session, a channel, a path or some days are forgotten. The hosts' own transcripts are not ours to
change, so they still hold the words: the list keeps every reading of them, now or after losing `state/`, from
bringing them back. It names sessions, paths and times, never words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memoracle.errors import InvalidTime
from memoracle.model.plain import from_plain, to_plain
from memoracle.model.selection import Selection
from memoracle.model.turn import Turn
from memoracle.store import durable

if TYPE_CHECKING:
    from memoracle.store.ground import Ground
    from memoracle.store.store import Store

FILE = "never.json"

MayHear = Callable[[Turn], bool]
"""False for a turn that was forgotten."""


def read_never(store: Ground) -> list[Selection]:
    """The selections that are never read again."""
    return selections_in(durable.read(_path(store)))


def add_never(store: Store, selection: Selection) -> None:
    """Never read these again. The caller holds the lock."""
    known = read_never(store)
    if selection in known:
        return
    path = _path(store)
    durable.make_folder(path.rpartition("/")[0])
    rows = [to_plain(one) for one in (*known, selection)]
    durable.replace(path, json.dumps(rows, ensure_ascii=False, indent=1).encode() + b"\n")


def selections_in(content: bytes) -> list[Selection]:
    """The selections of such a list; rows that cannot be read are passed over."""
    found = []
    try:
        rows = json.loads(content or b"[]")
    except (ValueError, RecursionError):
        return []
    for row in rows if isinstance(rows, list) else ():
        try:
            found.append(from_plain(Selection, row))
        except (ValueError, TypeError, LookupError, AttributeError, InvalidTime):
            continue
    return found


def may_hear(never: Sequence[Selection], *, path: str = "") -> MayHear:
    """What lets turns pass; `path` is the name of their transcript when a copy of it is read."""

    def passes(turn: Turn) -> bool:
        where = f"{path or turn.path}#L{turn.line}"
        return not any(
            one.fits(session=turn.session, channel=turn.role.value, where=where, at=turn.at) for one in never
        )

    return passes


def _path(store: Ground) -> str:
    return store.place(f"{store.layout['sessions']}/{FILE}")
