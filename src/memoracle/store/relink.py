"""Links between notes that go on working when a note moves.

Only relative Markdown links are looked at: `[words](../daily/2026-05-15.md)`. A `[[name]]` names a note wherever it
stands. Everything else in a note stays as it is.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable

from memoracle.errors import ChangedUnderneath, OutsideRoot, Refused, StoreProblem
from memoracle.model.report import Finding, Severity
from memoracle.store.packed import read_text, write_text
from memoracle.store.volume import Volume

_LINK = re.compile(r"\]\(([^()\s#:]{1,1000})(#[^()\s]{0,1000})?\)")
_TRIES = 3


def followed(text: str, *, source: str, target: str, exists: Callable[[str], bool]) -> str:
    """The text of a note that moves, with its links to what exists leading where they led before."""
    if _folder(source) == _folder(target):
        return text

    def move(path: str) -> str | None:
        return posixpath.relpath(path, _folder(target)) if exists(path) else None

    return _changed(text, move, _folder(source))


def pointing_at(text: str, *, at: str, source: str, target: str) -> str:
    """The text of a note at one place, with its links to a note that moved leading to the new place."""

    def move(path: str) -> str | None:
        return posixpath.relpath(target, _folder(at)) if path == source else None

    return _changed(text, move, _folder(at))


def relink(volume: Volume, notes: Iterable[str], *, source: str, target: str) -> list[Finding]:
    """Let these notes point at the new place of a note that moved; what could not be changed is told."""
    name = posixpath.basename(source)
    return [finding for at in notes if (finding := _relink(volume, at, name, source, target))]


def _relink(volume: Volume, at: str, name: str, source: str, target: str) -> Finding | None:
    why = "it changes faster than it can be read"
    for _ in range(_TRIES):
        try:
            text, digest = read_text(volume, at)
            if name not in text:
                return None
            changed = pointing_at(text, at=at, source=source, target=target)
            if changed != text:
                write_text(volume, at, changed, expected=digest)
        except ChangedUnderneath:
            continue
        except (StoreProblem, OutsideRoot, Refused) as problem:
            why = str(problem)
            break
        return None
    return Finding(
        code="stale-link",
        severity=Severity.WARNING,
        path=at,
        message=f"its link to {source} should lead to {target}: {why}",
    )


def _changed(text: str, new: Callable[[str], str | None], folder: str) -> str:
    def replaced(link: re.Match[str]) -> str:
        if link[1].startswith("/"):
            return link[0]
        path = posixpath.normpath(posixpath.join(folder, link[1]))
        leads = None if path.startswith("..") else new(path)
        return link[0] if leads is None else f"]({leads}{link[2] or ''})"

    return _LINK.sub(replaced, text)


def _folder(path: str) -> str:
    return posixpath.dirname(path)
