"""What a call is given beside its options: words, texts and JSON, on the command line, on stdin, or in a file.

Only plain files are read: a pipe or a device could make a reader wait for ever. Nothing is cut in silence.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Sequence
from typing import Any

from memoracle.errors import BadInput, UnreadableFile

_LARGEST = 4_000_000


def read_words(words: Sequence[str], *, stdin: bool = False, when_piped: bool = True) -> str:
    """The words of a call; for `-`, or for none while something is piped in, what stands on stdin."""
    if stdin or list(words) == ["-"]:
        return read_stdin()
    if words or not when_piped or sys.stdin is None or sys.stdin.isatty():
        return " ".join(words)
    return read_stdin()


def read_stdin() -> str:
    """The whole of stdin, as text, without the end of its last line."""
    content = sys.stdin.buffer.read(_LARGEST + 1) if sys.stdin is not None else b""
    return _text(content, "stdin").rstrip("\r\n")


def read_text(path: str, largest: int = _LARGEST) -> str:
    """The text of a plain file, or of stdin for `-`."""
    return read_stdin() if path == "-" else _text(read_bytes(path, largest), path, largest)


def read_bytes(path: str, largest: int = _LARGEST) -> bytes:
    """At most one byte more than `largest` of a plain file."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise UnreadableFile(path, "it is not a plain file")
            return file.read(largest + 1)
    except (OSError, ValueError) as problem:
        raise UnreadableFile(path, getattr(problem, "strerror", None) or "it has no such name") from None


def read_json(source: str) -> Any:
    """What a file holds, or stdin for `-`."""
    return parse_json(read_text(source), "stdin" if source == "-" else source)


def parse_json(text: str, where: str) -> Any:
    """The document in a text, with nothing that JSON itself does not know."""
    if len(text) > _LARGEST:
        raise BadInput(f"{where} is longer than {_LARGEST:,} characters")
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise BadInput(f"{where} nests too deeply to be read") from None
    except ValueError as problem:
        raise BadInput(f"{where} is not JSON: {problem}") from None


def _text(content: bytes, where: str, largest: int = _LARGEST) -> str:
    if len(content) > largest:
        raise BadInput(f"{where} is longer than {largest:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise BadInput(f"{where} is not UTF-8 text (line {line})", "save it as UTF-8") from None


def _refuse(word: str) -> None:
    message = f"{word} is no number of JSON"
    raise ValueError(message)
