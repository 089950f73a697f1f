"""What `ingest` is pointed at: a host by name, a folder, or one file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from memoracle.errors import BadInput, UnreadableSource
from memoracle.ingest.hosts import Host, discover
from memoracle.ingest.sources import Source, recognise
from memoracle.ingest.strangers import READ_HERE
from memoracle.model.report import Finding, Severity

_ENDINGS = (".jsonl", ".json", ".md", ".markdown", ".txt", ".sqlite", ".gz", ".zst")


def sources_at(
    target: str, *, home: Path, environment: Mapping[str, str]
) -> tuple[list[Source], list[Finding]]:
    """The conversations at a target, and what there was not recognised; raises where there is none at all."""
    if target in set(Host):
        found = discover(Host(target), home, environment)
        if not found.listings:
            raise UnreadableSource(f"{target} keeps no conversations on this machine")
        return [listing.source for listing in found.listings], list(found.findings)
    path = Path(target).expanduser()
    if not path.exists():
        raise BadInput(
            f"there is nothing at {target}", f"give a file, a folder, or a host: {', '.join(sorted(Host))}"
        )
    findings: list[Finding] = []
    files = _files_below(path, findings) if path.is_dir() else [path]
    sources: list[Source] = []
    for file in files:
        known = recognise(Path(os.path.realpath(file)))
        if isinstance(known, Source):
            sources.append(known)
        else:
            findings.append(known)
    if not sources:
        raise _nothing_at(path, files, findings)
    return sources, findings


def _nothing_at(path: Path, files: list[Path], findings: list[Finding]) -> UnreadableSource:
    hint = f"what can be read: {READ_HERE}"
    if not path.is_dir():
        return UnreadableSource(f"nothing can be read in {path}: {findings[0].message}", hint)
    if not files:
        return UnreadableSource(f"there is nothing to read in {path}", hint)
    told = sorted({f"{os.path.basename(one.path)}: {one.message}" for one in findings if one.path})
    more = f" (and {len(told) - 3} more)" if len(told) > 3 else ""
    return UnreadableSource(
        f"none of {len(files)} files in {path} is a conversation: {'; '.join(told[:3])}{more}", hint
    )


def _files_below(folder: Path, findings: list[Finding]) -> list[Path]:
    def unlisted(problem: OSError) -> None:
        findings.append(
            Finding(
                code="unreadable-folder",
                severity=Severity.WARNING,
                path=str(problem.filename),
                message=f"could not be listed: {problem.strerror}",
            )
        )

    found: list[Path] = []
    for where, folders, names in os.walk(folder, onerror=unlisted):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        places = (os.path.join(where, name) for name in folders)
        findings += [_link(place) for place in places if os.path.islink(place)]
        found += [Path(where) / n for n in sorted(names) if n.lower().endswith(_ENDINGS) and n[0] != "."]
    return found


def _link(path: str) -> Finding:
    return Finding(
        code="link-not-followed",
        severity=Severity.WARNING,
        path=path,
        message="it is a link to a folder, and was passed over",
        hint=f"name the folder itself: `memoracle ingest {os.path.realpath(path)}`",
    )
