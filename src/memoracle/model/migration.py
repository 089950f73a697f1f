"""What moving in, moving out and synchronising did: counts, places, and what could not be represented."""

from __future__ import annotations

from memoracle.model.plan import Step
from memoracle.model.report import Finding
from memoracle.model.value import value


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
class Wanted:
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
