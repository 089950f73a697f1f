"""Arithmetic on rows that every embedder shares, and batches over several threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from memoracle.inference.api import Vectors


# Independent batches over several threads.

Work = TypeVar("Work")
Done = TypeVar("Done")


def spread(do: Callable[[Work], Done], batches: Iterable[Work], *, workers: int) -> Iterator[Done]:
    """`do` of every batch, in the order of `batches`, by at most `workers` threads."""
    pending = list(batches)
    if workers <= 1 or len(pending) <= 1:
        yield from map(do, pending)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(workers, len(pending))) as pool:
        yield from pool.map(do, pending)


_TINY = np.float32(1e-12)


def unit_rows(rows: NDArray[np.floating]) -> Vectors:
    """The rows of `rows` as float32, each scaled to length 1; a row of zeros stays zero."""
    found = np.array(rows, dtype=np.float32, order="C")
    found /= np.maximum(np.sqrt(np.einsum("ij,ij->i", found, found)), _TINY)[:, None]
    return found


def normalise_layer(x: Vectors, gain: Vectors, shift: Vectors, eps: float) -> Vectors:
    """Layer normalisation over the rows of `x`, in place; `x` is also what you get."""
    x -= x.mean(axis=1, keepdims=True)
    spread = np.einsum("ij,ij->i", x, x) / x.shape[1]
    x *= (1 / np.sqrt(spread + eps))[:, None]
    x *= gain
    x += shift
    return x
