"""When what is told was meant to be: relative days get their date, what is over is not open, what is overdue is told.

Pure. What recurs is never over.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from memoracle.model.record import Kind
from memoracle.model.search import EvidenceSource, Passage

_GRACE = timedelta(hours=12)
_MAY_BE_RELATIVE = re.compile(
    r"day|week|month|year|tom|tmr|night|this (?:mor|aft|eve)|ago\b|back\b|earlier|now\b|next|last|coming|within|end of"
    r"|mon|tue|wed|thu|fri|sat|sun|[明昨今前后後去上下这這本内內过過底旬周週]|星期|礼拜|禮拜|月初",
    re.IGNORECASE,
)
"""Without any of these no word of a sentence can mean another day each time; the rules for days need not be loaded."""


def said_on(passage: Passage, words: str, zone: tzinfo) -> str:
    """Words of a passage, relative days with their date beside them where it is known when they were said."""
    if not _MAY_BE_RELATIVE.search(words):
        return words
    from memoracle.learn.times import dated

    return dated(words, _said(passage), zone)


def is_over(passage: Passage, now: datetime, zone: tzinfo) -> bool:
    """True when the day that a plan or a task was meant for has passed; what recurs never has."""
    last = _meant_for(passage, zone)
    return last is not None and last + _GRACE < now


def overdue_since(passage: Passage, now: datetime, zone: tzinfo) -> datetime | None:
    """When something to do by a day was due, once that day has passed and for a month; None for any other."""
    from memoracle.learn.times import LATE, names_last_day

    if passage.kind not in {Kind.TASK, Kind.PLAN} or not names_last_day(passage.text):
        return None
    last = _meant_for(passage, zone)
    return last if last is not None and last < now < last + LATE else None


def _meant_for(passage: Passage, zone: tzinfo) -> datetime | None:
    from memoracle.learn.times import recurs, resolve

    said = _said(passage)
    if said is None or recurs(passage.text):
        return None
    span = resolve(passage.text, said, zone)
    return span.last if span is not None and span.last >= said else None


def _said(passage: Passage) -> datetime | None:
    """When the words were said; nobody knows of a summary, nor of what another program kept without a session."""
    is_brought = passage.source is EvidenceSource.RECORD and bool(passage.where) and not passage.session
    return (
        None
        if passage.kind == Kind.SUMMARY or is_brought or passage.source is EvidenceSource.NOTE
        else passage.at
    )
