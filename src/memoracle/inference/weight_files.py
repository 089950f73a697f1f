"""Files of weights: where they are installed, whether they are the pinned ones, where derived ones go.

A package index can hand out another file under the same name, so every bundled model is named by the
SHA-256 of its weights. Hashing ninety megabytes takes longer than a whole recall, therefore a check
that succeeded is remembered in the cache folder by size and time of change, and repeated when either
differs.
"""

from __future__ import annotations

import contextlib
import os
import sys
import zlib
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

from memoracle.errors import WeightsMismatch
from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


# Where derived files of this user go: unpacked weights and the memory of checks done.


def default_cache_dir(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> str:
    """The per-user cache folder of Memoracle on this platform; it need not exist yet."""
    env = os.environ if environ is None else environ
    if chosen := env.get("XDG_CACHE_HOME"):
        base = chosen
    elif platform == "win32":
        base = env.get("LOCALAPPDATA") or os.path.join(_home(env), "AppData", "Local")
    elif platform == "darwin":
        base = os.path.join(_home(env), "Library", "Caches")
    else:
        base = os.path.join(_home(env), ".cache")
    return os.path.join(base, "memoracle")


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or os.path.expanduser("~")


# Finding a data file inside an installed package without importing that package.


@value
class Place:
    """Where a package keeps something: a path relative to the package's folder."""

    package: str
    within: str


def find(places: Iterable[Place]) -> str | None:
    """The path of the first of `places` that exists on this machine."""
    for place in places:
        spec = PathFinder.find_spec(place.package)
        for folder in (spec and spec.submodule_search_locations) or ():
            path = os.path.join(folder, *place.within.split("/"))
            if os.path.exists(path):
                return path
    return None


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
