"""Who and what a sentence names, with the aliases it gives: people, places, organisations, projects, codes (S2.024).

By shape and by the words around a name, never by a list of the world. Names that differ in a digit
(robot_5, robot_50) are different: identifiers are taken whole.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache, partial

from memoracle.learn.rules import compiled, has, lexicons_for, rules_of
from memoracle.tables import expression
from memoracle.text import is_unspaced

_MOST = 12
_NAME_FOLLOWS = re.compile(
    r"(?:'s|’s)? (?:is|was|has|works|lives|likes|loves|and [A-Z]|said|will|moved|studies|prefers|hates|,)"
)
_pattern = partial(expression, os.path.join(os.path.dirname(__file__), "rules", "entities.toml"))


def entities_of(text: str) -> dict[str, tuple[str, ...]]:
    """What the sentence names, in order, each once, with the other names it has there."""
    short = text[:2000]
    aliases = _aliases(short)
    found: dict[str, str] = {}
    for name, _ in sorted([*_names(short), *_chinese(short)], key=lambda one: one[1]):
        if not any(name in known.split() for known in found):
            found.setdefault(name.lower(), name)
    given = {alias for known in aliases.values() for alias in known}
    kept = [name for name in found.values() if name not in given]
    return {name: aliases.get(name, ()) for name in kept[:_MOST]}


def names_of(text: str, extra: Iterable[str] = ()) -> tuple[str, ...]:
    """The names and aliases in a text, and the extra ones, each once."""
    every = [one for name, aliases in entities_of(text).items() for one in (name, *aliases)]
    return tuple(dict.fromkeys([*filter(None, extra), *every]))[:_MOST]


def person_in(text: str, *sorts: str) -> str:
    """Of whom a sentence tells: by a name that it treats as a person's, else as “mum”; empty where it is nobody.

    `sorts` are those of the tables: of whom it is told and who else is mentioned, or only whom it opens with.
    """
    short = text[:2000].replace("’", "'")
    for lexicon in lexicons_for(short):
        folded = short.translate(lexicon.folds)
        for sort in sorts or ("subjects", "mentions"):
            found = [
                match.span(match.lastindex or 0)
                for one in rules_of(lexicon.language).people[sort]
                for match in compiled(one).finditer(folded)
                if lexicon.not_names.isdisjoint(match[match.lastindex or 0].lower().split())
            ]
            if found:
                begin, end = min(found)
                return short[begin:end]
    return ""


def tells_of_a_thing(text: str) -> bool:
    """True where a sentence opens with a thing of which it tells, and the speaker has no part in it."""
    short = text[:2000].replace("’", "'")
    spoken = lexicons_for(short)
    return not any(has(short, one, one.first_person) for one in spoken) and any(
        compiled(thing).match(short.translate(one.folds))
        for one in spoken
        for thing in rules_of(one.language).people["things"]
    )


def _chinese(text: str) -> list[tuple[str, int]]:
    if not is_unspaced(text):
        return []
    rules = rules_of("zh")
    folded = text.translate(rules.lexicon.folds)
    taken: list[tuple[int, int]] = []
    found = []
    for sort, regex in _chinese_names():
        for match in regex.finditer(folded):
            start, end = match.span(1)
            if (sort == "person" and match[1] in rules.lexicon.not_names) or any(
                start < last and first < end for first, last in taken
            ):
                continue
            taken.append((start, end))
            found.append((text[start:end], start))
    return found


@lru_cache(maxsize=1)
def _chinese_names() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Expressions for Chinese names, each with its sort; the last one is that of aliases."""
    rules = rules_of("zh")
    return tuple((sort, re.compile(regex)) for sort, regex in (*rules.names, ("person", rules.alias)))


def _names(text: str) -> list[tuple[str, int]]:
    found = [(match[0], match.start()) for match in _pattern("handle").finditer(text)]
    not_names = {word for lexicon in lexicons_for(text) for word in lexicon.not_names}
    for match in _pattern("proper").finditer(text):
        name = match[0].removesuffix("'s").removesuffix("’s")
        words = [word for word in name.split() if word.lower().rstrip(".'’") not in not_names]
        if not words or name.lower().split("'")[0].split("’")[0] in not_names:
            continue
        name = " ".join(words) if words[0] != name.split()[0] else name
        before = text[: match.start()].rstrip(" \"'“‘(*_-")
        opens_sentence = not before or before[-1] in ".!?。！？\n:"
        # A first word counts when what follows treats it as a name: “Anna works”, “Atlas is in beta”.
        if (
            " " not in name
            and opens_sentence
            and not _NAME_FOLLOWS.match(text[match.end() : match.end() + 20])
        ):
            continue
        found.append((name, match.start()))
    for match in _pattern("identifier").finditer(text):
        word = match[0]
        if any(ch.isdigit() for ch in word) and any(ch.isalpha() for ch in word) and len(word) > 2:
            found.append((word, match.start()))
    return sorted(found, key=lambda one: one[1])


def _aliases(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for match in _pattern("alias").finditer(text):
        found[match["name"]] = (*found.get(match["name"], ()), match["alias"].strip())
    if is_unspaced(text):
        for match in _chinese_names()[-1][1].finditer(text):
            name, alias = match["name"], match["alias"]
            found[name] = tuple(dict.fromkeys([*found.get(name, ()), alias]))
    return found
