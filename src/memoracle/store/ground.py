"""What every reading and writing of a root works with: where things are, and what belongs to this root alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.clock import Clock
from memoracle.errors import NoRoot, OutsideRoot
from memoracle.model.ids import IdSource
from memoracle.model.manifest import Loaded
from memoracle.model.record import Record
from memoracle.store import durable, sealed
from memoracle.store.contain import inside
from memoracle.store.keybook import FILE as KEYS
from memoracle.store.keybook import Keybook
from memoracle.store.layouts import layout_named, resolve
from memoracle.store.own_state import OwnState, digest_of_salt, note, own_state
from memoracle.store.portions import Portions

if TYPE_CHECKING:
    from memoracle.model.event import Event
    from memoracle.model.turn import Turn
    from memoracle.store.adopted import Adopted
    from memoracle.store.chain import Key
    from memoracle.store.linked import Links

Hear = Callable[[str, str, str], Loaded]
"""Reads a transcript: its path, its shape, and the memo of the last reading."""
Turns = Callable[[str, str], "Sequence[Turn]"]
"""Every turn of a transcript: its path and its shape; none of a shape nobody knows."""
Screen = Callable[[Record], Record]
"""Gives a record as it may be written, at the last door before the disk."""
Clean = Callable[[bytes], bytes | None]
"""Gives the content of a transcript as it may be copied; None when it cannot be looked into."""

COLLECTIONS = ("facts", "beliefs", "summaries")


class Ground:
    """One root: its places, its clock, its lock, its salt."""

    def __init__(
        self,
        root: str,
        *,
        layout: str = "native",
        clock: Clock,
        ids: IdSource,
        lock_timeout: float = 20.0,
        hear: Hear | None = None,
        turns: Turns = lambda _path, _shape: (),
        screen: Screen = lambda record: record,
        admit: Screen | None = None,
        hide: Callable[[str], str] = str,
        clean: Clean = bytes,
        links: Callable[[], Links] | None = None,
        suspects: Callable[[str], bool] = lambda _: False,
    ) -> None:
        if not os.path.isdir(root):
            raise NoRoot(root)
        self.root = os.path.realpath(root)
        self.layout_name = layout
        self.layout = layout_named(layout)
        self._clock = clock
        self._ids = ids
        self._lock_timeout = lock_timeout
        self._record_files = [
            self.layout[f"{prefix}{name}"] for prefix in ("", "archived_") for name in COLLECTIONS
        ]
        self._record_places: dict[str, dict[str, str]] = {}
        for path in self._record_files:
            places = self._record_places.setdefault(os.path.dirname(path) or path, {})
            places[path] = f"{self.root}/{path}"
        self._keys = Keybook(self._place_of_keys)
        self._portions = Portions()
        self._known_writer: tuple[tuple[int, int, int], str] = ((0, 0, 0), "")
        self._hear = hear
        self.turns_in = turns
        self._screen = screen
        self._admit = admit or screen
        self.hide = hide
        self.clean = clean
        self._links = links
        self._suspects = suspects
        self._adopted: tuple[tuple[int, int, int], Adopted | None] = ((0, 0, 0), None)
        self._own: OwnState | None = None
        self._read_lists: dict[str, tuple[object, object]] = {}
        self._noted_writer = ""
        self._salt = b""
        self._audit_key: Key | None = None
        self._holder = 0
        self.untold: list[Event] = []
        self.via, self.by = "", ""

    def path(self, name: str, /, **parts: str) -> str:
        """The absolute path of a logical file, safely inside the root."""
        return inside(self.root, resolve(self.layout, name, **parts))

    def place(self, relative: str) -> str:
        """The absolute path of a relative one, safely inside the root."""
        return inside(self.root, relative)

    def state_path(self, name: str) -> str:
        """Where this machine keeps something of its own about the root."""
        return os.path.join(inside(self.root, self.own_state().folder), name)

    def state_name(self, name: str) -> str:
        """The same, relative to the root."""
        return f"{self.own_state().folder}/{name}"

    def own_state(self) -> OwnState:
        """The folder of what this machine notes of the root, and whether it is the usual one."""
        if self._own is None:
            usual = self.layout["state"]
            inside(self.root, usual)
            self._own = own_state(self.root, usual, first_list=f"{self.layout['sessions']}/transcripts.json")
        return self._own

    def lock_path(self) -> str:
        """The file whose lock every writer holds, whichever state is its own."""
        return os.path.join(inside(self.root, self.layout["state"]), "write.lock")

    def has_file(self, relative: str) -> bool:
        """True when something stands there."""
        return os.path.lexists(self.place(relative))

    def has_file_safely(self, relative: str) -> bool:
        """The same for a name that somebody else chose."""
        try:
            return self.has_file(relative)
        except OutsideRoot:
            return False

    def remembered(self, name: str, paths: Sequence[str], read: Callable[[], object]) -> object:
        """What was read from these files; read again only when one of them has changed."""
        looks = tuple(_looks(f"{self.root}/{path}") for path in paths)
        held = self._read_lists.get(name)
        if held is None or held[0] != looks:
            held = self._read_lists[name] = (looks, read())
        return held[1]

    def _place_of_keys(self) -> str | None:
        """Where the keys of many records are kept between processes: beside the view, which is derived as they are."""
        folder = sealed.place_of_view(self.root, f"{self.root}/{self.layout['index']}")
        return f"{folder}/{KEYS}" if folder and os.path.isdir(folder) and not os.path.islink(folder) else None

    def now(self) -> datetime:
        """The present moment, by this store's clock."""
        return self._clock()

    def is_being_written(self) -> bool:
        """True while some process holds the lock."""
        return durable.is_locked(self.lock_path())

    def adopted(self) -> Adopted | None:
        """What stood here before it became a memory; None for a directory that was made as one."""
        if self.layout_name == "native":
            return None
        path = self.path("adopted")
        try:
            found = os.stat(path, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        looks = (found.st_ino, found.st_size, found.st_mtime_ns)
        if self._adopted[0] != looks:
            from memoracle.store.adopted import read_adopted

            self._adopted = (looks, read_adopted(path))
        return self._adopted[1]

    def as_adopted(self, path: str) -> Screen:
        """How a record of that file is to be read: as its line says, or as its design had it when it was adopted."""
        held = self.adopted()
        if held is None:
            return lambda record: record
        cold = path in self._record_files[len(COLLECTIONS) :]
        return lambda record: held.seen(path, record, cold=cold)

    def salt(self) -> bytes:
        """What makes the fingerprints of masked secrets this root's own."""
        if not self._salt:
            from memoracle.store.salt import FILE, salt_at

            self._salt = salt_at(self.state_path(FILE))
            note(self.root, "salt", digest_of_salt(self._salt))
        return self._salt

    def audit_key(self) -> Key:
        """What seals the entries of the audit trail."""
        if self._audit_key is None:
            from memoracle.store.chain import key_from

            self._audit_key = key_from(self.salt())
        return self._audit_key


def _looks(path: str) -> tuple[int, int, int]:
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return (0, 0, 0)
    return (found.st_ino, found.st_size, found.st_mtime_ns)
