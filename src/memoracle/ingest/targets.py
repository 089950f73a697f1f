"""What `ingest` is pointed at: a host by name, a folder, or one file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from memoracle.errors import BadInput
from memoracle.ingest.hosts import Host, discover
from memoracle.ingest.sources import Source, recognise
from memoracle.model.report import Finding

_ENDINGS = (".jsonl", ".json", ".md", ".markdown", ".txt", ".sqlite", ".gz", ".zst")


def sources_at(
    target: str, *, home: Path, environment: Mapping[str, str]
) -> tuple[list[Source], list[Finding]]:
    """The conversations at a target, and what there was not recognised."""
    if target in set(Host):
        found = discover(Host(target), home, environment)
        return [listing.source for listing in found.listings], list(found.findings)
    path = Path(target).expanduser()
    if not path.exists():
        raise BadInput(
            f"there is nothing at {target}", f"give a file, a folder, or a host: {', '.join(sorted(Host))}"
        )
    files = _files_below(path) if path.is_dir() else [path]
    sources: list[Source] = []
    findings: list[Finding] = []
    for file in files:
        known = recognise(Path(os.path.realpath(file)))
        if isinstance(known, Source):
            sources.append(known)
        else:
            findings.append(known)
    return sources, findings


def _files_below(folder: Path) -> list[Path]:
    found: list[Path] = []
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [Path(where) / n for n in sorted(names) if n.lower().endswith(_ENDINGS) and n[0] != "."]
    return found
