"""What a check says: a stable id, a grade, one sentence, and what was found.

Pure. Only what endangers the memory itself is critical; untidiness warns.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError
from memoracle.model.report import Finding, Report, Severity
from memoracle.model.value import value

if TYPE_CHECKING:
    from memoracle.store.store import Store


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


# The ground a memory stands on: its folders, its small files, whether it can be written, whether it is tended.

_FOLDERS = ("facts", "archived_facts", "daily", "semantic", "procedural", "usage")
_FILES = ("hot", "settings")
_JSON = ("health", "canaries", "activation", "configuration")


def ground(store: Store, *, looked: datetime | None, now: datetime) -> list[Check]:
    """Four checks: folders, core-files, writable, tended."""
    return [_folders(store), _core_files(store), _writable(store), _tended(looked, now)]


def _folders(store: Store) -> Check:
    wanted = sorted({os.path.dirname(store.layout[name].partition("{")[0]) for name in _FOLDERS} - {""})
    missing = [folder for folder in wanted if not os.path.isdir(os.path.join(store.root, folder))]
    if missing:
        says = f"folders are missing: {', '.join(missing)}"
        return warned("folders", says, "`memoracle init` makes them; so does the first write")
    return passed("folders", f"{len(wanted)} folders")


def _core_files(store: Store) -> Check:
    found = []
    folder = store.own_state().folder
    own = [f"{folder}/{one.name}" for one in store.volume.list(folder).files if one.name.endswith(".json")]
    for path in [*own, *(store.layout[name] for name in _JSON if name in store.layout)]:
        if path.endswith("/sequence.json"):
            continue  # it closes with a checksum, and is passed over when that does not fit
        try:
            raw = store.volume.read(path)
            if raw:
                json.loads(raw)
        except (ValueError, RecursionError, MemoracleError) as problem:
            says, hint = f"it is not JSON: {str(problem)[:120]}", "mend it, or delete it: it is written anew"
            found.append(_finding("core-files", path, says, hint))
    found += [
        _finding("core-files", store.layout[name], "it is not there", "`memoracle init` makes it")
        for name in _FILES
        if not os.path.isfile(os.path.join(store.root, store.layout[name]))
    ]
    return graded("core-files", found, fine="all there")


def _writable(store: Store) -> Check:
    for folder in (store.root, store.place(os.path.dirname(store.lock_name()))):
        if os.path.isdir(folder) and not os.access(folder, os.W_OK | os.X_OK):
            says = f"{folder} cannot be written: nothing new can be kept"
            return Check(
                id="writable", grade=Grade.CRITICAL, says=says, hint="give yourself write permission"
            )
    return passed("writable", "the memory can be written")


def _tended(looked: datetime | None, now: datetime) -> Check:
    hint = "`memoracle install cron` or `memoracle install systemd` has it called by itself"
    if looked is None:
        return skipped("tended", f"nobody has called `memoracle tend` yet; {hint}")
    if now - looked > timedelta(hours=48):
        days = (now - looked) / timedelta(days=1)
        return warned("tended", f"`memoracle tend` was last called {days:.1f} days ago", hint)
    return passed("tended", "it is called regularly")


def sources(watched: Mapping[str, Sequence[Finding]]) -> Check:
    """Whether everything could be read where conversations are looked for."""
    if not watched:
        return skipped("sources", "no host and no folder is looked into again; `memoracle ingest` begins it")
    unread = [finding for findings in watched.values() for finding in findings]
    hint = "mend it, or `memoracle ingest --once` there, which ends the looking"
    return graded("sources", unread, fine=f"all read: {', '.join(watched)}", hint=hint)


def disk_percent(folder: str) -> float:
    """How full the disk is for this person, as `df` tells it."""
    try:
        found: Any = os.statvfs(folder)
    except OSError:
        return 0.0
    used = found.f_blocks - found.f_bfree
    return float(100 * used / (used + found.f_bavail)) if used + found.f_bavail else 0.0


def size_below(folder: str) -> int:
    """How many bytes the files below a folder take; what vanishes meanwhile counts nothing."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(where, name)).st_size
            except OSError:
                continue
    return total


def _finding(code: str, path: str, says: str, hint: str) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, path=path, message=says, hint=hint)
