"""Bringing the files of a root into the form that its rules ask for: sealed, opened, or under another key.

File by file: the new bytes are made, opened again and compared, written beside the old ones, synced, and renamed into
place. A kill leaves each file old or new, and both can be read; running it again does the rest. Nothing is decided
here but whether a file's bytes are what its words should be. The caller holds the root's lock.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from memoracle.errors import ChangedUnderneath, MemoracleError, UnreadableFile
from memoracle.extensions.encryption import vaults
from memoracle.extensions.encryption.seal import LINE, POSTED
from memoracle.lock import wait_for_lock
from memoracle.model.ids import file_digest
from memoracle.model.report import Finding, Severity
from memoracle.model.value import value
from memoracle.store import durable, sealed
from memoracle.store.sealed import FOLDER
from memoracle.store.volume import TEMPORARY

if TYPE_CHECKING:
    from memoracle.store.store import Store

_PASSES = 5
_PATIENCE = 2.0


@value
class Moved:
    """How many files were brought into form, of how many; what could not be is named with its reason."""

    files: int
    seen: int
    left: tuple[str, ...]


def waiting(root: str, *, index: str) -> list[str]:
    """The files whose bytes are not what they should be, by relative path."""
    found = []
    for relative in files_under(root, index):
        try:
            raw = durable.read_raw(f"{root}/{relative}")
            if _wanted(f"{root}/{relative}", raw) != raw:
                found.append(relative)
        except MemoracleError:
            found.append(relative)
    return found


def not_sealed(store: Store) -> list[Finding]:
    """What lies in clear in a root that should be sealed, or the other way round; nothing in others."""
    root, index = store.root, store.layout["index"]
    vault = vaults.vault_at(root)
    if vault is None or (vault.public.mode == sealed.OFF and not vault.public.moving):
        return []
    return [
        Finding(
            code="not-sealed",
            severity=Severity.WARNING if vault.public.mode == sealed.OFF else Severity.ERROR,
            path=path,
            message="its bytes are not as this root's encryption asks for: it may lie in clear",
            hint="`memoracle encrypt` goes on with what is left",
        )
        for path in waiting(root, index=index)
        if not (path.endswith(TEMPORARY) or _is_posted(f"{root}/{path}"))
    ]


def _is_posted(path: str) -> bool:
    """True when every line is sealed, if only by what was written while the root was locked: nothing lies in clear."""
    try:
        lines = durable.read_raw(path).split(b"\n")
    except MemoracleError:
        return False
    return all(line.startswith((LINE, POSTED)) for line in lines if line.strip())


def settle(root: str, *, index: str, watch: Callable[[str], None] = lambda _: None) -> Moved:
    """Bring every file into form; some are written while this runs, so it looks until nothing is left."""
    moved = 0
    left: dict[str, str] = {}
    seen: list[str] = []
    for _ in range(_PASSES):
        before = moved
        seen, left = list(files_under(root, index)), {}
        for relative in seen:
            watch(relative)
            try:
                moved += _bring(f"{root}/{relative}")
            except ChangedUnderneath:
                left[relative] = "it was being written"
            except MemoracleError as problem:
                left[relative] = str(problem)
        if moved == before:
            break
    _throw_away(root, index)
    return Moved(files=moved, seen=len(seen), left=tuple(f"{path}: {why}" for path, why in left.items()))


def files_under(root: str, index: str) -> Iterator[str]:
    """Every plain file of a root that may hold words, by relative path; links are passed over."""
    for folder, folders, names in os.walk(root):
        above = os.path.relpath(folder, root)
        inside = "" if above == "." else f"{above}/"
        folders[:] = sorted(f for f in folders if f"{inside}{f}" not in {FOLDER, ".git", index})
        for name in sorted(names):
            with suppress(FileNotFoundError):
                is_plain = stat.S_ISREG(os.lstat(os.path.join(folder, name)).st_mode)
                if is_plain and not name.endswith(".lock"):
                    yield f"{inside}{name}"


def _bring(path: str) -> bool:
    """Put one file into form; False when it was already."""
    if path.endswith(TEMPORARY):  # nobody writes while the lock is held: a killed write left it
        durable.remove(path)
        return True
    with _alone(path):
        raw = durable.read_raw(path)
        wanted = _wanted(path, raw)
        if wanted == raw:
            return False
        if sealed.opened(path, wanted, is_whole=False) != sealed.opened(path, raw, is_whole=False):
            raise UnreadableFile(
                path, "what was sealed does not open to the same words; it was left as it is"
            )
        durable.put_raw(path, wanted, expected=file_digest(raw))
    return True


def _wanted(path: str, raw: bytes) -> bytes:
    return sealed.shut(path, sealed.opened(path, raw, is_whole=False))


@contextmanager
def _alone(path: str) -> Iterator[None]:
    """Keep hooks from adding to a file that is replaced: they look at this lock, and at the name after it."""
    try:
        handle = durable.open_plain(path, os.O_RDONLY)
    except OSError as problem:
        raise UnreadableFile(path, os.strerror(problem.errno or 0)) from problem
    try:
        if not wait_for_lock(handle, _PATIENCE):
            raise ChangedUnderneath(path, expected="nobody", found="somebody")
        yield
    finally:
        os.close(handle)


def _throw_away(root: str, index: str) -> None:
    """The view on disk is derived; in a sealed root it lives in memory."""
    import shutil

    place = f"{root}/{index}"
    if sealed.place_of_view(root, place) != place and os.path.isdir(place) and not os.path.islink(place):
        shutil.rmtree(place, ignore_errors=True)
