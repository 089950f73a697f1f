"""What a change did: under which id, where it stands, whether it is new."""

from __future__ import annotations

from datetime import datetime

from memoracle.model.plan import Step
from memoracle.model.record import Status
from memoracle.model.report import Finding
from memoracle.model.value import value


@value
class Receipt:
    """One acknowledged change of one record. `created` is False when it was there already."""

    id: str
    version: int
    created: bool
    status: Status
    path: str = ""
    line: int | None = None
    operation: str = ""
    warnings: tuple[str, ...] = ()
    outcome: str = "accepted"
    """How it left the guard: accepted, masked, quarantined or refused."""
    rules: tuple[str, ...] = ()
    """The rules that had a say."""


@value
class Withdrawn:
    """What was taken out of memory, and until when it can be brought back; what is proposed to the owner instead."""

    ids: tuple[str, ...]
    operation: str
    until: datetime
    proposed: tuple[str, ...] = ()


@value
class Erased:
    """What `forget` erased, and where the same words still stand in files that are not its own.

    `restored` stand again, `rewritten` lost what they had of it; `turns` left the index. `unnoted` counts versions of
    runs that left no note of what they heard: those were kept or dropped whole.
    """

    ids: tuple[str, ...]
    operation: str
    lines: int
    remaining: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    rewritten: tuple[str, ...] = ()
    turns: int = 0
    unnoted: int = 0


@value
class Ingested:
    """What `ingest` read: conversations and what they added, and what it could not use."""

    files: int
    turns: int
    embedded: int
    kept: int
    findings: tuple[Finding, ...] = ()
    unread: int = 0
    """Files and folders that hold, or may hold, conversations and could not be read."""


@value
class Written:
    """Lines that stand in a note now. `created` is False when they stood there, or in their home, already."""

    path: str
    line: int
    created: bool = True
    home: str = "daily"
    also: str = ""
    warnings: tuple[str, ...] = ()


@value
class Buffered:
    """The working buffer after an act, and what the act did: `line` of what was added, `steps` it took."""

    act: str
    path: str
    line: int | None = None
    lines: int = 0
    items: int = 0
    entries: tuple[str, ...] = ()
    stale: bool = False
    steps: tuple[Step, ...] = ()
    warnings: tuple[str, ...] = ()


@value
class Tag:
    """A tag: why it is in the vocabulary, how many notes carry it, and what to say when it is not in there."""

    name: str
    because: str = ""
    notes: int = 0
    known: bool = True
    hint: str = ""
