"""Entities as pages: what is known of a person, a place or a thing, under all its names. Pure; nothing is written.

Names that a record says are one ("also called", a name that somebody has) lead to one page; names
that merely look alike do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from memoracle.errors import UnknownEntity
from memoracle.learn.record_sets import plain
from memoracle.model.predicates import NO_LONGER, OWNER, Family, predicate_named
from memoracle.model.record import OUTSIDE, Status
from memoracle.model.search import Passage, Standing
from memoracle.model.value import value

_ALIAS_PREDICATES = frozenset(
    {"is_called", "also_called", "alias", "alias_of", "aka", "same_as", "也叫", "又名", "别名"}
)
_NAME = r"([\w][\w.\-]{0,39}(?: [A-Z][\w.\-]{0,39})?)"
_ALSO = re.compile(rf"{_NAME}[ ,(]{{1,2}}(?:is )?(?:also (?:called|known as)|a\.k\.a\.?|aka) {_NAME}")
_ALSO_HAN = re.compile(
    r"([\u4e00-\u9fffA-Za-z0-9_]{1,12})[，（(]?(?:又名|也叫|别名|又叫)([\u4e00-\u9fffA-Za-z0-9_]{1,12})"
)
_PEOPLE = frozenset(
    "spouse partner mother father manager child sibling relative friend colleague emergency_contact".split()
)
_OBJECT_TYPES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(_PEOPLE, "person"),
        "pet": "animal",
        "works_at": "organisation",
        "studies_at": "organisation",
        "studied_at": "organisation",
        "lives_in": "place",
        "located_in": "place",
        "is_from": "place",
        "works_on": "project",
        "built_with": "technology",
    }
)
_SUBJECT_TYPES: Mapping[Family, str] = MappingProxyType(
    {
        Family.PROJECT: "project",
        **dict.fromkeys(
            (Family.IDENTITY, Family.NAME, Family.HEALTH, Family.RELATIONSHIP, Family.WORK), "person"
        ),
    }
)


@value
class _Mention:
    """One record of an entity, and where it stands."""

    id: str
    text: str
    cite: str
    at: datetime | None


@value
class EntityPage:
    """What is known of one entity. `related` counts the records that name both."""

    name: str
    aliases: tuple[str, ...]
    type: str
    facts: tuple[_Mention, ...]
    beliefs: tuple[_Mention, ...]
    first_seen: datetime | None
    last_seen: datetime | None
    related: tuple[tuple[str, int], ...]


def entity_pages(standing: Sequence[Standing]) -> list[EntityPage]:
    """A page for every entity, the best known first."""
    passages = [one.passage for one in standing if one.passage.status is Status.ACTIVE]
    names = _Names(passages)
    named = {passage.ref: _entities_of(passage, names) for passage in passages}
    by_entity: dict[str, list[Passage]] = {}
    for passage in passages:
        for entity in named[passage.ref]:
            by_entity.setdefault(entity, []).append(passage)
    pages = [_page(entity, found, names, named) for entity, found in by_entity.items()]
    return sorted(pages, key=lambda page: (-len(page.facts), -len(page.beliefs), page.name))


def relations(standing: Sequence[Standing]) -> dict[str, int]:
    """The predicates in use and how many active records use each, the most used first."""
    counts = Counter(
        one.passage.predicate
        for one in standing
        if one.passage.status is Status.ACTIVE
        and one.passage.subject
        and one.passage.predicate
        and one.passage.object
    )
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def pages_named(pages: Sequence[EntityPage], name: str) -> list[EntityPage]:
    """The page that answers to a name or an alias."""
    wanted = plain(name)
    found = [one for one in pages if wanted in map(plain, (one.name, *one.aliases))]
    if not found:
        raise UnknownEntity(name)
    return found


class _Names:
    """Every name in use, and which of them mean the same."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._parent: dict[str, str] = {}
        self._spelled: dict[str, Counter[str]] = {}
        for passage in passages:
            for name in (passage.subject, *passage.entities, *_typed_object(passage)):
                self.meet(name)
            for one, other in _said_alike(passage) if passage.channel not in OUTSIDE else ():
                self.meet(one)
                self.meet(other)
                self._join(plain(one), plain(other))
        self._known_as: dict[str, list[str]] = {}
        for key in self._parent:
            self._known_as.setdefault(self.root(key), []).append(key)

    def meet(self, name: str) -> None:
        if key := plain(name):
            self._parent.setdefault(key, key)
            self._spelled.setdefault(key, Counter())[name.strip()] += 1

    def knows(self, name: str) -> bool:
        return plain(name) in self._parent

    def root(self, name: str) -> str:
        key = plain(name)
        while (above := self._parent.get(key, key)) != key:
            key = above
        return key

    def spellings(self, root: str) -> list[str]:
        """How an entity is written, the most used name first; the owner answers to a real name when there is one."""
        found = [(key, self._spelled[key]) for key in self._known_as[root]]
        ranked = sorted(found, key=lambda item: (item[0] == OWNER, -sum(item[1].values()), item[0]))
        return [min(names, key=lambda name: (-names[name], name)) for _, names in ranked]

    def _join(self, one: str, other: str) -> None:
        first, second = sorted((self.root(one), self.root(other)))
        self._parent[second] = first


def _page(
    entity: str, passages: Sequence[Passage], names: _Names, named: Mapping[str, frozenset[str]]
) -> EntityPage:
    name, *aliases = names.spellings(entity)
    seen = sorted(passage.at for passage in passages if passage.at)
    others = Counter(other for passage in passages for other in named[passage.ref] if other != entity)
    related = [(names.spellings(other)[0], count) for other, count in others.items()]
    told = [passage for passage in passages if passage.kind != "summary"]
    return EntityPage(
        name=name,
        aliases=tuple(aliases),
        type=_type_of(entity, passages, names),
        facts=tuple(_mention(one) for one in told if one.kind != "belief"),
        beliefs=tuple(_mention(one) for one in told if one.kind == "belief"),
        first_seen=seen[0] if seen else None,
        last_seen=seen[-1] if seen else None,
        related=tuple(sorted(related, key=lambda pair: (-pair[1], pair[0]))),
    )


def _entities_of(passage: Passage, names: _Names) -> frozenset[str]:
    told = [passage.subject, *passage.entities]
    if passage.object and names.knows(passage.object):
        told.append(passage.object)
    return frozenset(names.root(name) for name in told if plain(name))


def _typed_object(passage: Passage) -> tuple[str, ...]:
    predicate = passage.predicate.removeprefix(NO_LONGER)
    return (passage.object,) if predicate in _OBJECT_TYPES and passage.object else ()


def _said_alike(passage: Passage) -> list[tuple[str, str]]:
    pairs = [
        (one, other) for pattern in (_ALSO, _ALSO_HAN) for one, other in pattern.findall(passage.text[:400])
    ]
    if passage.predicate in _ALIAS_PREDICATES and passage.subject and passage.object:
        pairs.append((passage.subject, passage.object))
    return pairs


def _type_of(entity: str, passages: Sequence[Passage], names: _Names) -> str:
    votes: Counter[str] = Counter()
    for passage in passages:
        known = predicate_named(passage.predicate)
        if passage.object and names.root(passage.object) == entity and _typed_object(passage):
            votes[_OBJECT_TYPES[passage.predicate.removeprefix(NO_LONGER)]] += 1
        elif passage.subject and names.root(passage.subject) == entity and known:
            votes[_SUBJECT_TYPES.get(known.family, "thing")] += 1
    if entity == names.root(OWNER):
        return "person"
    telling = {kind: count for kind, count in votes.items() if kind != "thing"} or votes
    return min(telling, key=lambda kind: (-telling[kind], kind), default="thing")


def _mention(passage: Passage) -> _Mention:
    return _Mention(id=passage.ref, text=passage.text, cite=passage.cite, at=passage.at)
