"""The root's salt: random bytes that make its fingerprints of masked secrets, and the seals of its trail, its own.

Kept in `state/`, made at the first write or when the first secret is met. Losing it costs nothing but that later
fingerprints differ from earlier ones, and that the seals of earlier entries cannot be checked any more, which
`audit verify` reports as a key that was replaced. Where it
cannot be kept, as in a folder that is only read, it lasts as long as the process.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress

from memoracle.errors import MemoracleError
from memoracle.store import durable

FILE = "salt"
_LENGTH = 32


def salt_at(path: str) -> bytes:
    """The salt that is kept there, a new one when there is none."""
    if known := _read(path):
        return known
    made = secrets.token_bytes(_LENGTH)
    draft = f"{path}.{made.hex()[:8]}{durable.TEMPORARY}"
    with suppress(OSError, MemoracleError):
        durable.make_folder(os.path.dirname(path))
        durable.replace(draft, made.hex().encode() + b"\n")
        try:
            os.link(draft, path)  # whoever comes first wins, and nobody sees half of it
        except FileExistsError:
            if _read(path) is None:  # not a salt: damaged; its bytes are kept, and the trail shows the change
                os.replace(path, f"{path}.damaged")
                os.replace(draft, path)
        except OSError:
            os.replace(draft, path)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(draft)
        durable.sync_folder(os.path.dirname(path))
    return _read(path) or made


def _read(path: str) -> bytes | None:
    try:
        salt = bytes.fromhex(durable.read(path).decode("ascii").strip())
    except (ValueError, MemoracleError):
        return None
    return salt if len(salt) == _LENGTH else None
