"""What is kept: `Draft` is a wish, `Record` is one whole version of something kept.

The newest version of a record wins, decided by (version, time, writer), never by its place in
a file; a tombstone wins over everything, because what was erased stays erased.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from memoracle.model.activation import Anchor
from memoracle.model.change import Change
from memoracle.model.ids import content_key
from memoracle.model.origin import Origin
from memoracle.model.scope import Scope
from memoracle.model.validity import Validity
from memoracle.model.value import field, value
from memoracle.text import normalise


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
