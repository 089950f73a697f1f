"""The sign bits of a vector."""

from __future__ import annotations

import numpy as np


def signs_of(vector: bytes) -> bytes:
    """One bit per dimension of an f16 vector."""
    return np.packbits(np.frombuffer(vector, dtype="<f2") > 0).tobytes()
