"""What is kept: `Draft` is a wish, `Record` is one whole version of something kept.

The newest version of a record wins, decided by (version, time, writer), never by its place in
a file; a tombstone wins over everything, because what was erased stays erased.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from memoracle.errors import InvalidName
from memoracle.model.ids import content_key
from memoracle.model.value import field, replace, value
from memoracle.text import normalise

# How alive a record is at a moment: a closed formula of an anchor and the clock.

DAY = timedelta(days=1)

HALF_LIFE_DAYS: Mapping[str, float] = MappingProxyType(
    {
        "fact": 87.0,
        "preference": 87.0,
        "summary": 28.0,
        "belief": 10.0,
        "event": 30.0,
        "note": 30.0,
    }
)
UNIFORM_30: Mapping[str, float] = MappingProxyType(dict.fromkeys(HALF_LIFE_DAYS, 30.0))


@value
class Law:
    """The numbers of the formula; a profile may bring its own."""

    half_life_days: Mapping[str, float] = field(default_factory=lambda: HALF_LIFE_DAYS)
    importance_slows: bool = True
    boost: float = 0.3
    boost_every: timedelta = DAY
    search_floor: float = 0.15
    archive_below: float = 0.05

    def half_life(self, kind: str, importance: float) -> timedelta:
        """How long until half the activation is left."""
        days = self.half_life_days.get(kind, self.half_life_days["fact"])
        return timedelta(days=days / (1 - 0.5 * importance) if self.importance_slows else days)


@value
class Anchor:
    """A known activation at a known moment."""

    value: float
    at: datetime


def activation(anchor: Anchor, half_life: timedelta, now: datetime) -> float:
    """The activation at `now`; a moment before the anchor counts as the anchor itself."""
    age = max(now - anchor.at, timedelta(0))
    return float(anchor.value * 2 ** -(age / half_life))


def reinforce(anchor: Anchor, half_life: timedelta, uses: Iterable[datetime], law: Law) -> Anchor:
    """The anchor after its record was used at these moments.

    A use within a day of the last lift changes nothing, so neither does replaying the uses.
    """
    last_lift: datetime | None = None
    for use in sorted(uses):
        if use < anchor.at or (last_lift is not None and use - last_lift < law.boost_every):
            continue
        anchor = Anchor(value=min(1.0, activation(anchor, half_life, use) + law.boost), at=use)
        last_lift = use
    return anchor


# What happened to make one version of a record: who changed it, when, how and why.


@value
class Change:
    """One step in a record's history.

    `operation` is shared by all versions that one act wrote, so `undo` can reverse the act.
    `writer` and `sequence` are the writing machine and its running count: a gap in the count
    reveals a line that vanished. `heard` is when the words behind it were said, if that was earlier
    than the writing: memory could have known from then on.
    """

    at: datetime
    verb: str
    by: str = ""
    because: str = ""
    operation: str = ""
    undoes: str = ""
    writer: str = ""
    sequence: int = 0
    heard: datetime | None = None

    @property
    def known(self) -> datetime:
        """From when on this could be known."""
        return min(self.heard, self.at) if self.heard else self.at


# Which names of projects, seats and files may become names on disk.

_ALLOWED = re.compile(r"[^\W_](?:[\w.\-]{0,98}[\w\-])?", re.UNICODE)
_WINDOWS = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))}


def check_name(what: str, name: str) -> str:
    """The name itself when it is safe; otherwise an error that says why."""
    if not name:
        raise InvalidName(what, name, "it is empty")
    if unicodedata.normalize("NFC", name) != name:
        raise InvalidName(what, name, "its characters have a second spelling (not NFC)")
    if len(name.encode("utf-8", "replace")) > 200:
        raise InvalidName(what, name[:40] + "…", "it is longer than 200 bytes")
    if not _ALLOWED.fullmatch(name) or ".." in name:
        raise InvalidName(what, name, "it holds characters that a file name should not have")
    if any(unicodedata.category(ch) in {"Cf", "Cc", "Co", "Cn", "Cs"} for ch in name):
        raise InvalidName(what, name, "it holds invisible characters")
    if name.split(".", maxsplit=1)[0].lower() in _WINDOWS:
        raise InvalidName(what, name, "some systems reserve it")
    return name


# Where a record came from: through which channel, said by whom, observed when and where.


class Channel(StrEnum):
    """The way something reached memory. It is set by the code that received it, never by the text."""

    OWNER = "owner"
    AGENT = "agent"
    PERSON = "person"
    """Another human than the owner: somebody else in a chat."""
    TOOL = "tool"
    DOCUMENT = "document"
    """A text that was brought in: imported Markdown, an article."""
    EXTERNAL = "external"
    SYSTEM = "system"


OUTSIDE = frozenset({Channel.TOOL, Channel.DOCUMENT, Channel.EXTERNAL})
"""What comes through these is quoted when asked for; it steers nothing and vouches for nothing."""

QUOTED = OUTSIDE | {Channel.PERSON}
"""What comes through these is shown as somebody's words, between marks; it is evidence, never an instruction."""

TRUST = {
    Channel.OWNER: 1.0,
    Channel.SYSTEM: 0.9,
    Channel.AGENT: 0.7,
    Channel.PERSON: 0.5,
    Channel.TOOL: 0.4,
    Channel.DOCUMENT: 0.4,
    Channel.EXTERNAL: 0.2,
}


@value
class Origin:
    """Who said it, where it stands, when it was observed, and how far it is trusted."""

    channel: Channel = Channel.OWNER
    who: str = ""
    where: str = ""
    session: str = ""
    observed: datetime | None = None
    trust: float = 1.0
    confirmed_by: str = ""
    """Of an agent's word: `owner`, or `session` when a second one said the same by itself; empty: nobody."""


BY_OWNER, BY_SESSION = "owner", "session"


def seen_by_owner(origin: Origin) -> Origin:
    """The origin of something that its owner had before them and let stand: an agent's word is confirmed by that."""
    if origin.channel is not Channel.AGENT or origin.confirmed_by == BY_OWNER:
        return origin
    return replace(origin, confirmed_by=BY_OWNER)


# Whose memory a record is, and who reads it (access scope).

SCOPES = ("user", "agent", "project", "seat")


@value
class Scope:
    """User, agent, project and seat; an empty one means "everybody's".

    `also` are other names of a reader's project: what is kept under one of them is theirs as well.
    """

    user: str = ""
    agent: str = ""
    project: str = ""
    seat: str = ""
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what in SCOPES:
            name = getattr(self, what)
            if name:
                check_name(what, name)

    def is_open_to(self, reader: Scope) -> bool:
        """True when this reader may see what is kept in this scope; a name the reader lacks limits nothing."""
        pairs = ((getattr(self, name), getattr(reader, name)) for name in SCOPES)
        return all(not own or not read_by or own == read_by for own, read_by in pairs) or (
            self.project in reader.also and replace(self, project="").is_open_to(reader)
        )


EVERYBODY = Scope()
"""The scope of what is everybody's, and of a reader who sees everything."""


# When a record holds, and what it replaces.


@value
class Validity:
    """From when, until when, last confirmed, expiring when; what it replaced and what replaced it."""

    since: datetime | None = None
    until: datetime | None = None
    confirmed: datetime | None = None
    expires: datetime | None = None
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None

    def holds_at(self, moment: datetime) -> bool:
        """True when the record was in force at that moment."""
        return (
            (self.since is None or self.since <= moment)
            and (self.until is None or moment < self.until)
            and (self.expires is None or moment < self.expires)
        )


class Kind(StrEnum):
    """What sort of thing a record says."""

    FACT = "fact"
    PREFERENCE = "preference"
    IDENTITY = "identity"
    HEALTH = "health"
    SAFETY = "safety"
    RELATIONSHIP = "relationship"
    RULE = "rule"
    DECISION = "decision"
    LESSON = "lesson"
    PROCEDURE = "procedure"
    EVENT = "event"
    TASK = "task"
    PLAN = "plan"
    FINDING = "finding"
    BELIEF = "belief"
    SUMMARY = "summary"


UNCLEAR = "unclear"
"""The tag of what was heard and is not understood without what stood around it: it is found, not told unasked."""
EVERLASTING = frozenset({Kind.IDENTITY, Kind.HEALTH, Kind.SAFETY})
AGAIN = "again"
"""Marks the tombstone of something that memory made itself, and may make again of what is left."""


KEPT_WITHDRAWN = timedelta(days=30)
"""How long something withdrawn can be brought back."""


class Status(StrEnum):
    """Where a record stands in its life."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    QUARANTINED = "quarantined"
    WITHDRAWN = "withdrawn"
    """Taken out of every answer; whole for a while, so that `undo` brings it back, then erased."""
    FORGOTTEN = "forgotten"


class Sensitivity(StrEnum):
    """How careful to be with it."""

    PUBLIC = "public"
    PRIVATE = "private"
    SECRET = "secret"  # noqa: S105 - a level, not a password


@value
class Statement:
    """What is said: the words, and their structured form when they have one."""

    text: str
    subject: str = ""
    predicate: str = ""
    object: str = ""
    key: str = ""
    value: str = ""


@value
class Weight:
    """How much it matters (meaning), how sure it is, and the anchor of its activation."""

    importance: float = 0.5
    confidence: float = 1.0
    anchor: Anchor | None = None


@value
class Draft:
    """Something that should be kept."""

    statement: Statement
    kind: Kind = Kind.FACT
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    weight: Weight = field(default_factory=Weight)
    origin: Origin = field(default_factory=Origin)
    scope: Scope = field(default_factory=Scope)
    validity: Validity = field(default_factory=Validity)
    sensitivity: Sensitivity = Sensitivity.PRIVATE
    pinned: bool = False
    sources: tuple[str, ...] = ()
    idempotency: str = ""


@value
class Record:
    """One whole version of something kept."""

    id: str
    version: int
    kind: Kind
    statement: Statement
    change: Change
    created: datetime
    status: Status = Status.ACTIVE
    pinned: bool = False
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    weight: Weight = field(default_factory=Weight)
    origin: Origin = field(default_factory=Origin)
    scope: Scope = field(default_factory=Scope)
    validity: Validity = field(default_factory=Validity)
    sensitivity: Sensitivity = Sensitivity.PRIVATE
    sources: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The words."""
        return self.statement.text

    @property
    def precedence(self) -> tuple[bool, int, datetime, str]:
        """What decides which of two versions stands: the greater one."""
        return (self.status is Status.FORGOTTEN, self.version, self.change.at, self.change.writer)

    @property
    def anchor(self) -> Anchor:
        """The moment its activation is computed from."""
        return self.weight.anchor or Anchor(value=1.0, at=self.created)

    @property
    def is_everlasting(self) -> bool:
        """True when no age can take it out of the live set."""
        return self.pinned or self.kind in EVERLASTING


def content_key_of(kind: Kind, statement: Statement, scope: Scope) -> str:
    """The key that equal content in the same scope shares."""
    said = (statement.subject, statement.predicate, statement.object)
    if not all(said):
        said = ("", statement.key, statement.value) if statement.key else ("", "", statement.text)
    whose = (scope.user, scope.agent, scope.project, scope.seat)
    return content_key(kind.value, *whose, *(" ".join(normalise(part).split()) for part in said))


def is_foreign(record: Record) -> bool:
    """True for a version that another program wrote into its own file and nobody here has touched."""
    change = record.change
    return change.verb == "import" and not change.operation and not change.writer


def newest(versions: Iterable[Record]) -> Record:
    """The version that stands."""
    # Equal in everything else, the text decides: no order of files or lines may.
    return max(versions, key=lambda record: (*record.precedence, record.text, record.status))
