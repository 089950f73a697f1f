"""SentencePiece's unigram tokenizer without its dictionary: text → ids.

128,000 pieces in a Python dictionary cost half a second to load. Here they are a sorted array of 64-bit
hashes that is mapped from a file: the hashes of all substrings are computed at once, one binary search
finds those that are pieces, and Viterbi's algorithm picks the likeliest way through. No piece holds a
space except as its first character, so every word is cut on its own and remembered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memoracle.inference.charsmap import SPACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from memoracle.inference.charsmap import Charsmap

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
