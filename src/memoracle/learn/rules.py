"""The rules of a language as values: its lexicon, its patterns, and the letters each pattern needs.

Loaded at the first sentence in that language, from what `compile_rules.py` made of the tables in `rules/`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from memoracle.learn.lexicon import Lexicon
from memoracle.model.claim import Stance
from memoracle.model.value import value
from memoracle.tables import kept, table
from memoracle.text import is_unspaced

FOLDER = os.path.join(os.path.dirname(__file__), "rules")
PROJECT = "project"
"""As a pattern's subject: what “we” and “our project” mean, the project of the conversation."""


@value
class Pattern:
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
class LanguageRules:
    """What is known of a language. `names` are expressions for names, each with its sort; `alias` one for aliases."""

    lexicon: Lexicon
    patterns: tuple[Pattern, ...]
    names: tuple[tuple[str, str], ...] = ()
    alias: str = ""


def lexicons_for(text: str) -> tuple[Lexicon, ...]:
    """The lexicons whose language may occur in a text; the one that fits best stands first."""
    english = rules_of("en").lexicon
    return (rules_of("zh").lexicon, english) if is_unspaced(text) else (english,)


@lru_cache(maxsize=4)
def rules_of(language: str) -> LanguageRules:
    """The rules of a language, `en` or `zh`; patterns in the order in which they are tried."""
    folder = os.path.join(FOLDER, language)
    compiler = os.path.join(os.path.dirname(__file__), "compile_rules.py")
    sources = [*(os.path.join(folder, name) for name in sorted(os.listdir(folder))), compiler]
    given = kept(folder, sources, lambda: _compiled(language))
    return LanguageRules(
        lexicon=_lexicon(language, given["lexicon"]),
        patterns=tuple(map(pattern_of, given["patterns"])),
        names=tuple((sort, regex) for sort, regex in given["names"].get("names", ())),
        alias=given["names"].get("alias", ""),
    )


def _compiled(language: str) -> Any:
    from memoracle.learn.compile_rules import compiled_rules

    return compiled_rules(language)


@lru_cache(maxsize=1)
def simplified() -> Mapping[int, int]:
    """Traditional characters and the simplified ones they are read as, for `str.translate`."""
    words = " ".join(table(f"{FOLDER}/scripts.toml")["pairs"]).split()
    return {ord(other): ord(word[0]) for word in words for other in word[1:] if other != word[0]}


def pattern_of(row: Mapping[str, Any]) -> Pattern:
    """A row of a table as a value, without its examples."""
    known = {name: given for name, given in row.items() if name not in {"examples", "counterexamples"}}
    return Pattern(
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
