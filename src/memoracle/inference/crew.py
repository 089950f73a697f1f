"""Independent batches over several threads.

numpy lets go of the interpreter lock inside its loops and products, so threads scale here as processes
would, without copying weights. One worker means no thread at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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
