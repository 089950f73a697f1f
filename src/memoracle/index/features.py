"""What ranking needs to know of a passage, read from its words once, when it is indexed.

Pure: a passage in, small numbers out. Raise `FEATURES` in `versions.py` when they change.
"""

from __future__ import annotations

import re
from datetime import datetime
from enum import IntFlag

from memoracle.model.search import TOOL, EvidenceSource, Passage
from memoracle.text import PUNCTUATION, Memo

_MONTHS = (
    "january|february|april|june|july|august|september|october|november|december"
    "|jan|feb|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
# None of this goes beyond a space, so it is looked for in single words, and once in each.
_RUN = re.compile(r"\w+")
_TIME_WORDS = (
    "yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|day|morning|evening|night"
    "|monday|tuesday|wednesday|thursday|friday|saturday|sunday|since|recently|soon|summer|winter|spring|fall"
    f"|{_MONTHS}"
)
_TIME = re.compile(rf"(?:{_TIME_WORDS}|\d{{4}}|\d{{1,2}}(?:st|nd|rd|th))s?", re.IGNORECASE)
_TIME_UNSPACED = re.compile(r"[昨今明前后]天|[上下本这]周|周[一二三四五六日天]|\d[月日年点号]")
_DIGIT = re.compile(r"\d")
_NUMBER_WORDS = "two|three|four|five|six|seven|eight|nine|ten|dozen|couple|several|few|half|twice|once"
_NUMBER = re.compile(_NUMBER_WORDS, re.IGNORECASE)
# A capitalised word that begins neither the text nor a sentence; scanned fast because the class stands first.
_NAME = re.compile(r"[A-Z](?<!\w.)(?<![.!?:]\s.)(?<!\A.)[a-z]{2}")
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


# As plain numbers: the operators of an enum cost more than everything that is looked up here.
_OWNER, _AGENT, _TOOL, _ENDS_ASKING, _ASKING, _TIMED, _NUMBERED, _NAMED = map(
    int, (Flag.OWNER, Flag.AGENT, Flag.TOOL, Flag.ENDS_ASKING, Flag.ASKS, Flag.TIME, Flag.NUMBER, Flag.NAME)
)
_SOURCES = {
    EvidenceSource.TURN: int(Flag.TURN),
    EvidenceSource.RECORD: int(Flag.RECORD),
    EvidenceSource.NOTE: int(Flag.NOTE),
    EvidenceSource.SCAN: int(Flag.SCAN),
}


def flags_of(passage: Passage) -> int:
    """The facts that lie in the words and the speaker, as a number."""
    text = passage.text
    flags = _SOURCES[passage.source]
    if passage.kind == TOOL:
        flags |= _TOOL
    elif passage.source is EvidenceSource.TURN:
        flags |= _AGENT if passage.channel == "agent" else _OWNER
    if text.rstrip().endswith(_ASKS):
        flags |= _ENDS_ASKING
    if any(mark in text for mark in _ASKS):
        flags |= _ASKING
    for word in text.split():
        flags |= _FOUND[word]
    return flags | _NAMED if _NAME.search(text) else flags


def _in_word(word: str) -> int:
    if (core := word.strip(PUNCTUATION)).isalpha() and core.isascii():  # a plain word, in a tenth of the time
        return _PLAIN.get(core.lower(), 0)
    runs = [run for run in _RUN.findall(word) if not "一" <= run[0] <= "鿿"]
    is_timed = any(map(_TIME.fullmatch, runs)) or (not word.isascii() and _TIME_UNSPACED.search(word))
    is_numbered = _DIGIT.search(word) or any(map(_NUMBER.fullmatch, runs))
    return (_TIMED if is_timed else 0) | (_NUMBERED if is_numbered else 0)


_PLAIN = {f"{word}{end}": _TIMED for word in _TIME_WORDS.split("|") for end in ("", "s")} | dict.fromkeys(
    _NUMBER_WORDS.split("|"), _NUMBERED
)
_FOUND = Memo(_in_word)


def day_of(moment: datetime | None) -> int:
    """The day as a running number; 0 when it is not known."""
    return moment.toordinal() if moment else 0
