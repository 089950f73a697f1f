"""The root's salt: random bytes that make its fingerprints of masked secrets, and the seals of its trail, its own.

Kept in `state/`, made at the first write or when the first secret is met. Losing it costs nothing but that later
fingerprints differ from earlier ones, and that the seals of earlier entries cannot be checked any more, which
`audit verify` reports as a key that was replaced. Where it
cannot be kept, as in a folder that is only read, it lasts as long as the process.
"""

from __future__ import annotations

import secrets
from contextlib import suppress

from memoracle.errors import MemoracleError
from memoracle.store.volume import Volume

FILE = "salt"
_LENGTH = 32


def salt_at(volume: Volume, name: str) -> bytes:
    """The salt that is kept there, a new one when there is none."""
    if known := _read(volume, name):
        return known
    made = secrets.token_bytes(_LENGTH)
    content = made.hex().encode() + b"\n"
    with suppress(OSError, MemoracleError):
        # Whoever comes first wins. What stands there and is no salt is damaged: its bytes are kept, and the trail shows
        # the change.
        if not volume.create(name, content) and _read(volume, name) is None:
            volume.replace(f"{name}.damaged", volume.raw.read(name))
            volume.replace(name, content)
    return _read(volume, name) or made


def _read(volume: Volume, name: str) -> bytes | None:
    try:
        salt = bytes.fromhex(volume.read(name).decode("ascii").strip())
    except (ValueError, MemoracleError):
        return None
    return salt if len(salt) == _LENGTH else None
