"""BERT's WordPiece tokenizer: text to ids, and where in the text each of them stands."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from memoracle.errors import EmbedderUnavailable
from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Iterator

# A WordPiece vocabulary that costs nothing until it is used.

# A scan takes about 30 µs, the dictionary about 6 ms.
_SCANS_BEFORE_DICTIONARY = 100


class Vocabulary:
    """Token → id."""

    __slots__ = ("_ids", "_lines", "_scans", "_starts")

    def __init__(self, lines: bytes) -> None:
        self._lines = b"\n" + lines.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
        self._ids: dict[str, int] | None = None
        self._starts = np.flatnonzero(np.frombuffer(self._lines, dtype=np.uint8) == ord("\n"))
        self._scans = 0

    @classmethod
    def read(cls, path: str) -> Vocabulary:
        """The vocabulary in the `vocab.txt` at `path`."""
        with open(path, "rb") as file:
            return cls(file.read())

    def id_of(self, token: str) -> int | None:
        """The id of `token`, or None when the vocabulary has no such token."""
        if self._ids is None:
            if self._scans < _SCANS_BEFORE_DICTIONARY:
                self._scans += 1
                place = self._lines.find(b"\n%b\n" % token.encode("utf-8", "surrogatepass"))
                return None if place < 0 else int(np.searchsorted(self._starts, place))
            tokens = self._lines.decode("utf-8").split("\n")[1:]
            self._ids = {token: number for number, token in enumerate(tokens) if token}
        return self._ids.get(token)


_LONGEST_WORD = 100
_REMEMBERED_WORDS = 50_000
_INVISIBLE = {"Cc", "Cf", "Co", "Cs"}


@value
class _Pieces:
    """The ids a word is cut into, and where each ends in the word."""

    ids: list[int]
    ends: list[int]


@value
class Tokens:
    """The ids of a text, without marks at its ends, and the characters each of them stands for."""

    ids: list[int]
    spans: list[tuple[int, int]]


class WordPiece:
    """Cuts texts into token ids."""

    __slots__ = ("_fold", "_known", "_max_tokens", "_unknown", "cls", "sep", "vocabulary")

    def __init__(self, vocabulary: Vocabulary, *, max_tokens: int, lower: bool = True) -> None:
        self.vocabulary = vocabulary
        self._max_tokens = max_tokens
        self._fold = _Fold(lower=lower)
        self._known: dict[str, _Pieces] = {}
        self.cls, self.sep, self._unknown = map(self.id_of, ("[CLS]", "[SEP]", "[UNK]"))

    def encode(self, text: str) -> list[int]:
        """The ids of `text`, `[CLS]` first and `[SEP]` last, at most `max_tokens` of them."""
        return [self.cls, *self.cut(text, self._max_tokens - 2), self.sep]

    def cut(self, text: str, most: int) -> list[int]:
        """The first `most` ids of `text`, without marks at its ends."""
        ids: list[int] = []
        for word in text.translate(self._fold).split():
            ids += self._pieces(word).ids
            if len(ids) >= most:
                del ids[most:]
                break
        return ids

    def locate(self, text: str, most: int) -> Tokens:
        """The same ids, and for each the first character it stands for and the one after its last."""
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        for word, places in self._words(text):
            pieces = self._pieces(word)
            start = 0
            for piece, end in zip(pieces.ids, pieces.ends, strict=True):
                ids.append(piece)
                spans.append((places[start], places[end - 1] + 1))
                start = end
            if len(ids) >= most:
                break
        return Tokens(ids=ids[:most], spans=spans[:most])

    def id_of(self, token: str) -> int:
        """The id of a token that has to be there."""
        found = self.vocabulary.id_of(token)
        if found is None:
            raise EmbedderUnavailable("wordpiece", f"the vocabulary has no {token}")
        return found

    def _words(self, text: str) -> Iterator[tuple[str, list[int]]]:
        """The words of `text` as they are looked up, with the place in `text` of each of their characters."""
        word, places = "", []
        for place, char in enumerate(text):
            for part in self._fold[ord(char)]:
                if not part.isspace():
                    word += part
                    places.append(place)
                elif word:
                    yield word, places
                    word, places = "", []
        if word:
            yield word, places

    def _pieces(self, word: str) -> _Pieces:
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= _REMEMBERED_WORDS:
                # A new dictionary rather than a cleared one: another thread may be reading the old.
                self._known = {}
            found = self._known[word] = self._cut(word)
        return found

    def _cut(self, word: str) -> _Pieces:
        unknown = _Pieces(ids=[self._unknown], ends=[len(word)])
        if len(word) > _LONGEST_WORD:
            return unknown
        pieces = _Pieces(ids=[], ends=[])
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                token = word[start:end] if start == 0 else "##" + word[start:end]
                if (piece := self.vocabulary.id_of(token)) is not None:
                    pieces.ids.append(piece)
                    pieces.ends.append(end)
                    start = end
                    break
            else:
                return unknown
        return pieces


# The CJK ideograph blocks that BERT sets apart; kana and hangul are not among them.
_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class _Fold(dict[int, str]):
    """A table for `str.translate` that fills itself: what each character becomes."""

    def __init__(self, *, lower: bool) -> None:
        super().__init__()
        self._lower = lower

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char not in "\t\n\r" and (char in "\0\ufffd" or unicodedata.category(char) in _INVISIBLE):
            found = ""
        elif char.isspace():
            found = " "
        elif any(first <= code <= last for first, last in _CHINESE):
            found = f" {unicodedata.normalize('NFD', char) if self._lower else char} "
        elif self._lower:
            bare = (c for c in unicodedata.normalize("NFD", char) if unicodedata.category(c) != "Mn")
            found = "".join(_apart(c) for c in "".join(c.lower() for c in bare))
        else:
            found = _apart(char)
        self[code] = found
        return found


def _apart(char: str) -> str:
    """The character, with a space on both sides when it is punctuation or an ASCII symbol."""
    symbol = char.isascii() and not char.isalnum() and not char.isspace()
    return f" {char} " if symbol or unicodedata.category(char)[0] == "P" else char
