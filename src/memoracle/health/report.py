"""How a memory is, as a value and as `health.json`.

The document has the fields that a published design's users read, and beside them a schema version, every
check with its grade, and how long each phase of the last consolidation took. It holds no truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from memoracle.clock import read_time, write_time
from memoracle.errors import InvalidTime, OutsideRoot, StoreProblem
from memoracle.health.checks import Check, Grade, overall
from memoracle.health.measure import Measures, Probed
from memoracle.model.plan import Done
from memoracle.model.value import value
from memoracle.store.documents import read_document, write_document
from memoracle.store.store import Store

SCHEMA = 1
PROBED = "probe.json"
_FOUND_MOST = 20


@value
class Health:
    """Everything that was measured and checked, when the files were last read whole, and what was mended."""

    measures: Measures
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
        "daily_files_count": measured.daily_files_count,
        "session_files_count": measured.session_files_count,
        "embedding_index_size_bytes": measured.embedding_index_size_bytes,
        "memory_md_lines": measured.memory_md_lines,
        "last_consolidation": _written(measured.last_consolidation),
        "consolidation_duration_seconds": round(measured.consolidation_duration_seconds, 3),
        "warnings": list(health.warnings),
        "quality_probe": _probe_fields(measured.quality_probe),
        "durations": dict(measured.durations),
        "read_back": _written(health.read_back),
        "checks": _check_rows(health.checks),
    }


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


def _probe_fields(probe: Probed | None) -> dict[str, Any] | None:
    if probe is None:
        return None
    return {
        "last_run": write_time(probe.last_run),
        "passed": probe.passed,
        "total": probe.total,
        "accuracy_percent": probe.accuracy_percent,
    }


def _check_rows(checks: Sequence[Check]) -> list[dict[str, Any]]:
    return [
        {
            "id": check.id,
            "status": check.grade.value,
            "message": check.says,
            "hint": check.hint,
            "findings": [
                {
                    "path": one.path,
                    "line": one.line,
                    "code": one.code,
                    "message": one.message,
                    "hint": one.hint,
                }
                for one in check.findings[:_FOUND_MOST]
            ],
            "found": len(check.findings),
        }
        for check in checks
    ]


def _written(moment: datetime | None) -> str | None:
    return write_time(moment) if moment else None
