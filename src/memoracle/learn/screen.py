"""Whether a fragment is worth keeping: keep, drop or undecided, and why (S2.076–078).

Keep-markers are looked at before any drop rule, and no length drops anything that a marker or a
pattern speaks for. The channel decides first of all: tools and outside text teach nothing, an agent only
what it marks (“Decision: …”), another person what they say of themselves, and sessions without people nothing at all.
What a sentence does comes next: it states, asks, tells the agent to do something, or only keeps company.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memoracle.learn.matching import matches
from memoracle.learn.passages import paragraphs, without_quotations
from memoracle.learn.rules import compiled, has, joined, lexicons_for, opened
from memoracle.model.claim import Fragment, Label, Ruling, Turn
from memoracle.model.record import Channel
from memoracle.model.value import replace
from memoracle.text import is_unspaced

LONGEST = 2000
_NOBODY = frozenset(
    {"", "user", "owner", "human", "me", "you", "i", "somebody", "host", "我", "你", "用户", "主人"}
)
_FEWEST_LETTERS = 4
_FEWEST_WORDS = 3
_LONGEST_SMALL_TALK = 120
_ASKS = ("?", "？", "?!", "？！")
ASKED = "it asks to be kept"
CLEAR, DARK = 0.25, 0.12
"""How likely what was heard is understood by itself: from which on it is told unasked, below which it is no record."""
HEARD = "the tagger hears something to keep"
_REMARK, A_QUESTION, _ORDER, _LITTLE = (
    "another person's remark",
    "a question",
    "an instruction for now",
    "too little to say anything",
)
OUTSPOKEN = frozenset({_REMARK, A_QUESTION, _ORDER, _LITTLE})
"""Reasons for dropping that may be overruled: a fact can stand in a question, an order or an answer of one word."""
_TELLS = compiled(
    r"(?:did|have) (?:you|i) (?:know|hear|heard|tell|told|mention(?:ed)?|say|said)\b|guess"
    r"|你知道我|你知不知道我|我.{0,4}说过"
)
_ASKING = compiled(r"(?:who|whom|whose|which|what|where|when|why|how)\b")
_GOES_ON = compiled(r"\b(?:and|but|so)\b|，")
_NOT_MEANT = (("kidding", "a joke"), ("fiction", "fiction"), ("quoting", "somebody else's words"))


def screen(fragment: Fragment) -> Fragment:
    """The fragment with its label, its ruling and the reason for it."""
    if fragment.ruling is not Ruling.UNDECIDED or fragment.because:
        return fragment
    if len(fragment.text) > LONGEST:
        return replace(fragment, ruling=Ruling.DROP, because="longer than any sentence")
    text = without_quotations(fragment.text)
    said = label(text)
    ruling, because = _by_channel(fragment) or _by_words(text, said)
    if fragment.channel is Channel.PERSON and ruling is Ruling.UNDECIDED:
        ruling, because = Ruling.DROP, _REMARK
    return replace(fragment, label=said, ruling=ruling, because=because)


def label(text: str) -> Label:
    """What a sentence does, by its whole, its end and its beginning."""
    lexicons = lexicons_for(text)
    # The whole of it greets, thanks or acknowledges, or has no letter at all.
    if len(text) <= _LONGEST_SMALL_TALK and (
        not any(map(str.isalnum, text)) or any(has(text, one, one.small_talk, "whole") for one in lexicons)
    ):
        return Label.SMALL_TALK
    bare = text.rstrip("\"'”’)）」』 ")
    if bare.endswith(_ASKS) or any(
        has(opened(bare, one), one, one.questions, "start")
        or (not one.bounded and has(bare, one, one.question_ends, "end"))
        for one in lexicons
    ):
        return Label.QUESTION
    if any(
        has(said, one, one.imperatives, "start") for one in lexicons for said in (opened(text, one), text)
    ):
        return Label.INSTRUCTION
    return Label.STATEMENT


def is_marked(text: str) -> bool:
    """True when the speaker asks for it to be kept; asking whether somebody remembers is no such wish."""
    return any(has(text, one, one.remember) or has(text, one, one.important) for one in lexicons_for(text))


def is_bare_wish(sentence: str) -> bool:
    """True for “Remember this.” and 这很重要。: a wish that what was just said be kept, and nothing to keep."""
    return any(has(sentence, one, one.keep_that, "whole") for one in lexicons_for(sentence))


def without_wish(text: str) -> str:
    """The text without the bare wishes that end it."""
    *kept, last = sentences(text) or [""]
    if not kept or not is_bare_wish(last):
        return text
    return without_wish(text[: text.rindex(last)].rstrip())


def without_questions(text: str) -> str:
    """The text without what it asks; as it is where nothing else would be left, or where what asks also tells."""
    kept = text
    for one in sentences(text):
        if label(one) is Label.QUESTION and not _TELLS.match(one):
            kept = kept.replace(one, _told_before_asking(one), 1)
    return " ".join(kept.split()) if kept != text and label(kept) is Label.STATEMENT else text


def _told_before_asking(sentence: str) -> str:
    """“I moved to Oslo, and who is my dentist?” tells the first half; nothing where all of it asks."""
    bare = sentence.rstrip("?？ ")
    lexicon = lexicons_for(bare)[0]
    for joint in compiled(lexicon.joints).finditer(bare):
        told, asked = bare[: joint.start()], bare[joint.end() :]
        if label(told) is Label.STATEMENT and label(opened(asked, lexicon)) is Label.QUESTION:
            is_clause = has(told, lexicon, lexicon.first_person) or _GOES_ON.search(joint[0])
            return f"{told}{'.' if lexicon.bounded else '。'}" if is_clause else sentence
    return "" if label(bare) is Label.QUESTION or _ASKING.match(bare) else sentence


def agent_mark(text: str) -> tuple[str, str] | None:
    """The predicate and the words behind an agent's mark (“Decision: …”), or None."""
    bare = text.lstrip("*_# -•")
    for lexicon in lexicons_for(text):
        for entry, predicate in lexicon.agent_markers:
            match = joined((entry,), lexicon.bounded, "start").match(bare)
            rest = bare[match.end() :].lstrip("*_ ") if match else ""
            if rest[:1] in {":", "："} and rest[1:].strip("*_ "):
                return predicate, rest[1:].strip("*_ ")
    return None


def _by_channel(fragment: Fragment) -> tuple[Ruling, str] | None:
    if fragment.channel is Channel.OWNER:
        return None
    if fragment.channel is Channel.PERSON:
        is_named = fragment.who.strip().casefold() not in _NOBODY
        return None if is_named else (Ruling.DROP, "nobody knows who said it")
    if fragment.channel is Channel.AGENT:
        if agent_mark(fragment.text):
            return Ruling.KEEP, "the agent marked it"
        return Ruling.DROP, "an agent's words without a mark"
    return Ruling.DROP, f"the {fragment.channel} channel teaches nothing"


def _by_words(text: str, said: Label) -> tuple[Ruling, str]:
    lexicons = lexicons_for(text)

    def has_any(entries: str) -> bool:
        return any(has(text, lexicon, getattr(lexicon, entries)) for lexicon in lexicons)

    if said is not Label.QUESTION and is_marked(text):
        wishes = any(has(text, one, (*one.remember, *one.important), "start") for one in lexicons)
        if wishes or not has_any("quoting"):  # “the teacher says: from now on …” is somebody else's wish
            return Ruling.KEEP, ASKED
    if said is Label.SMALL_TALK:
        return Ruling.DROP, "small talk"
    if said is Label.QUESTION:
        return Ruling.DROP, A_QUESTION
    for entries, reason in _NOT_MEANT:
        if has_any(entries):
            return Ruling.DROP, reason
    if found := matches(text, instructing=True):
        return Ruling.KEEP, found[0].pattern.name
    if has_any("hypothetical"):
        return Ruling.DROP, "supposed, not said"
    if said is Label.INSTRUCTION:
        return Ruling.DROP, _ORDER
    if found := matches(text):
        return Ruling.KEEP, found[0].pattern.name
    letters = sum(ch.isalnum() for ch in text)
    if letters < _FEWEST_LETTERS or (text.isascii() and len(text.split()) < _FEWEST_WORDS):
        return Ruling.DROP, _LITTLE
    return Ruling.UNDECIDED, "no rule fits"


# A turn becomes fragments: one sentence each, with the turn's own origin.

LONGEST_FRAGMENT = 600
_MOST_FRAGMENTS = 400
_SENTENCE_ENDS = re.compile(
    r"(?<=[。！？!?；])[”’」』）)\"']*\s*|(?<=\.)[”’\"')]*\s+|…+\s+|\s+(?=[-•*]\s+[A-Z])"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:mr|mrs|ms|messrs|dr|prof|sr|jr|st|vs|etc|e\.g|i\.e|a\.m|p\.m|approx|no|nos|nr|fig|inc|ltd|corp|co|dept|govt|est|u\.s|u\.k|ph\.d|rs|rp"
    r"|asst|assoc|lt|col|capt|sgt|rev|adv|ave|blvd|bldg|apt|tel|incl|excl|eg|ie|viz|cf|ca"
    r"|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|tue|tues|thu|thurs|(?-i:(?:[A-Z]\.){1,3}[A-Z])|[a-z])\.$",
    re.IGNORECASE,
)
_MAY_END = re.compile(r"(?:etc|\sno|\b(?:ave|blvd|apt|ca|tues?|thu|thurs))\.$", re.IGNORECASE)
_CONTINUES_WITH = re.compile(r"[a-z0-9]")
_OF_MINE = r"(?:my|our)(?: (?!(?:is|are|was|were|has|had|left|name['’]s|\w+ed)\b)[\w'’-]+){1,2}"
_SUBJECT = compiled(rf"(?:both )?{_OF_MINE}(?:(?:,|,? and) {_OF_MINE})*")
"""Who does it, and nothing of what they do."""
_ITEM = re.compile(
    r"(?:[-*•+–]\s+|\d{1,3}(?:[.)]\s+|、(?!\d))|[（(]\d{1,2}[)）]\s*|#{1,6}\s+)(?:\[[ xX]\]\s*)?"
)


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
        found += [
            Fragment(
                ref=turn.id,
                ordinal=ordinal,
                text=clause,
                session=turn.session,
                who=turn.speaker,
                channel=turn.role,
                at=turn.at,
                where=turn.place,
                project=turn.project or "",
                agent=turn.agent or "",
                pasted=is_another,
            )
            for ordinal, clause in enumerate(_clauses(paragraph), start=len(found))
        ]
    is_told = False
    kept: list[Fragment] = []
    for one in found[:_MOST_FRAGMENTS]:
        lexicons = lexicons_for(one.text)
        is_fiction = any(has(one.text, lexicon, lexicon.fiction) for lexicon in lexicons)
        wished = any(has(one.text, lexicon, lexicon.remember) for lexicon in lexicons) and not is_fiction
        is_told = is_told or is_fiction
        kept.append(replace(one, ruling=Ruling.DROP, because="fiction") if is_told and not wished else one)
    return kept


def _clauses(lines: list[str]) -> Iterator[str]:
    """The sentences of a paragraph; “Remember this.” is one with the sentence that it speaks of."""
    held = ""
    for line in lines:
        item = _ITEM.match(line)
        for sentence in sentences(line[item.end() :] if item else line):
            if held and is_bare_wish(sentence) and label(held) is Label.STATEMENT:
                held = f"{held}{'' if is_unspaced(held) else ' '}{sentence}"
                continue
            yield from _standing_alone(held) if held else ()
            held = sentence
    yield from _standing_alone(held) if held else ()


def sentences(line: str) -> list[str]:
    """A line cut where its sentences end."""
    found: list[str] = []
    held = ""
    begin = 0
    for match in _SENTENCE_ENDS.finditer(line):
        if match.end() == begin or match.end() == match.start() == len(line):
            continue
        if _goes_on(held + line[begin : match.start()], line[match.end() : match.end() + 1]):
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
    if _ABBREVIATION.search(before[-12:]) and not (after.isupper() and _MAY_END.search(before)):
        return True
    return before.endswith("..") and bool(_CONTINUES_WITH.match(after))


def _standing_alone(sentence: str) -> list[str]:
    lexicon = lexicons_for(sentence)[0]
    whole = (lexicon.hypothetical, lexicon.quoting, lexicon.fiction)
    if (
        not lexicon.breaks
        or sentence.endswith(("?", "？"))
        or any(has(sentence, lexicon, entries) for entries in whole)
    ):
        return [sentence]
    pieces: list[str] = []
    begin = 0
    for joint in compiled(lexicon.breaks).finditer(sentence):
        piece = sentence[begin : joint.start()]
        # “ok final call, we're …”, “my sister and I …”: a piece that is about nobody, or states nothing, goes on.
        if has(piece, lexicon, lexicon.first_person) and not _SUBJECT.fullmatch(piece.strip()):
            pieces.append(piece)
            begin = joint.end()
    pieces.append(sentence[begin:])
    kept = [piece.strip(" ,，;；、") for piece in pieces]
    return [piece for piece in kept if any(ch.isalnum() for ch in piece)] or [sentence]
