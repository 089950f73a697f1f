"""Weights are used only when they are the bytes that were pinned.

A package index can hand out another file under the same name, so every bundled model is named by the
SHA-256 of its weights. Hashing ninety megabytes takes longer than a whole recall, therefore a check
that succeeded is remembered in the cache folder by size and time of change, and repeated when either
differs.
"""

from __future__ import annotations

import contextlib
import os
import zlib

from memoracle.errors import WeightsMismatch

_BLOCK = 1 << 20


def check(path: str, sha256: str, cache_dir: str) -> None:
    """Return when the file at `path` has this SHA-256; raise `WeightsMismatch` when it has another."""
    note = os.path.join(cache_dir, "checked", f"{sha256[:16]}-{zlib.crc32(os.fsencode(path)):08x}")
    seen = _stamp(path, sha256)
    if _read(note) == seen:
        return
    found = file_sha256(path)
    if found != sha256:
        raise WeightsMismatch(path, expected=sha256, found=found)
    # A cache folder that cannot be written costs the next start another check, nothing else.
    with contextlib.suppress(OSError):
        _write(note, seen)


def file_sha256(path: str) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    import hashlib

    digest = hashlib.sha256()
    with open(path, "rb", buffering=0) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _stamp(path: str, sha256: str) -> bytes:
    stat = os.stat(path)
    return f"{sha256} {stat.st_size} {stat.st_mtime_ns} {stat.st_ino}\n".encode() + os.fsencode(path)


def _read(note: str) -> bytes | None:
    try:
        with open(note, "rb") as file:
            return file.read()
    except OSError:
        return None


def _write(note: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(note), mode=0o700, exist_ok=True)
    draft = f"{note}.{os.getpid()}"
    with open(draft, "wb") as file:
        file.write(content)
    os.replace(draft, note)
