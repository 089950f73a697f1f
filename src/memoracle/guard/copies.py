"""Conversations that are kept as copies: the same file without its secrets.

Every line keeps its number, and JSON stays JSON: strings are masked one by one, as what they say rather than
as they are spelled, and a field whose name gives its value away is masked as a whole. Of a database the plain tables
are built anew in memory, row by row; indexes, views, triggers, virtual tables and free pages stay behind: they repeat
what the tables say, in forms that nobody can mask, or hold what was deleted. Rows keep their numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from memoracle.guard.rule import GuardPattern
from memoracle.guard.screening import Masking

if TYPE_CHECKING:
    import sqlite3

_SQLITE = b"SQLite format 3\0"
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# A string of JSON, or what is left of one at a torn end; perhaps the name of a field.
_STRING = GuardPattern(r'"((?:[^"\\\n]|\\.)*+)("|$|(?=\n))([ \t]*:)?', re.MULTILINE)

_GENERAL = frozenset({"value", "values", "val", "content", "data", "raw", "plain", "text"})
_DEEPEST = 100
_LARGEST_CELL = 64 << 20
_WORDS = 12  # nothing between two strings of sound JSON is as long, save long numbers and blanks
_JOURNAL_MODE = slice(18, 20)
_PLAIN = b"\x01\x01"


def clean_copy(content: bytes, masking: Masking) -> bytes | None:
    """The content of a transcript without its secrets, unpacked; None when nobody can look into it."""
    unpacked = _unpacked(content)
    if unpacked is None:
        return None
    if unpacked.startswith(_SQLITE):
        return _clean_database(unpacked, lambda text: clean_text(text, masking))
    text = unpacked.decode("utf-8", "surrogateescape")
    clean = clean_text(text, masking)
    if clean != text:  # a value may be named only after it was mentioned first
        clean = clean_text(clean, masking)
    return clean.encode("utf-8", "surrogateescape")


def clean_text(text: str, masking: Masking) -> str:
    """A text or a piece of JSON without its secrets, line by line where it was."""
    is_json = text[:200].lstrip("\ufeff\0 \t\r\n")[:1] in {"{", "["}
    return _clean_json(text, masking) if is_json else masking.text(text, keep_lines=True).text


def clean_document(held: Any, masking: Masking, *names: str) -> Any:
    """A document as it may be shown: every text without its secrets, judged by the names it stands under.

    `names` lead to it, the file's own first. Under `credentials` whatever is called a value is one.
    """
    if len(names) > _DEEPEST:
        return None
    if isinstance(held, Mapping):
        return {name: clean_document(one, masking, *names, str(name)) for name, one in held.items()}
    if isinstance(held, list | tuple):
        return [clean_document(one, masking, *names) for one in held]
    if not isinstance(held, str) or not held:
        return held
    last = names[-1] if names else ""
    is_of_another = last.lower() in _GENERAL and len(names) > 1
    if is_of_another and any("credential" in name.lower() for name in names):
        return masking.whole(held).text
    return masking.named(names[-2] if is_of_another else last, held).text


def _clean_json(text: str, masking: Masking) -> str:
    name = ""

    def cleaned(match: re.Match[str]) -> str:
        nonlocal name
        written, end, colon = match[1], match[2], match[3] or ""
        said = _said(written)
        hidden = masking.named(name, said) if name and not colon else masking.text(said)
        name = said[:80] if colon else ""
        if not hidden.found:
            return match[0]
        spelled = json.dumps(hidden.text, ensure_ascii=said.isascii())
        try:
            spelled.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            spelled = json.dumps(hidden.text)
        return f'"{spelled[1:-1]}{end}{colon}'

    pieces: list[str] = []
    place = 0
    for match in _STRING.finditer(text):
        pieces += [_between(text[place : match.start()], masking), cleaned(match)]
        place = match.end()
    return "".join([*pieces, _between(text[place:], masking)])


def _between(gap: str, masking: Masking) -> str:
    """What stands between two strings: marks and numbers, or, on a damaged line, words without marks."""
    return masking.text(gap, keep_lines=True).text if len(gap) >= _WORDS and not gap.isspace() else gap


def _said(written: str) -> str:
    """What a string of JSON says; as it is written when it is none."""
    if "\\" not in written:
        return written
    try:
        said = json.loads(f'"{written}"', strict=False)
    except ValueError:
        return written
    return said if isinstance(said, str) else written


def _unpacked(content: bytes) -> bytes | None:
    if content.startswith(_GZIP):
        import gzip
        import zlib

        try:
            return gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            return None
    if content.startswith(_ZSTD):
        from io import BytesIO

        from memoracle.zstd import PackedFile

        try:
            return PackedFile(BytesIO(content)).read()
        except (ValueError, EOFError):
            return None
    return content


def _clean_database(content: bytes, clean: Callable[[str], str]) -> bytes | None:
    """The same tables with every text cleaned; None for bytes that are no database."""
    import sqlite3

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
    import sqlite3

    columns = [(name, kind) for _, name, kind, *_ in source.execute(f"PRAGMA table_info({_quoted(table)})")]
    names = ", ".join(_quoted(name) for name, _ in columns)
    types = ["".join(char for char in kind if char.isalnum() or char == " ") for _, kind in columns]
    declared = ", ".join(f"{_quoted(name)} {kind}" for (name, _), kind in zip(columns, types, strict=True))
    target.execute(f"CREATE TABLE {_quoted(table)} ({declared})")
    taken = {name.lower() for name, _ in columns}
    number = next((one for one in ("rowid", "_rowid_", "oid") if one not in taken), "")
    try:
        source.execute(f"SELECT {number or 'NULL'} FROM {_quoted(table)} LIMIT 1").fetchall()  # noqa: S608
    except sqlite3.OperationalError:
        number = ""  # a table whose rows have no numbers
    marks = ", ".join("?" * (len(columns) + bool(number)))
    into = f"{number}, {names}" if number else names
    target.executemany(
        f"INSERT INTO {_quoted(table)} ({into}) VALUES ({marks})",  # noqa: S608 - names are quoted
        (
            tuple(_cleaned(value, clean) for value in row)
            for row in source.execute(f"SELECT {into} FROM {_quoted(table)}")  # noqa: S608
        ),
    )


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bytes):
        if value.startswith(_ZSTD):
            from memoracle.zstd import unpack

            # What a host packed stands unpacked in the copy, which its reader knows; or nobody can look into it.
            try:
                value = unpack(value, _LARGEST_CELL)
            except ValueError:
                return None
        try:
            text = value.decode("utf-8")
        except UnicodeDecodeError:
            return value
        return clean(text).encode()
    return value


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
