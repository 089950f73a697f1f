"""The likeliest way through a word wins."""

import numpy as np
import pytest

from memoracle.inference.tokenizers import Unigram, hash_piece

PIECES = {"▁": -9.0, "a": -5.0, "b": -5.0, "▁a": -4.0, "ab": -6.0, "▁abc": -7.0, "c": -3.0}


class Spaces:
    """A normaliser that only splits at spaces."""

    def words(self, text):
        return text.split()


@pytest.fixture
def tokenizer():
    rows = sorted(
        (hash_piece(piece), number, score) for number, (piece, score) in enumerate(PIECES.items(), start=10)
    )
    hashes, ids, scores = zip(*rows, strict=True)
    return Unigram(
        charsmap=Spaces(),
        hashes=np.array(hashes, dtype=np.uint64),
        ids=np.array(ids, dtype=np.int32),
        scores=np.array(scores, dtype=np.float32),
        max_tokens=8,
    )


def _ids(*pieces):
    return [list(PIECES).index(piece) + 10 for piece in pieces]


def test_the_best_sum_wins(tokenizer):
    """`▁abc` at -7 beats `▁a b c` at -12; `▁a b` at -9 beats `▁ ab` at -15."""
    assert tokenizer.encode(["abc", "ab"]) == [[1, *_ids("▁abc"), 2], [1, *_ids("▁a", "b"), 2]]


def test_unknown_characters_become_unknown(tokenizer):
    """A character without a piece is 0, and its neighbours are still cut."""
    assert tokenizer.encode(["a?b"]) == [[1, *_ids("▁a"), 0, *_ids("b"), 2]]


def test_an_empty_text_is_one_unknown(tokenizer):
    """As SentencePiece's port in the package has it."""
    assert tokenizer.encode(["", " "]) == [[1, 0, 2]] * 2


def test_long_texts_are_cut_with_their_end_mark(tokenizer):
    """At most `max_tokens` ids, the last of them the end mark."""
    (ids,) = tokenizer.encode(["abc " * 50])

    assert ids == [1, *_ids("▁abc") * 6, 2]


def test_no_texts(tokenizer):
    """Nothing in, nothing out."""
    assert tokenizer.encode([]) == []
