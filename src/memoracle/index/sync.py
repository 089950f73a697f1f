"""Bringing a view level with the truth: the difference between two sorted lists.

A rebuild is the same walk with an empty right-hand side. Reads truth through two methods, so
neither side imports the other.
"""

from __future__ import annotations

import time

from memoracle.index.api import Index, Known, Progress, Truth
from memoracle.model.manifest import FileState, Loaded
from memoracle.model.value import replace, value

_UNSETTLED_NS = 50_000_000


@value
class Synced:
    """What a sync did. `level` is False when another process was busy changing the view."""

    level: bool
    changed: int = 0
    rebuilt: bool = False


@value
class Difference:
    """The files a view has to read, and those it has to forget."""

    stale: tuple[FileState, ...]
    gone: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.stale or self.gone)


def silent(done: int, total: int) -> None:
    """Progress that nobody watches."""


def compare(truth: list[FileState], known: dict[str, Known]) -> Difference:
    """What changed between two manifests."""
    present = {state.path for state in truth}
    return Difference(
        stale=tuple(s for s in truth if s.path not in known or known[s.path].state != s),
        gone=tuple(sorted(path for path in known if path not in present)),
    )


def sync(
    truth: Truth, index: Index, *, wait: float = 2.0, progress: Progress = silent, most: int | None = None
) -> Synced:
    """Read what changed; doing it again changes nothing. With `most`, only when it is no more bytes than that."""
    known = dict(index.known())
    difference = compare(truth.manifest(), known)
    if not difference and index.is_whole():
        return Synced(level=True)
    if most is not None and _weight(difference, known) > most:
        return Synced(level=False)
    with index.changing(wait=wait) as mine:
        if not mine:
            return Synced(level=False)
        # Look again: another process may have done the work while we waited for our turn.
        known = dict(index.known())
        difference = compare(truth.manifest(), known)
        for path in difference.gone:
            index.drop(path)
        rebuilt = not index.is_whole()
        for state in difference.stale:
            index.apply(_settled(state), _load(truth, state, known.get(state.path)), progress)
        index.set_whole(True)
        return Synced(level=True, changed=len(difference.stale) + len(difference.gone), rebuilt=rebuilt)


def _weight(difference: Difference, known: dict[str, Known]) -> int:
    """How many bytes are new; a file that shrank is read whole."""
    total = 0
    for state in difference.stale:
        before = known[state.path].state.size if state.path in known else 0
        total += state.size - before if 0 <= before <= state.size else max(state.size, 0)
    return total


def _load(truth: Truth, state: FileState, known: Known | None) -> Loaded:
    return truth.load(state.path, state.role, known.mark if known else None)


def _settled(state: FileState) -> FileState:
    # A file changed this very moment may change again within the same tick of its clock: do not
    # trust its times yet, so that the next sync compares its bytes.
    fresh = time.time_ns() - max(state.modified, state.changed) < _UNSETTLED_NS
    return replace(state, changed=0) if fresh else state
