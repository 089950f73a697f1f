"""What ranking needs to know of a passage, read from its words once, when it is indexed.

Pure: a passage in, small numbers out. Raise `FEATURES` in `versions.py` when they change.
"""

from __future__ import annotations

import re
from datetime import datetime
from enum import IntFlag

from memoracle.model.search import TOOL, EvidenceSource, Passage

_MONTHS = (
    "january|february|april|june|july|august|september|october|november|december"
    "|jan|feb|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|day|morning|evening|night"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|since|recently|soon|summer|winter|spring|fall"
    rf"|{_MONTHS}|\d{{4}}|\d{{1,2}}(?:st|nd|rd|th))s?\b"
    r"|[昨今明前后]天|[上下本这]周|周[一二三四五六日天]|\d月|\d日|\d年|\d点|\d号",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|couple|several|few|half|twice|once)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][a-z]{2,}")
_ASKS = ("?", "？")


class Flag(IntFlag):
    """Yes-or-no facts about a passage."""

    LIVE = 1
    ACTIVE = 2
    """Part of a default answer: active, or put away for its age alone."""
    OWNER = 4
    AGENT = 8
    ENDS_ASKING = 16
    ASKS = 32
    TIME = 64
    NUMBER = 128
    NAME = 256
    TURN = 1024
    RECORD = 2048
    NOTE = 4096
    SCAN = 8192
    TOOL = 16384


_SOURCES = {
    EvidenceSource.TURN: Flag.TURN,
    EvidenceSource.RECORD: Flag.RECORD,
    EvidenceSource.NOTE: Flag.NOTE,
    EvidenceSource.SCAN: Flag.SCAN,
}


def flags_of(passage: Passage) -> Flag:
    """The facts that lie in the words and the speaker."""
    text = passage.text
    flags = _SOURCES[passage.source]
    if passage.kind == TOOL:
        flags |= Flag.TOOL
    elif passage.source is EvidenceSource.TURN:
        flags |= Flag.AGENT if passage.channel == "agent" else Flag.OWNER
    if text.rstrip().endswith(_ASKS):
        flags |= Flag.ENDS_ASKING
    if any(mark in text for mark in _ASKS):
        flags |= Flag.ASKS
    for flag, pattern in (
        (Flag.TIME, _TIME),
        (Flag.NUMBER, _NUMBER),
        (Flag.NAME, _NAME),
    ):
        if pattern.search(text):
            flags |= flag
    return flags


def day_of(moment: datetime | None) -> int:
    """The day as a running number; 0 when it is not known."""
    return moment.toordinal() if moment else 0
