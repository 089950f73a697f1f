"""One process at a time makes what was said into what is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from memoracle.errors import AlreadyRunning, RootLocked
from memoracle.store.checkpoint import flush_lock, run_lock
from memoracle.store.store import Store

_A_FLUSH = 60.0


@contextmanager
def alone(store: Store, *, briefly: bool = False) -> Iterator[None]:
    """Nobody else consolidates this root meanwhile. A flush is brief and is waited for; a whole run is not.

    A flush begins by itself when a session ends: nobody who asks for a run should be told of it.
    """
    name, sign, volume = run_lock(store), flush_lock(store), store.volume
    with ExitStack() as held:
        try:
            if briefly:
                held.enter_context(volume.locked(sign, timeout=_A_FLUSH))
            held.enter_context(volume.locked(name, timeout=0.0))
        except RootLocked:
            # Twice: a flush may have ended between the lock and its sign.
            patience = _A_FLUSH if not briefly and volume.is_locked(sign) else 0.0
            try:
                held.enter_context(volume.locked(name, timeout=patience))
            except RootLocked:
                raise AlreadyRunning("consolidate") from None
        yield
