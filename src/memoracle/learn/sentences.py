"""A turn becomes fragments: one sentence each, with the turn's own origin.

Dots in numbers, versions, addresses, file names and abbreviations end no sentence. A sentence whose
clauses stand by themselves (“my name is Anna, I live in Boston and I work at Siemens”) falls apart
into them, unless it supposes or quotes something: then what it says is said of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memoracle.learn.lexicon import Lexicon, compiled, has
from memoracle.learn.passages import paragraphs
from memoracle.learn.rules import lexicons_for
from memoracle.model.claim import Fragment, Ruling, Turn
from memoracle.model.value import replace

LONGEST_FRAGMENT = 600
_MOST_FRAGMENTS = 400
_ENDS = re.compile(r"(?<=[。！？!?；])[”’」』）)\"']*\s*|(?<=\.)[”’\"')]*\s+|…+\s+|\s+(?=[-•*]\s+[A-Z])")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|sr|jr|st|vs|etc|e\.g|i\.e|a\.m|p\.m|approx|no|nr|fig|inc|ltd|corp|co|dept|est|u\.s|u\.k|ph\.d"
    r"|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|[a-z])\.$",
    re.IGNORECASE,
)
_CONTINUES_WITH = re.compile(r"[a-z0-9]")
_ITEM = re.compile(r"(?:[-*•+–]\s+|\d{1,3}(?:[.)]\s+|、)|[（(]\d{1,2}[)）]\s*|#{1,6}\s+)(?:\[[ xX]\]\s*)?")


def fragments_of(turn: Turn, is_pasted: Callable[[str], bool] = lambda _: False) -> list[Fragment]:
    """The sentences of a turn, in order; none from a session without people.

    From the sentence on that begins a story, a role or a text to work on, nothing is meant of the
    speaker: such fragments come ruled out, save those that ask to be kept. Where a paragraph `is_pasted`,
    only the first one of the turn can be the speaker's own.
    """
    found: list[Fragment] = []
    if not turn.session_kind.has_people:
        return found
    together = paragraphs(turn.text)
    pasted = [is_pasted("\n".join(paragraph)) for paragraph in together]
    for at, paragraph in enumerate(together):
        is_another = pasted[at] or (at > 0 and any(pasted))
        for fragment in _fragments(turn, paragraph, len(found)):
            found.append(replace(fragment, pasted=True) if is_another else fragment)
            if len(found) >= _MOST_FRAGMENTS:
                return _without_fiction(found)
    return _without_fiction(found)


def _fragments(turn: Turn, lines: list[str], ordinal: int) -> Iterator[Fragment]:
    for line in lines:
        item = _ITEM.match(line)
        for sentence in sentences(line[item.end() :] if item else line):
            for clause in _standing_alone(sentence):
                yield _fragment(turn, ordinal, clause)
                ordinal += 1


def _without_fiction(fragments: list[Fragment]) -> list[Fragment]:
    begin = next((place for place, one in enumerate(fragments) if _is_fiction(one.text)), len(fragments))
    return [
        one
        if place < begin or _asks_to_be_kept(one.text)
        else replace(one, ruling=Ruling.DROP, because="fiction")
        for place, one in enumerate(fragments)
    ]


def _is_fiction(text: str) -> bool:
    return any(has(text, lexicon, lexicon.fiction) for lexicon in lexicons_for(text))


def _asks_to_be_kept(text: str) -> bool:
    return not _is_fiction(text) and any(
        has(text, lexicon, lexicon.remember) for lexicon in lexicons_for(text)
    )


def sentences(line: str) -> list[str]:
    """A line cut where its sentences end."""
    found: list[str] = []
    held = ""
    begin = 0
    for match in _ENDS.finditer(line):
        if match.end() == begin or match.end() == match.start() == len(line):
            continue
        piece = line[begin : match.start()]
        after = line[match.end() : match.end() + 1]
        if _goes_on(held + piece, after):
            held += line[begin : match.end()]
        else:
            found.append((held + line[begin : match.end()]).strip())
            held = ""
        begin = match.end()
    found.append((held + line[begin:]).strip())
    return [piece[:LONGEST_FRAGMENT] for piece in found if any(ch.isalnum() for ch in piece)]


def _goes_on(before: str, after: str) -> bool:
    if not before.endswith("."):
        return False
    # A small letter or a digit after a dot: an abbreviation of somebody's own, or a decimal.
    if _ABBREVIATION.search(before[-12:]) and not (
        after.isupper() and before[-4:].lower() in {"etc.", " no."}
    ):
        return True
    return before.endswith("..") and bool(_CONTINUES_WITH.match(after))


def _standing_alone(sentence: str) -> list[str]:
    lexicon = lexicons_for(sentence)[0]
    if not lexicon.breaks or _is_one(sentence, lexicon):
        return [sentence]
    pieces: list[str] = []
    begin = 0
    for joint in compiled(lexicon.breaks).finditer(sentence):
        # “ok final call, we're …”: a piece that is about nobody belongs to the next one.
        if has(sentence[begin : joint.start()], lexicon, lexicon.first_person):
            pieces.append(sentence[begin : joint.start()])
            begin = joint.end()
    pieces.append(sentence[begin:])
    kept = [piece.strip(" ,，;；、") for piece in pieces]
    return [piece for piece in kept if any(ch.isalnum() for ch in piece)] or [sentence]


def _is_one(sentence: str, lexicon: Lexicon) -> bool:
    return sentence.endswith(("?", "？")) or any(
        has(sentence, lexicon, entries)
        for entries in (lexicon.hypothetical, lexicon.quoting, lexicon.fiction)
    )


def _fragment(turn: Turn, ordinal: int, text: str) -> Fragment:
    return Fragment(
        ref=turn.id,
        ordinal=ordinal,
        text=text,
        session=turn.session,
        who=turn.speaker,
        channel=turn.role,
        at=turn.at,
        where=turn.place,
        project=turn.project or "",
        agent=turn.agent or "",
    )
