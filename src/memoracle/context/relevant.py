"""What a prompt brings along: hits as lines of a pack, each with who said it, when and where. Pure.

Only an owner's own words and records are told unasked: see own.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, tzinfo

from memoracle.context.choose import Audience, may_be_shown
from memoracle.context.days import said_on
from memoracle.context.frame import harmless
from memoracle.context.own import own_words
from memoracle.context.portion import Piece
from memoracle.model.cite import on_one_line, short_id
from memoracle.model.hit import Hit, Source
from memoracle.model.whose import under_name, unnamed
from memoracle.zone import day_in

MOST = 8
_LONGEST = 120


def relevant(
    hits: Sequence[Hit],
    known: set[str],
    now: datetime,
    zone: tzinfo,
    audience: Audience,
    excerpt: Callable[[str], str],
) -> Iterator[Piece]:
    """What may be told of these hits and is not told elsewhere; `excerpt` finds the part of a long text that fits."""
    shown = 0
    for hit in hits:
        passage = hit.passage
        is_record = passage.source is Source.RECORD
        if passage.source is Source.SCAN:
            continue  # what scanners saw is given to whoever asks, and never unasked
        if not may_be_shown(passage, now, audience) or (audience is Audience.GROUP and not is_record):
            continue
        if known & cites_of([hit]):
            continue
        words = own_words(passage)
        if not words.strip():
            continue
        cite = short_id(passage.ref) if is_record else passage.cite
        when = day_in(zone, passage.at).isoformat() if passage.at else ""
        where = f"project {passage.project}" if is_record and passage.project else ""
        label = ", ".join(one for one in ("" if is_record else passage.who, where, when) if one)
        words = said_on(passage, words if is_record else excerpt(words), zone)
        said = on_one_line(under_name(words, unnamed(passage, words) if is_record else ""), tokens=_LONGEST)
        yield Piece(
            text=harmless(f"{label}: {said}" if label else said), cite=cite.replace("`", "_"), rank=shown
        )
        shown += 1
        if shown == MOST:
            return


def cites_of(hits: Sequence[Hit]) -> set[str]:
    """What these hits are cited as where they stand by themselves: a record, or each line of a note."""
    cites: set[str] = set()
    for hit in hits:
        passage = hit.passage
        if passage.source is Source.RECORD:
            cites.add(short_id(passage.ref))
        else:
            cites |= {f"{passage.path}#L{at}" for at in range(passage.first_line, passage.last_line + 1)}
    return cites
