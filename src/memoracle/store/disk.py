"""`DiskVolume`: the files of a root as files of a folder. The one place where paths of a root are made and opened."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from operator import attrgetter
from typing import IO

from memoracle.errors import OutsideRoot, UnreadableFile
from memoracle.model.ids import file_digest
from memoracle.store import durable, sealed
from memoracle.store.volume import NO_LOOKS, Codec, Extent, Folder, Stat

# No path leaves the root, and no link is followed out of it.


def inside(root: str, relative: str, *, is_followed: bool = True) -> str:
    """The absolute path of a relative one, when every step of it stays inside the root.

    The last step need not be looked at by who opens it without following it.
    """
    if not relative or relative.startswith("/") or "\0" in relative:
        raise OutsideRoot(relative, "it is not relative to the root")
    path = root
    steps = relative.split("/")
    if not {"", ".", ".."}.isdisjoint(steps):
        raise OutsideRoot(relative, "it walks upwards or nowhere")
    for step in steps if is_followed else steps[:-1]:
        path = f"{path}/{step}"
        try:
            mode = os.lstat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        if stat.S_ISLNK(mode):
            raise OutsideRoot(relative, f"`{step}` is a link")
    return f"{root}/{relative}"


def not_walked(root: str) -> Iterator[tuple[str, str]]:
    """What `walk` passes over below a folder: links, and folders that cannot be listed."""
    unlisted: list[OSError] = []
    for where, folders, names in os.walk(root, onerror=unlisted.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in (*folders, *sorted(names)):
            if not name.startswith(".") and os.path.islink(os.path.join(where, name)):
                yield (
                    os.path.relpath(os.path.join(where, name), root),
                    "it is a link, and links are not followed",
                )
    for problem in unlisted:
        place = os.path.relpath(str(problem.filename), root)
        yield place, f"the folder cannot be listed: {problem.strerror}"


def walk(root: str, folder: str, suffixes: tuple[str, ...], *, hidden: bool = False) -> Iterator[str]:
    """The plain files below a folder, as sorted relative paths; links are passed over, and hidden names."""
    top = os.path.join(root, folder) if folder else root
    try:
        entries = sorted(os.scandir(top), key=attrgetter("name"))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    for entry in entries:
        if entry.name.startswith(".") and not hidden:
            continue
        relative = f"{folder}/{entry.name}" if folder else entry.name
        if entry.is_dir(follow_symlinks=False):
            yield from walk(root, relative, suffixes, hidden=hidden)
        elif entry.is_file(follow_symlinks=False) and entry.name.endswith(suffixes):
            yield relative


class DiskVolume:
    """The files of one root below a folder. Keeps the promises of `volume.Volume`."""

    def __init__(self, root: str, *, is_raw: bool = False) -> None:
        self.root = root
        self._is_raw = is_raw
        self._is_clear = False

    def path(self, name: str) -> str:
        """Where a file stands, for what only a path can serve (git, SQLite, another program); its way holds no link."""
        return inside(self.root, name)

    def read(self, name: str, start: int = 0, *, most: int = -1) -> bytes:
        """See `Volume.read`."""
        path = self._way(name)
        try:
            raw = durable.read_raw(path, start, most=most)
        except OutsideRoot as problem:
            raise _renamed(name, path, problem) from problem
        return self._words(path, raw, is_whole=not start) if raw else raw

    def pieces(self, name: str, start: int = 0) -> Iterator[bytes]:
        """See `Volume.pieces`. Words of a sealed root come in one piece: its lines are opened together."""
        if self._codec() is not None:
            yield self.read(name, start)
            return
        with self.opened(name) as file:
            if file is None:
                return
            file.seek(start)
            while piece := file.read(durable.PIECE):
                yield self._words(self._way(name), piece + file.readline(), is_whole=not start)

    def opened(self, name: str) -> AbstractContextManager[IO[bytes] | None]:
        """See `Volume.opened`."""
        return durable.plain_file(self._way(name))

    def stat(self, name: str) -> Stat | None:
        """See `Volume.stat`."""
        path = self._way(name)
        try:
            return _stat_of(os.lstat(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as problem:
            raise UnreadableFile(path, os.strerror(problem.errno or 0)) from problem

    def looks(self, name: str) -> tuple[int, int, int]:
        """See `Volume.looks`."""
        try:
            found = os.lstat(f"{self.root}/{name}")
        except OSError:
            return NO_LOOKS
        return (found.st_ino, found.st_size, found.st_mtime_ns)

    def has(self, name: str) -> bool:
        """See `Volume.has`."""
        return os.path.lexists(inside(self.root, name))

    def list(self, folder: str, *, trusted: bool = False) -> Folder:
        """See `Volume.list`."""
        try:
            if folder and not trusted:
                inside(self.root, folder)
            with os.scandir(f"{self.root}/{folder}") as entries:
                found = sorted(entries, key=attrgetter("name"))
        except (OutsideRoot, FileNotFoundError, NotADirectoryError, PermissionError):
            return Folder()
        return Folder(
            files=[_Entry(one) for one in found if one.is_file(follow_symlinks=False)],
            folders=[one.name for one in found if one.is_dir(follow_symlinks=False)],
        )

    def walk(self, folder: str, endings: tuple[str, ...], *, hidden: bool = False) -> Iterator[str]:
        """See `Volume.walk`."""
        return walk(self.root, folder, endings, hidden=hidden)

    def strange(self) -> Iterator[str]:
        """See `Volume.strange`."""
        for folder, folders, names in os.walk(self.root):
            for name in sorted(folders + names):
                path = os.path.join(folder, name)
                with suppress(FileNotFoundError):  # a writer's draft is gone by now
                    mode = os.lstat(path).st_mode
                    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                        yield os.path.relpath(path, self.root)
            folders[:] = [f for f in folders if not os.path.islink(os.path.join(folder, f)) and f != ".git"]

    def make_folder(self, folder: str) -> bool:
        """See `Volume.make_folder`."""
        path = inside(self.root, folder)
        if os.path.isdir(path):
            return False
        durable.make_folder(path)
        return True

    def append(
        self, lines: Mapping[str, bytes], *, loose: str = "", posted: bool = False
    ) -> dict[str, Extent]:
        """See `Volume.append`."""
        ways = {self._way(name): name for name in lines}
        batches = {path: self._sealed(path, lines[name], posted=posted) for path, name in ways.items()}
        put = durable.append_all(batches, loose=self._way(loose) if loose else "")
        return {ways[path]: extent for path, extent in put.items()}

    def replace(
        self, name: str, content: bytes, *, expected: str | None = None, private: bool = False
    ) -> None:
        """See `Volume.replace`."""
        path = self._way(name)
        try:
            durable.put_raw(
                path,
                self._sealed(path, content),
                expected=expected,
                found=lambda: file_digest(self.read(name)),
                private=private,
            )
        except OutsideRoot as problem:
            raise _renamed(name, path, problem) from problem

    def create(self, name: str, content: bytes) -> bool:
        """See `Volume.create`."""
        path = self._way(name)
        return durable.put_new(path, self._sealed(path, content))

    def overwrite(self, name: str, content: bytes) -> None:
        """See `Volume.overwrite`."""
        path = self._way(name)
        durable.overwrite(path, self._sealed(path, content))

    def remove(self, name: str) -> None:
        """See `Volume.remove`."""
        durable.remove(inside(self.root, name))

    def locked(self, name: str, *, timeout: float) -> AbstractContextManager[None]:
        """See `Volume.locked`."""
        return durable.locked(self._way(name), timeout=timeout)

    def is_locked(self, name: str) -> bool:
        """See `Volume.is_locked`."""
        return durable.is_locked(self._way(name))

    def is_sealed(self) -> bool:
        """See `Volume.is_sealed`."""
        return self._codec() is not None

    @property
    def raw(self) -> DiskVolume:
        """See `Volume.raw`."""
        return self if self._is_raw else DiskVolume(self.root, is_raw=True)

    def _way(self, name: str) -> str:
        """The path of a name whose folders are no links; the file itself is only opened when it is none either."""
        return inside(self.root, name, is_followed=False)

    def _codec(self) -> Codec | None:
        """What seals this root at this moment: a process that lives long follows when a root is sealed or opened."""
        if self._is_raw or not (os.access(f"{self.root}/{sealed.PUBLIC}", os.F_OK) or self._was_sealed()):
            return None
        self._is_clear = False
        return sealed.vault_at(self.root)

    def _was_sealed(self) -> bool:
        """True when this machine knows of a seal that the root itself says nothing of; looked up once."""
        if not self._is_clear:
            self._is_clear = not any(os.access(f"{self.root}/{pin}", os.F_OK) for pin in sealed.PINS)
        return not self._is_clear

    def _sealed(self, path: str, content: bytes, *, posted: bool = False) -> bytes:
        if (codec := self._codec()) is None:
            return content
        return codec.post(path, content) if posted else codec.shut(path, content)

    def _words(self, path: str, raw: bytes, *, is_whole: bool) -> bytes:
        if self._is_raw:
            return raw
        if codec := self._codec():
            return codec.opened(path, raw, is_whole=is_whole)
        if raw.startswith(sealed.SIGNS):
            return sealed.opened(path, raw, is_whole=is_whole)  # which says what is missing
        return raw


class _Entry:
    """A plain file of a listing; what the file system says of it is asked for when it is wanted."""

    __slots__ = ("_entry", "name")

    def __init__(self, entry: os.DirEntry[str]) -> None:
        self._entry = entry
        self.name = entry.name

    def stat(self) -> Stat | None:
        try:
            return _stat_of(self._entry.stat(follow_symlinks=False))
        except (FileNotFoundError, NotADirectoryError):
            return None


def _stat_of(found: os.stat_result) -> Stat:
    return Stat(
        inode=found.st_ino,
        size=found.st_size,
        modified=found.st_mtime_ns,
        changed=found.st_ctime_ns,
        device=found.st_dev,
        is_plain=stat.S_ISREG(found.st_mode),
        is_writable=bool(found.st_mode & 0o222),
    )


def _renamed(name: str, path: str, problem: OutsideRoot) -> OutsideRoot:
    """The same refusal in the words of a root: which step of the name is a link."""
    return OutsideRoot(name, f"`{name.rpartition('/')[2]}` is a link") if os.path.islink(path) else problem
