"""What a prompt brings along: hits as lines of a pack, each with who said it, when and where. Pure.

Only an owner's own words and records are told unasked: see own.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, tzinfo

from memoracle.context.choose import Audience, may_be_shown
from memoracle.context.days import said_on
from memoracle.context.deduplicate import Deduplicator
from memoracle.context.frame import harmless
from memoracle.context.own import as_noted, own_words
from memoracle.context.portion import Piece
from memoracle.model.cite import on_one_line, short_id
from memoracle.model.hit import Hit, Passage, Source
from memoracle.model.origin import Channel
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
    told: Deduplicator,
) -> Iterator[Piece]:
    """What may be told of these hits and is not told elsewhere; `excerpt` finds the part of a long text that fits."""
    may = [(hit, words) for hit in hits if (words := _words(hit, known, now, audience))]
    for rank, (hit, own) in enumerate(_said_once(may, told)[:MOST]):
        passage = hit.passage
        is_record = passage.source is Source.RECORD
        cite = short_id(passage.ref) if is_record else passage.cite
        when = day_in(zone, passage.at).isoformat() if passage.at else ""
        where = f"project {passage.project}" if is_record and passage.project else ""
        label = ", ".join(one for one in ("" if is_record else passage.who, where, when) if one)
        words = said_on(passage, own if is_record else excerpt(own), zone)
        said = on_one_line(under_name(words, unnamed(passage, words) if is_record else ""), tokens=_LONGEST)
        said = as_noted(passage, said)
        yield Piece(
            text=harmless(f"{label}: {said}" if label else said), cite=cite.replace("`", "_"), rank=rank
        )


def _words(hit: Hit, known: set[str], now: datetime, audience: Audience) -> str:
    """What may be told of a hit; empty when that is nothing."""
    passage = hit.passage
    if passage.source is Source.SCAN:
        return ""  # what scanners saw is given to whoever asks, and never unasked
    is_hidden = audience is Audience.GROUP and passage.source is not Source.RECORD
    if is_hidden or not may_be_shown(passage, now, audience) or known & cites_of([hit]):
        return ""
    return own_words(passage).strip()


def _said_once(may: Sequence[tuple[Hit, str]], told: Deduplicator) -> list[tuple[Hit, str]]:
    """Each sentence once, in its place: the owner's record sooner than another's, any record sooner than talk."""
    best = sorted(range(len(may)), key=lambda at: (_standing_of(may[at][0].passage), at))
    kept = set()
    for at in best:
        if not told.knows(may[at][1]):
            told.add(may[at][1])
            kept.add(at)
    return [may[at] for at in sorted(kept)]


def _standing_of(passage: Passage) -> int:
    if passage.source is not Source.RECORD:
        return 2
    return int(passage.channel == Channel.AGENT)


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
