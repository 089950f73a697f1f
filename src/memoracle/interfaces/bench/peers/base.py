"""What all peers share: how a turn reads, and that they pack no context of their own."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from memoracle.ingest.moments import read_moment
from memoracle.interfaces.bench.packs import Asked, Said
from memoracle.interfaces.bench.subject import Answer

UNDATED = datetime(1970, 1, 1, tzinfo=UTC)


class PlainPeer:
    """A peer that ranks; the runner lays its best turns into a context in their order."""

    def pack(self, asked: Asked, k: int, budget: int) -> Answer | None:  # noqa: ARG002
        """None."""
        return None


def words_of(turn: Said) -> str:
    """The turn as peers are given it: the speaker before the text, which every one of them gains from."""
    return f"{turn.speaker}: {turn.text}"


def moment_of(turn: Said) -> datetime:
    """When it was said, for peers that keep a time; a fixed early day when nobody wrote one."""
    return read_moment(turn.date) or UNDATED


def ranked(turn_ids: Iterable[str], confidence: float | None = None) -> Answer:
    """The answer of a peer that returns single turns."""
    return Answer(chunks=tuple((turn,) for turn in turn_ids), confidence=confidence)
