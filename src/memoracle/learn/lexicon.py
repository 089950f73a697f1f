"""The words that say how a sentence is meant: keep this, by the way, perhaps, not any more, what if.

One `Lexicon` per language, plain data. Entries are small regular expressions without groups that
capture; they are joined into one expression per list, compiled at its first use. `bounded` languages
get word boundaries around each entry. Holds no words, they are in `rules/`; makes no decisions, `screen.py` and
`claims.py` do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from memoracle.model.value import field, value

_GROUP = re.compile(r"\(\?P<([a-z]+)>")
_MOST_OPENERS = 4
Weighted = tuple[tuple[str, float], ...]
"""Entries, each with a number."""
Named = tuple[tuple[str, str], ...]
"""Entries, each with a name."""


@value
class Lexicon:
    """How one language marks its sentences."""

    language: str
    bounded: bool
    """Words stand between spaces."""

    remember: tuple[str, ...]
    """“Remember”, “from now on”: keep this, +0.5 (S2.031). Not “do you remember”."""
    important: tuple[str, ...]
    """“Important”, “key”: +0.3."""
    aside: tuple[str, ...]
    """“By the way”: −0.2."""
    kidding: tuple[str, ...]
    """“Just kidding”: what was said is not meant."""

    lead_ins: tuple[str, ...]
    """Openings that are no part of what is said: “please remember that”, “note:”. Taken off the text."""
    openers: tuple[str, ...]
    """Openings that carry no meaning: “well,”, “so”, “and”, “hi there,”. Taken off before matching."""
    tails: tuple[str, ...]
    """Where an object ends: “ because …”, “ so that …”, “ right now”. Searched, cut from there on."""

    hedges: Weighted
    """“Probably”, “I think”: the confidence that is left, 0.3 to 0.8."""
    corrections: tuple[str, ...]
    """“Actually”, “I meant”, “changed my mind”: what follows replaces what was said."""
    hypothetical: tuple[str, ...]
    """“If I were”, “suppose”, “imagine”: nothing in the sentence is claimed."""
    quoting: tuple[str, ...]
    """“He said”, “the error says”, “for example”, “lyrics”: somebody else's words or none's."""
    fiction: tuple[str, ...]
    """“Pretend”, “act as”, “write a story”, “my character”: the whole turn is not meant of the speaker."""

    small_talk: tuple[str, ...]
    """Whole messages: greetings, thanks, acknowledgements. Joined by spaces and punctuation they stay so."""
    questions: tuple[str, ...]
    """Openings of questions: “what”, “do you”, “can you”."""
    question_ends: tuple[str, ...]
    """Endings of questions, without the question mark: “吗”, “right”."""
    imperatives: tuple[str, ...]
    """Openings of instructions to the agent: “fix”, “please write”, “I want you to”, “I need a function”."""
    standing: tuple[str, ...]
    """What makes an instruction a rule: “always”, “never”, “from now on”, “every time”."""

    temporary: Weighted
    """“Today”, “this week”: the hours after which it no longer holds (S2.131: 12, 48, 240, 840)."""

    kin: Named
    """Words for people and animals of somebody's life, each with its predicate: sister → sibling."""
    first_person: tuple[str, ...]
    """“I”, “my”, “we”: the sentence is about the speaker."""
    not_names: frozenset[str]
    """Words, in lower case, that stand where a name would and are none: “that”, “everybody”, “today”."""

    agent_markers: Named
    """What an agent's line must begin with to be kept, each with its predicate: “Decision:” → decided."""
    breaks: str
    """An expression for the places where a sentence falls into fragments that stand by themselves."""
    joints: str = r"[,，;；、:：]\s*"
    """An expression for the places inside a fragment after which another clause may begin."""
    spellings: tuple[tuple[str, str], ...] = ()
    """Expressions and what to read instead, before matching: “im” is “I'm”, and hedges are taken out."""
    empty_objects: frozenset[str] = frozenset()
    """Objects, in lower case, that say nothing by themselves: “it”, “this”, “那个”. Their claim is dropped."""
    empty_starts: tuple[str, ...] = ()
    """Openings of objects that speak of what lies on the table now: “this bug”, “how it looks”, “这个”."""
    others: str = ""
    """An expression for a clause that begins with somebody else, where the next one may leave its subject out."""
    once: frozenset[str] = frozenset()
    """Families that a sentence speaks of once, where clauses go on about the same thing without a subject."""
    folds: Mapping[int, int] = field(default_factory=dict)
    """Letters read as others, one for one (`str.translate`): 歡 as 欢. Matching only; texts stay as they are."""


@lru_cache(maxsize=2000)
def compiled(expression: str) -> re.Pattern[str]:
    """The expression, whatever the case, compiled once. A group may be named more than once: see `caught`."""
    times: dict[str, int] = {}

    def numbered(group: re.Match[str]) -> str:
        times[group[1]] = times.get(group[1], 0) + 1
        return f"(?P<{group[1]}{times[group[1]] if times[group[1]] > 1 else ''}>"

    return re.compile(_GROUP.sub(numbered, expression), re.IGNORECASE)


def caught(match: re.Match[str], name: str) -> str | None:
    """What a group of that name caught; of several alternatives, the one that fits."""
    return next(
        (text for group, text in match.groupdict().items() if text and group.rstrip("0123456789") == name),
        None,
    )


def folded_case(text: str) -> str:
    """As an expression that ignores case compares letters."""
    return text.casefold().replace("ı", "i")


@lru_cache(maxsize=200)
def joined(entries: tuple[str, ...], bounded: bool, where: str = "any") -> re.Pattern[str]:
    """One expression for many entries: `any` place, the `start`, the `end`, or the `whole` text."""
    body = "|".join(sorted(entries, key=len, reverse=True)) or r"(?!)"
    left, right = (r"(?<!\w)", r"(?!\w)") if bounded else ("", "")
    gap = r"[\s,.!;:?~，。！？；：、～…-]{0,8}"
    form = {
        "any": f"{left}(?:{body}){right}",
        "start": f"(?:{body}){right}",
        "end": rf"{left}(?:{body}){right}[\s.!,。！，～~]{{0,8}}\Z",
        "whole": rf"{gap}(?:(?:{body}){right}{gap}){{1,8}}\Z",
    }[where]
    return re.compile(form, re.IGNORECASE)


def has(text: str, lexicon: Lexicon, entries: tuple[str, ...], where: str = "any") -> bool:
    """Whether one of the entries stands there."""
    expression = joined(entries, lexicon.bounded, where)
    text = text.translate(lexicon.folds) if lexicon.folds else text
    return bool(expression.search(text) if where in {"any", "end"} else expression.match(text))


def without_start(text: str, lexicon: Lexicon, entries: tuple[str, ...]) -> str:
    """The text without the entries it begins with, and without what joins them to the rest."""
    expression = joined(entries, lexicon.bounded, "start")
    for _ in range(6):
        match = expression.match(text.translate(lexicon.folds) if lexicon.folds else text)
        if match is None or not match.end():
            break
        text = text[match.end() :].lstrip(" \t,，:：;；-–—、.。!！~～…")
    return text


def opened(text: str, lexicon: Lexicon) -> str:
    """The sentence without what opens it and says nothing: “well,”, “hi there,”, “please remember that”."""
    for _ in range(_MOST_OPENERS):
        before = text
        text = without_start(text, lexicon, lexicon.lead_ins)
        text = without_start(text, lexicon, lexicon.openers)
        if text == before:
            break
    return text


def lowest(text: str, lexicon: Lexicon, entries: Weighted) -> float | None:
    """The smallest number whose entry stands in the text."""
    found = [number for entry, number in entries if has(text, lexicon, (entry,))]
    return min(found, default=None)


def named(word: str, lexicon: Lexicon, entries: Named) -> str:
    """The name of the entry that is the whole of this word, or an empty text."""
    return next((name for entry, name in entries if has(word.strip(), lexicon, (entry,), "whole")), "")
