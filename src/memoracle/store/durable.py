"""Putting bytes on disk so that they stay there.

Every write happens under one lock per root. An append is acknowledged only after fsync; a whole
file is replaced through a temporary neighbour and a rename. On any failure the file is put back
to its old length, nothing is acknowledged, and the same handle is never synced twice: after a
failed fsync a second one may lie. Only plain files are opened: a link is refused, and so is a
pipe or a device, which could make a reader wait for ever. Bytes are taken and given as they
stand; `disk.py` seals and opens what is encrypted at rest.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO

from memoracle.errors import (
    ChangedUnderneath,
    OutsideRoot,
    ReadOnlyRoot,
    RootLocked,
    UnreadableFile,
    WriteFailed,
)
from memoracle.lock import release, wait_for_lock
from memoracle.model.ids import file_digest
from memoracle.store.volume import TEMPORARY, Extent

FILE_MODE = 0o600
FOLDER_MODE = 0o700
_NO_LINK = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_LAST = 96
PIECE = 8 * 1024 * 1024


@contextmanager
def locked(path: str, *, timeout: float) -> Iterator[None]:
    """Hold the lock file at `path`; the kernel frees it when its holder dies, however it dies."""
    try:
        handle = _made(path, os.O_RDWR)
    except OSError as problem:
        raise _failure(path, problem) from problem
    try:
        try:
            mine = wait_for_lock(handle, timeout)
        except OSError as problem:
            raise _failure(path, problem) from problem
        if not mine:
            holder = os.pread(handle, 80, 0).decode("utf-8", "replace").strip()
            raise RootLocked(path, holder=f"process {holder or 'unknown'}", waited=timeout)
        with suppress(OSError):  # the name of the holder is a courtesy
            name = f"{os.getpid()} {os.uname().nodename}\n".encode().ljust(80)[:80]
            if os.pread(handle, 80, 0) != name:
                os.pwrite(handle, name, 0)
        yield
    finally:
        release(handle)
        os.close(handle)


def is_locked(path: str) -> bool:
    """True when somebody is writing at this moment."""
    try:
        handle = open_plain(path, os.O_RDONLY)
    except (OSError, OutsideRoot):
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def open_plain(path: str, flags: int, *, create: bool = False) -> int:
    """A handle to a plain file; raises OSError or `OutsideRoot`. A new one is its owner's alone, whatever the umask."""
    while True:
        try:
            handle, is_new = os.open(path, flags | _NO_LINK), False
        except FileNotFoundError:
            if not create:
                raise
            try:
                handle, is_new = os.open(path, flags | _NO_LINK | os.O_CREAT | os.O_EXCL, FILE_MODE), True
            except FileExistsError:
                continue  # somebody else made it first
        try:
            if is_new:
                os.fchmod(handle, FILE_MODE)
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise OutsideRoot(path, "it is not a plain file")  # noqa: TRY301
        except BaseException:
            os.close(handle)
            raise
        return handle


def _made(path: str, flags: int) -> int:
    """The same; the file is made where it is not there, and so is its folder."""
    try:
        return open_plain(path, flags, create=True)
    except FileNotFoundError:
        make_folder(os.path.dirname(path))
        return open_plain(path, flags, create=True)


def append_all(batches: Mapping[str, bytes], *, loose: str = "") -> dict[str, Extent]:
    """Add whole lines to several files, all or none. The file named `loose` is not synced.

    They are written in the order given: one that is loose comes first, and what it says can be told again.
    A torn tail left by a crash is fenced off with a newline, so it can never swallow a new line.
    Where the lines stand is returned for each file.
    """
    opened: list[tuple[str, int, int]] = []
    places: dict[str, Extent] = {}
    path = ""
    try:
        for path in batches:
            handle = _made(path, os.O_RDWR | os.O_APPEND)
            before = os.fstat(handle).st_size
            opened.append((path, handle, before))
            if before == 0 and path != loose:
                # The name of a file without content is made durable: once it has content, it needs no more care.
                # That of its folder too: whoever made it may have been killed before it was synced.
                sync_folder(os.path.dirname(path))
                sync_folder(os.path.dirname(os.path.dirname(path)))
        for path, handle, before in opened:
            fence = b"\n" if before and os.pread(handle, 1, before - 1) != b"\n" else b""
            write_all(handle, fence + batches[path])
            begin = before + len(fence)
            places[path] = Extent(begin=begin, end=begin + len(batches[path]), last=batches[path][-_LAST:])
        for path, handle, _ in opened:
            if path != loose:
                os.fsync(handle)
    except BaseException as problem:  # a key press as well: what is not acknowledged is taken back
        for _, handle, before in opened:
            with suppress(OSError):
                os.ftruncate(handle, before)
        if isinstance(problem, OSError):
            raise _failure(path, problem) from problem
        raise
    finally:
        for _, handle, _ in opened:
            os.close(handle)
    return places


def put_raw(
    path: str,
    content: bytes,
    *,
    expected: str | None = None,
    found: Callable[[], str] | None = None,
    private: bool = False,
) -> None:
    """Put a whole new content in place of a file, or leave the old one untouched.

    `expected` is the digest of what the caller read; when the file has moved on, it is left as it is and the caller
    is told. `found` gives the digest of what stands there, where that is not the digest of its bytes.
    """
    with _draft(path, content, private=private) as temporary:
        if expected is not None:
            present = found() if found else file_digest(read_raw(path))
            if present != expected:
                raise ChangedUnderneath(path, expected=expected, found=present)
        # The rename is the commit point: before it readers see the old file, after it the new one.
        os.rename(temporary, path)
        sync_folder(os.path.dirname(path))


def put_new(path: str, content: bytes) -> bool:
    """Put bytes where no file stands; False where one does. Whoever comes first wins, and nobody sees half of it."""
    with _draft(path, content) as temporary:
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
        except OSError:  # a file system without hard links
            if os.path.lexists(path):
                return False
            os.rename(temporary, path)
        sync_folder(os.path.dirname(path))
    return True


@contextmanager
def _draft(path: str, content: bytes, *, private: bool = False) -> Iterator[str]:
    """The content in a temporary neighbour, synced; it is gone afterwards, whatever happens."""
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}-{os.urandom(4).hex()}{TEMPORARY}")
    # Made anew under a name of its own, so that nothing planted there is ever written to.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK
    try:
        try:
            handle = os.open(temporary, flags, FILE_MODE)
        except FileNotFoundError:
            make_folder(folder)
            handle = os.open(temporary, flags, FILE_MODE)
    except OSError as problem:
        raise _failure(path, problem) from problem
    try:
        try:
            mode = FILE_MODE
            with suppress(FileNotFoundError):
                held = os.lstat(path).st_mode
                if stat.S_ISLNK(held):
                    raise OutsideRoot(path, "it is a link")
                mode = FILE_MODE if private else stat.S_IMODE(held)
            os.fchmod(handle, mode)
            write_all(handle, content)
            os.fsync(handle)
        finally:
            os.close(handle)
        yield temporary
    except OSError as problem:
        raise _failure(path, problem) from problem
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def overwrite(path: str, content: bytes) -> None:
    """Write over a small file in place, and do not sync it."""
    try:
        handle = _made(path, os.O_RDWR)
        try:
            os.pwrite(handle, content, 0)
            if os.fstat(handle).st_size != len(content):
                os.ftruncate(handle, len(content))
        finally:
            os.close(handle)
    except OSError as problem:
        raise _failure(path, problem) from problem


def remove(path: str) -> None:
    """Take a file away, durably; a file that is not there is fine."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as problem:
        raise _failure(path, problem) from problem
    sync_folder(os.path.dirname(path))


def make_folder(path: str) -> None:
    """Make a folder and its parents, each name durable."""
    if os.path.isdir(path):
        return
    parent = os.path.dirname(path)
    if parent != path:
        make_folder(parent)
    try:
        os.mkdir(path, FOLDER_MODE)
        os.chmod(path, FOLDER_MODE)  # whatever the umask
        sync_folder(parent)
    except FileExistsError:
        if not os.path.isdir(path):
            raise OutsideRoot(path, "a file stands where a folder belongs") from None
    except OSError as problem:
        raise _failure(path, problem) from problem


def read_raw(path: str, start: int = 0, *, most: int = -1) -> bytes:
    """The bytes of a file as they stand, sealed or not, `most` of them if named. Links and devices are not opened."""
    with plain_file(path) as file:
        if file is None:
            return b""
        if start:
            file.seek(start)
        return file.read(most)


@contextmanager
def plain_file(path: str) -> Iterator[IO[bytes] | None]:
    """A plain file, open for reading while it is worked with; None for an absent one."""
    try:
        handle = open_plain(path, os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        yield None
        return
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            raise OutsideRoot(path, "it is a link") from problem
        raise UnreadableFile(path, os.strerror(problem.errno or 0)) from problem
    with os.fdopen(handle, "rb") as file:
        try:
            yield file
        except OSError as problem:
            raise UnreadableFile(path, os.strerror(problem.errno or 0)) from problem


def write_all(handle: int, content: bytes) -> None:
    """Write until every byte is out: near a full disk one call may take only some."""
    rest = memoryview(content)
    while rest:
        written = os.write(handle, rest)
        if written == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        rest = rest[written:]


def sync_folder(path: str) -> None:
    """Make the names in a folder durable."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as problem:
        raise _failure(path, problem) from problem


def _failure(path: str, problem: OSError) -> WriteFailed | OutsideRoot:
    because = os.strerror(problem.errno) if problem.errno else str(problem)
    if problem.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return ReadOnlyRoot(path, because)
    if problem.errno == errno.ELOOP:
        return OutsideRoot(path, "it is a link")
    if problem.errno == errno.ENXIO:
        return OutsideRoot(path, "it is not a plain file")
    return WriteFailed(path, because)
