"""Finding, opening and replacing the file of the view.

The folder holds one file per build, and `current`, which names the one in use. A build never
takes the name of another: SQLite's side files belong to a name, and must not meet a stranger.
Files are their owner's alone, and a link or a pipe in the place of one is never opened.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from memoracle.index.api import FEATURES, LINKS, EmbeddedChunk, Pending
from memoracle.index.sqlite.passages import SELECTED, found
from memoracle.lock import release, wait_for_lock
from memoracle.text import TERMS_VERSION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# Vectors: kept by content, scanned as sign bits, rescored exactly.

# The sign bits of a vector.


def signs_of(vector: bytes) -> bytes:
    """One bit per dimension of an f16 vector."""
    import numpy as np

    return np.packbits(np.frombuffer(vector, dtype="<f2") > 0).tobytes()


BLOCK = 1024
OWNER = 4
_AT_ONCE = 500
SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    space TEXT NOT NULL, content TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (content, space)
)
"""


def pending(connection: sqlite3.Connection, limit: int) -> list[Pending]:
    """Standing passages without a vector, newest first."""
    rows = connection.execute(
        f"SELECT {SELECTED}, p.rowid FROM unembedded u CROSS JOIN passages p ON p.rowid = u.passage "  # noqa: S608
        "WHERE p.live = 1 AND p.text != '' ORDER BY u.passage DESC LIMIT ?",
        (limit,),
    ).fetchall()
    passages = [(row[-1], found(row).passage) for row in rows]
    return [
        Pending(
            row=row,
            who=one.who,
            title=one.title,
            text=one.text,
            chunk_size=one.chunk_size,
            most=one.embedded_chunks,
        )
        for row, one in passages
    ]


def count_pending(connection: sqlite3.Connection, space: str = "") -> int:
    """How many standing passages have no vector, or none in this space."""
    (number,) = connection.execute(
        "SELECT count(*) FROM unembedded u CROSS JOIN passages p ON p.rowid = u.passage "
        "WHERE p.live = 1 AND p.text != ''"
    ).fetchone()
    if not space:
        return int(number)
    (elsewhere,) = connection.execute(
        "SELECT count(DISTINCT c.passage) FROM chunks c CROSS JOIN passages p ON p.rowid = c.passage "
        "WHERE p.live = 1 AND c.space != ?",
        (space,),
    ).fetchone()
    return int(number + elsewhere)


def known_vectors(vault: sqlite3.Connection, space: str, contents: Sequence[str]) -> dict[str, bytes]:
    """The vectors (f16) that are kept for these contents."""
    held: dict[str, bytes] = {}
    for start in range(0, len(contents), _AT_ONCE):
        part = contents[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(part))
        query = f"SELECT content, vector FROM vectors WHERE space = ? AND content IN ({marks})"  # noqa: S608
        held |= dict(vault.execute(query, (space, *part)))
    return held


def keep_vectors(vault: sqlite3.Connection, space: str, chunks: Sequence[EmbeddedChunk]) -> None:
    """Keep vectors by content."""
    vault.execute("BEGIN IMMEDIATE")
    vault.executemany(
        "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", [(space, s.content, s.vector) for s in chunks]
    )
    vault.execute("COMMIT")


def put_chunks(
    connection: sqlite3.Connection,
    space: str,
    passages: Mapping[int, Sequence[EmbeddedChunk]],
    signs: Mapping[str, bytes],
) -> None:
    """Give passages their vectors: `signs` holds the sign bits of each content."""
    alive = [row for row in passages if _is_there(connection, row)]
    (first,) = connection.execute(
        "SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'next_chunk'"
    ).fetchone()
    placed = [(row, chunk) for row in alive for chunk in passages[row]]
    numbered = list(enumerate(placed, start=first))
    connection.execute("UPDATE meta SET value = ? WHERE name = 'next_chunk'", (str(first + len(placed)),))
    connection.executemany(
        "INSERT INTO chunks VALUES (?, ?, ?, ?)",
        [(number, row, space, chunk.content) for number, (row, chunk) in numbered],
    )
    connection.executemany("DELETE FROM unembedded WHERE passage = ?", [(row,) for row in alive])
    _write_bits(
        connection,
        space,
        {number: row.to_bytes(OWNER, "little") + signs[chunk.content] for number, (row, chunk) in numbered},
    )


def remove_chunks(connection: sqlite3.Connection, passage: int) -> None:
    """Take a passage's vectors out of the scan."""
    held = connection.execute("SELECT id, space FROM chunks WHERE passage = ?", (passage,)).fetchall()
    for number, space in held:
        (data,) = connection.execute(
            "SELECT data FROM bits WHERE space = ? AND block = ?", (space, number // BLOCK)
        ).fetchone()
        width = len(data) // BLOCK
        _write_bits(connection, space, {number: bytes(width)})
    connection.execute("DELETE FROM chunks WHERE passage = ?", (passage,))
    connection.execute("DELETE FROM unembedded WHERE passage = ?", (passage,))


def prune(connection: sqlite3.Connection, vault: sqlite3.Connection) -> None:
    """Forget the vectors of words that no passage holds any more."""
    alive = {content for (content,) in connection.execute("SELECT DISTINCT content FROM chunks")}
    dead = {content for (content,) in vault.execute("SELECT DISTINCT content FROM vectors")} - alive
    vault.executemany("DELETE FROM vectors WHERE content = ?", [(content,) for content in dead])


def leave_other_spaces(connection: sqlite3.Connection, space: str) -> None:
    """Empty every space but one: what had its vectors elsewhere is without a vector again."""
    connection.execute(
        "INSERT OR IGNORE INTO unembedded SELECT DISTINCT passage FROM chunks WHERE space != ?1 "
        "AND passage NOT IN (SELECT passage FROM chunks WHERE space = ?1)",
        (space,),
    )
    connection.execute("DELETE FROM chunks WHERE space != ?", (space,))
    connection.execute("DELETE FROM bits WHERE space != ?", (space,))


def drop_other_vectors(vault: sqlite3.Connection, space: str) -> int:
    """Forget the vectors of every space but one; how many those were."""
    if not vault.execute("SELECT 1 FROM vectors WHERE space != ? LIMIT 1", (space,)).fetchone():
        return 0
    return vault.execute("DELETE FROM vectors WHERE space != ?", (space,)).rowcount


def spaces(connection: sqlite3.Connection) -> list[str]:
    """The names of the spaces that hold vectors."""
    return [name for (name,) in connection.execute("SELECT DISTINCT space FROM bits ORDER BY space")]


def read_bits(
    connection: sqlite3.Connection, space: str
) -> tuple[NDArray[np.uint32], NDArray[np.uint8], NDArray[np.int64]]:
    """The owner and the sign bits of every chunk in a space, and the chunks' numbers."""
    import numpy as np

    blocks = connection.execute(
        "SELECT block, data FROM bits WHERE space = ? ORDER BY block", (space,)
    ).fetchall()
    width = len(blocks[0][1]) // BLOCK
    table = np.frombuffer(b"".join(data for _, data in blocks), dtype=np.uint8).reshape(-1, width)
    owners = np.ascontiguousarray(table[:, :OWNER]).view("<u4").ravel()
    numbers = np.concatenate([np.arange(block * BLOCK, (block + 1) * BLOCK) for block, _ in blocks])
    used = owners > 0
    return owners[used], np.ascontiguousarray(table[used, OWNER:]), numbers[used]


def _is_there(connection: sqlite3.Connection, row: int) -> bool:
    """True for a passage that was not removed while its vectors were computed."""
    return connection.execute("SELECT 1 FROM passages WHERE rowid = ?", (row,)).fetchone() is not None


def _write_bits(connection: sqlite3.Connection, space: str, rows: Mapping[int, bytes]) -> None:
    blocks: dict[int, list[int]] = {}
    for number in rows:
        blocks.setdefault(number // BLOCK, []).append(number)
    for block, numbers in blocks.items():
        width = len(rows[numbers[0]])
        held = connection.execute(
            "SELECT data FROM bits WHERE space = ? AND block = ?", (space, block)
        ).fetchone()
        data = bytearray(held[0] if held else bytes(BLOCK * width))
        for number in numbers:
            place = (number % BLOCK) * width
            data[place : place + width] = rows[number]
        connection.execute("INSERT OR REPLACE INTO bits VALUES (?, ?, ?)", (space, block, bytes(data)))


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
    vault.execute(SCHEMA)
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
