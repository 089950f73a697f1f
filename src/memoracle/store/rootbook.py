"""The roots a person has on this machine: one small list in their own configuration, for questions across roots.

It holds paths, nothing of what stands there. A list that is absent or damaged is empty; being unable to write it
keeps nobody from making a memory.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from memoracle.errors import MemoracleError
from memoracle.model.value import value
from memoracle.store.disk import DiskVolume
from memoracle.store.documents import read_document, write_document

VARIABLE = "MEMORACLE_ROOTS"
_SETTINGS = "memoracle.toml"


@value
class KnownRoot:
    """A root that was made or adopted here, and whether it is there now."""

    path: str
    name: str
    present: bool


def book_path(environment: Mapping[str, str], *, home: str) -> str:
    """Where the list stands: what the variable names, or the person's configuration folder."""
    if named := environment.get(VARIABLE):
        return os.path.abspath(os.path.expanduser(named))
    folder = environment.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return os.path.join(folder, "memoracle", "roots.json")


def known_roots(book: str) -> list[KnownRoot]:
    """The roots of the list, in the order in which they came."""
    held = read_document(*_place(book)).get("roots")
    rows = [row for row in held if isinstance(row, dict)] if isinstance(held, list) else []
    return [
        KnownRoot(path=path, name=str(row.get("name") or os.path.basename(path)), present=_is_root(path))
        for row in rows
        if isinstance(path := row.get("path"), str) and os.path.isabs(path)
    ]


def add_root(book: str, root: str, *, name: str = "") -> bool:
    """Put a root on the list; False when it stands there already."""
    place = os.path.realpath(root)
    with _locked(book):
        rows = _rows(book)
        same = next((row for row in rows if row.get("path") == place), None)
        if same is not None and (not name or same.get("name") == name):
            return False
        others = [row for row in rows if row.get("path") != place]
        entry = {"path": place, "name": name or os.path.basename(place)}
        write_document(*_place(book), {"version": 1, "roots": [*others, entry]})
        return same is None


def remove_root(book: str, root: str) -> bool:
    """Take a root off the list; the root itself stays. False when it was not there."""
    place = os.path.realpath(root)
    with _locked(book):
        rows = _rows(book)
        left = [row for row in rows if row.get("path") not in {root, place} and row.get("name") != root]
        if len(left) == len(rows):
            return False
        write_document(*_place(book), {"version": 1, "roots": left})
        return True


def add_if_possible(book: str, root: str) -> None:
    """The same where nobody asked for it: a memory is made whether or not the list can be written."""
    try:
        add_root(book, root)
    except (OSError, MemoracleError):
        return


def _place(book: str) -> tuple[DiskVolume, str]:
    """The folder of the list, and its name there."""
    folder, name = os.path.split(book)
    return DiskVolume(folder), name


def _locked(book: str) -> AbstractContextManager[None]:
    volume, name = _place(book)
    return volume.locked(f"{name}.lock", timeout=10.0)


def _rows(book: str) -> list[dict[str, Any]]:
    held = read_document(*_place(book)).get("roots")
    return [row for row in held if isinstance(row, dict)] if isinstance(held, list) else []


def _is_root(path: str) -> bool:
    return os.path.isfile(os.path.join(path, _SETTINGS))
