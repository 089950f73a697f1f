"""The words inside a message, whatever blocks its host stores it in."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

from memoracle.ingest.lines import mended
from memoracle.model.turn import SessionKind

_LONGEST_COUNTED = 40
_MOST_MISSES = 8
_TEXT_BLOCKS = frozenset({"text", "input_text", "output_text", None})


def words_of(content: object) -> str:
    """The text of a message: a string, a block or blocks; tools, pictures and thoughts are no text."""
    if not isinstance(content, list):
        return _block_words(content)
    if len(content) == 1:
        return _block_words(content[0])
    pieces = [_block_words(block) for block in content]
    return "\n".join(piece for piece in pieces if piece)


def _block_words(block: object) -> str:
    if isinstance(block, str):
        return mended(block)
    if not isinstance(block, dict) or block.get("type") not in _TEXT_BLOCKS or block.get("thought"):
        return ""
    text = block.get("text")
    return mended(text) if isinstance(text, str) else ""


def string(entry: dict[str, Any], *keys: str) -> str | None:
    """The first of these keys that holds a non-empty string."""
    for key in keys:
        value = entry.get(key)
        if isinstance(value, str) and value:
            return mended(value)
    return None


def table(entry: dict[str, Any], key: str) -> dict[str, Any]:
    """The object under a key, empty when there is none."""
    value = entry.get(key)
    return value if isinstance(value, dict) else {}


def kind_in(memo: dict[str, str]) -> SessionKind | None:
    """The kind of session a memo tells, if it does."""
    kept = memo.get("kind", "")
    return SessionKind(kept) if kept in set(SessionKind) else None


class Ids:
    """Stable ids for turns that their host gave none.

    Made from the session, the speaker and the words, so that a copy, a longer file or a file with
    damaged lines gives the same ids. Short words such as “continue” are counted where they repeat;
    long words that come again count once. `memo` carries the counts to a later reading.
    """

    def __init__(self, memo: str = "") -> None:
        self._counts: Counter[str] = Counter()
        for item in memo.split():
            key, _, count = item.partition(":")
            self._counts[key] = int(count) if count.isdecimal() and len(count) < 9 else 1

    def memo(self) -> str:
        """The counts, in one line."""
        return " ".join(f"{key}:{count}" for key, count in self._counts.items())

    def next(self, session: str, speaker: str, text: str, when: str = "") -> str:
        """The id of the next turn in which `speaker` says `text`."""
        said = hashlib.sha256(f"{session}\0{speaker}\0{when}\0{text}".encode("utf-8", "replace")).hexdigest()
        if len(text) > _LONGEST_COUNTED:
            return said[:24]
        short = said[:8]
        self._counts[short] += 1
        count = self._counts[short]
        return said[:24] if count == 1 else f"{said[:24]}-{count}"


class LineFinder:
    """The line on which each of several marks stands in a document, asked in their order."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._offset = 0
        self._line = 1
        self._misses = 0

    def line_of(self, mark: str) -> int:
        """The line of the next occurrence of `mark`, or the last line known when there is none."""
        if self._misses > _MOST_MISSES:  # a document that escapes its marks would be searched in vain
            return self._line
        found = self._content.find(mark.encode("utf-8", "replace"), self._offset)
        if found < 0:
            self._misses += 1
        else:
            self._line += self._content.count(b"\n", self._offset, found)
            self._offset = found
        return self._line
