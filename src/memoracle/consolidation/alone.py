"""One process at a time makes what was said into what is known."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from memoracle.errors import AlreadyRunning, RootLocked
from memoracle.store import durable
from memoracle.store.checkpoint import run_lock
from memoracle.store.store import Store


@contextmanager
def alone(store: Store) -> Iterator[None]:
    """Nobody else consolidates this root meanwhile."""
    path = run_lock(store)
    durable.make_folder(os.path.dirname(path))
    with ExitStack() as held:
        try:
            held.enter_context(durable.locked(path, timeout=0.0))
        except RootLocked:
            raise AlreadyRunning("consolidate") from None
        yield
