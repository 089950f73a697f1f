"""Bringing a view in sync with the truth: the difference between two sorted lists.

A rebuild is the same walk with an empty right-hand side. Reads truth through two methods, so
neither side imports the other.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from memoracle.index.api import Index, Progress, Truth
from memoracle.model.manifest import FileState, Looks
from memoracle.model.value import replace, value

_UNSETTLED_NS = 50_000_000
_PORTION = 16_384
"""Lines of records that are read at once."""


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


def compare(truth: list[FileState], known: Mapping[str, Looks]) -> Difference:
    """What changed between two manifests."""
    stale = tuple(state for state in truth if known.get(state.path) != state.looks)
    if not stale and len(truth) == len(known):
        return Difference(stale=(), gone=())
    present = {state.path for state in truth}
    return Difference(stale=stale, gone=tuple(sorted(path for path in known if path not in present)))


def sync(
    truth: Truth, index: Index, *, wait: float = 2.0, progress: Progress = silent, most: int | None = None
) -> Synced:
    """Read what changed; doing it again changes nothing. With `most`, only when it is no more bytes than that."""
    seen = index.generation()
    known = index.known()
    difference = compare(truth.manifest(), known)
    if not difference and index.is_whole():
        return Synced(level=True)
    if most is not None and _weight(difference, known) > most:
        return Synced(level=False)
    with index.changing(wait=wait) as mine:
        if not mine:
            return Synced(level=False)
        if index.generation() != seen:
            # Another process did some of the work while we waited for our turn: look again.
            known = index.known()
            difference = compare(truth.manifest(), known)
        for path in difference.gone:
            index.drop(path)
        rebuilt = not index.is_whole()
        for state in difference.stale:
            _read(state, truth, index, progress, is_new=state.path not in known)
        index.set_whole(True)
        return Synced(level=True, changed=len(difference.stale) + len(difference.gone), rebuilt=rebuilt)


def _read(state: FileState, truth: Truth, index: Index, progress: Progress, *, is_new: bool) -> None:
    """Have a view take in a file, a long one portion by portion."""
    mark = index.mark_of(state.path)
    # A file that is known but has no mark is compared with what is known of it: it comes whole.
    loaded = truth.load(state.path, state.role, mark, most=_PORTION if is_new or mark else None)
    done = 0
    while loaded.more and loaded.mark:
        lines, size = loaded.mark.lines, loaded.mark.size
        every = lines * max(state.size, size) // max(1, size)
        # Whoever looks meanwhile, or after a crash, must not take the file for read: it goes on behind the mark.
        index.apply(replace(state, size=size, changed=0), loaded, silent)
        done = lines
        progress(done, max(every, done + 1))
        loaded = truth.load(state.path, state.role, loaded.mark, most=_PORTION)
    index.apply(_settled(state), loaded, lambda part, total: progress(done + part, done + total))


def _weight(difference: Difference, known: Mapping[str, Looks]) -> int:
    """How many bytes are new; a file that shrank is read whole."""
    total = 0
    for state in difference.stale:
        _, before, *_ = known.get(state.path, ("", 0))
        total += state.size - before if 0 <= before <= state.size else max(state.size, 0)
    return total


def _settled(state: FileState) -> FileState:
    # A file changed this very moment may change again within the same tick of its clock: do not
    # trust its times yet, so that the next sync compares its bytes.
    fresh = time.time_ns() - max(state.modified, state.changed) < _UNSETTLED_NS
    return replace(state, changed=0) if fresh else state
