"""SentencePiece's text normaliser: NFKC and a few habits more, as one table from the model file.

The table is a double-array trie over UTF-8 bytes whose leaves point into a list of replacements; the
longest key wins. Most characters stand alone, so what each becomes is remembered, and the trie is
walked further only where a key could go on (a letter before its combining marks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SPACE = "▁"
"""How pieces write the space before a word."""

# No key is nearly as long; the window only keeps a walk from encoding the whole rest of a text.
_WINDOW = 16


class Charsmap:
    """Turns a text into the words SentencePiece would see."""

    __slots__ = ("_chars", "_replacements", "_units")

    def __init__(self, units: NDArray[np.uint32], replacements: NDArray[np.uint8]) -> None:
        # A memoryview hands out Python integers twice as fast as an array does.
        self._units: memoryview[Any] = units.data
        self._replacements = replacements.tobytes()
        self._chars: dict[str, tuple[str, bool]] = {SPACE: (" ", False)}

    def words(self, text: str) -> list[str]:
        """The normalised words of `text`, without the spaces between them."""
        out: list[str] = []
        place = 0
        while place < len(text):
            char = text[place]
            became, may_grow = self._chars.get(char) or self._learn(char)
            used = 1
            if may_grow and not text[place + 1 : place + 2].isascii():
                became, used = self._longest(text[place : place + _WINDOW])
            out.append(became)
            place += used
        return [word for word in "".join(out).split(" ") if word]

    def _learn(self, char: str) -> tuple[str, bool]:
        key = char.encode("utf-8", "replace")
        length, value, walked = self._walk(key)
        became = self._replacement(value) if length else key.decode()
        found = self._chars[char] = (became, walked == len(key))
        return found

    def _longest(self, text: str) -> tuple[str, int]:
        """What the longest key at the start of `text` becomes, and how many characters it takes."""
        key = text.encode("utf-8", "replace")
        length, value, _ = self._walk(key)
        if not length:
            return text[0], 1
        return self._replacement(value), len(key[:length].decode())

    def _walk(self, key: bytes) -> tuple[int, int, int]:
        """The length and value of the longest key that starts `key`, and how far the trie went."""
        units = self._units
        unit = units[0]
        node = (unit >> 10) << ((unit & 0x200) >> 6)
        length = value = 0
        for walked, byte in enumerate(key):
            node ^= byte
            unit = units[node]
            if unit & 0x800000FF != byte:
                return length, value, walked
            node ^= (unit >> 10) << ((unit & 0x200) >> 6)
            if unit & 0x100:
                length, value = walked + 1, units[node] & 0x7FFFFFFF
        return length, value, len(key)

    def _replacement(self, value: int) -> str:
        end = self._replacements.index(b"\0", value)
        return self._replacements[value:end].decode()
