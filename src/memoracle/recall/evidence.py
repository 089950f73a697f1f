"""What was said around a hit: the turns before and after it, so that an answer can be understood."""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.index.api import Index
from memoracle.model.hit import Hit, Source
from memoracle.model.value import replace

_LOOKED_AROUND = 5


def look_around(hits: Sequence[Hit], index: Index) -> tuple[Hit, ...]:
    """The hits, the best ones with their neighbouring turns."""
    turns = [hit.passage for hit in hits[:_LOOKED_AROUND] if hit.passage.source is Source.TURN]
    around = index.around(turns)
    return tuple(replace(hit, around=around.get(hit.passage.ref, ())) for hit in hits)
