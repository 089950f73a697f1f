"""Record files in portions: of a file of any length only so much is in memory as is being taken in.

What is read goes on behind a mark when the bytes before it are the same; for that they are hashed in passing, not kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from typing import IO, Any

from memoracle.model.manifest import Mark
from memoracle.model.value import value
from memoracle.store.volume import Volume

LINES = 16_384
"""Lines of a portion, as many as a view takes in at once."""
_BYTES = 32 * 1024 * 1024
_CHUNK = 1024 * 1024


@value
class Tail:
    """A part of a file that was not read before: its words, where it stands, and the digest of all up to its end."""

    content: bytes
    after_line: int
    size: int
    is_whole: bool
    digest: str
    more: bool = False


@value
class _Reached:
    """How far a file was read a moment ago, and the hash of everything up to there."""

    place: str
    looks: tuple[int, int, int]
    size: int
    digest: str
    state: Any


class Portions:
    """Reads what follows a mark. The hash of what was read last is at hand, so that the next portion needs no other."""

    def __init__(self) -> None:
        self._reached: _Reached | None = None

    def read(self, volume: Volume, place: str, after: Mark | None, most: int | None) -> Tail:
        """What follows the mark, at most so many lines of it; everything where the bytes before it are others."""
        if volume.is_sealed():
            return tail_of(volume.read(place), after)
        looks = volume.looks(
            place
        )  # before it is opened: what is replaced in between looks different next time
        with volume.opened(place) as file:
            if file is None:
                return tail_of(b"", after)
            state = self._state_at(place, looks, after, file)
            if after is not None and state is None:
                file.seek(0)
            begin, lines = (after.size, after.lines) if after is not None and state is not None else (0, 0)
            # A file whose beginning changed is compared line by line with what is known: it has to come whole.
            limit = most if after is None or state is not None else None
            running = state or blake2b(digest_size=16)
            pieces = []
            for piece in _lines(file, limit):
                pieces.append(piece)
                running.update(piece)
            content = b"".join(pieces)
            size = begin + len(content)
            digest = running.hexdigest()
            self._reached = _Reached(place=place, looks=looks, size=size, digest=digest, state=running.copy())
            more = limit is not None and bool(file.read(1))
            return Tail(
                content=content, after_line=lines, size=size, is_whole=not begin, digest=digest, more=more
            )

    def _state_at(
        self, place: str, looks: tuple[int, int, int], after: Mark | None, file: IO[bytes]
    ) -> Any | None:
        """The hash of everything before the mark, the file standing behind it; None when these are other bytes."""
        if after is None:
            return None
        known = self._reached
        if known and (known.place, known.looks, known.size, known.digest) == (
            place,
            looks,
            after.size,
            after.digest,
        ):
            file.seek(after.size)
            return known.state.copy()
        state = blake2b(digest_size=16)
        left = after.size
        while left and (chunk := file.read(min(left, _CHUNK))):
            state.update(chunk)
            left -= len(chunk)
        return state if not left and state.hexdigest() == after.digest else None


def tail_of(content: bytes, after: Mark | None) -> Tail:
    """The same for words that are at hand."""
    view = memoryview(content)
    running = blake2b(view[: after.size if after else 0], digest_size=16)
    before = running.hexdigest()
    running.update(view[after.size if after else 0 :])
    is_whole = after is None or after.size > len(content) or before != after.digest
    begin, lines = (0, 0) if is_whole or after is None else (after.size, after.lines)
    return Tail(
        content=content[begin:] if begin else content,
        after_line=lines,
        size=len(content),
        is_whole=is_whole,
        digest=running.hexdigest(),
    )


def _lines(file: IO[bytes], most: int | None) -> Iterator[bytes]:
    if most is None:
        while chunk := file.read(_CHUNK):
            yield chunk
        return
    read = 0
    for line in islice(file, most):
        yield line
        read += len(line)
        if read >= _BYTES:
            return
