"""Sortable ids and content keys.

An id is `mem_` and a ULID: 48 bits of milliseconds, then 80 random bits, in Crockford's
base 32. Ids made by one process within a millisecond still ascend. A content key says
"this has been kept before" without keeping the words in a second place.
"""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime
from hashlib import blake2b

RECORD_PREFIX = "mem_"
OPERATION_PREFIX = "op_"
WRITER_PREFIX = "w_"

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80


class IdSource:
    """Makes ids that ascend within this process and never repeat across machines."""

    _last = 0
    _lock = threading.Lock()

    def begin_anew(self) -> None:
        """Forget the last id: a forked process would otherwise count on from the same one as its parent."""
        self._last = 0
        self._lock = threading.Lock()

    def next(self, prefix: str, at: datetime) -> str:
        """A new id; later calls give greater ones, even within one millisecond."""
        value = (int(at.timestamp() * 1000) << _RANDOM_BITS) | int.from_bytes(os.urandom(10), "big")
        with self._lock:
            if value >> _RANDOM_BITS <= self._last >> _RANDOM_BITS:
                value = self._last + 1 + int.from_bytes(os.urandom(4), "big")
            self._last = value
        return prefix + _base32(value)


def derived_id(prefix: str, at: datetime, *parts: str) -> str:
    """The id that the same parts at the same moment always give: a run that is repeated makes the same records."""
    return prefix + _base32((int(at.timestamp() * 1000) << _RANDOM_BITS) | int(_digest(parts)[:20], 16))


def made_at(record_id: str) -> datetime | None:
    """When an id of ours was made; None for an id of another program."""
    letters = record_id.removeprefix(RECORD_PREFIX)[:10]
    if len(letters) < 10 or not record_id.startswith(RECORD_PREFIX) or not set(letters) <= set(_ALPHABET):
        return None
    stamp = 0
    for letter in letters:
        stamp = stamp << 5 | _ALPHABET.index(letter)
    return datetime.fromtimestamp(stamp / 1000, UTC)


def content_key(*parts: str) -> str:
    """A key that equal content shares: `c_` and 32 hex digits."""
    return "c_" + _digest(parts)


def idempotency_key(name: str) -> str:
    """A key for a name the caller chose, so that a retry is recognised: `i_` and 32 hex digits."""
    return "i_" + _digest((name,))


def file_digest(content: bytes) -> str:
    """What identifies the whole content of a file."""
    return blake2b(content, digest_size=16).hexdigest()


def _digest(parts: tuple[str, ...]) -> str:
    # Length prefixes keep ("ab", "c") apart from ("a", "bc").
    material = b"".join(b"%d:%s" % (len(raw), raw) for raw in (p.encode("utf-8", "replace") for p in parts))
    return blake2b(material, digest_size=16).hexdigest()


def _base32(value: int) -> str:
    return "".join([_ALPHABET[value >> shift & 31] for shift in range(125, -1, -5)])
