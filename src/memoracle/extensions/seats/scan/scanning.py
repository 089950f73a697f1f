"""Scans as acts: scanners look, the guard takes out what is secret, the store writes, the history notes what changed.

A look that finds the same facts again leaves every fact as it was: of the machine's documents only `scanned_at` and
`last_seen` move on, a project's documents stay to the byte. Nothing here runs unless somebody asks for it.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from memoracle.errors import RefusedByPolicy
from memoracle.extensions.seats import files_scans as scans
from memoracle.extensions.seats.errors import AlreadyScanned
from memoracle.extensions.seats.files_facts import is_ours
from memoracle.extensions.seats.scan.compare import Changed, changes_between, count_facts, netted
from memoracle.extensions.seats.scan.document import cleaned, facts_in
from memoracle.model.record import Channel, check_name
from memoracle.model.value import field, replace, value
from memoracle.store.layouts import INDEX
from memoracle.times import write_time

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from memoracle.extensions.seats.scan.machine.surroundings import Around
    from memoracle.root import Root


@value
class Filed:
    """What became of one document: whether it was made, and which of its facts changed."""

    path: str
    kind: str
    created: bool
    written: bool
    facts: int
    changes: tuple[Changed, ...] = ()
    previous: str = ""
    document: Mapping[str, Any] = field(default_factory=dict)


@value
class Scanned:
    """What a scan saw and kept. A dry run kept nothing."""

    dry_run: bool
    files: tuple[Filed, ...]
    project: str = ""
    repo: str = ""
    depth: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)
    homes: tuple[str, ...] = ()


@value
class ScanDifference:
    """What changed between a moment and the last scan; `first` names what was seen for the first time."""

    since: datetime
    changes: tuple[tuple[str, str, Changed], ...]
    """The file, when its last change was seen, and the fact."""
    first: tuple[str, ...]


def scan_machine(
    root: Root,
    *,
    only: Sequence[str] = (),
    homes: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    dry_run: bool = False,
) -> Scanned:
    """What this machine has: names, places and fingerprints, never a secret. No network, no other program.

    Scanners that fail are named, what the others saw is kept.
    """
    from memoracle.extensions.seats.scan.machine.look import chosen, look_at_machine

    root.guard.must_be_ready()
    wanted = chosen(only)
    now = root.clock()
    around = _around(root, os.environ if environment is None else environment, homes, now)
    seen = look_at_machine(around, wanted)
    documents = {
        scans.machine_path(root.store, name): cleaned(document, partial(_guarded, root))
        for name, document in seen.documents.items()
    }
    if dry_run:
        files = tuple(_compared(root, path, document) for path, document in documents.items())
    else:
        with root.store.writing():
            files = tuple(_keep(root, path, document, "", now) for path, document in documents.items())
            _note(root, files, wanted, seen.errors, now)
    root.log("scan", about=[file.path for file in files if file.written])
    return Scanned(
        dry_run=dry_run,
        files=files,
        errors=seen.errors,
        unread=seen.unread,
        homes=tuple(f"{home.path} ({home.said_by})" for home in around.homes),
    )


def scan_project(
    root: Root, project: str, repo: str, *, depth: str = "shallow", commit: bool = False, force: bool = False
) -> Scanned:
    """What a repository tells of itself; nothing is kept without `commit`, nothing replaced without `force`."""
    from memoracle.extensions.seats.scan.project.look import look_at_project

    project = root.reader.project(project)
    root.must_hold_no_secret(project)
    check_name("project", project)
    root.guard.must_be_ready()
    now = root.clock()
    told = look_at_project(repo, project=project, depth=depth, at=write_time(now))
    documents = {
        scans.project_path(root.store, project, kind): cleaned(document, partial(_guarded, root))
        for kind, document in told.documents.items()
    }
    if commit or force:
        with root.store.writing():
            files = _commit(root, documents, project, now, force=force)
    else:
        files = tuple(_compared(root, path, document) for path, document in documents.items())
    root.log("scan", about=[file.path for file in files if file.written])
    return Scanned(
        dry_run=not (commit or force),
        files=files,
        project=project,
        repo=told.repo,
        depth=depth,
        unread=told.unread,
    )


def scan_diff(root: Root, *, project: str = "", since: datetime) -> ScanDifference:
    """What changed between a moment and the last scan, each fact once: of this machine, or of a project."""
    project = root.reader.project(project) if project or root.reader.sees_public_alone else ""
    if project:
        check_name("project", project)
    last: dict[str, str] = {}
    held: dict[str, list[Changed]] = {}
    first: list[str] = []
    for line in scans.read_changes(root.store, project=project, since=since):
        path = str(line.get("file", ""))
        if line.get("first"):
            first.append(path)
        for one in line.get("changes", ()):
            held.setdefault(path, []).append(
                Changed(path=str(one["path"]), before=one.get("before"), after=one.get("after"))
            )
            last[f"{path}\0{one['path']}"] = str(line["at"])
    changes = tuple(
        (path, last[f"{path}\0{change.path}"], change)
        for path in sorted(held)
        for change in netted(held[path])
    )
    return ScanDifference(since=since, changes=changes, first=tuple(dict.fromkeys(first)))


def _guarded(root: Root, text: str) -> str:
    """A text from outside as it may be kept: without secrets; orders and hidden text not at all."""
    clean = root.guard.hide(text)
    try:
        root.guard.must_be_plain(Channel.TOOL, clean)
    except RefusedByPolicy as refused:
        return f"[withheld: {', '.join(refused.rules)}]"
    return clean


def _around(root: Root, environment: Mapping[str, str], homes: Sequence[str], now: datetime) -> Around:
    from memoracle.extensions.seats.scan.homes import account_home, homes_of
    from memoracle.extensions.seats.scan.machine.surroundings import Around
    from memoracle.extensions.seats.scan.tree import ScanTree
    from memoracle.guard.secrets import fingerprint, is_clean, names_a_secret

    found = homes_of(environment, account_home(), homes)
    salt = root.store.salt()
    return Around(
        homes=found,
        trees=tuple(ScanTree(home.path) for home in found),
        environment=environment,
        at=write_time(now),
        fingerprint=lambda secret: fingerprint(secret, salt),
        is_secret=lambda name, said: names_a_secret(name) or not is_clean(said),
        system=ScanTree("/"),
    )


def _compared(root: Root, path: str, document: Mapping[str, Any]) -> Filed:
    """What writing this document would change."""
    before = scans.read_facts(root.store, path)
    known = is_ours(before)  # another program's document may hold secrets: it is never compared
    changes = tuple(changes_between(before, document)) if known else ()
    return Filed(
        path=path,
        kind=str(document["kind"]),
        created=not before,
        written=False,
        facts=count_facts(document),
        changes=changes,
        document=document,
    )


def _keep(root: Root, path: str, document: Mapping[str, Any], project: str, now: datetime) -> Filed:
    filed = _compared(root, path, document)
    before = scans.read_facts(root.store, path)
    scans.write_facts(root.store, path, document)
    is_first = not is_ours(before)
    if is_first or filed.changes:
        scans.note_changes(
            root.store,
            path,
            [{"path": one.path, "before": one.before, "after": one.after} for one in filed.changes],
            project=project,
            now=now,
            first=is_first,
            facts=filed.facts,
        )
    return _written(filed)


def _commit(
    root: Root, documents: Mapping[str, Mapping[str, Any]], project: str, now: datetime, *, force: bool
) -> tuple[Filed, ...]:
    """All of them or none: where one says something else already, nothing is written without `force`."""
    held = {path: scans.read_facts(root.store, path) for path in documents}
    same = {path for path, before in held.items() if before and facts_in(before) == facts_in(documents[path])}
    others = [path for path in documents if path not in same and _is_there(root, path)]
    if others and not force:
        raise AlreadyScanned(others)
    files = []
    for path, document in documents.items():
        if path in same:
            files.append(_compared(root, path, document))
            continue
        previous = scans.keep_previous(root.store, path, root.guard.hide, now) if path in others else ""
        files.append(_written(_keep(root, path, document, project, now), previous))
    return tuple(files)


def _is_there(root: Root, path: str) -> bool:
    return os.path.lexists(root.store.place(path))


def _note(
    root: Root, files: Sequence[Filed], wanted: Sequence[str], errors: Mapping[str, str], now: datetime
) -> None:
    """The machine's own list of its scans; what earlier scans of other scanners said stays."""
    held = scans.read_facts(root.store, scans.machine_path(root.store, INDEX))
    results = held.get("results") if isinstance(held.get("results"), dict) else {}
    at = write_time(now)
    results = dict(results or {}) | {
        one.kind: {"path": one.path, "facts": one.facts, "changed": len(one.changes), "scanned_at": at}
        for one in files
    }
    summary = {"version": 1, "scanned_at": at, "scanners": list(wanted), "results": results}
    scans.note_scan(root.store, summary | {"errors": dict(errors)})


def _written(filed: Filed, previous: str = "") -> Filed:
    return replace(filed, written=True, previous=previous)
