"""What was put into a host's files, written down before it is done: `--uninstall` undoes exactly that.

One file per host in the person's state folder. It holds our own edits and digests, never a file of the host's.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any

from memoracle.interfaces.install.change import remove_file, write_file
from memoracle.interfaces.install.wants import Item, Member, Section, Table, Want, Whole
from memoracle.model.value import value

_KINDS: Mapping[str, type] = dict(member=Member, item=Item, table=Table, section=Section, whole=Whole)  # noqa: C408
_VERSION = 1


@value
class Trace:
    """What we did to one file: its digests before and after, where the copy is, and which containers we made."""

    path: str
    created: bool
    before: str
    """Empty when the file was not there, or when the way back byte for byte is gone."""
    after: str
    backup: str
    wants: tuple[Want, ...]
    made: tuple[tuple[str, ...], ...] = ()
    folders: tuple[str, ...] = ()
    """Folders that were not there before, the outermost first."""


def digest(text: str) -> str:
    """A name for exactly this text."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def manifest_path(folder: str, host: str) -> str:
    """Where it is kept."""
    return os.path.join(folder, "installed", f"{host}.json")


def read_manifest(folder: str, host: str) -> dict[str, Trace]:
    """What was done to a host's files, by path; nothing when that is not known."""
    try:
        with open(manifest_path(folder, host), encoding="utf-8") as file:
            document = json.load(file)
        return {one["path"]: _trace(one) for one in document["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def write_manifest(folder: str, host: str, traces: Mapping[str, Trace]) -> None:
    """Write it down, or take it away when there is nothing left to undo."""
    path = manifest_path(folder, host)
    if not traces:
        remove_file(path)
        return
    document = {"version": _VERSION, "host": host, "files": [_plain(trace) for trace in traces.values()]}
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    write_file(path, json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def _plain(trace: Trace) -> dict[str, Any]:
    return {
        "path": trace.path,
        "created": trace.created,
        "before": trace.before,
        "after": trace.after,
        "backup": trace.backup,
        "wants": [_plain_want(want) for want in trace.wants],
        "made": [list(path) for path in trace.made],
        "folders": list(trace.folders),
    }


def _plain_want(want: Want) -> dict[str, Any]:
    kind = next(name for name, known in _KINDS.items() if isinstance(want, known))
    if isinstance(want, Section | Whole):
        return {"kind": kind, "text": want.text}
    return {"kind": kind, "path": list(want.path), "value": want.value}


def _trace(one: dict[str, Any]) -> Trace:
    wants = tuple(_want(dict(want)) for want in one["wants"])
    made = tuple(tuple(path) for path in one["made"])
    kept = {key: one[key] for key in ("path", "created", "before", "after", "backup")}
    return Trace(**kept, wants=wants, made=made, folders=tuple(one["folders"]))


def _want(given: dict[str, Any]) -> Want:
    kind = _KINDS[given.pop("kind")]
    if "path" in given:
        given["path"] = tuple(given["path"])
    made: Want = kind(**given)
    return made
