"""The encoder refuses weights it does not understand, and keeps runs of equal length apart."""

import numpy as np
import pytest

from memoracle.errors import EmbedderUnavailable
from memoracle.inference.bert import Bert, BertShape, _runs, batched


def test_missing_weights_are_named():
    """The first tensor that is absent is in the message."""
    with pytest.raises(EmbedderUnavailable, match="token_type_embeddings"):
        Bert({"embeddings.word_embeddings.weight": np.zeros((3, 4))}, BertShape(heads=2, eps=1e-12))


def test_batches_hold_every_text_once_in_the_order_given():
    """Cutting loses nothing; a text longer than a batch gets one of its own."""
    texts = [[0] * n for n in (5, 3000, 1, 700, 700, 2)]

    assert list(batched(texts, [2, 5, 0, 3, 4, 1], 1024)) == [[2, 5, 0, 3], [4], [1]]


def test_runs_are_neighbours_of_one_length():
    """Each run knows its rows in the flat matrix."""
    runs = [(r.rows.start, r.rows.stop, r.count, r.length) for r in _runs([[1], [2], [3, 4]])]

    assert runs == [(0, 2, 2, 1), (2, 4, 1, 2)]
