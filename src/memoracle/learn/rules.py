"""The rules of a language as values: its lexicon, its patterns, and the letters each pattern needs.

Loaded at the first sentence in that language, from what `compile_rules.py` made of the tables in `rules/`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from memoracle.model.claim import Stance
from memoracle.model.predicates import Family, predicate_named
from memoracle.model.record import Draft, Kind
from memoracle.model.value import field, value
from memoracle.tables import kept, table
from memoracle.text import is_unspaced

# The words that say how a sentence is meant: keep this, by the way, perhaps, not any more, what if.

_GROUP = re.compile(r"\(\?P<([a-z]+)>")
_MOST_OPENERS = 4
_JOINING = re.compile(r"\A(?:[\s,，:：;；–—、。!！~～…]|[.-](?!\d))+")
"""What joins an opening to the rest; the point of “.5 mg” belongs to that."""
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
    keep_that: tuple[str, ...]
    """“Remember this”, “this is important”: whole sentences that speak of the one before them."""
    changes: tuple[str, ...]
    """“Changed”, “quit”, “moved”: something of the speaker's life is no longer as it was."""
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
    standing_in: tuple[str, ...]
    """“On behalf of”, “covering for”, “今天我来”: who speaks is not the one who usually does."""

    small_talk: tuple[str, ...]
    """Whole messages: greetings, thanks, acknowledgements. Joined by spaces and punctuation they stay so."""
    questions: tuple[str, ...]
    """Openings of questions: “what”, “do you”, “can you”."""
    question_ends: tuple[str, ...]
    """Endings of questions, without the question mark: “吗”, “right”."""
    imperatives: tuple[str, ...]
    """Openings of instructions to the agent: “fix”, “please write”, “I want you to”, “I need a function”."""

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
        text = _JOINING.sub("", text[match.end() :], count=1)
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


# Whether what was said in a project is about the project or about the person who said it. Pure, in both languages.

_TABLE = os.path.join(os.path.dirname(__file__), "rules", "project_scope.toml")
_PERSON = frozenset({Family.IDENTITY, Family.NAME, Family.HEALTH, Family.RELATIONSHIP, Family.EDUCATION})
_PROJECT = frozenset(
    {Family.PROJECT, Family.DECISION, Family.LESSON, Family.SAFETY, Family.TASK, Family.OTHER}
)
_PERSONS_KINDS = frozenset({Kind.IDENTITY, Kind.HEALTH, Kind.RELATIONSHIP})
_PROJECTS_KINDS = frozenset(
    {Kind.DECISION, Kind.LESSON, Kind.PROCEDURE, Kind.FINDING, Kind.SAFETY, Kind.TASK}
)


@lru_cache(maxsize=1)
def _words() -> Mapping[str, re.Pattern[str]]:
    return {name: compiled(expression) for name, expression in table(_TABLE).items()}


def is_about_project(draft: Draft) -> bool:
    """True when what was said while working on a project belongs to it; false when it goes with the person."""
    words = _words()
    text, known = draft.statement.text, predicate_named(draft.statement.predicate)
    family = known.family if known else None
    is_persons = family in _PERSON if family else draft.kind in _PERSONS_KINDS
    if words["everywhere"].search(text) or is_persons:
        return False
    if words["here"].search(text) or words["code"].search(text) or family is Family.PROJECT:
        return True
    if family is Family.RULE or (family is None and draft.kind is Kind.RULE):
        return not words["manner"].search(text)
    is_projects = family in _PROJECT if family else draft.kind in _PROJECTS_KINDS
    return is_projects and not words["personally"].search(text)


FOLDER = os.path.join(os.path.dirname(__file__), "rules")
PROJECT = "project"
"""As a pattern's subject: what “we” and “our project” mean, the project of the conversation."""


@value
class ClaimPattern:
    """One way to say one thing: a rule of slot filling, matched at the beginning of a clause, whatever its case.

    Openers (“well,”, “by the way,”, “please remember that”) have been taken off before. Named groups: `object` is what
    is said; `subject` is who it is said of, if it is not the speaker; `role` is a word of `Lexicon.kin` that gives the
    predicate when `predicate` is empty; `about` names what an object belongs to (“my favourite **colour** is blue”),
    and stands before it: “colour: blue”.

    So that a line of a megabyte costs a line of a megabyte, no quantifier inside a quantified group may match what the
    outer one repeats, and every run is bounded. `(?-i:[A-Z])` stands where a capital letter is meant.
    """

    name: str
    """`family.what`, such as `work.employer`; claims and tests name it."""
    predicate: str
    regex: str
    stance: Stance = Stance.ASSERT
    subject: str = ""
    """Empty: the group `subject`, or else the speaker. `PROJECT`: the project of the conversation."""
    object: str = ""
    """What is said when the expression has no group for it: “I'm married” is `married`."""
    objects: Mapping[str, str] | None = None
    """Words of the group `object`, in lower case, and what they mean: `hitched` is `married`."""
    importance: float | None = None
    """When this way of saying it matters more than the predicate: a status change is 0.8."""
    confidence: float = 1.0
    whole: bool = False
    """The object is a sentence of its own and keeps its tail: a rule, a lesson, a decision."""
    weak: bool = False
    """Fits only when no other pattern did, and never in a sentence with a name as its subject."""
    any_where: bool = False
    """Searched in the whole clause, not only at its beginning. For wordings that mean one thing anywhere."""
    first: bool = False
    """Only at the very beginning of a sentence, not of a later clause, unless “please” opens that."""
    label_free: bool = False
    """Fits instructions as well as statements: “always answer in German”, “never touch main”."""
    needs: tuple[frozenset[str], ...] = ()
    """Sets of runs of letters: a text that fits has one of each."""


@value
class _LanguageRules:
    """What is known of a language. `names` are expressions for names, each with its sort; `alias` one for aliases."""

    lexicon: Lexicon
    patterns: tuple[ClaimPattern, ...]
    names: tuple[tuple[str, str], ...] = ()
    alias: str = ""
    people: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Expressions for people: `subjects` a sentence is told of, its `openings`, `mentions`; the group is who.

    `things` are openings of what is told of nobody."""


def lexicons_for(text: str) -> tuple[Lexicon, ...]:
    """The lexicons whose language may occur in a text; the one that fits best stands first."""
    english = rules_of("en").lexicon
    return (rules_of("zh").lexicon, english) if is_unspaced(text) else (english,)


@lru_cache(maxsize=4)
def rules_of(language: str) -> _LanguageRules:
    """The rules of a language, `en` or `zh`; patterns in the order in which they are tried."""
    folder = os.path.join(FOLDER, language)
    compiler = os.path.join(os.path.dirname(__file__), "compile_rules.py")
    sources = [*(os.path.join(folder, name) for name in sorted(os.listdir(folder))), compiler]
    given = kept(folder, sources, lambda: _compiled(language))
    return _LanguageRules(
        lexicon=_lexicon(language, given["lexicon"]),
        patterns=tuple(map(pattern_of, given["patterns"])),
        names=tuple((sort, regex) for sort, regex in given["names"].get("names", ())),
        alias=given["names"].get("alias", ""),
        people={sort: tuple(given["names"][sort]) for sort in ("subjects", "openings", "mentions", "things")},
    )


def _compiled(language: str) -> Any:
    from memoracle.learn.compile_rules import compiled_rules

    return compiled_rules(language)


@lru_cache(maxsize=1)
def simplified() -> Mapping[int, int]:
    """Traditional characters and the simplified ones they are read as, for `str.translate`."""
    words = " ".join(table(f"{FOLDER}/scripts.toml")["pairs"]).split()
    return {ord(other): ord(word[0]) for word in words for other in word[1:] if other != word[0]}


def pattern_of(row: Mapping[str, Any]) -> ClaimPattern:
    """A row of a table as a value, without its examples."""
    known = {name: given for name, given in row.items() if name not in {"examples", "counterexamples"}}
    return ClaimPattern(
        **known
        | {
            "stance": Stance(row.get("stance", Stance.ASSERT)),
            "needs": tuple(map(frozenset, row.get("needs", ()))),
        }
    )


def _lexicon(language: str, given: Mapping[str, Any]) -> Lexicon:
    lists: dict[str, Any] = {
        name: tuple(tuple(entry) if isinstance(entry, list) else entry for entry in entries)
        if isinstance(entries, list)
        else entries
        for name, entries in given.items()
        if name != "kin"
    }
    sets: dict[str, Any] = {
        name: frozenset(lists.get(name, ())) for name in ("not_names", "empty_objects", "once")
    }
    kin = tuple((words, name) for name, words in given["kin"].items())
    folds = simplified() if language == "zh" else {}
    return Lexicon(**lists | sets | {"kin": kin, "folds": folds})
