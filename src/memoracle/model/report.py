"""What a check, a load or a reader saw."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from memoracle.model.record import Status
from memoracle.model.value import field, value

# What a memory's model has cost today, and what was set aside for calls under way.


@value
class Ledger:
    """One day of the owner's, as `YYYY-MM-DD`. What is reserved and was never settled counts as spent."""

    day: str = ""
    spent: int = 0
    reserved: int = 0
    calls: int = 0
    failures: int = 0

    @property
    def tokens(self) -> int:
        """What the day has cost at most."""
        return self.spent + self.reserved


@value
class Reservation:
    """Tokens set aside for one call, on the day it was made."""

    day: str
    tokens: int


@value
class ModelUse:
    """What a memory's model did today, and what waits for it. An empty name means that there is none."""

    model: str
    tokens: int
    budget: int
    calls: int
    failures: int
    waiting: int


class Severity(StrEnum):
    """How much a finding matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@value
class Finding:
    """One thing worth telling, at one place."""

    code: str
    severity: Severity
    path: str
    message: str
    line: int | None = None
    hint: str | None = None

    @property
    def place(self) -> str:
        """`path#Lx`, or the path alone."""
        return self.path if self.line is None else f"{self.path}#L{self.line}"


@value
class Report:
    """Everything a check found, and what it looked at."""

    findings: tuple[Finding, ...]
    counts: dict[str, int]

    @property
    def ok(self) -> bool:
        """Nothing of severity error was found."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)


# Proposed changes, each with its reason. Whatever is destructive can be printed first.


@value
class Step:
    """One proposed change to one place."""

    act: str
    target: str
    because: str


@value
class Plan:
    """What would happen, in order. An empty plan means that nothing needs doing."""

    verb: str
    steps: tuple[Step, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.steps)


@value
class Done:
    """What was done, or would be in a dry run, and what stood in the way of the rest."""

    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()


# What moving in, moving out and synchronising did: counts, places, and what could not be represented.


@value
class Imported:
    """What `import` brought in. `findings` tell line by line what was left behind or is kept differently."""

    source: str
    shape: str
    dry_run: bool = False
    operation: str = ""
    created: int = 0
    updated: int = 0
    already: int = 0
    archived: int = 0
    notes: tuple[str, ...] = ()
    notes_already: int = 0
    findings: tuple[Finding, ...] = ()


@value
class WantedImport:
    """Which records `export` takes along; `names` are all names of the entity."""

    entity: str = ""
    names: tuple[str, ...] = ()
    project: str = ""
    include_archived: bool = False
    include_secret: bool = False


@value
class Exported:
    """What `export` wrote, or would write. `left_out` counts what stayed at home, by reason."""

    target: str
    shape: str
    dry_run: bool = False
    records: int = 0
    notes: int = 0
    turns: int = 0
    files: tuple[str, ...] = ()
    left_out: dict[str, int]
    findings: tuple[Finding, ...] = ()


@value
class Exchanged:
    """What `sync` did. `converged` is True when everything of the other side stands here, and nothing was torn."""

    branch: str
    remote: str = ""
    dry_run: bool = False
    committed: int = 0
    merged: int = 0
    pushed: bool = False
    ahead: int = 0
    converged: bool = True
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()


# What a change did: under which id, where it stands, whether it is new.


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


# What a run of upkeep did, phase by phase.


@value
class Phase:
    """What one phase did: how many of what, the changes with their reasons, and how long it took."""

    name: str
    counts: Mapping[str, int] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()
    seconds: float = 0.0


@value
class Run:
    """One consolidation. `skipped` says why nothing was done; `resumed` names the phase an earlier run stopped in."""

    operation: str
    started: datetime
    phases: tuple[Phase, ...] = ()
    skipped: str = ""
    resumed: str = ""
    dry_run: bool = False

    @property
    def seconds(self) -> float:
        """How long all of it took."""
        return sum(phase.seconds for phase in self.phases)
