"""Proposed changes, each with its reason. Whatever is destructive can be printed first."""

from __future__ import annotations

from memoracle.model.report import Finding
from memoracle.model.value import value


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
