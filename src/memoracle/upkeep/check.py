"""Reads everything back and says what is wrong. Changes nothing."""

from __future__ import annotations

import json
import os
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.errors import MemoracleError
from memoracle.index.api import Index, sync
from memoracle.model.manifest import Role
from memoracle.model.record import Record, Status
from memoracle.model.report import Finding, Report, Severity
from memoracle.model.value import replace
from memoracle.registry import contributed
from memoracle.store import loading as usage
from memoracle.store.erase import unfinished
from memoracle.store.journal import Damage
from memoracle.store.mend import Span, accepted_gaps, links, litter, missing_numbers, width
from memoracle.store.notes import VOCABULARY
from memoracle.store.volume import content_of

if TYPE_CHECKING:
    from memoracle.store.store import Store

# The small files of a root: lists, registries, notes that a machine keeps for itself. Each is read back whole.

_TRAVELLING = ("registry", "adopted")
_LINES = (".jsonl",)
# Counted again in the files when they cannot be read; what was accepted as lost is told again.
_PROVED = {"sequence.json", "audit.json", "writer.json", "gaps.json"}
_OWN_CHECKS = {
    "sources.jsonl",
    "sources.twin.jsonl",
    "never.jsonl",
    "quarantine.jsonl",
    "own.json",
    "own.twin.json",
}
_MADE_AGAIN = {
    "jobs.json", "health.json", "probed.json", "projected.json", "digests.json", "hook-turns.json", "canaries.json",
    "ledger.json", "consolidation.json", "sealed.json", "rankings.json", "told.json",
}  # fmt: skip
_SMALL_FILES_MEND = "`memoracle repair` sets what cannot be read aside, and keeps it"


def small_files(store: Store) -> Iterator[Finding]:
    """What is wrong with any of them."""
    yield from _travelling(store)
    yield from _receipts(store)
    for path in own_files(store):
        name = path.rpartition("/")[2]
        for piece in damage_in(store, path):
            is_lost = name not in _MADE_AGAIN
            says = piece.says + ("" if is_lost else "; it is made again, and nothing is lost by it")
            severity = Severity.ERROR if is_lost else Severity.WARNING
            told = _finding("damaged-state", severity, path, says, _SMALL_FILES_MEND)
            yield replace(told, line=piece.line if path.endswith(_LINES) else None)


def own_files(store: Store) -> list[str]:
    """The files of this machine's own state that are read line by line or whole."""
    own = store.own_state().folder
    return [
        path
        for path in store.volume.walk(own, (".json", ".jsonl"))
        if path.rpartition("/")[2] not in _PROVED | _OWN_CHECKS and "/m-" not in path.removeprefix(own)
    ]


def damage_in(store: Store, path: str) -> list[Damage]:
    """What of such a file cannot be read: lines of one that stands by lines, else all of it."""
    try:
        content = store.volume.read(path)
    except MemoracleError as problem:
        return [Damage(path=path, line=1, code="unreadable-file", says=str(problem), raw=b"")]
    if not path.endswith(_LINES):
        is_fine = _is_json(content)
        says = "it is not JSON" if content.strip() else "it was emptied"
        return [] if is_fine else [Damage(path=path, line=1, code="broken-line", says=says, raw=content)]
    rows = content.split(b"\n")
    says = "the line cannot be read"
    return [
        Damage(path=path, line=number, code="broken-line", says=says, raw=raw)
        for number, raw in enumerate(rows, start=1)
        if raw.strip() and not (_is_json(raw) or raw.startswith(b"posted1."))
    ]


def set_aside_own(store: Store, path: str) -> None:
    """Keep what cannot be read in this machine's own quarantine, and leave the rest. The caller holds the lock."""
    from memoracle.store import journal

    damage = damage_in(store, path)
    journal.set_aside(
        store.volume, store.state_name("quarantine.jsonl"), [one for one in damage if one.raw], store.now()
    )
    if not path.endswith(_LINES):
        store.volume.remove(path)
        return
    gone = {one.line for one in damage}
    rows = store.volume.read(path).split(b"\n")
    store.volume.replace(
        path, b"\n".join(row for number, row in enumerate(rows, start=1) if number not in gone)
    )


def _travelling(store: Store) -> Iterator[Finding]:
    """Files beside the notes and records that verbs read whole."""
    for path in [store.layout[name] for name in _TRAVELLING if name in store.layout]:
        if "{" not in path and store.has_file_safely(path):
            try:
                content = store.volume.read(path)
                if isinstance(json.loads(content), dict):
                    continue
                says = "it is no JSON object"
            except (ValueError, RecursionError) as problem:
                says = f"it is not JSON: {problem}"
            except MemoracleError as problem:
                says = str(problem)
            yield _unreadable(path, says)
    if store.has_file_safely(VOCABULARY):
        try:
            content = store.volume.read(VOCABULARY)
            tomllib.loads(content.decode("utf-8"))
            if not content.strip():
                yield _unreadable(VOCABULARY, "it was emptied")
        except (ValueError, RecursionError, MemoracleError) as problem:
            yield _unreadable(VOCABULARY, f"it is not TOML: {problem}")


def _receipts(store: Store) -> Iterator[Finding]:
    for path in store.volume.walk(os.path.dirname(store.layout["usage"]), usage.RECEIPTS):
        try:
            rows = content_of(store.volume, path).split(b"\n")
        except MemoracleError:
            continue  # it is in the manifest, and told there
        if bad := sum(bool(row.strip()) and not _is_json(row) for row in rows):
            says = f"{bad} receipts cannot be read; that costs a little activation, and no knowledge"
            yield _warning("damaged-receipts", path, says)


def _unreadable(path: str, says: str) -> Finding:
    return _error("unreadable-file", path, says[:200], "mend it, or bring it back from a copy")


def _finding(code: str, severity: Severity, path: str, says: str, hint: str | None = None) -> Finding:
    return Finding(code=code, severity=severity, path=path, message=says, hint=hint)


def _error(code: str, path: str, says: str, hint: str | None = None) -> Finding:
    return _finding(code, Severity.ERROR, path, says, hint)


def _warning(code: str, path: str, says: str, hint: str | None = None) -> Finding:
    return _finding(code, Severity.WARNING, path, says, hint)


def _is_json(raw: bytes) -> bool:
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


_PASSING = {"missing-lines", "erased-content", "torn-line", "litter", "audit-problem"}
_LOOKS = 3
_PAUSE = 0.05
_MEND = "`memoracle repair` mends it; `memoracle repair --dry-run` shows how"


def check(store: Store, index: Index, *, deep: bool, privacy_lines_lost: int = 0) -> Report:
    """One report from all probes."""
    report = _read_back(store)
    for _ in range(_LOOKS - 1):
        if _PASSING.isdisjoint(finding.code for finding in report.findings):
            break
        # A writer beside us may have been in the middle of something: what is real is still there later.
        time.sleep(_PAUSE)
        report = _read_back(store)
    findings = list(report.findings)
    if privacy_lines_lost:
        gone = f"{privacy_lines_lost} lines that were in the privacy list are gone"
        says = f"{gone}; what they blocked may be stored and sent"
        hint = "put them back, or let `memoracle repair` accept the list as it is"
        findings.append(_warning("privacy-list-shrank", store.layout["privacy"], says, hint))
    return replace(report, findings=(*findings, *(drift(store, index) if deep else ())))


def _read_back(store: Store) -> Report:
    findings: list[Finding] = []
    # Of a record that is whole nothing stays in memory but a number: there may be a million.
    files = versions = 0
    ids: set[int] = set()
    erased: set[str] = set()
    # The count is read before the files: what was noted by then must be in them.
    noted, accepted = store.noted_count(), accepted_gaps(store)
    begun = unfinished(store)

    def read() -> Iterator[Record]:
        nonlocal files, versions
        for state in store.manifest():
            files += 1
            is_records = state.role is Role.RECORDS
            try:
                for loaded in (
                    store.journal.parts(state.path) if is_records else [store.load(state.path, state.role)]
                ):
                    findings.extend(loaded.findings)
                    for version in loaded.versions:
                        versions += 1
                        ids.add(hash(version.record.id))
                        if version.record.status is Status.FORGOTTEN:
                            erased.add(version.record.id)
                        yield version.record
            except MemoracleError as problem:
                findings.append(_error("unreadable-file", state.path, str(problem)))

    missing = missing_numbers(read(), noted, accepted)
    findings += missing_lines(store, missing, own=noted[0])
    findings += undead(store, erased, begun)
    findings += untrue(store, damaged=any(one.severity is Severity.ERROR for one in findings))
    findings += store.sessions.findings()
    findings += foreign_state(store)
    findings += copies(store)
    findings += small_files(store)
    findings += links(store)
    for look in contributed("checks"):
        findings += look(store)
    says = "the conversation is not where it was; its turns are kept until the index is rebuilt"
    hint = "bring it back; `memoracle ingest --keep` stores copies in time"
    findings += [_warning("conversation-away", path, says, hint) for path in conversations_away(store)]
    if not store.is_being_written():
        says = "an interrupted write left this behind"
        findings += [_finding("litter", Severity.INFO, path, says, _MEND) for path in litter(store)]
    return Report(
        findings=tuple(findings),
        counts={"files": files, "versions": versions, "records": len(ids)},
    )


def missing_lines(store: Store, missing: Mapping[str, list[Span]], *, own: str) -> Iterator[Finding]:
    """Gaps in the running count of each writer: lines that vanished whole."""
    for writer, spans in missing.items():
        shown = ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in spans[:5])
        numbers = f"numbers {shown}{' …' if len(spans) > 5 else ''}"
        says = f"{width(spans)} lines written by {writer} are gone ({numbers})"
        hint = "bring the files back from a copy, or accept the loss with `memoracle repair`"
        severity = Severity.ERROR if writer == own else Severity.WARNING
        yield _finding("missing-lines", severity, store.layout["facts"], says, hint)


def undead(store: Store, erased: set[str], begun: Sequence[str]) -> Iterator[Finding]:
    """Content of erased records that is still there, or came back by a merge."""
    seen = set()
    with suppress(MemoracleError):  # a file that cannot be read is told already
        for path, record in store.journal.all_versions() if erased else ():
            if record.id in erased and record.status is not Status.FORGOTTEN:
                seen.add(record.id)
                says = f"{record.id} was erased, but a line of it is still here"
                yield _error("erased-content", path, says, _MEND)
    for record_id in begun:
        if record_id in erased - seen:
            says = "was erased, but the index may still hold its words: the erasing was interrupted"
            yield _error("erased-content", "", f"{record_id} {says}", _MEND)


def untrue(store: Store, *, damaged: bool) -> Iterator[Finding]:
    """What the audit trail cannot have come to honestly; lines that are known to be damaged are not missed twice."""
    from memoracle.store.audit_proof import verify

    hint = "look into it with `memoracle audit verify`; `memoracle repair` accepts it, and notes who did"
    for problem in verify(store).problems:
        if not (damaged and problem.code == "missing-record"):
            place = problem.path or store.layout["events"]
            yield _error("audit-problem", place, f"{problem.code}: {problem.message}", hint)


def foreign_state(store: Store) -> Iterator[Finding]:
    """A `state/` that another machine or place wrote: it is left alone and not read."""
    if store.own_state().foreign:
        came = "it came with a clone, a copy or a backup and is not used; this machine keeps its own in"
        says = f"{came} {store.own_state().folder}; what stands there is not known here"
        hint = "if this folder is yours and was only moved, `memoracle repair --take-state` takes it over"
        yield _warning("foreign-state", store.layout["state"], says, hint)


def copies(store: Store) -> Iterator[Finding]:
    """Kept copies that cannot be unpacked, are gone while nothing else speaks for them, or that no list names."""
    from memoracle.store.volume import is_sound

    hint = "`memoracle ingest --keep` of the conversation writes it again, and lists it"
    listed = {one.copy: one for one in store.sessions.by_path().values() if one.copy}
    for copy, one in listed.items():
        if not store.volume.has(copy):
            if one.here and os.path.exists(one.path):
                says = (
                    "the kept copy of a conversation is gone; the conversation itself is still where it was"
                )
                yield _warning("copy-gone", copy, says, hint)
        elif not is_sound(store.volume, copy):
            yield _error("damaged-copy", copy, "the kept copy of a conversation cannot be unpacked", hint)
    for folder in (store.layout["sessions"], f"{store.layout['archive']}/sessions"):
        for path in store.volume.walk(folder, (".gz",)):
            if path not in listed:
                says = "a kept copy that no list names: nobody knows how it is read"
                yield _warning("unlisted-copy", path, says, hint)


def drift(store: Store, index: Index) -> Iterator[Finding]:
    """Differences between the view and one built afresh from the files."""
    away = frozenset(conversations_away(store))
    fresh = index.blank()
    try:
        sync(store, fresh)
        ours, theirs = _comparable(index.dump(), away), _comparable(fresh.dump(), away)
    finally:
        fresh.close()
    if ours != theirs:
        says = f"the view differs from a rebuild in {len(ours ^ theirs)} rows"
        yield _error("view-drift", store.layout["index"], says, "`memoracle rebuild-index` builds it again")


def conversations_away(store: Store) -> list[str]:
    """Conversations that were ingested, are not where they were, and have no copy."""
    return [state.path for state in store.sessions.states() if state.size < 0]


def _comparable(rows: list[str], away: frozenset[str]) -> set[str]:
    """The rows of a dump that a rebuild can give back: it has only the files that are there."""
    if not away:
        return set(rows)
    return {
        row
        for row in rows
        if not row.startswith("term|") and not any(f"'{path}'" in row or f"|{path}|" in row for path in away)
    }
