"""How a memory is, as a value and as `health.json`.

The document has the fields that a published design's users read, and beside them a schema version, every
check with its grade, and how long each phase of the last consolidation took. It holds no truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memoracle.errors import InvalidTime, OutsideRoot, StoreProblem
from memoracle.model.report import Done, ModelUse
from memoracle.model.value import as_fields, field, value
from memoracle.store.volume import read_document, write_document
from memoracle.times import read_time, write_time
from memoracle.upkeep.checks import Check, Grade, overall, passed, skipped, warned

if TYPE_CHECKING:
    from memoracle.store.store import Store

# The numbers of a memory, and the levels at which they worry. Every comparison is strict.


@value
class HealthLimits:
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
class HealthMeasures:
    """What was measured. Facts are records of every kind; the total is what is active and what is archived."""

    at: datetime
    disk_usage_bytes: int = 0
    disk_usage_percent: float = 0.0
    active_facts: int = 0
    archived_facts: int = 0
    avg_activation: float = 0.0
    oldest: datetime | None = None
    note_files_count: int = 0
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


def judge(measured: HealthMeasures, limits: HealthLimits) -> list[Check]:
    """A check for every number that can worry."""
    full, active, probe = measured.disk_usage_percent, measured.active_facts, measured.quality_probe
    missed = skipped("probe", "no canary was ever asked; `memoracle probe add` makes one")
    if probe is not None and probe.total:
        found = probe.accuracy_percent
        missed = _levelled(
            "probe",
            _grade(-found, -limits.probe_warning, -limits.probe_critical),
            f"{probe.passed} of {probe.total} canaries found ({found:.0f} %)",
            "recall misses known answers",
            "`memoracle probe` shows which are not found; raise the half-lives if they have faded",
        )
    return [
        _levelled(
            "disk",
            _grade(full, limits.disk_warning, limits.disk_critical),
            f"the disk is {full:.0f} % full",
            "Disk usage high",
            "free some space; a full disk refuses writes, and keeps what was acknowledged",
        ),
        _levelled(
            "active-cap",
            _grade(active, limits.active_warning, limits.active_critical),
            f"{active:,} of {limits.max_active:,} active records",
            "Approaching fact limit",
            "consolidation archives the weakest above the cap; raise `max_active` or archive what is done with",
        ),
        _activation(measured, limits),
        _hot(measured, limits),
        _duration(measured, limits),
        _lateness(measured, limits),
        missed,
        _jobs(measured),
    ]


def _levelled(check_id: str, grade: Grade, says: str, worry: str, hint: str) -> Check:
    if grade is Grade.PASS:
        return passed(check_id, says)
    return Check(id=check_id, grade=grade, says=f"{worry}: {says}", hint=hint)


def _activation(measured: HealthMeasures, limits: HealthLimits) -> Check:
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


def _hot(measured: HealthMeasures, limits: HealthLimits) -> Check:
    lines, most = measured.memory_md_lines, limits.hot_most
    says = f"MEMORY.md has {lines} of {most} lines"
    if lines <= limits.hot_warning:
        return passed("hot-lines", says)
    near = "is over its limit" if lines > most else "nears its limit"
    return warned(
        "hot-lines", f"MEMORY.md {near}: {lines} of {most} lines", "shorten the text outside the markers"
    )


def _duration(measured: HealthMeasures, limits: HealthLimits) -> Check:
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


def _lateness(measured: HealthMeasures, limits: HealthLimits) -> Check:
    last = measured.last_consolidation
    if last is None:
        return skipped("consolidation-late", "there was no consolidation yet")
    if measured.at - last > limits.late_after:
        days = (measured.at - last) / timedelta(days=1)
        hint = "`memoracle tend` runs it; `memoracle install cron` or `systemd` has it run by itself"
        return warned("consolidation-late", f"the last consolidation was {days:.1f} days ago", hint)
    return passed("consolidation-late", f"the last one began {write_time(last)[:16]}Z")


def _jobs(measured: HealthMeasures) -> Check:
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


SCHEMA = 1
PROBED = "probe.json"
_FOUND_MOST = 20


@value
class Health:
    """Everything that was measured and checked, when the files were last read whole, and what was mended."""

    measures: HealthMeasures
    checks: tuple[Check, ...]
    read_back: datetime | None = None
    mended: Done | None = None

    @property
    def status(self) -> str:
        """healthy, warning or critical."""
        return overall(self.checks)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What each check that did not pass says."""
        return tuple(check.says for check in self.checks if not check.ok)

    @property
    def ok(self) -> bool:
        """Nothing is critical; what only warns keeps nobody from working."""
        return self.status != Grade.CRITICAL.value


def document_of(health: Health) -> dict[str, Any]:
    """The content of `health.json`."""
    measured = health.measures
    return {
        "schema": SCHEMA,
        "timestamp": write_time(measured.at),
        "status": health.status,
        "disk_usage_bytes": measured.disk_usage_bytes,
        "disk_usage_percent": round(measured.disk_usage_percent, 1),
        "total_facts": measured.total_facts,
        "active_facts": measured.active_facts,
        "archived_facts": measured.archived_facts,
        "avg_activation": round(measured.avg_activation, 4),
        "note_files_count": measured.note_files_count,
        "daily_files_count": measured.daily_files_count,
        "session_files_count": measured.session_files_count,
        "embedding_index_size_bytes": measured.embedding_index_size_bytes,
        "memory_md_lines": measured.memory_md_lines,
        "last_consolidation": _written(measured.last_consolidation),
        "consolidation_duration_seconds": round(measured.consolidation_duration_seconds, 3),
        "warnings": list(health.warnings),
        "quality_probe": probed_fields(measured.quality_probe) if measured.quality_probe else None,
        "durations": dict(measured.durations),
        "read_back": _written(health.read_back),
        "checks": [
            {
                "id": check.id,
                "status": check.grade.value,
                "message": check.says,
                "hint": check.hint,
                "findings": [
                    {name: getattr(one, name) for name in ("path", "line", "code", "message", "hint")}
                    for one in check.findings[:_FOUND_MOST]
                ],
                "found": len(check.findings),
            }
            for check in health.checks
        ],
    }


def probed_fields(probe: Probed) -> dict[str, Any]:
    """A probe as it is put down."""
    return as_fields(probe) | {"last_run": write_time(probe.last_run)}


def health_place(store: Store) -> str:
    """Where `health.json` stands in this layout."""
    return store.name("health") if "health" in store.layout else store.state_name("health.json")


def write_health(store: Store, health: Health) -> None:
    """Put it down; a memory that cannot be written is told about, not stopped."""
    with suppress(StoreProblem, OutsideRoot):
        write_document(store.volume, health_place(store), document_of(health))


def read_health(store: Store) -> dict[str, Any]:
    """What was put down last; nothing is an empty document."""
    return read_document(store.volume, health_place(store))


def read_probed(written: Any) -> Probed | None:
    """A probe as it was put down."""
    try:
        return Probed(
            last_run=read_time(written["last_run"]),
            passed=int(written["passed"]),
            total=int(written["total"]),
            accuracy_percent=float(written["accuracy_percent"]),
        )
    except (TypeError, ValueError, LookupError, AttributeError, InvalidTime):
        return None


def _written(moment: datetime | None) -> str | None:
    return write_time(moment) if moment else None


# What a memory holds, in a glance.


@value
class JobState:
    """When a job last succeeded, and when it is due next."""

    last_success: datetime | None
    next_due: datetime


@value
class Summary:
    """The state of one memory."""

    root: str
    layout: str
    active: int
    archived: int
    superseded: int
    notes: int
    turns: int
    without_vector: int
    findings: int
    view: str
    disk_bytes: int
    asking: ModelUse
    health: str = ""
    jobs: Mapping[str, JobState] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@value
class Stats:
    """Counts of the standing records."""

    total: int
    active: int
    archive: int
    by_kind: Mapping[str, int]
    by_importance: Mapping[str, int]
    by_kind_percent: Mapping[str, float] = field(default_factory=dict)
    last_consolidation: datetime | None = None
    next_consolidation: datetime | None = None
