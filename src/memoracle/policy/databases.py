"""The copy of a database without its secrets: its plain tables, row by row, built anew in memory.

Indexes, views, triggers and virtual tables stay behind: they repeat what the tables say, in forms that nobody
can mask. So do free pages, which may hold what was deleted. Rows keep their numbers.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

_JOURNAL_MODE = slice(18, 20)
_PLAIN = b"\x01\x01"


def clean_database(content: bytes, clean: Callable[[str], str]) -> bytes | None:
    """The same tables with every text cleaned; None for bytes that are no database."""
    readable = bytearray(content)
    readable[_JOURNAL_MODE] = _PLAIN  # a database in memory has no log beside it
    with closing(sqlite3.connect(":memory:")) as source, closing(sqlite3.connect(":memory:")) as target:
        try:
            source.text_factory = lambda raw: raw.decode("utf-8", "replace")
            source.deserialize(bytes(readable))
            for table in _tables(source):
                _copy(source, target, table, clean)
            target.commit()
            return target.serialize()
        except sqlite3.Error:
            return None


def _tables(source: sqlite3.Connection) -> list[str]:
    rows = source.execute("SELECT name, rootpage, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    virtual = [name for name, page, _ in rows if not page]
    return [
        name
        for name, page, _ in sorted(rows)
        if page and not name.startswith("sqlite_") and not any(name.startswith(f"{one}_") for one in virtual)
    ]


def _copy(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str, clean: Callable[[str], str]
) -> None:
    columns = [(name, kind) for _, name, kind, *_ in source.execute(f"PRAGMA table_info({_quoted(table)})")]
    names = ", ".join(_quoted(name) for name, _ in columns)
    declared = ", ".join(f"{_quoted(name)} {_word(kind)}" for name, kind in columns)
    target.execute(f"CREATE TABLE {_quoted(table)} ({declared})")
    number = _row_number(source, table, {name.lower() for name, _ in columns})
    marks = ", ".join("?" * (len(columns) + bool(number)))
    into = f"{number}, {names}" if number else names
    target.executemany(
        f"INSERT INTO {_quoted(table)} ({into}) VALUES ({marks})",  # noqa: S608 - names are quoted
        (
            tuple(_cleaned(value, clean) for value in row)
            for row in source.execute(f"SELECT {into} FROM {_quoted(table)}")  # noqa: S608
        ),
    )


def _row_number(source: sqlite3.Connection, table: str, columns: set[str]) -> str:
    """The name under which a row's number can be asked for; empty for a table that has none."""
    name = next((one for one in ("rowid", "_rowid_", "oid") if one not in columns), "")
    try:
        source.execute(f"SELECT {name or 'NULL'} FROM {_quoted(table)} LIMIT 1").fetchall()  # noqa: S608
    except sqlite3.OperationalError:
        return ""
    return name


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bytes):
        try:
            text = value.decode("utf-8")
        except UnicodeDecodeError:
            return value
        return clean(text).encode()
    return value


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _word(kind: str) -> str:
    return "".join(char for char in kind if char.isalnum() or char == " ")
