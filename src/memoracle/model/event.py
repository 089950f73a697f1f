"""One act, as the audit trail tells it: who did what to which things, when, and by which rule.

An event never holds words of memory: ids, paths, codes and keyed digests only, so that erasing leaves nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from memoracle.model.value import field, value


@value
class Touched:
    """One version of a record that an act wrote: its place in its writer's count, and the keyed digest of its line."""

    id: str
    version: int = 0
    sequence: int = 0
    digest: str = ""


@value
class Event:
    """One act. What stands below `facts` is filled in when it is written.

    `act` is a verb, or `read`, `policy`, `adopted`, `resumed`, `accepted`, `override`. `about` names paths or ids
    that are not versions of records; `rules` are names of rules and reasons; `facts` are counts and codes.
    """

    act: str
    at: datetime
    by: str = ""
    via: str = ""
    operation: str = ""
    records: tuple[Touched, ...] = ()
    about: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    facts: Mapping[str, int | str] = field(default_factory=dict)
    writer: str = ""
    number: int = 0
    before: str = ""
    stamp: str = ""
    hash: str = ""

    def names(self, target: str) -> bool:
        """True when it is about this id or path."""
        return target in self.about or any(one.id == target for one in self.records)


@value
class LoggedEvent:
    """An act, with the reasons and sessions that the records it wrote still give."""

    event: Event
    because: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()


@value
class Trouble:
    """Something that the trail, or the records beside it, cannot have come to honestly.

    `about` is what it is about, so that the same trouble has the same name tomorrow: `writer#number` or a record's id.
    """

    code: str
    about: str
    message: str
    path: str = ""

    @property
    def name(self) -> str:
        """What an acceptance calls it."""
        return f"{self.code}:{self.about}"


@value
class Verified:
    """What a reading of the whole trail gave: problems, and things that are told without being one."""

    entries: int
    problems: tuple[Trouble, ...] = ()
    notes: tuple[Trouble, ...] = ()
    heads: Mapping[str, str] = field(default_factory=dict)
    since: datetime | None = None
    records: int = 0

    @property
    def ok(self) -> bool:
        """True when nothing is wrong."""
        return not self.problems
