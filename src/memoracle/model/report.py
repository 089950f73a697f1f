"""What a check, a load or a reader saw."""

from __future__ import annotations

from enum import StrEnum

from memoracle.model.value import value


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
