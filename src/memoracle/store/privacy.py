"""The owner's privacy list: `machine/privacy.md`, read only. What its lines mean is policy's business.

A list that is there and cannot be read is an error; one that is not there is None.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from memoracle.errors import UnreadableFile

if TYPE_CHECKING:
    from memoracle.store.store import Store

_LARGEST = 1_000_000
NO_LIST = (0, 0, 0)
"""The mark of a list that is not there."""


def privacy_path(store: Store) -> str:
    """Where the list stands, inside the root."""
    return store.layout["privacy"]


def privacy_place(store: Store) -> str:
    """The same as a place on disk, to be looked at without following a link."""
    return os.path.join(store.root, privacy_path(store))


def privacy_mark(store: Store) -> tuple[int, int, int]:
    """Changes whenever the list does."""
    return mark_of(privacy_place(store))


def mark_of(place: str) -> tuple[int, int, int]:
    """Changes whenever a small file does."""
    try:
        seen = os.lstat(place)
    except OSError:
        return NO_LIST
    return (seen.st_mtime_ns, seen.st_size, seen.st_ino)


def read_privacy(store: Store) -> str | None:
    """The text of the list; None when there is none."""
    path = store.place(privacy_path(store))
    try:
        seen = os.lstat(path)
        if not stat.S_ISREG(seen.st_mode) or seen.st_size > _LARGEST:
            raise UnreadableFile(privacy_path(store), "it is not a plain file of at most a megabyte")
        from memoracle.store import durable

        return durable.read(path).decode("utf-8-sig")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise UnreadableFile(privacy_path(store), "it is not UTF-8 text") from None
    except OSError as problem:
        raise UnreadableFile(privacy_path(store), os.strerror(problem.errno or 0)) from None
