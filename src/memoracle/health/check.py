"""Reads everything back and says what is wrong. Changes nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from memoracle.errors import MemoracleError
from memoracle.index.api import Index
from memoracle.index.sqlite.view import SqliteIndex
from memoracle.index.sync import sync
from memoracle.model.manifest import Role
from memoracle.model.record import Record, Status
from memoracle.model.report import Finding, Report, Severity
from memoracle.store.mend import accepted_gaps, links, litter
from memoracle.store.store import Store

_MEND = "`memoracle repair` mends it; `memoracle repair --dry-run` shows how"


def check(store: Store, index: Index, *, deep: bool) -> Report:
    """One report from all probes."""
    findings: list[Finding] = []
    versions: list[tuple[str, Record]] = []
    files = 0
    for state in store.manifest():
        files += 1
        try:
            loaded = store.load(state.path, state.role)
        except MemoracleError as problem:
            findings.append(_error("unreadable-file", state.path, str(problem)))
            continue
        findings += loaded.findings
        if state.role is Role.RECORDS:
            versions += [(state.path, version.record) for version in loaded.versions]
    findings += missing_lines(store, versions)
    findings += undead(versions)
    findings += links(store)
    if not store.is_being_written():
        findings += [
            Finding(
                code="litter",
                severity=Severity.INFO,
                path=path,
                message="an interrupted write left this behind",
                hint=_MEND,
            )
            for path in litter(store)
        ]
    if deep:
        findings += drift(store, index)
    ids = {record.id for _, record in versions}
    return Report(
        findings=tuple(findings),
        counts={"files": files, "versions": len(versions), "records": len(ids)},
    )


def missing_lines(store: Store, versions: list[tuple[str, Record]]) -> Iterator[Finding]:
    """Gaps in the running count of each writer: lines that vanished whole."""
    present: defaultdict[str, set[int]] = defaultdict(set)
    for _, record in versions:
        present[record.change.writer].add(record.change.sequence)
        if record.status is Status.FORGOTTEN:
            for writer, numbers in dict(record.extra.get("erased", {})).items():
                present[writer].update(numbers)
    own, noted = store.noted_count()
    for writer, numbers in accepted_gaps(store).items():
        present[writer].update(numbers)
    if own:
        present[own].add(0)
    for writer, numbers in sorted(present.items()):
        if not writer:
            continue
        last = max(*numbers, noted if writer == own else 0, 0)
        if gone := [number for number in range(1, last + 1) if number not in numbers]:
            shown = ", ".join(map(str, gone[:5])) + (" …" if len(gone) > 5 else "")
            yield Finding(
                code="missing-lines",
                severity=Severity.ERROR if writer == own else Severity.WARNING,
                path=store.layout["facts"],
                message=f"{len(gone)} lines written by {writer} are gone (numbers {shown})",
                hint="bring the files back from a copy, or accept the loss with `memoracle repair`",
            )


def undead(versions: list[tuple[str, Record]]) -> Iterator[Finding]:
    """Content of erased records that is still there, or came back by a merge."""
    erased = {record.id for _, record in versions if record.status is Status.FORGOTTEN}
    for path, record in versions:
        if record.id in erased and record.status is not Status.FORGOTTEN:
            says = f"{record.id} was erased, but a line of it is still here"
            yield Finding(code="erased-content", severity=Severity.ERROR, path=path, message=says, hint=_MEND)


def drift(store: Store, index: Index) -> Iterator[Finding]:
    """Differences between the view and one built afresh from the files."""
    fresh = SqliteIndex(None)
    try:
        sync(store, fresh)
        ours, theirs = set(index.dump()), set(fresh.dump())
    finally:
        fresh.close()
    if ours != theirs:
        says = f"the view differs from a rebuild in {len(ours ^ theirs)} rows"
        yield Finding(
            code="view-drift",
            severity=Severity.ERROR,
            path=store.layout["index"],
            message=says,
            hint="`memoracle rebuild-index` builds it again",
        )


def _error(code: str, path: str, message: str) -> Finding:
    return Finding(code=code, severity=Severity.ERROR, path=path, message=message)
