"""Who and what a sentence names, with the aliases it gives: people, places, organisations, projects, codes.

By shape and by the words around a name, never by a list of the world. Names that differ in a digit
(robot_5, robot_50) are different: identifiers are taken whole.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache, partial

from memoracle.learn.rules import lexicons_for, rules_of
from memoracle.model.value import value
from memoracle.tables import expression
from memoracle.text import is_unspaced

_MOST = 12
_pattern = partial(expression, os.path.join(os.path.dirname(__file__), "rules", "entities.toml"))


class EntityType(StrEnum):
    """What sort of thing is named (S2.024)."""

    PERSON = "person"
    LOCATION = "location"
    ORGANIZATION = "organization"
    PROJECT = "project"
    OTHER = "other"


@value
class _Entity:
    """Something a sentence names."""

    name: str
    type: EntityType = EntityType.OTHER
    aliases: tuple[str, ...] = ()


def entities_of(text: str) -> list[_Entity]:
    """What the sentence names, in order, each once."""
    short = text[:2000]
    aliases = _aliases(short)
    found: dict[str, _Entity] = {}
    chinese = _chinese(short)
    for name, place in sorted([*_names(short), *chinese], key=lambda one: one[1]):
        if name.lower() not in found and not any(name in known.split() for known in found):
            found[name.lower()] = _Entity(
                name=name,
                type=chinese.get((name, place)) or _type(short, name, place),
                aliases=aliases.get(name, ()),
            )
    given = {alias for known in aliases.values() for alias in known}
    return [entity for entity in found.values() if entity.name not in given][:_MOST]


def names_of(text: str, extra: Iterable[str] = ()) -> tuple[str, ...]:
    """The names and aliases in a text, and the extra ones, each once."""
    every = [name for entity in entities_of(text) for name in (entity.name, *entity.aliases)]
    return tuple(dict.fromkeys([*(name for name in extra if name), *every]))[:_MOST]


def _chinese(text: str) -> dict[tuple[str, int], EntityType]:
    if not is_unspaced(text):
        return {}
    rules = rules_of("zh")
    folded = text.translate(rules.lexicon.folds)
    taken: list[tuple[int, int]] = []
    found = {}
    for sort, regex in _chinese_names():
        for match in regex.finditer(folded):
            start, end = match.span(1)
            if (sort == "person" and match[1] in rules.lexicon.not_names) or any(
                start < last and first < end for first, last in taken
            ):
                continue
            taken.append((start, end))
            found[text[start:end], start] = EntityType(sort)
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
        alone = " " not in name and _begins_sentence(text, match.start())
        if alone and not _is_name_alone(text, match.end()):
            continue
        found.append((name, match.start()))
    for match in _pattern("identifier").finditer(text):
        word = match[0]
        if any(ch.isdigit() for ch in word) and any(ch.isalpha() for ch in word) and len(word) > 2:
            found.append((word, match.start()))
    return sorted(found, key=lambda one: one[1])


def _begins_sentence(text: str, place: int) -> bool:
    before = text[:place].rstrip(" \"'“‘(*_-")
    return not before or before[-1] in ".!?。！？\n:"


def _is_name_alone(text: str, end: int) -> bool:
    """A first word counts when what follows treats it as a name: “Anna works”, “Atlas is in beta”."""
    return bool(
        re.match(
            r"(?:'s|’s)? (?:is|was|has|works|lives|likes|loves|and [A-Z]|said|will|moved|studies|prefers|hates|,)",
            text[end : end + 20],
        )
    )


def _type(text: str, name: str, place: int) -> EntityType:
    before = text[max(0, place - 40) : place]
    if name.startswith(("@", "Dr.", "Mr.", "Mrs.", "Ms.", "Prof.")):
        return EntityType.PERSON
    if _pattern("firm").search(name) or _pattern("firm_before").search(before):
        return EntityType.ORGANIZATION
    if _pattern("project_near").search(before) or name.lower().startswith("project "):
        return EntityType.PROJECT
    if any(
        re.search(rf"\b(?:my|our) (?:{entry})(?:,| is| called| named)* $", before, re.IGNORECASE)
        for lexicon in lexicons_for(text)
        for entry, _ in lexicon.kin
    ):
        return EntityType.PERSON
    if _pattern("place_before").search(before):
        return EntityType.LOCATION
    if _pattern("person_before").search(before) or re.match(
        r" (?:works|lives|likes|said|prefers|studies|moved|hates|loves)\b", text[place + len(name) :]
    ):
        return EntityType.PERSON
    return EntityType.OTHER


def _aliases(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for match in _pattern("alias").finditer(text):
        found[match["name"]] = (*found.get(match["name"], ()), match["alias"].strip())
    if is_unspaced(text):
        for match in _chinese_names()[-1][1].finditer(text):
            name, alias = match["name"], match["alias"]
            found[name] = tuple(dict.fromkeys([*found.get(name, ()), alias]))
    return found
