"""Finding, opening and replacing the file of the view.

The folder holds one file per build, and `current`, which names the one in use. A build never
takes the name of another: SQLite's side files belong to a name, and must not meet a stranger.
Files are their owner's alone, and a link or a pipe in the place of one is never opened.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b

from memoracle.index.api import FEATURES, LINKS
from memoracle.index.sqlite.vectors import SCHEMA as VAULT_SCHEMA
from memoracle.lock import release, wait_for_lock
from memoracle.text import TERMS_VERSION

VAULT = "vectors.db"
_SCHEMA = os.path.join(os.path.dirname(__file__), "schema.sql")
_SIDES = ("", "-wal", "-shm", "-journal")


@lru_cache(maxsize=1)
def schema() -> str:
    """The schema as text."""
    with open(_SCHEMA, encoding="utf-8") as file:
        return file.read()


def fingerprint(rules: str = "") -> str:
    """What a view was built for; another one means building again. `rules` are those a root has of its own."""
    made_for = f"{schema()}\0{TERMS_VERSION}\0{FEATURES}\0{LINKS}\0{rules}"
    return blake2b(made_for.encode(), digest_size=12).hexdigest()


def open_current(folder: str, wanted: str) -> sqlite3.Connection | None:
    """A connection to the view in use; None when there is none that fits."""
    name = read_pointer(folder)
    if name is None or not name.startswith(wanted):
        return None
    path = os.path.join(folder, name)
    if not _is_plain(path):
        return None
    try:
        connection = _connect(path)
        found = connection.execute("SELECT value FROM meta WHERE name = 'fingerprint'").fetchone()
    except sqlite3.OperationalError as problem:
        if is_busy(problem):
            raise
        return None
    except sqlite3.DatabaseError:
        return None
    return connection if found and found[0] == wanted else None


def create(folder: str, wanted: str) -> sqlite3.Connection:
    """A new, empty view, put in use at once so that readers see it fill; older builds are removed."""
    _make_folder(folder)
    name = f"{wanted}-{os.urandom(4).hex()}.db"
    os.close(_new_file(os.path.join(folder, name)))
    connection = _connect(os.path.join(folder, name))
    _fill(connection, wanted)
    pointer = os.path.join(folder, f".current.{os.urandom(4).hex()}")
    with os.fdopen(_new_file(pointer), "w", encoding="ascii") as file:
        file.write(name + "\n")
    os.rename(pointer, os.path.join(folder, "current"))
    for other in os.listdir(folder):
        if ".db" in other and not other.startswith((name, VAULT)):
            with suppress(OSError):
                os.unlink(os.path.join(folder, other))
    return connection


def open_vault(folder: str | None) -> sqlite3.Connection:
    """The file that keeps vectors by content; it outlives the builds of the view."""
    if folder is None:
        vault = _connect(":memory:")
    else:
        _make_folder(folder)
        path = os.path.join(folder, VAULT)
        with suppress(FileExistsError):
            os.close(_new_file(path))
        if not _is_plain(path):
            raise OSError(f"{path} is a link")
        vault = _connect(path)
    vault.execute(VAULT_SCHEMA)
    return vault


def in_memory(wanted: str) -> sqlite3.Connection:
    """A view for a folder that cannot be written."""
    connection = _connect(":memory:")
    _fill(connection, wanted)
    return connection


def remove(folder: str) -> None:
    """Throw the view away."""
    with suppress(FileNotFoundError, NotADirectoryError):
        for name in os.listdir(folder):
            if (".db" in name and not name.startswith(VAULT)) or name == "current":
                with suppress(OSError):
                    os.unlink(os.path.join(folder, name))


@contextmanager
def turn(folder: str | None, wait: float) -> Iterator[bool]:
    """Our turn to change the view; False when another process keeps its own for longer than `wait`.

    SQLite's own lock covers one transaction, and a long build commits many.
    """
    if folder is None:
        yield True
        return
    try:
        handle = os.open(_private(os.path.join(folder, "turn")), os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        yield True  # nobody can write here, so nobody has to wait
        return
    try:
        yield wait_for_lock(handle, wait)
    finally:
        release(handle)
        os.close(handle)


def is_busy(problem: sqlite3.Error) -> bool:
    """True when somebody else is using the file, which is no damage."""
    return isinstance(problem, sqlite3.OperationalError) and any(
        word in str(problem) for word in ("locked", "busy")
    )


def _private(path: str) -> str:
    """The path of a file that nobody else can read, from its first byte on."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    os.fchmod(handle, 0o600)
    os.close(handle)
    return path


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _fill(connection: sqlite3.Connection, wanted: str) -> None:
    connection.executescript(schema())
    values = {
        "fingerprint": wanted,
        "whole": 0,
        "next_row": 1,
        "next_chunk": 1,
        "chunks": 0,
        "generation": 0,
    }
    rows = [(name, str(item)) for name, item in values.items()]
    connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)


def read_pointer(folder: str) -> str | None:
    """The name of the build in use; None when there is none."""
    path = os.path.join(folder, "current")
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        with open(path, encoding="ascii") as file:
            name = file.read(200).strip()
    except (OSError, UnicodeDecodeError):
        return None
    return name if name and "/" not in name and name.endswith(".db") else None


def _make_folder(folder: str) -> None:
    if os.path.islink(folder):
        raise OSError(f"{folder} is a link")
    if not os.path.isdir(folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.chmod(folder, 0o700)  # whatever the umask


def _new_file(path: str) -> int:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    os.fchmod(handle, 0o600)  # SQLite gives its side files the same mode
    return handle


def _is_plain(path: str) -> bool:
    """True for a plain file whose side files are plain or absent."""
    for side in _SIDES:
        try:
            if not stat.S_ISREG(os.lstat(path + side).st_mode):
                return False
        except OSError:
            if not side:
                return False
    return True
