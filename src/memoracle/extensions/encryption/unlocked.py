"""Keys that are open in this login session: a file in a folder that lives in memory, never on a disk.

The folder is its owner's alone and has to lie on a memory file system, which the kernel is asked about; it goes when
the session or the machine ends. The view of a sealed root lives beside the key.
"""

from __future__ import annotations

import json
import os
import stat
import time
from contextlib import suppress
from typing import Any

from memoracle.extensions.encryption.seal import NoMemoryFolder, Ring

_IN_MEMORY = ("tmpfs", "ramfs")
_MOUNTS = "/proc/self/mountinfo"
_SHARED = "/dev/shm"  # noqa: S108 - what is made there is owned, private and checked


def folders() -> list[str]:
    """Where keys may lie, the best place first; a scheduler has no XDG_RUNTIME_DIR, so its usual place counts too."""
    user = os.getuid()
    own = [os.environ.get("XDG_RUNTIME_DIR", ""), f"/run/user/{user}"]
    places = [os.path.join(place, "memoracle") for place in own if place.startswith("/")]
    return list(dict.fromkeys([*places, f"{_SHARED}/memoracle-{user}"]))


def memory_folder() -> str | None:
    """A folder of ours that no disk holds, made when it is missing; None when this machine has none."""
    for folder in folders():
        with suppress(OSError):
            if os.path.isdir(os.path.dirname(folder)):
                with suppress(FileExistsError):
                    os.mkdir(folder, 0o700)
                    os.chmod(folder, 0o700)
                if _is_ours(folder):
                    return folder
    return None


def view_folder(root: str) -> str | None:
    """Where the view of a sealed root lives; None means: in each process for itself."""
    folder = memory_folder()
    return os.path.join(folder, f"{root}.view") if folder else None


def keep(ring: Ring, *, until: float | None) -> str:
    """Hold the keys for this session; the file is returned."""
    folder = memory_folder()
    if folder is None:
        raise NoMemoryFolder(folders())
    path, draft = os.path.join(folder, f"{ring.root}.key"), os.path.join(folder, f".{os.urandom(6).hex()}")
    held = {
        "root": ring.root,
        "current": ring.current,
        "keys": {name: key.hex() for name, key in ring.keys.items()},
        "inboxes": list(ring.inboxes),
        "until": until,
    }
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        os.fchmod(handle, 0o600)
        os.write(handle, json.dumps(held).encode())
    finally:
        os.close(handle)
    os.rename(draft, path)
    return path


def find(root: str) -> tuple[str, tuple[int, int]] | None:
    """The file that holds a root's keys, and how it looks; None when none does."""
    for folder in folders():
        path = os.path.join(folder, f"{root}.key")
        try:
            found = os.lstat(path)
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077:
            return path, (found.st_ino, found.st_mtime_ns)
    return None


def read(path: str) -> tuple[Ring, float | None] | None:
    """The keys in such a file and until when they hold; None when their time is over."""
    try:
        with open(path, "rb") as file:
            held: Any = json.loads(file.read(1 << 20))
        until = held["until"]
        ring = Ring(
            root=held["root"],
            current=held["current"],
            keys={name: bytes.fromhex(key) for name, key in held["keys"].items()},
            inboxes=tuple(held["inboxes"]),
        )
    except (OSError, ValueError, TypeError, LookupError):
        return None
    if until is not None and time.time() >= until:
        forget(ring.root)
        return None
    return ring, until


def forget(root: str) -> bool:
    """Let go of a root's keys and of its view; True when there was something to let go of."""
    import shutil

    gone = False
    for folder in folders():
        with suppress(OSError):
            os.unlink(os.path.join(folder, f"{root}.key"))
            gone = True
        view = os.path.join(folder, f"{root}.view")
        if os.path.isdir(view) and not os.path.islink(view) and _is_ours(folder):
            shutil.rmtree(view, ignore_errors=True)
            gone = True
    return gone


def _is_ours(folder: str) -> bool:
    found = os.lstat(folder)
    is_private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    return is_private and _lives_in_memory(found.st_dev)


def _lives_in_memory(device: int) -> bool:
    """What the kernel says of the file system with this number."""
    wanted = f"{os.major(device)}:{os.minor(device)}"
    try:
        with open(_MOUNTS, encoding="utf-8", errors="replace") as file:
            rows = [line.split() for line in file]
    except OSError:
        return False
    return any(row[2] == wanted and row[row.index("-") + 1] in _IN_MEMORY for row in rows if "-" in row[:-1])
