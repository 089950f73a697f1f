"""BERT's uncased tokenizer: text → ids.

Folds each character on its own (case, accents, control characters, spaces, punctuation and Chinese
characters standing apart), splits at spaces, and cuts every word into the longest pieces the vocabulary
knows. Words that name special tokens, such as `[SEP]`, are plain text here: what people wrote cannot
steer the model.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from memoracle.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping


# A WordPiece vocabulary that costs nothing until it is used.

# A scan takes about 30 µs, the dictionary about 6 ms.
_SCANS_BEFORE_DICTIONARY = 100


class Vocabulary:
    """Token → id."""

    __slots__ = ("_ids", "_lines", "_scans", "_starts")

    def __init__(self, *, lines: bytes = b"", ids: Mapping[str, int] | None = None) -> None:
        self._lines = b"\n" + lines.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
        self._ids = ids
        self._starts = np.flatnonzero(np.frombuffer(self._lines, dtype=np.uint8) == ord("\n"))
        self._scans = 0

    @classmethod
    def read(cls, path: str) -> Vocabulary:
        """The vocabulary in the `vocab.txt` at `path`."""
        with open(path, "rb") as file:
            return cls(lines=file.read())

    def id_of(self, token: str) -> int | None:
        """The id of `token`, or None when the vocabulary has no such token."""
        if self._ids is None:
            if self._scans < _SCANS_BEFORE_DICTIONARY:
                self._scans += 1
                return self._scan(token)
            tokens = self._lines.decode("utf-8").split("\n")[1:]
            self._ids = {token: number for number, token in enumerate(tokens) if token}
        return self._ids.get(token)

    def _scan(self, token: str) -> int | None:
        line = b"\n%b\n" % token.encode("utf-8", "surrogatepass")
        place = self._lines.find(line)
        if place < 0:
            return None
        return int(np.searchsorted(self._starts, place))


_LONGEST_WORD = 100
_REMEMBERED_WORDS = 50_000
_INVISIBLE = {"Cc", "Cf", "Co", "Cs"}


class WordPiece:
    """Cuts texts into token ids, `[CLS]` first and `[SEP]` last."""

    __slots__ = ("_cls", "_fold", "_known", "_max_tokens", "_sep", "_unknown", "_vocabulary")

    def __init__(self, vocabulary: Vocabulary, *, max_tokens: int, lower: bool = True) -> None:
        self._vocabulary = vocabulary
        self._max_tokens = max_tokens
        self._fold = _Fold(lower=lower)
        self._known: dict[str, list[int]] = {}
        self._cls = self._special("[CLS]")
        self._sep = self._special("[SEP]")
        self._unknown = self._special("[UNK]")

    def encode(self, text: str) -> list[int]:
        """The ids of `text`, at most `max_tokens` of them with both ends."""
        room = self._max_tokens - 1
        ids = [self._cls]
        for word in text.translate(self._fold).split():
            known = self._known.get(word)
            ids.extend(self._pieces(word) if known is None else known)
            if len(ids) >= room:
                del ids[room:]
                break
        ids.append(self._sep)
        return ids

    def _pieces(self, word: str) -> list[int]:
        if len(self._known) >= _REMEMBERED_WORDS:
            self._known = {}
        pieces = self._known[word] = self._cut(word)
        return pieces

    def _cut(self, word: str) -> list[int]:
        if len(word) > _LONGEST_WORD:
            return [self._unknown]
        pieces: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                token = word[start:end] if start == 0 else "##" + word[start:end]
                if (piece := self._vocabulary.id_of(token)) is not None:
                    pieces.append(piece)
                    start = end
                    break
            else:
                return [self._unknown]
        return pieces

    def _special(self, token: str) -> int:
        found = self._vocabulary.id_of(token)
        if found is None:
            raise EmbedderUnavailable("wordpiece", f"the vocabulary has no {token}")
        return found


class _Fold(dict[int, str]):
    """A table for `str.translate` that fills itself: what each character becomes."""

    def __init__(self, *, lower: bool) -> None:
        super().__init__()
        self._lower = lower

    def __missing__(self, code: int) -> str:
        found = self[code] = self._fold(chr(code))
        return found

    def _fold(self, char: str) -> str:
        if _is_dropped(char):
            return ""
        if char in "\t\n\r" or char.isspace():
            return " "
        if _is_chinese(ord(char)):
            return f" {unicodedata.normalize('NFD', char) if self._lower else char} "
        if self._lower:
            bare = (c for c in unicodedata.normalize("NFD", char) if unicodedata.category(c) != "Mn")
            return "".join(_apart(c) for c in "".join(c.lower() for c in bare))
        return _apart(char)


def _is_dropped(char: str) -> bool:
    if char in "\t\n\r":
        return False
    return char in "\0\ufffd" or unicodedata.category(char) in _INVISIBLE


def _apart(char: str) -> str:
    """The character, with a space on both sides when it is punctuation or an ASCII symbol."""
    symbol = char.isascii() and not char.isalnum() and not char.isspace()
    return f" {char} " if symbol or unicodedata.category(char)[0] == "P" else char


def _is_chinese(code: int) -> bool:
    """The CJK ideograph blocks that BERT sets apart; kana and hangul are not among them."""
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or 0x20000 <= code <= 0x2A6DF
        or 0x2A700 <= code <= 0x2CEAF
        or 0xF900 <= code <= 0xFAFF
        or 0x2F800 <= code <= 0x2FA1F
    )
