"""Rows become unit vectors."""

import numpy as np

from memoracle.inference.bert import normalise_layer, unit_rows


def test_rows_get_length_one_and_zero_stays_zero():
    """A row of zeros has no direction and is left alone; the rest is scaled."""
    found = unit_rows(np.array([[3, 4], [0, 0]], dtype=np.float64))

    np.testing.assert_allclose(found, [[0.6, 0.8], [0, 0]])


def test_what_came_in_is_left_as_it_was():
    """The caller's array is not written to."""
    given = np.array([[3, 4]], dtype=np.float32)
    unit_rows(given)

    assert given.tolist() == [[3, 4]]


def test_layer_normalisation():
    """Mean 0 and variance 1 per row, then gain and shift."""
    x = np.array([[1, 2, 3, 4]], dtype=np.float32)
    found = normalise_layer(x, np.full(4, 2, np.float32), np.full(4, 1, np.float32), 0.0)

    np.testing.assert_allclose([found.mean(), found.std()], [1, 2], rtol=1e-6)
