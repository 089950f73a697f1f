"""What a check says: a stable id, a grade, one sentence, and what was found.

Pure. Only what endangers the memory itself is critical; untidiness warns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from memoracle.model.report import Finding, Report, Severity
from memoracle.model.value import value


class Grade(StrEnum):
    """How a check ended. A skipped one had nothing to look at."""

    PASS = "pass"  # noqa: S105 - a grade
    SKIPPED = "skipped"
    WARNING = "warning"
    CRITICAL = "critical"


_WORDS = {Grade.PASS: "healthy", Grade.SKIPPED: "healthy"}


@value
class Check:
    """One check and how it ended."""

    id: str
    grade: Grade
    says: str
    hint: str | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        """Nothing to tell."""
        return self.grade in {Grade.PASS, Grade.SKIPPED}


def passed(check_id: str, says: str) -> Check:
    """A check that found nothing."""
    return Check(id=check_id, grade=Grade.PASS, says=says)


def skipped(check_id: str, says: str) -> Check:
    """A check that had nothing to look at."""
    return Check(id=check_id, grade=Grade.SKIPPED, says=says)


def warned(check_id: str, says: str, hint: str | None = None) -> Check:
    """A check that found something untidy."""
    return Check(id=check_id, grade=Grade.WARNING, says=says, hint=hint)


def graded(check_id: str, findings: Sequence[Finding], *, fine: str, hint: str | None = None) -> Check:
    """A check of hygiene: what it found warns; nothing found passes."""
    if not findings:
        return passed(check_id, fine)
    first, more = findings[0], len(findings) - 1
    rest = f", and {more} more" if more else ""
    return Check(
        id=check_id,
        grade=Grade.WARNING,
        says=f"{first.place}: {first.message}{rest}",
        hint=hint or first.hint,
        findings=tuple(findings),
    )


def integrity(report: Report) -> Check:
    """What `check` read back, as one check: an error in it is critical."""
    told = tuple(one for one in report.findings if one.severity is not Severity.INFO)
    if not told:
        return passed("integrity", ", ".join(f"{number} {name}" for name, number in report.counts.items()))
    worst = [one for one in told if one.severity is Severity.ERROR] or list(told)
    more = f", and {len(told) - 1} more" if len(told) > 1 else ""
    return Check(
        id="integrity",
        grade=Grade.WARNING if report.ok else Grade.CRITICAL,
        says=f"{worst[0].place}: {worst[0].message}{more}",
        hint=worst[0].hint,
        findings=told,
    )


def overall(checks: Iterable[Check]) -> str:
    """healthy, warning or critical: as bad as the worst of them."""
    order = list(Grade)
    worst = max((check.grade for check in checks), key=order.index, default=Grade.PASS)
    return _WORDS.get(worst, worst.value)
