"""What a run of upkeep did, phase by phase."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from memoracle.model.plan import Step
from memoracle.model.report import Finding
from memoracle.model.value import field, value


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
