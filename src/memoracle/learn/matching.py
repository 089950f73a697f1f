"""Which patterns fit a sentence, and what they catch.

A sentence is read plainly first: long quotations are masked, spellings evened out, hedges and openers
taken off. Then every clause is tried against every pattern of its languages; patterns of one family
fit a clause once, weak ones only when nothing else did. What a pattern caught is cut where it ends.

Any text that an expression fits has certain runs of letters (`Pattern.needs`). A sentence's own letters name the few
patterns that can fit, and only those are compiled and run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from memoracle.learn.passages import without_quotations
from memoracle.learn.rules import (
    PROJECT,
    ClaimPattern,
    Lexicon,
    caught,
    compiled,
    folded_case,
    has,
    joined,
    lexicons_for,
    named,
    opened,
    rules_of,
)
from memoracle.model.predicates import predicate_named
from memoracle.model.value import value

_PLEASE = re.compile(r"(?:please|pls|请|麻烦)", re.IGNORECASE)
_MOST_CLAUSES = 12
_LONGEST_OPENING = 300
_MOST_NEEDS = 3
LONGEST_OBJECT = 160
_ARTICLES = compiled(r"(?:an?|the|some|my|our|this thing called|that)\s+(?=\S)")
SPEAKER = ""
"""The subject of what somebody says of themselves, until it is known who speaks."""


@value
class Found:
    """One pattern that fits, and what it caught. `place` is where in the sentence it begins."""

    pattern: ClaimPattern
    predicate: str
    subject: str
    object: str
    place: int
    span: tuple[int, int]
    """Where the object stands. Of two that meet, the pattern that is tried first has it."""


@value
class _Sieve:
    """What each pattern needs: for every need, the patterns that a run of letters meets, as bits of a number."""

    met_by: tuple[dict[str, int], ...]
    without: tuple[int, ...]
    """Patterns that have no such need."""


def sieve_of(needs: Iterable[Sequence[frozenset[str]]]) -> _Sieve:
    """The needs of many patterns, side by side."""
    met_by: list[dict[str, int]] = [{} for _ in range(_MOST_NEEDS)]
    without = [0] * _MOST_NEEDS
    for place, sets in enumerate(needs):
        for slot in range(_MOST_NEEDS):
            if slot >= len(sets):
                without[slot] |= 1 << place
                continue
            for run in sets[slot]:
                met_by[slot][run] = met_by[slot].get(run, 0) | 1 << place
    return _Sieve(met_by=tuple(met_by), without=tuple(without))


def worth_trying(text: str, sieve: _Sieve) -> int:
    """The patterns that may fit somewhere in the text, as bits of a number."""
    folded = folded_case(text)
    runs = {folded[at : at + size] for size in (1, 2, 3) for at in range(len(folded))}
    kept = -1
    for met_by, without in zip(sieve.met_by, sieve.without, strict=True):
        found = without
        for run in runs & met_by.keys():
            found |= met_by[run]
        kept &= found
    return kept


@lru_cache(maxsize=4)
def _sieve(language: str) -> _Sieve:
    return sieve_of(pattern.needs for pattern in rules_of(language).patterns)


def likely(plain: str, lexicon: Lexicon) -> list[ClaimPattern]:
    """The patterns whose letters stand in the sentence, in the order in which they are tried."""
    bits = worth_trying(plain, _sieve(lexicon.language))
    return [pattern for place, pattern in enumerate(rules_of(lexicon.language).patterns) if bits >> place & 1]


@lru_cache(maxsize=256)
def matches(text: str, *, instructing: bool = False) -> tuple[Found, ...]:
    """What fits, in the order it is said. `instructing`: only patterns that fit instructions."""
    found: list[Found] = []
    for lexicon in lexicons_for(text):
        plain = plainly(text, lexicon)
        tried = [one for one in likely(plain, lexicon) if one.label_free or not instructing]
        if not tried:
            continue
        places = _clauses(plain, lexicon)
        for number, place in enumerate(places):
            inside = _in_clause(plain, place, lexicon, tried)
            if not lexicon.others or not _about_another(plain, places[: number + 1], lexicon):
                found += inside
                continue
            found += [one for one in inside if one.subject != SPEAKER or one.pattern.label_free]
        for pattern in tried:
            match = compiled(pattern.regex).search(plain) if pattern.any_where else None
            if match and (one := _found(pattern, match, lexicon, match.start())):
                found.append(one)
        if found:
            # A language that fits is the one that is spoken.
            return tuple(_distinct(found, lexicon.once))
    return ()


def fitting(pattern: ClaimPattern, text: str, lexicon: Lexicon) -> Found | None:
    """What one pattern alone catches in a sentence."""
    plain = plainly(text, lexicon)
    expression = compiled(pattern.regex)
    tried = (
        [(expression.search(plain), 0)]
        if pattern.any_where
        else [(expression.match(plain, place), place) for place in _clauses(plain, lexicon)]
    )
    every = (_found(pattern, match, lexicon, place) for match, place in tried if match)
    return next((found for found in every if found), None)


def plainly(text: str, lexicon: Lexicon) -> str:
    """The sentence as patterns read it."""
    plain = without_quotations(text).replace("’", "'").replace("‘", "'").translate(lexicon.folds)
    for wrong, right in lexicon.spellings:
        plain = compiled(wrong).sub(right, plain)
    return opened(plain.strip(), lexicon)


def _clauses(plain: str, lexicon: Lexicon) -> list[int]:
    places = [0]
    for joint in islice(compiled(lexicon.joints).finditer(plain), 2 * _MOST_CLAUSES):
        if len(places) >= _MOST_CLAUSES:
            break
        rest = plain[joint.end() : joint.end() + _LONGEST_OPENING]
        begin = joint.end() + len(rest) - len(opened(rest, lexicon)) if rest else len(plain)
        if begin < len(plain) and begin not in places:
            places.append(begin)
    return places[:_MOST_CLAUSES]


def _about_another(plain: str, places: list[int], lexicon: Lexicon) -> bool:
    """Whether a clause leaves its subject out and the one it goes on from is not the speaker."""
    for place in reversed(places):
        if compiled(lexicon.others).match(plain, place):
            return place != places[-1]
        if joined(lexicon.first_person, lexicon.bounded, "start").match(plain, place):
            return False
    return False


def _in_clause(plain: str, place: int, lexicon: Lexicon, tried: list[ClaimPattern]) -> Iterator[Found]:
    families = set()
    for pattern in tried:
        if pattern.any_where or (pattern.first and place and not _PLEASE.match(plain, place)):
            continue
        match = compiled(pattern.regex).match(plain, place)
        found = match and _found(pattern, match, lexicon, place)
        if not found:
            continue
        known = predicate_named(found.predicate)
        family = known.family if known else found.predicate
        if family not in families:
            families.add(family)
            yield found


def _found(pattern: ClaimPattern, match: re.Match[str], lexicon: Lexicon, place: int) -> Found | None:
    predicate = pattern.predicate or named(caught(match, "role") or "", lexicon, lexicon.kin)
    subject = _subject(pattern, caught(match, "subject"), lexicon)
    if not predicate or subject is None:
        return None
    said = pattern.object or clean(caught(match, "object") or "", lexicon, whole=pattern.whole)
    if pattern.objects:
        said = pattern.objects.get(said.lower(), said)
    if not said or (not pattern.object and not pattern.whole and says_nothing(said, lexicon)):
        return None
    if about := caught(match, "about"):
        said = f"{clean(about, lexicon)}: {said}"
    objects = (name for name, text in match.groupdict().items() if text and name.startswith("object"))
    span = match.span(next(objects, 0))
    return Found(pattern=pattern, predicate=predicate, subject=subject, object=said, place=place, span=span)


def _subject(pattern: ClaimPattern, given: str | None, lexicon: Lexicon) -> str | None:
    if given is None:
        return PROJECT if pattern.subject == PROJECT else pattern.subject
    name = clean(given, lexicon)
    own = compiled(r"(?:my|our) ").match(name)
    if own and lexicon.bounded:
        name = name[own.end() :]
    *kin, last = name.split(" ") or [""]
    if kin and last[:1].isupper() and named(" ".join(kin), lexicon, lexicon.kin):
        name = last
    words = name.lower().split()
    return None if not words or any(word in lexicon.not_names for word in words) else name


def _distinct(found: list[Found], once: frozenset[str]) -> list[Found]:
    """In the order of saying, without weak ones beside strong ones, and nothing caught twice.

    Of the families that are spoken of `once`, only what is said first.
    """
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: (one.pattern.weak, one.pattern.any_where, one.place)):
        if one.pattern.weak and kept:
            continue
        begin, end = one.span
        if not any(begin < other.span[1] and other.span[0] < end for other in kept):
            kept.append(one)
    first: list[Found] = []
    seen: set[str] = set()
    for one in sorted(kept, key=lambda one: one.span):
        known = predicate_named(one.predicate)
        family = known.family if known else one.predicate
        if not (known and family in once and family in seen):
            first.append(one)
        seen.add(family)
    return first


def clean(text: str, lexicon: Lexicon, *, whole: bool = False) -> str:
    """An object as it is kept: trimmed at its tail and of its wrapping; `whole` keeps its tail."""
    kept = text.strip()
    if not whole:
        for tail in lexicon.tails:
            match = compiled(tail).search(kept)
            if match and match.start() > 0:
                kept = kept[: match.start()]
    kept = kept.strip(" \t\"'“”‘’「」『』《》*_`~,，.。!！?？;；:：、…–—")
    # A bracket or a hyphen at the edge belongs to the object when its other half does.
    for left, right in ("()", "（）", "[]", "<>"):
        if kept.startswith(left) and right not in kept:
            kept = kept[1:]
        if kept.endswith(right) and left not in kept:
            kept = kept[:-1]
    kept = kept.strip(" -")
    if lexicon.bounded and not whole:
        article = _ARTICLES.match(kept)
        kept = kept[article.end() :] if article else kept
    return shortened(kept)


def shortened(text: str) -> str:
    """At most as long as an object may be, cut between words."""
    if len(text) <= LONGEST_OBJECT:
        return text.strip()
    return (text[:LONGEST_OBJECT].rpartition(" ")[0] or text[:LONGEST_OBJECT]).strip()


def says_nothing(text: str, lexicon: Lexicon) -> bool:
    """True for “it”, “this bug”, “that one”: words for what lies on the table now."""
    low = text.strip().lower()
    if not any(ch.isalnum() for ch in low) or low in lexicon.empty_objects:
        return True
    return bool(lexicon.empty_starts) and has(low, lexicon, lexicon.empty_starts, "start")
