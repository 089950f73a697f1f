"""What the guard keeps at a root: the owner's privacy list, its salt, and fingerprints of secrets it recognised.

The list is `machine/privacy.md`, read only; what its lines mean is the guard's business. A list that is there and
cannot be read is an error; one that is not there is None.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError, OutsideRoot, StoreProblem, UnreadableFile
from memoracle.store import volume as documents
from memoracle.store.volume import NO_LOOKS, Volume, parsed_lines

if TYPE_CHECKING:
    from memoracle.store.store import Store

_LARGEST = 1_000_000


class PrivacyFile:
    """The list as the guard follows it. Two looks at the disk tell whether it changed; its places are found once."""

    def __init__(self, store: Store, *, required: bool) -> None:
        self._store = store
        self._required = required
        self._seen = ""
        self.name = store.layout["privacy"]

    def look(self, last: object) -> tuple[object, str | None, str]:
        """A mark that changes with the list or what is remembered of it; if it has, its text and what is wrong."""
        self._seen = self._seen or self._store.state_name(SEEN)
        mark = self._store.volume.looks(self.name), self._store.volume.looks(self._seen)
        if mark == last:
            return mark, None, ""
        try:
            text = self._text()
        except MemoracleError as problem:
            return mark, None, str(problem)
        if text is not None:
            return mark, text, ""
        missing = "required" if self._required else "gone: it was there before" if _seen(self._store) else ""
        return mark, None, f"{self.name} is {missing}" if missing else ""

    def _text(self) -> str | None:
        volume, name = self._store.volume, self.name
        seen = volume.stat(name)
        if seen is None:
            return None
        if not seen.is_plain or seen.size > _LARGEST:
            raise UnreadableFile(name, "it is not a plain file of at most a megabyte")
        try:
            return volume.read(name).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UnreadableFile(name, "it is not UTF-8 text") from None


# Which lines the privacy list had, as keyed digests: `state/privacy.json`. Such a list only grows.
#
# Digests are made with the root's salt, so nobody learns a line from them. The caller holds the lock.

SEEN = "privacy.json"
_LINES = "lines"


def lines_lost(store: Store, lines: Iterable[str]) -> int:
    """How many lines were seen once and are not among these."""
    seen = _seen(store)
    return len(seen - _digests(store, lines)) if seen else 0


def note_unseen(store: Store, lines: Sequence[str]) -> None:
    """Remember lines that were not seen before, where the root can be written. Takes the lock for it."""
    if lines and _digests(store, lines) - _seen(store):
        with suppress(StoreProblem, OutsideRoot, OSError), store.writing():
            known = sorted(_seen(store) | _digests(store, lines))  # what was seen before stays remembered
            documents.write_document(store.volume, store.state_name(SEEN), {_LINES: known})


def accept_list(store: Store) -> None:
    """Forget what was seen: the list as it is now is the one that counts."""
    store.volume.remove(store.state_name(SEEN))


def _seen(store: Store) -> set[str]:
    name = store.state_name(SEEN)
    if store.volume.looks(name) == NO_LOOKS:
        return set()
    held = documents.read_document(store.volume, name).get(_LINES)
    return {one for one in held if isinstance(one, str)} if isinstance(held, list) else set()


def _digests(store: Store, lines: Iterable[str]) -> set[str]:
    given = list(lines)
    key = store.salt()[:64] if given else b""
    return {blake2b(one.encode("utf-8", "replace"), key=key, digest_size=8).hexdigest() for one in given}


# The root's salt: random bytes that make its fingerprints of masked secrets, and the seals of its trail, its own.
#
# Kept in `state/`, made at the first write or when the first secret is met. Losing it costs nothing but that later
# fingerprints differ from earlier ones, and that the seals of earlier entries cannot be checked any more, which `audit
# verify` reports as a key that was replaced. Where it cannot be kept, as in a folder that is only read, it lasts as
# long as the process.

SALT = "salt"
_SALT_LENGTH = 32


def salt_at(volume: Volume, name: str) -> bytes:
    """The salt that is kept there, a new one when there is none."""
    if known := _read_salt(volume, name):
        return known
    made = os.urandom(_SALT_LENGTH)
    content = made.hex().encode() + b"\n"
    with suppress(OSError, MemoracleError):
        # Whoever comes first wins. What stands there and is no salt is damaged: its bytes are kept, and the trail shows
        # the change.
        if not volume.create(name, content) and _read_salt(volume, name) is None:
            volume.replace(f"{name}.damaged", volume.raw.read(name))
            volume.replace(name, content)
    return _read_salt(volume, name) or made


def _read_salt(volume: Volume, name: str) -> bytes | None:
    try:
        salt = bytes.fromhex(volume.read(name).decode("ascii").strip())
    except (ValueError, MemoracleError):
        return None
    return salt if len(salt) == _SALT_LENGTH else None


# `state/recognised.jsonl`: fingerprints of secrets that were recognised, so that later texts are masked as well.
#
# A line holds a length, twelve bits of how the value begins, sixty-four of the whole, both keyed with the root's salt,
# and the type. The file is this machine's own, may be lost, and never grows beyond its bound. Where it cannot be
# written (a read-only disk, a locked root), what was recognised is known as long as the process lasts.

RECOGNISED = "recognised.jsonl"
_MOST_RECOGNISED = 512
_PAUSE = 1.0
_Row = tuple[int, int, str, str]


class Recognised:
    """The fingerprints of one root; read again when another process has added some."""

    def __init__(self, volume: Volume, name: Callable[[], str]) -> None:
        self._volume = volume
        self._name = name
        self._seen = NO_LOOKS
        self._next = 0.0

    def load(self) -> Iterator[_Row]:
        """The rows that stand there, when there may be new ones since the last time."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        name = self._name()
        looks = self._volume.looks(name)
        if looks not in (NO_LOOKS, self._seen):
            self._seen = looks
            yield from self._rows(name)

    def keep(self, row: _Row) -> None:
        """Add one; of a full file the older half goes first."""
        name = self._name()
        with suppress(OSError, MemoracleError):
            rows = list(self._rows(name))
            line = _line(row)
            if len(rows) < _MOST_RECOGNISED:
                self._volume.append({name: line})
            else:
                self._volume.replace(name, b"".join([*map(_line, rows[-_MOST_RECOGNISED // 2 :]), line]))

    def _rows(self, name: str) -> Iterator[_Row]:
        with suppress(OSError, MemoracleError):
            for _, row in parsed_lines(self._volume.read(name), _row):
                if row:
                    yield row


def _row(held: Any) -> _Row:
    return int(held["length"]), int(held["begin"]), str(held["whole"]), str(held["type"])


def _line(row: _Row) -> bytes:
    return json.dumps(dict(zip(("length", "begin", "whole", "type"), row, strict=True))).encode() + b"\n"
