"""Clean evidence: hits that say the same are one (near-duplicate detection), what only frames words is none.

Careful on purpose: two hits become one only where one of them says nothing of its own. Another number, another name or
a “not” is something of its own, and so is another speaker, project or channel. Nothing is lost: the one that stands
names the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from memoracle.model.record import OUTSIDE, Status
from memoracle.model.search import EvidenceSource, Hit, Passage
from memoracle.model.value import replace, value
from memoracle.recall.question import windows
from memoracle.text import is_stop, normalise, telling_terms, terms

_NEAR = 0.85
"""What share of the fuller one the other has to say."""
_LONGEST = 4000
"""A longer text is the same as its equal alone, and always says something."""
_NEGATIONS = frozenset(
    [*terms("no not nor never cannot don didn doesn isn aren wasn weren won wouldn without"), *"不没未无别"]
)


@value
class _Words:
    """What a hit says: its terms in order without small words, and as a set."""

    run: tuple[str, ...]
    held: frozenset[str]


def one_of_each(ranked: Sequence[Hit], question: str, *, by_day: bool = False) -> list[Hit]:
    """The hits in their order, those that say the same as one; `also` of it holds the others.

    A record stands for the turn it was made of, unless the turn has more of what is asked. With `by_day`, what was said
    on two days stays two: who asks how often wants both.
    """
    asked = frozenset(telling_terms(question))
    kept: list[tuple[Hit, _Words]] = []
    for hit in ranked:
        words = _words(hit.passage.text)
        for place, (other, theirs) in enumerate(kept):
            if (first := _standing(other, theirs, hit, words, asked, by_day=by_day)) is not None:
                stands, folded = (other, hit) if first else (hit, other)
                also = (*other.also, folded.passage) if first else (folded.passage, *other.also)
                kept[place] = (replace(stands, score=other.score, also=also), theirs if first else words)
                break
        else:
            kept.append((hit, words))
    # What says little by itself, a licence or a list of links, stands behind everything else.
    return sorted((hit for hit, _ in kept), key=lambda hit: is_frame(hit.passage))


def says_more(hit: Hit) -> Passage | None:
    """Of what a hit stands for the one that says more than itself: the turn a record was made of."""
    own = _words(hit.passage.text).held
    return next((one for one in hit.also if not _words(one.text).held <= own), None)


def _standing(
    other: Hit, theirs: _Words, hit: Hit, words: _Words, asked: frozenset[str], *, by_day: bool
) -> bool | None:
    """Whether the one that ranks better stands for both; None where they are two."""
    first, second = other.passage, hit.passage
    if other.fate or hit.fate or not _comparable(first, second):
        return None
    if _is_source(first, second) or _is_source(second, first):
        is_first = second.source is EvidenceSource.TURN
        record, turn = (theirs, words) if is_first else (words, theirs)
        if turn.held & asked <= record.held:
            return is_first
        return not is_first if len(record.held & turn.held) >= _NEAR * len(record.held) else None
    if first.where and first.where == second.where:  # two records of one turn
        is_same = theirs.held <= words.held or words.held <= theirs.held
    else:
        is_same = _same(theirs, words) and not _apart_in_time(first, second, by_day=by_day)
    if not is_same:
        return None
    records = [one.source is EvidenceSource.RECORD for one in (first, second)]
    return records[0] if any(records) and not all(records) else len(theirs.held) >= len(words.held)


def _comparable(first: Passage, second: Passage) -> bool:
    """Nobody's words are folded into another's, nor what has no standing into what has."""
    sources, whose = {first.source, second.source}, {first.who, second.who} - {""}
    return (
        EvidenceSource.SCAN not in sources
        and first.status is second.status is Status.ACTIVE
        and (first.channel == second.channel or (first.channel in OUTSIDE and second.channel in OUTSIDE))
        and first.project == second.project
        and (len(whose) < 2 or EvidenceSource.RECORD in sources)
    )


def _is_source(turn: Passage, record: Passage) -> bool:
    return turn.source is EvidenceSource.TURN and record.where == f"{turn.path}#L{turn.first_line}"


def _apart_in_time(first: Passage, second: Passage, *, by_day: bool) -> bool:
    """True for turns of two days, where that makes two things of the same words."""
    if {first.source, second.source} != {EvidenceSource.TURN} or first.at is None or second.at is None:
        return False
    days = first.at.date(), second.at.date()
    return days[0] != days[1] and (by_day or bool(windows(first.text, days[0])))


def _same(first: _Words, second: _Words) -> bool:
    if first.run == second.run:
        return True
    less, more = sorted((first.held, second.held), key=len)
    rest = more - less
    return (
        less < more
        and len(less) >= _NEAR * len(more)
        and rest.isdisjoint(_NEGATIONS)
        and not any(ch.isdigit() for term in rest for ch in term)
    )


@lru_cache(maxsize=512)
def _words(text: str) -> _Words:
    if len(text) > _LONGEST:
        whole = normalise(text)
        return _Words(run=(whole,), held=frozenset({whole}))
    every = terms(text)
    run = tuple(term for term in every if term in _NEGATIONS or not is_stop(term)) or tuple(every)
    return _Words(run=run, held=frozenset(run))


# What frames words without saying any: headings, placeholders, empty fields and tasks, tags, contents, stubs of tools.

_MARKUP = re.compile(
    r"<(system-reminder|local-command-caveat|command-(?:name|message|args))>.*?</\1>"
    r"|<!--.*?-->|<[/!?]?[a-zA-Z][^<>]{0,1000}>|<%.*?%>|\{\{[^{}]{0,200}\}\}|\{%.*?%\}|!\[\[[^\]\n]{0,200}\]\]",
    re.DOTALL,
)
_EMPTY = re.compile(
    r"[\W_]*(?:"
    r"\[[ xX]?\]\W*"  # a task that says nothing
    r"|\[[^\]\n]{0,200}\]\(#[^)\n]{0,200}\)\W*|\[?toc\]?|table of contents\W*|目录\W*"
    r"|[^:：\n]{1,40}[:：][\W_]*"  # a field without a value
    r"|tool use: \S*|\[request interrupted by user.*|\(no content\)|no response requested\.?"
    r")?",
    re.IGNORECASE,
)
# A heading says what follows; a long one, or one with a value in it, says something by itself.
_HEADING = re.compile(r"\s*#{1,6}(?:\s+[^\s:：]{1,16}){0,4}\s*")
_HEADER = re.compile(
    r"(?:tags?|alias(?:es)?|css-?class(?:es)?|created|updated|modified|date|uid|publish|permalink|layout)\s*:.*",
    re.IGNORECASE,
)
_MAY_FRAME = re.compile(r"[<{#\[(]|[:：][\W_]*$|^tool use|^no response", re.IGNORECASE | re.MULTILINE)
_LINK = re.compile(
    r"[\W\d_]*(?:\[\[[^\]\n]{1,300}\]\]|\[[^\]\n]{0,300}\]\([^)\n]{0,500}\)|<?https?://\S+)\W*"
)
_BOILERPLATE = re.compile(
    r"permission is hereby granted, free of charge|licensed under the apache license|all rights reserved"
    r"|without warrant(?:y|ies) of any kind|as is. without warranty|redistribution and use in source and binary",
    re.IGNORECASE,
)


def says_nothing(text: str) -> bool:
    """True for what only frames words.

    >>> says_nothing("# Memory"), says_nothing("Mood: {{mood}}"), says_nothing("- [ ] call the dentist")
    (True, True, False)
    """
    if len(text) > _LONGEST or not _MAY_FRAME.search(text) or not any(map(str.isalnum, text)):
        return False
    bare, tags = _MARKUP.subn(" ", text)
    if tags and not any(map(str.isalpha, bare)):
        return True
    return all(map(_is_empty, bare.split("\n"))) or (
        text.startswith("---\n")
        and all(_is_empty(line) or _HEADER.fullmatch(line.strip()) for line in bare.split("\n"))
    )


def _is_empty(line: str) -> bool:
    return bool(_EMPTY.fullmatch(line) or _HEADING.fullmatch(line))


def is_frame(passage: Passage) -> bool:
    """True for a part of a note that is a licence, or a list of links and nothing else."""
    if passage.source is not EvidenceSource.NOTE:
        return False
    lines = [line for line in passage.text.split("\n") if not _is_empty(line)]
    linked = sum(bool(_LINK.fullmatch(line)) for line in lines)
    return bool(_BOILERPLATE.search(passage.text)) or (linked > 1 and linked == len(lines))
