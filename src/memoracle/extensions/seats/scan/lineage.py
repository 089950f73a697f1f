"""Whether a commit is part of a repository's history, read from its own files. git is never called.

Loose commits are followed from HEAD; where history goes on in a pack, the answer is `unknown` rather than a guess.
"""

from __future__ import annotations

import os
import re
import zlib

IN, DIVERGENT, UNKNOWN = "in-lineage", "divergent", "unknown"
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_MOST = 20_000
_LARGEST = 1 << 20


def lineage_of(repository: str, commit: str) -> str:
    """`in-lineage` when HEAD contains it, `divergent` when all of HEAD's history was read and does not."""
    wanted = commit.strip().lower()
    folder = os.path.join(repository, ".git")
    if not _COMMIT.fullmatch(wanted) or not os.path.isdir(folder):
        return UNKNOWN
    head = _tip(folder)
    if not head:
        return UNKNOWN
    waiting, met, is_whole = [head], {head}, True
    while waiting and len(met) < _MOST:
        one = waiting.pop()
        if one.startswith(wanted):
            return IN
        parents = _parents(folder, one)
        if parents is None:
            is_whole = False
            continue
        fresh = [parent for parent in parents if parent not in met]
        met.update(fresh)
        waiting += fresh
    return DIVERGENT if is_whole and not waiting else UNKNOWN


def _tip(folder: str) -> str:
    said = _read(os.path.join(folder, "HEAD"))
    if not said.startswith("ref: "):
        return said if _COMMIT.fullmatch(said) else ""
    name = said.removeprefix("ref: ").strip()
    if ".." in name or name.startswith("/"):
        return ""
    loose = _read(os.path.join(folder, name))
    if _COMMIT.fullmatch(loose):
        return loose
    rows = (line.split(" ") for line in _read(os.path.join(folder, "packed-refs")).splitlines())
    return next((row[0] for row in rows if len(row) == 2 and row[1] == name), "")


def _parents(folder: str, commit: str) -> list[str] | None:
    """The parents of a loose commit; None when it lies in a pack."""
    try:
        with open(os.path.join(folder, "objects", commit[:2], commit[2:]), "rb") as file:
            content = zlib.decompressobj().decompress(file.read(_LARGEST), _LARGEST)
    except (OSError, zlib.error):
        return None
    head = content.partition(b"\0")[2].partition(b"\n\n")[0].decode("ascii", "replace")
    return [line[7:] for line in head.split("\n") if line.startswith("parent ")]


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST).strip()
    except OSError:
        return ""
