"""Derived documents at the places of a layout: written when they change, withdrawn when they are empty of reason.

The caller holds the lock. `state/projected.json` knows what memory wrote. What somebody else wrote at such a place
is kept in the archive before it is replaced, and is never withdrawn; in an adopted directory it stands as it is until
the owner agrees that upkeep tends it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memoracle.errors import MemoracleError
from memoracle.model.ids import file_digest
from memoracle.model.report import Done, Finding, Severity, Step
from memoracle.store.volume import read_document, write_document

if TYPE_CHECKING:
    from memoracle.store.store import Store

_FILE = "projected.json"
_ORIGINALS = "originals"


def put_documents(store: Store, group: str, documents: Mapping[str, bytes], *, dry_run: bool = False) -> Done:
    """Make these the documents of a group, by relative path; those it had before and no longer has go."""
    book = _Book(store, group)
    steps: list[Step] = []
    findings: list[Finding] = []
    adopted = store.adopted()
    waits = adopted is not None and not adopted.may_tend(store.now())
    changed = {
        path: content
        for path, content in sorted(documents.items())
        if _differs(store, path, content) and not (waits and book.is_theirs(path))
    }
    if not dry_run:
        book.note(changed)
    for path, content in changed.items():
        try:
            if not dry_run:
                book.write(path, content)
            steps.append(Step(act="write", target=path, because="what it is derived from has changed"))
        except MemoracleError as problem:
            findings.append(_not_written(path, str(problem)))
    for path in sorted(book.paths() - documents.keys()):
        if not dry_run:
            book.withdraw(path)
        steps.append(Step(act="withdraw", target=path, because="nothing is left that it is derived from"))
    if not dry_run:
        book.close()
    return Done(steps=tuple(steps), findings=tuple(findings))


def projected_paths(store: Store) -> list[str]:
    """Every derived document that memory wrote."""
    held = read_document(store.volume, store.state_name(_FILE))
    return sorted(path for group in held.values() if isinstance(group, dict) for path in group)


class _Book:
    """What memory wrote for a group: the digests of what each document holds and of what is to replace it.

    Two, because a kill may come between noting a content and writing it.
    """

    def __init__(self, store: Store, group: str) -> None:
        self._store = store
        self._name = store.state_name(_FILE)
        self._all = read_document(store.volume, self._name)
        self._group = group
        held = self._all.get(group)
        self._held: dict[str, Sequence[str]] = dict(held) if isinstance(held, dict) else {}
        self._noted = dict(self._held)

    def paths(self) -> set[str]:
        return set(self._held)

    def note(self, documents: Mapping[str, bytes]) -> None:
        for path, content in documents.items():
            ours = [self._digest_at(path)] if self._is_ours(path) else []
            self._held[path] = [*ours, file_digest(content)]
        self.close()

    def write(self, path: str, content: bytes) -> None:
        present = self._store.volume.read(path)
        if present and not self._is_ours(path):
            from memoracle.store.archive import copy_to

            copy_to(self._store, path, f"{self._store.layout['archive']}/{_ORIGINALS}/{path}")
        self._store.volume.replace(path, content, expected=file_digest(present))

    def withdraw(self, path: str) -> None:
        if self._is_ours(path):
            self._store.volume.remove(path)
        del self._held[path]

    def is_theirs(self, path: str) -> bool:
        """True when somebody else wrote what stands there."""
        return self._store.volume.has(path) and not self._is_ours(path)

    def _is_ours(self, path: str) -> bool:
        return self._digest_at(path) in self._held.get(path, ())

    def _digest_at(self, path: str) -> str:
        try:
            return file_digest(self._store.volume.read(path))
        except MemoracleError:
            return ""

    def close(self) -> None:
        if self._held != self._noted:
            self._all[self._group] = dict(sorted(self._held.items()))
            write_document(self._store.volume, self._name, self._all)
            self._noted = dict(self._held)


def _differs(store: Store, path: str, content: bytes) -> bool:
    try:
        return store.volume.read(path) != content
    except MemoracleError:
        return True  # writing it says what is wrong


def _not_written(path: str, because: str) -> Finding:
    return Finding(
        code="not-projected",
        severity=Severity.WARNING,
        path=path,
        message=f"it could not be brought up to date: {because}",
    )
