"""The numbers of a memory, and the levels at which they worry. Every comparison is strict.

Pure: measures and limits in, checks out. The advice says which way to turn: a memory that fades too fast
needs a longer half-life, one that does not fade needs a shorter one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from memoracle.clock import write_time
from memoracle.health.checks import Check, Grade, passed, skipped, warned
from memoracle.model.value import field, value


@value
class Limits:
    """The levels. A number at its level is still fine."""

    disk_warning: float = 80.0
    disk_critical: float = 90.0
    max_active: int = 10_000
    activation_low: float = 0.2
    activation_high: float = 0.8
    hot_warning: int = 180
    hot_most: int = 200
    slow_warning: float = 600.0
    slow_critical: float = 1200.0
    probe_warning: float = 80.0
    probe_critical: float = 70.0
    late_after: timedelta = timedelta(hours=48)
    young_for: timedelta = timedelta(days=87)

    @property
    def active_warning(self) -> int:
        """Nine tenths of the cap."""
        return self.max_active * 90 // 100

    @property
    def active_critical(self) -> int:
        """Nineteen twentieths of the cap."""
        return self.max_active * 95 // 100


@value
class Probed:
    """The last quality probe, as `health.json` tells it."""

    last_run: datetime
    passed: int
    total: int
    accuracy_percent: float


@value
class Measures:
    """What was measured. Facts are records of every kind; the total is what is active and what is archived."""

    at: datetime
    disk_usage_bytes: int = 0
    disk_usage_percent: float = 0.0
    active_facts: int = 0
    archived_facts: int = 0
    avg_activation: float = 0.0
    oldest: datetime | None = None
    daily_files_count: int = 0
    session_files_count: int = 0
    embedding_index_size_bytes: int = 0
    memory_md_lines: int = 0
    last_consolidation: datetime | None = None
    consolidation_duration_seconds: float = 0.0
    durations: Mapping[str, float] = field(default_factory=dict)
    quality_probe: Probed | None = None
    failing_jobs: Mapping[str, str] = field(default_factory=dict)

    @property
    def total_facts(self) -> int:
        """Active and archived."""
        return self.active_facts + self.archived_facts


def judge(measured: Measures, limits: Limits) -> list[Check]:
    """A check for every number that can worry."""
    return [
        _disk(measured, limits),
        _active(measured, limits),
        _activation(measured, limits),
        _hot(measured, limits),
        _duration(measured, limits),
        _lateness(measured, limits),
        _probe(measured, limits),
        _jobs(measured),
    ]


def _disk(measured: Measures, limits: Limits) -> Check:
    percent = measured.disk_usage_percent
    says = f"the disk is {percent:.0f} % full"
    grade = _grade(percent, limits.disk_warning, limits.disk_critical)
    if grade is Grade.PASS:
        return passed("disk", says)
    hint = "free some space; a full disk refuses writes, and keeps what was acknowledged"
    return Check(id="disk", grade=grade, says=f"Disk usage high: {says}", hint=hint)


def _active(measured: Measures, limits: Limits) -> Check:
    number, most = measured.active_facts, limits.max_active
    says = f"{number:,} of {most:,} active records"
    grade = _grade(number, limits.active_warning, limits.active_critical)
    if grade is Grade.PASS:
        return passed("active-cap", says)
    hint = "consolidation archives the weakest above the cap; raise `max_active` or archive what is done with"
    return Check(id="active-cap", grade=grade, says=f"Approaching fact limit: {says}", hint=hint)


def _activation(measured: Measures, limits: Limits) -> Check:
    average = measured.avg_activation
    if not measured.active_facts:
        return skipped("activation", "there are no active records")
    if average < limits.activation_low:
        return warned(
            "activation",
            f"most facts are decaying: the average activation is {average:.2f}",
            "raise the half-lives (`half_life_fact` …), or look at what is being kept: it is not used",
        )
    if average > limits.activation_high:
        age = measured.at - measured.oldest if measured.oldest else timedelta(0)
        if age < limits.young_for:
            return passed("activation", f"average {average:.2f}; the memory is too young to have faded")
        return warned(
            "activation",
            f"there is too little decay: the average activation is {average:.2f}",
            "lower the half-lives (`half_life_fact` …), so that what matters stands out",
        )
    return passed("activation", f"average {average:.2f}")


def _hot(measured: Measures, limits: Limits) -> Check:
    lines, most = measured.memory_md_lines, limits.hot_most
    says = f"MEMORY.md has {lines} of {most} lines"
    if lines <= limits.hot_warning:
        return passed("hot-lines", says)
    near = "is over its limit" if lines > most else "nears its limit"
    return warned(
        "hot-lines", f"MEMORY.md {near}: {lines} of {most} lines", "shorten the text outside the markers"
    )


def _duration(measured: Measures, limits: Limits) -> Check:
    seconds = measured.consolidation_duration_seconds
    if measured.last_consolidation is None:
        return skipped("consolidation-time", "there was no consolidation yet")
    grade = _grade(seconds, limits.slow_warning, limits.slow_critical)
    if grade is Grade.PASS:
        return passed("consolidation-time", f"the last one took {seconds:.1f} s")
    slowest = max(measured.durations, key=lambda name: measured.durations[name], default="")
    hint = f"the phase `{slowest}` took {measured.durations[slowest]:.0f} s" if slowest else None
    says = f"consolidation is slow: the last one took {seconds:.0f} s"
    return Check(id="consolidation-time", grade=grade, says=says, hint=hint)


def _lateness(measured: Measures, limits: Limits) -> Check:
    last = measured.last_consolidation
    if last is None:
        return skipped("consolidation-late", "there was no consolidation yet")
    if measured.at - last > limits.late_after:
        days = (measured.at - last) / timedelta(days=1)
        hint = "`memoracle tend` runs it; `memoracle install cron` or `systemd` has it run by itself"
        return warned("consolidation-late", f"the last consolidation was {days:.1f} days ago", hint)
    return passed("consolidation-late", f"the last one began {write_time(last)[:16]}Z")


def _probe(measured: Measures, limits: Limits) -> Check:
    probe = measured.quality_probe
    if probe is None or not probe.total:
        return skipped("probe", "no canary was ever asked; `memoracle probe add` makes one")
    percent = probe.accuracy_percent
    says = f"{probe.passed} of {probe.total} canaries found ({percent:.0f} %)"
    if percent >= limits.probe_warning:
        return passed("probe", says)
    grade = Grade.CRITICAL if percent < limits.probe_critical else Grade.WARNING
    hint = "`memoracle probe` shows which are not found; raise the half-lives if they have faded"
    return Check(id="probe", grade=grade, says=f"recall misses known answers: {says}", hint=hint)


def _jobs(measured: Measures) -> Check:
    failing = list(measured.failing_jobs.items())
    if not failing:
        return passed("jobs", "no job is failing")
    name, because = failing[0]
    more = f", and {len(failing) - 1} more" if len(failing) > 1 else ""
    return warned(
        "jobs", f"the job `{name}` fails: {because}{more}", f"`memoracle tend --job {name}` tries again"
    )


def _grade(number: float, warning: float, critical: float) -> Grade:
    if number > critical:
        return Grade.CRITICAL
    return Grade.WARNING if number > warning else Grade.PASS
