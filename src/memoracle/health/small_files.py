"""The small files of a root: lists, registries, notes that a machine keeps for itself. Each is read back whole.

A file that cannot be read is never taken for an empty one in silence: it is told here, whatever the verbs that use it
make of it. What can be lost without losing anything (it is counted or written anew) is told as a warning.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator

from memoracle.errors import MemoracleError
from memoracle.model.report import Finding, Severity
from memoracle.store import durable, usage
from memoracle.store.journal import Damage
from memoracle.store.packed import content_of
from memoracle.store.store import Store
from memoracle.store.vocabulary import VOCABULARY

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
    "ledger.json", "consolidation.json", "sealed.json", "rankings.json",
}  # fmt: skip
_MEND = "`memoracle repair` sets what cannot be read aside, and keeps it"


def small_files(store: Store) -> Iterator[Finding]:
    """What is wrong with any of them."""
    yield from _travelling(store)
    yield from _receipts(store)
    for path in own_files(store):
        name = path.rpartition("/")[2]
        for piece in damage_in(store, path):
            is_lost = name not in _MADE_AGAIN
            yield Finding(
                code="damaged-state",
                severity=Severity.ERROR if is_lost else Severity.WARNING,
                path=path,
                line=piece.line if path.endswith(_LINES) else None,
                message=piece.says + ("" if is_lost else "; it is made again, and nothing is lost by it"),
                hint=_MEND,
            )


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
        content = durable.read(store.place(path))
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
    from memoracle.store import quarantine

    damage = damage_in(store, path)
    place = store.place(path)
    quarantine.set_aside(
        store.volume, store.state_name("quarantine.jsonl"), [one for one in damage if one.raw], store.now()
    )
    if not path.endswith(_LINES):
        durable.remove(place)
        return
    gone = {one.line for one in damage}
    rows = durable.read(place).split(b"\n")
    durable.replace(place, b"\n".join(row for number, row in enumerate(rows, start=1) if number not in gone))


def _travelling(store: Store) -> Iterator[Finding]:
    """Files beside the notes and records that verbs read whole."""
    for path in [store.layout[name] for name in _TRAVELLING if name in store.layout]:
        if "{" not in path and store.has_file_safely(path):
            try:
                content = durable.read(store.place(path))
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
            content = durable.read(store.place(VOCABULARY))
            tomllib.loads(content.decode("utf-8"))
            if not content.strip():
                yield _unreadable(VOCABULARY, "it was emptied")
        except (ValueError, RecursionError, MemoracleError) as problem:
            yield _unreadable(VOCABULARY, f"it is not TOML: {problem}")


def _receipts(store: Store) -> Iterator[Finding]:
    for path in store.volume.walk(os.path.dirname(store.layout["usage"]), usage.ENDINGS):
        try:
            rows = content_of(store.volume, path).split(b"\n")
        except MemoracleError:
            continue  # it is in the manifest, and told there
        if bad := sum(bool(row.strip()) and not _is_json(row) for row in rows):
            says = f"{bad} receipts cannot be read; that costs a little activation, and no knowledge"
            yield Finding(code="damaged-receipts", severity=Severity.WARNING, path=path, message=says)


def _unreadable(path: str, says: str) -> Finding:
    hint = "mend it, or bring it back from a copy"
    return Finding(code="unreadable-file", severity=Severity.ERROR, path=path, message=says[:200], hint=hint)


def _is_json(raw: bytes) -> bool:
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return True
