"""Which lines the privacy list had, as keyed digests: `state/privacy.json`. Such a list only grows.

Digests are made with the root's salt, so nobody learns a line from them. The caller holds the lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING

from memoracle.errors import OutsideRoot, StoreProblem
from memoracle.store import documents

if TYPE_CHECKING:
    from memoracle.store.store import Store

FILE = "privacy.json"
_LINES = "lines"


def lines_lost(store: Store, lines: Iterable[str]) -> int:
    """How many lines were seen once and are not among these."""
    seen = _seen(store)
    return len(seen - _digests(store, lines)) if seen else 0


def note_lines(store: Store, lines: Iterable[str]) -> None:
    """Remember that these lines were there; what was seen before stays remembered."""
    seen = _seen(store)
    if more := _digests(store, lines) - seen:
        documents.write_document(store.volume, store.state_name(FILE), {_LINES: sorted(seen | more)})


def has_unseen_lines(store: Store, lines: Iterable[str]) -> bool:
    """True when there is something to remember."""
    return bool(_digests(store, lines) - _seen(store))


def has_seen_any(store: Store) -> bool:
    """True when there was a list once."""
    return bool(_seen(store))


def note_unseen(store: Store, lines: Sequence[str]) -> None:
    """Remember lines that were not seen before, where the root can be written. Takes the lock for it."""
    if lines and has_unseen_lines(store, lines):
        with suppress(StoreProblem, OutsideRoot, OSError), store.writing():
            note_lines(store, lines)


def accept_list(store: Store) -> None:
    """Forget what was seen: the list as it is now is the one that counts."""
    store.volume.remove(store.state_name(FILE))


def _seen(store: Store) -> set[str]:
    held = documents.read_document(store.volume, store.state_name(FILE)).get(_LINES)
    return {one for one in held if isinstance(one, str)} if isinstance(held, list) else set()


def _digests(store: Store, lines: Iterable[str]) -> set[str]:
    given = list(lines)
    key = store.salt()[:64] if given else b""
    return {blake2b(one.encode("utf-8", "replace"), key=key, digest_size=8).hexdigest() for one in given}
