"""When what is told was meant to be: relative days get their date; what is over is no open item. Pure."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from memoracle.model.hit import Passage, Source
from memoracle.model.record import Kind

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
    from memoracle.extract.dated import dated

    return dated(words, _said(passage), zone)


def is_over(passage: Passage, now: datetime, zone: tzinfo) -> bool:
    """True when the day that a plan or a task was meant for has passed; what recurs never has."""
    from memoracle.extract.dated import recurs
    from memoracle.extract.times import resolve

    said = _said(passage)
    if said is None or recurs(passage.text):
        return False
    span = resolve(passage.text, said, zone)
    return span is not None and span.last + _GRACE < now and span.last >= said


def _said(passage: Passage) -> datetime | None:
    """When the words were said; nobody knows of a summary, nor of what another program kept without a session."""
    is_brought = passage.source is Source.RECORD and bool(passage.where) and not passage.session
    return None if passage.kind == Kind.SUMMARY or is_brought or passage.source is Source.NOTE else passage.at
