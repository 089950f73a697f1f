"""Which records stand in the hot file, and in which part of it.

Pure. What came from a tool or from outside is never handed over unasked, nor is what was quarantined, has
ended or is secret; a group sees what is public. A record enters above 0.5 and stays down to 0.15,
so that one near a limit does not come and go. Identity, constraints and pinned records need no activation.
The owner comes first, then the project, then others under their names: nobody's lines stand among the owner's. What
was heard in passing has to be understood by itself. Of talk between others, whose memory nobody's is, people are shown.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from functools import lru_cache, partial
from typing import TypeVar

from memoracle.context.days import is_over, overdue_since
from memoracle.errors import BadInput
from memoracle.guard.guard import is_vouched_for
from memoracle.model.predicates import (
    AGENTS,
    OWNER,
    PREDICATES,
    THINGS,
    Family,
    names_of_owner,
    owners_kind,
    person_of,
    predicate_named,
    vital_kind,
)
from memoracle.model.record import EVERLASTING, OUTSIDE, TRUST, UNCLEAR, Channel, Kind, Sensitivity, Status
from memoracle.model.search import EvidenceSource, Passage, Standing, short_id
from memoracle.model.value import value
from memoracle.text import is_unspaced, normalise, telling_terms
from memoracle.times import day_in

# One sentence stands once in what is told, whether it was kept, kept twice, said or saved again. Pure.

_SENTENCE = re.compile(r"(?<=[.!?])\s+|[。！？；\n]+")
_NOT = re.compile(
    r"\b(?:not|no|never|cannot|without|nobody|none|nothing)\b|n['’]t\b|[不没别无未莫]", re.IGNORECASE
)
_SPEAKERS = frozenset({"user", "owner", "用", "户", "主", "人", "remember", "note"})
_FEWEST = 2


@value
class _Sentence:
    words: tuple[str, ...]
    denials: int
    plain: str


class Deduplicator:
    """What was told so far."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._plain: set[str] = set()
        self._by_word: dict[str, list[_Sentence]] = {}
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Note that this is told."""
        for one in _sentences(text):
            self._plain.add(one.plain)
            for word in set(one.words):
                self._by_word.setdefault(word, []).append(one)

    def knows(self, text: str) -> bool:
        """True when every sentence of a text is told already, in these words or as part of a told sentence."""
        found = _sentences(text)
        return bool(found) and all(map(self._is_told, found))

    def rest_of(self, text: str) -> str:
        """The sentences of a text that are not told yet."""
        return " ".join(
            part.strip() for part in _SENTENCE.split(text) if part.strip() and not self.knows(part)
        )

    def is_new(self, text: str) -> bool:
        """True for what is not told yet; from then on it is."""
        if self.knows(text):
            return False
        self.add(text)
        return True

    def _is_told(self, one: _Sentence) -> bool:
        if one.plain in self._plain:
            return True
        if len(one.words) < _FEWEST:
            return False
        rarest = min(one.words, key=lambda word: len(self._by_word.get(word, ())))
        return any(
            other.denials == one.denials and _stands_in(one.words, other.words)
            for other in self._by_word.get(rarest, ())
        )


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[_Sentence, ...]:
    found = []
    for part in _SENTENCE.split(text):
        plain = "".join(ch for ch in normalise(part) if ch.isalnum())
        if plain:
            words = tuple(
                term
                for term in telling_terms(part)
                if term not in _SPEAKERS and (len(term) == 1 or not is_unspaced(term))
            )
            found.append(_Sentence(words=words, denials=len(_NOT.findall(part)), plain=plain))
    return tuple(found)


def _stands_in(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """True when words stand in other words, in their order and close together."""
    most = 2 * len(words) + 2
    for start, word in enumerate(other):
        if word != words[0]:
            continue
        at = 0
        for place in other[start : start + most]:
            at += at < len(words) and place == words[at]
        if at == len(words):
            return True
    return False


ENTERS = 0.5
STAYS = 0.15
RECENT_DAYS = 3
_TOLD = TRUST[Channel.AGENT]
"""What is trusted less than an agent's own word, such as another program's memory, waits to be asked for or pinned."""
_OWN_WORD = frozenset({Channel.OWNER, Channel.SYSTEM})
"""Only what the owner said, or memory itself was set up with, tells an agent who it is and what it must do."""
_ABOUT_THE_OWNER = frozenset({Family.WORK, Family.EDUCATION, Family.PLACE})
_STANDING = frozenset({*_ABOUT_THE_OWNER, Family.RELATIONSHIP, Family.IDENTITY, Family.POSSESSION})
"""How a life stands: said once, and true until something else is said. Liking, plans and events fade."""
_CONSTRAINTS = (Kind.SAFETY, Kind.HEALTH, Kind.RULE)
_DANGERS = frozenset({Kind.SAFETY, Kind.HEALTH})
_MOST_OF_OTHERS, _MOST_OF_ONE = 15, 5
"""However many people there are, the owner's own memory leads, and nobody crowds the others out."""
_MOST_OF_TALK, _MOST_OF_A_SPEAKER = 40, 10
"""The same in a memory that is nobody's own."""
_OPEN = frozenset({Kind.TASK, Kind.PLAN})
_HELD = frozenset({Kind.FACT, Kind.RELATIONSHIP, Kind.IDENTITY})
_SUMMED_UP = frozenset(
    f"summary_of_{name}" for name, one in PREDICATES.items() if one.kind is Kind.PREFERENCE
)
_STALE = timedelta(days=90)
"""A plan that names no day and was not spoken of for so long is hardly open; what happened is hardly news."""
_NEVER = datetime.max.replace(tzinfo=UTC)


_Member = TypeVar("_Member", bound=StrEnum)


class Audience(StrEnum):
    """Who will read it."""

    PRIVATE = "private"
    GROUP = "group"


def one_of(choices: type[_Member], what: str, name: str) -> _Member:
    """The member of a closed set that somebody named."""
    try:
        return choices(name)
    except ValueError:
        raise BadInput(f"`{name}` is no {what}", f"one of: {', '.join(choices)}") from None


class HotPart(StrEnum):
    """The parts of the hot file, in their order."""

    IDENTITY = "Identity"
    USER = "User"
    CONSTRAINTS = "Constraints"
    PREFERENCES = "Preferences"
    PINNED = "Pinned"
    CORE = "Core memories"
    RECENT = "Recent (3 days)"
    PROJECT = "Project"
    PEOPLE = "People and things"
    OPEN = "Open items"
    CHANGES = "Recent changes"


_SAID_FIRST = frozenset(
    {HotPart.IDENTITY, HotPart.USER, HotPart.CONSTRAINTS, HotPart.PREFERENCES, HotPart.PINNED}
)
"""Parts whose lines stay, however much a longer sentence further down says besides."""


@value
class HotPlace:
    """Where a record stands in the hot file, and why; in no part, why not."""

    part: HotPart | None
    because: str


class Placing:
    """Finds the place of each of these records: it depends on who the owner is, and on who is known as a person.

    `present` names those shown before. With `projects`, what belongs to another project than these is left out; the
    empty name is what belongs to none. With `talk`, what people said is told where no word is the owner's. `changed`
    holds what seems to stand in the place of a record now.
    """

    def __init__(
        self,
        standing: Sequence[Standing],
        *,
        present: frozenset[str],
        now: datetime,
        zone: tzinfo,
        audience: Audience = Audience.PRIVATE,
        projects: Collection[str] | None = None,
        talk: bool = False,
        changed: Mapping[str, Passage] | None = None,
    ) -> None:
        passages = [one.passage for one in standing if one.passage.status is Status.ACTIVE]
        self.of_talk = talk and not any(one.channel == Channel.OWNER for one in passages)
        self._owner = names_of_owner(passages)
        self._persons = frozenset(person_of(one, self._owner).casefold() for one in passages) - {""}
        self._present, self._now, self._zone = present, now, zone
        self._places: dict[str, HotPlace] = {}
        self._audience, self._projects = audience, projects
        # What stands for a record is told as it would be by itself: nobody else's order, nothing dark or over.
        self.changed = {
            ref: new
            for ref, new in (changed or {}).items()
            if audience is Audience.PRIVATE
            and may_be_shown(new, now, audience, talk=self.of_talk)
            and stands_alone(new)
            and not is_order(new)
        }

    def whose(self, passage: Passage) -> str:
        """The name that a record stands under among people; empty for what is the owner's, a thing's or nobody's."""
        if name := person_of(passage, self._owner):
            return name
        if passage.channel == Channel.PERSON:
            return passage.who.strip()
        return passage.subject.strip() if passage.subject.strip().casefold() in self._persons else ""

    def place(self, one: Standing) -> HotPlace:
        """The part of a record, and what brought it there or keeps it out; looked up once."""
        if one.passage.ref not in self._places:
            self._places[one.passage.ref] = self._placed(one)
        return self._places[one.passage.ref]

    def _placed(self, one: Standing) -> HotPlace:
        passage, part = one.passage, None
        lively = f"activation {one.activation:.2f}"
        if self._projects is not None and passage.project not in self._projects:
            because = "it belongs to a project, and this is read everywhere"
        elif not may_be_shown(passage, self._now, self._audience, talk=self.of_talk):
            because = f"{passage.status.value} or over, or from somebody whose words are not told unasked"
        elif part := self._always(passage, is_clear := stands_alone(passage)):
            because = "pinned" if passage.pinned else f"{passage.kind} always is"
        elif not is_clear:
            because = "its words do not stand by themselves"
        elif self.overdue(passage):
            part, because = HotPart.OPEN, "its day has passed, and nobody said that it is done"
        elif passage.kind in _OPEN and is_over(passage, self._now, self._zone):
            because = "its day has passed"
        elif self._is_stale(passage):
            because = f"it names no day, and was said more than {_STALE.days} days ago"
        elif self._stands(passage):
            part, because = self._by_age(passage), "how somebody lives and works holds until it changes"
        elif one.activation > ENTERS:
            part, because = self._by_age(passage), f"{lively}, above {ENTERS}"
        elif one.activation >= STAYS and self._stays(passage):
            part, because = self._by_age(passage), f"{lively}, still above {STAYS}"
        else:
            because = f"{lively}: a record enters above {ENTERS}"
        return HotPlace(part=part, because=because)

    def overdue(self, passage: Passage) -> datetime | None:
        """When a task was due whose day has passed."""
        return overdue_since(passage, self._now, self._zone)

    def is_due(self, passage: Passage) -> bool:
        """True for what names its last day itself; it holds longer than that."""
        from memoracle.learn.times import names_last_day

        return names_last_day(passage.text)

    def _stands(self, passage: Passage) -> bool:
        """True for what the owner said in conversation of how they and theirs live."""
        is_said = bool(passage.where) and passage.channel == Channel.OWNER and passage.kind in _HELD
        return is_said and not passage.project and not _STANDING.isdisjoint(passage.tags)

    def _stays(self, passage: Passage) -> bool:
        is_present = not self._present.isdisjoint({passage.ref, short_id(passage.ref)})
        return is_present or self._by_age(passage) is HotPart.OPEN

    def _is_stale(self, passage: Passage) -> bool:
        is_passing = passage.kind in _OPEN or (passage.kind == Kind.EVENT and not passage.predicate)
        is_dated = passage.at is None or passage.validity.expires is not None
        return is_passing and not is_dated and self._now - (passage.at or _NEVER) > _STALE

    def _always(self, passage: Passage, is_clear: bool) -> HotPart | None:
        """The part of what is told however old it is."""
        if self.whose(passage) or (passage.kind in _DANGERS and _is_anybodys(passage)):
            return HotPart.PEOPLE if passage.pinned or (is_clear and passage.kind in _DANGERS) else None
        if passage.channel in _OWN_WORD:
            if passage.kind == Kind.IDENTITY and is_clear:
                return HotPart.IDENTITY if passage.subject.casefold() in AGENTS else HotPart.USER
            if passage.kind in _CONSTRAINTS and (is_clear or _says_enough(passage)):
                return HotPart.CONSTRAINTS
        return HotPart.PINNED if passage.pinned else None

    def _by_age(self, passage: Passage) -> HotPart:
        """The part of what is told while it is alive."""
        is_others = passage.kind == Kind.RELATIONSHIP and _is_anybodys(passage)
        if passage.channel == Channel.PERSON or is_others or self.whose(passage):
            return HotPart.PEOPLE
        if passage.kind in _OPEN:
            return HotPart.OPEN
        is_liking = passage.kind == Kind.PREFERENCE or passage.predicate in _SUMMED_UP
        if is_liking and passage.channel in _OWN_WORD:
            return HotPart.PREFERENCES
        known = predicate_named(passage.predicate)
        families = {known.family} if known else passage.tags if self._stands(passage) else ()
        is_about_owner = not _ABOUT_THE_OWNER.isdisjoint(families) and passage.subject.casefold() == OWNER
        if is_about_owner and passage.channel in _OWN_WORD:
            return HotPart.USER
        is_of_thing = passage.subject.strip().casefold() in THINGS and not is_heard(passage)
        if passage.project or is_of_thing:
            return HotPart.PROJECT
        first_day = day_in(self._zone, self._now) - timedelta(days=RECENT_DAYS - 1)
        is_recent = passage.at and day_in(self._zone, passage.at) >= first_day
        return HotPart.RECENT if is_recent else HotPart.CORE


def choose(
    standing: Sequence[Standing], placing: Placing, *, unreplaced: Collection[str] = ()
) -> Mapping[HotPart, list[Standing]]:
    """The records of each part, the first to be shown first; `unreplaced` are told though a later word is told too."""
    parts: dict[HotPart, list[Standing]] = {part: [] for part in HotPart}
    placed = [(part, one) for one in standing if (part := placing.place(one).part)]
    told_anyway = {one.passage.ref for _, one in placed}
    for part, one in placed:
        new = placing.changed.get(one.passage.ref)
        is_kept = new is None or new.ref not in told_anyway or one.passage.ref in unreplaced
        if is_kept or stays(one.passage):
            parts[part].append(one)
    for part, held in parts.items():
        held.sort(key=partial(_order, part))
    # Of others one after the other: whose health is at stake first, then who matters most.
    most, of_one = (_MOST_OF_TALK, _MOST_OF_A_SPEAKER) if placing.of_talk else (_MOST_OF_OTHERS, _MOST_OF_ONE)
    people: dict[str, list[Standing]] = {}
    for one in parts[HotPart.PEOPLE]:
        theirs = people.setdefault(placing.whose(one.passage).casefold(), [])
        if sum(map(len, people.values())) < most and len(theirs) < of_one and not is_order(one.passage):
            theirs.append(one)
    parts[HotPart.PEOPLE] = [one for those in people.values() for one in those]
    # A sentence that gave two records is shown once, in the first part it belongs to; what a longer one says, there.
    told, longer = Deduplicator(), Deduplicator()
    parts = {part: [one for one in held if told.is_new(one.passage.text)] for part, held in parts.items()}
    every = sorted((one.passage.text for held in parts.values() for one in held), key=len, reverse=True)
    said_again = {text for text in every if not longer.is_new(text)}
    return {
        part: [one for one in held if part in _SAID_FIRST or one.passage.text not in said_again]
        for part, held in parts.items()
    }


def stays(passage: Passage) -> bool:
    """True for what no guess takes the place of: health, safety, identity, a task, and what the owner pinned."""
    is_vital = passage.kind in EVERLASTING or vital_kind(passage.text) is not None
    return passage.pinned or passage.kind == Kind.TASK or is_vital


def may_be_shown(
    passage: Passage, now: datetime, audience: Audience = Audience.PRIVATE, *, talk: bool = False
) -> bool:
    """True for what may be handed to this audience unasked; with `talk`, what people said to each other."""
    return (
        passage.status is Status.ACTIVE
        and passage.validity.holds_at(now)
        and may_be_told(passage, audience, talk=talk)
    )


def may_be_told(passage: Passage, audience: Audience, *, talk: bool = False) -> bool:
    """The same of what has ended."""
    is_talk = talk and passage.channel == Channel.PERSON and bool(passage.where)
    return (
        passage.channel not in OUTSIDE
        and (passage.trust >= _TOLD or passage.pinned or is_talk)
        and is_vouched_for(passage)
        and passage.sensitivity != Sensitivity.SECRET
        and (audience is Audience.PRIVATE or passage.sensitivity == Sensitivity.PUBLIC)
    )


def is_order(passage: Passage) -> bool:
    """True for somebody else's words that read like an order: they are found, and never told unasked."""
    from memoracle.guard.screening import suspicions

    said = passage.text if passage.channel == Channel.PERSON else ""
    return owners_kind(said) is Kind.RULE or bool(said and suspicions(said, Channel.EXTERNAL))


# What was heard in passing was understood in its conversation; alone it may say nothing, or of nobody knows whom.

_LEAD = re.compile(
    r"(?i)\W*(?:(?:and|but|so|then|also|well|yes|no|oh|ok(?:ay)?)\b[\s,]*|那|所以|但是?|而且|不过)?\W*"
)
_OF_SOMEBODY = re.compile(r"(?i)(?:he|she|it|they|that)(?:['’]?(?:s|ll|d|re|ve))?\b|[他她它佢]")
_FEWEST_WORDS, _FEWEST_TELLING, _FEWEST_UNSPACED = 3, 2, 4


def is_heard(passage: Passage) -> bool:
    """True for a sentence of a conversation that no rule has read."""
    is_said = passage.source is EvidenceSource.RECORD and bool(passage.where) and not passage.predicate
    return is_said and not passage.pinned and passage.kind != Kind.SUMMARY


def _is_anybodys(passage: Passage) -> bool:
    return is_heard(passage) and not passage.subject.strip()


def stands_alone(passage: Passage) -> bool:
    """True unless it was heard, and is a bit of a sentence or of somebody who was named before."""
    is_dark = is_heard(passage) and _OF_SOMEBODY.match(_LEAD.sub("", passage.text, count=1))
    return not is_dark and _says_enough(passage)


def _says_enough(passage: Passage) -> bool:
    """True unless it was heard and is a bit of a sentence; health, safety and identity in so many words say enough."""
    if not is_heard(passage) or vital_kind(passage.text):
        return True
    if UNCLEAR in passage.tags:
        return False
    said = _LEAD.sub("", passage.text, count=1)
    telling = {one for one in telling_terms(said) if any(map(str.isalpha, one))}
    if is_unspaced(said):
        return sum(len(one) == 1 for one in telling) >= _FEWEST_UNSPACED
    return len(said.split()) >= _FEWEST_WORDS and len(telling) >= _FEWEST_TELLING


def weight_of(one: Standing) -> float:
    """What decides the rank of a memory: how alive it is, how much it matters, how sure it is."""
    return one.activation * one.passage.importance * one.passage.confidence


def _order(part: HotPart, one: Standing) -> tuple[object, ...]:
    """What is shown first in a part; of two alike the newer one, but where there is one of each."""
    passage = one.passage
    age = (passage.at or _NEVER, passage.ref)
    newest = (-(passage.at or _NEVER).timestamp(), passage.ref)
    if part is HotPart.PEOPLE:
        matters = (passage.kind not in _DANGERS, not passage.pinned, passage.kind != Kind.RELATIONSHIP)
        return (*matters, -weight_of(one), *newest)
    if part is HotPart.CONSTRAINTS:
        vital = vital_kind(passage.text)
        is_plain = not is_heard(passage) or vital is not None
        # “No cashews, that is EpiPen territory for me” is said as a rule.
        of_kind = _CONSTRAINTS.index(vital if vital in _DANGERS else Kind(passage.kind))
        return (of_kind, not is_plain, not stands_alone(passage), -passage.importance, *age)
    if part in {HotPart.CORE, HotPart.PREFERENCES, HotPart.PROJECT}:
        is_single = part is HotPart.PREFERENCES and passage.kind != Kind.SUMMARY
        return (passage.project.casefold(), is_single, -weight_of(one), *newest)
    if part is HotPart.RECENT:
        return newest
    if part is HotPart.OPEN:
        return (passage.validity.expires or _NEVER, *newest)
    is_name = passage.predicate == "is_called"
    return (passage.kind != Kind.IDENTITY, not is_name, -passage.importance, *age)
