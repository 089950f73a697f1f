"""The owner's privacy list: `machine/privacy.md`, read only. What its lines mean is policy's business.

A list that is there and cannot be read is an error; one that is not there is None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.errors import UnreadableFile

if TYPE_CHECKING:
    from memoracle.store.store import Store

_LARGEST = 1_000_000


def privacy_path(store: Store) -> str:
    """Where the list stands, inside the root."""
    return store.layout["privacy"]


def privacy_mark(store: Store) -> tuple[int, int, int]:
    """Changes whenever the list does."""
    return store.volume.looks(privacy_path(store))


def read_privacy(store: Store) -> str | None:
    """The text of the list; None when there is none."""
    name = privacy_path(store)
    seen = store.volume.stat(name)
    if seen is None:
        return None
    if not seen.is_plain or seen.size > _LARGEST:
        raise UnreadableFile(name, "it is not a plain file of at most a megabyte")
    try:
        return store.volume.read(name).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableFile(name, "it is not UTF-8 text") from None
