"""The fast GELU stays close to the exact one everywhere."""

import math

import numpy as np

from memoracle.inference.bert import gelu


def test_largest_error():
    """Nowhere more than 2.6e-5 from x·Φ(x)."""
    x = np.concatenate([np.linspace(-8, 8, 40_001), [-1e4, -60, 60, 1e4]]).astype(np.float32)
    exact = [0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in x.astype(float)]

    np.testing.assert_allclose(gelu(x[:, None].copy())[:, 0], exact, atol=2.6e-5)


def test_columns_first_order_gives_the_same():
    """The order of an array in memory does not matter."""
    x = np.random.default_rng(0).standard_normal((70, 1536)).astype(np.float32)

    np.testing.assert_allclose(gelu(np.asfortranarray(x)), gelu(x.copy()), atol=1e-6)
