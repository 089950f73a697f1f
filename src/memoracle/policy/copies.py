"""Conversations that are kept as copies: the same file without its secrets.

Every line keeps its number, and JSON stays JSON: strings are masked one by one, as what they say rather than
as they are spelled, and a field whose name gives its value away is masked as a whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from memoracle.policy.masking import Masking
from memoracle.policy.secrets import Salt

_SQLITE = b"SQLite format 3\0"
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# A string of JSON, or what is left of one at a torn end; perhaps the name of a field.
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*+)("|$|(?=\n))([ \t]*:)?', re.MULTILINE)

_GENERAL = frozenset({"value", "values", "val", "content", "data", "raw", "plain", "text"})
_DEEPEST = 100
_WORDS = 12  # nothing between two strings of sound JSON is as long, save long numbers and blanks


def clean_copy(content: bytes, salt: Salt | Masking) -> bytes | None:
    """The content of a transcript without its secrets, unpacked; None when nobody can look into it."""
    unpacked = _unpacked(content)
    if unpacked is None:
        return None
    salt = salt if isinstance(salt, Masking) else Masking(salt)
    if unpacked.startswith(_SQLITE):
        from memoracle.policy.databases import clean_database

        return clean_database(unpacked, lambda text: clean_text(text, salt))
    text = unpacked.decode("utf-8", "surrogateescape")
    clean = clean_text(text, salt)
    if clean != text:  # a value may be named only after it was mentioned first
        clean = clean_text(clean, salt)
    return clean.encode("utf-8", "surrogateescape")


def clean_text(text: str, salt: Salt | Masking) -> str:
    """A text or a piece of JSON without its secrets, line by line where it was."""
    masking = salt if isinstance(salt, Masking) else Masking(salt)
    return _clean_json(text, masking) if _is_json(text) else masking.text(text, keep_lines=True).text


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


def _is_json(text: str) -> bool:
    return text[:200].lstrip("\ufeff\0 \t\r\n")[:1] in {"{", "["}


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
        spelled = json.dumps(hidden.text, ensure_ascii=said.isascii() or not _is_encodable(hidden.text))
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


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _unpacked(content: bytes) -> bytes | None:
    if content.startswith(_GZIP):
        import gzip
        import zlib

        try:
            return gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            return None
    if content.startswith(_ZSTD):
        import importlib

        try:
            module = importlib.import_module("compression.zstd")  # Python 3.14 brings it
            plain: bytes = module.decompress(content)
        except (ImportError, ValueError, OSError):
            return None
        return plain
    return content
