"""Text to token ids, as the encoders learned it: WordPiece and SentencePiece (unigram)."""

from __future__ import annotations

import struct
import unicodedata
from typing import TYPE_CHECKING, Any

import numpy as np

from memoracle.errors import EmbedderUnavailable
from memoracle.model.value import value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray


# SentencePiece's text normaliser: NFKC and a few habits more, as one table from the model file.

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


_NORMAL = 1


@value
class UnigramPiece:
    """One entry of the vocabulary. Special pieces (`<s>`, `</s>`, reserved ones) are never found in text."""

    text: str
    score: float
    special: bool


@value
class _PieceModel:
    """The pieces, whose places are their ids, and the normaliser's compiled table."""

    pieces: list[UnigramPiece]
    charsmap: bytes


def parse_model(content: bytes) -> _PieceModel:
    """The model in the bytes of a `.model` file."""
    pieces: list[UnigramPiece] = []
    charsmap = b""
    for field, held in _fields(content):
        if field == 1 and isinstance(held, bytes):
            pieces.append(_piece(held))
        elif field == 3 and isinstance(held, bytes):
            charsmap = next(v for f, v in _fields(held) if f == 2 and isinstance(v, bytes))
    return _PieceModel(pieces=pieces, charsmap=charsmap)


def _piece(content: bytes) -> UnigramPiece:
    fields = dict(_fields(content))
    text, score = fields[1], fields.get(2, b"\0\0\0\0")
    assert isinstance(text, bytes)
    assert isinstance(score, bytes)
    return UnigramPiece(
        text=text.decode("utf-8"),
        score=struct.unpack("<f", score)[0],
        special=fields.get(3, _NORMAL) != _NORMAL,
    )


def _fields(content: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Field number and value, in file order: an integer, or the bytes of anything wider."""
    place = 0
    while place < len(content):
        tag, place = _varint(content, place)
        match tag & 7:
            case 0:
                value, place = _varint(content, place)
                yield tag >> 3, value
                continue
            case 1:
                length = 8
            case 2:
                length, place = _varint(content, place)
            case 5:
                length = 4
            case other:
                raise ValueError(f"wire type {other} in a SentencePiece model")
        yield tag >> 3, content[place : place + length]
        place += length


def _varint(content: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7


# SentencePiece's unigram tokenizer without its dictionary: text → ids.

UNKNOWN, FIRST, LAST = 0, 1, 2
LONGEST_PIECE = 16
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_REMEMBERED_WORDS = 100_000
_WORST = float("-inf")


class Unigram:
    """Cuts texts into piece ids, `<s>` first and `</s>` last."""

    __slots__ = ("_charsmap", "_hashes", "_ids", "_known", "_max_tokens", "_scores", "_unknown_score")

    def __init__(
        self,
        *,
        charsmap: Charsmap,
        hashes: NDArray[np.uint64],
        ids: NDArray[np.int32],
        scores: NDArray[np.float32],
        max_tokens: int,
    ) -> None:
        """`hashes` ascend; `ids` and `scores` stand in the same order."""
        self._charsmap = charsmap
        self._hashes = hashes
        self._ids = ids
        self._scores = scores
        # SentencePiece's own penalty: ten below the worst piece.
        self._unknown_score = float(scores.min()) - 10.0
        self._max_tokens = max_tokens
        self._known: dict[str, list[int]] = {}

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of every text, at most `max_tokens` of them with both ends."""
        words = [self._charsmap.words(text) for text in texts]
        if len(self._known) > _REMEMBERED_WORDS:
            # A new dictionary rather than a cleared one: another thread may be reading the old.
            self._known = {}
        known = self._known
        self._learn({word for text in words for word in text} - known.keys(), known)
        return [self._join(text, known) for text in words]

    def _join(self, words: Iterable[str], known: Mapping[str, list[int]]) -> list[int]:
        ids = [FIRST]
        for word in words:
            ids += known[word]
        if len(ids) == 1:
            ids.append(UNKNOWN)
        del ids[self._max_tokens - 1 :]
        ids.append(LAST)
        return ids

    def _learn(self, words: Iterable[str], known: dict[str, list[int]]) -> None:
        ordered = [SPACE + word for word in words]
        if not ordered:
            return
        steps = self._steps("".join(ordered))
        start = 0
        for word in ordered:
            end = start + len(word)
            known[word[1:]] = _likeliest(steps[start:end], self._unknown_score)
            start = end

    def _steps(self, text: str) -> list[list[tuple[int, int, float]]]:
        """For each place in `text`, the pieces that start there: length, id, score."""
        steps: list[list[tuple[int, int, float]]] = [[] for _ in text]
        codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4").astype(np.uint64) + np.uint64(1)
        # A piece never reaches into the next word: it would have to hold that word's leading space.
        hashed = np.zeros(len(codes), dtype=np.uint64)
        for length in range(1, min(LONGEST_PIECE, len(codes)) + 1):
            count = len(codes) - length + 1
            hashed = hashed[:count] * _MULTIPLIER + codes[length - 1 :]
            found = np.minimum(np.searchsorted(self._hashes, hashed), len(self._hashes) - 1)
            starts = np.flatnonzero(self._hashes[found] == hashed)
            rows = found[starts]
            pieces = zip(starts.tolist(), self._ids[rows].tolist(), self._scores[rows].tolist(), strict=True)
            for start, piece, score in pieces:
                steps[start].append((length, piece, score))
        return steps


def hash_piece(piece: str) -> int:
    """The number a piece is known by: a polynomial in its characters, modulo 2^64."""
    hashed = 0
    for char in piece:
        hashed = (hashed * int(_MULTIPLIER) + ord(char) + 1) & 0xFFFFFFFFFFFFFFFF
    return hashed


def _likeliest(steps: Sequence[Sequence[tuple[int, int, float]]], unknown: float) -> list[int]:
    """The best-scoring way from the first place to the last; of equal ones, that with the longer piece."""
    size = len(steps)
    best = [0.0] + [_WORST] * size
    came_from = [0] * (size + 1)
    piece_to = [UNKNOWN] * (size + 1)
    for place, pieces in enumerate(steps):
        so_far = best[place]
        if not pieces or pieces[0][0] != 1:
            pieces = [(1, UNKNOWN, unknown), *pieces]  # noqa: PLW2901
        for length, piece, score in pieces:
            end = place + length
            if so_far + score > best[end]:
                best[end], came_from[end], piece_to[end] = so_far + score, place, piece
    ids: list[int] = []
    place = size
    while place:
        ids.append(piece_to[place])
        place = came_from[place]
    ids.reverse()
    return ids


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
_WORDPIECE_REMEMBERED_WORDS = 50_000
_INVISIBLE = {"Cc", "Cf", "Co", "Cs"}


class WordPiece:
    """Cuts texts into token ids, `[CLS]` first and `[SEP]` last."""

    __slots__ = ("_cls", "_fold", "_known", "_max_tokens", "_sep", "_unknown", "_vocabulary")

    def __init__(self, vocabulary: Vocabulary, *, max_tokens: int, lower: bool = True) -> None:
        self._vocabulary = vocabulary
        self._max_tokens = max_tokens
        self._fold = _Fold(lower=lower)
        self._known: dict[str, list[int]] = {}
        self._cls, self._sep, self._unknown = map(self._special, ("[CLS]", "[SEP]", "[UNK]"))

    def encode(self, text: str) -> list[int]:
        """The ids of `text`, at most `max_tokens` of them with both ends."""
        room = self._max_tokens - 1
        ids = [self._cls]
        for word in text.translate(self._fold).split():
            pieces = self._known.get(word)
            if pieces is None:
                if len(self._known) >= _WORDPIECE_REMEMBERED_WORDS:
                    self._known = {}
                pieces = self._known[word] = self._cut(word)
            ids.extend(pieces)
            if len(ids) >= room:
                del ids[room:]
                break
        ids.append(self._sep)
        return ids

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
