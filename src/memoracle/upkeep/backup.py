"""Backups: everything that is truth of one memory in one plain tar file, and a memory made of one again.

What is derived (`index/`), what belongs to others (`.git/`, conversations that stand with their hosts) and what
names this machine (locks, the mark of `state/`) is left out. Files go in as they stand: what is sealed stays sealed.
A tar is not compressed, so that a damaged byte costs one file; the manifest that closes it has the size and the digest
of each. An archive appears under its name when it is whole, and a memory in its place when all of it was compared.

Whoever restores an archive believes it like their own memory: there is no telling who wrote it.
"""

from __future__ import annotations

import io
import json
import os
import re
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from hashlib import blake2b, sha256
from typing import IO, TYPE_CHECKING, Any

from memoracle.errors import BadInput, Conflict, NeedsConsent, OutsideRoot, UnreadableFile, WriteFailed
from memoracle.model.report import Finding, Report, Severity
from memoracle.model.value import replace, value
from memoracle.store import durable
from memoracle.store.layouts import layout_named
from memoracle.store.machine_state import (
    FAILING,
    MARK,
    TWIN,
    begin_anew,
    machine,
    note,
    take_over,
    word_noted,
)
from memoracle.store.run_log import ALERTS, critical_now
from memoracle.store.sealed import FOLDER as KEYS
from memoracle.store.sessions import SOURCES
from memoracle.store.sessions import TWIN as SOURCES_TWIN
from memoracle.store.volume import TEMPORARY, read_document
from memoracle.times import write_time

if TYPE_CHECKING:
    from memoracle.root import Root
    from memoracle.store.store import Store

VARIABLE = "MEMORACLE_BACKUP_TO"
_NOTED = "backup"
_MANIFEST = "MANIFEST.json"
_SCHEMA = 1
_LARGEST_MANIFEST = 256 << 20
_OF_THE_MACHINE = frozenset({MARK, TWIN, ALERTS, "writer.json", "sequence.json"})
"""The memory it is made of may live on: who writes in the restored one is another writer."""
_LISTS = frozenset({SOURCES, SOURCES_TWIN, "watched.json"})
"""What names files of the machine that wrote it; another machine does not look for them."""


@value
class _Backup:
    """An archive: where, how much is in it, and how many conversations stand elsewhere and are not."""

    path: str
    files: int
    bytes: int
    elsewhere: int = 0
    removed: tuple[str, ...] = ()


@value
class _Restored:
    """A memory that was made of an archive; `aside` is where what stood there before was put."""

    root: str
    files: int
    made: str
    aside: str = ""
    not_taken: tuple[str, ...] = ()


def backup(root: Root, place: str = "") -> _Backup:
    """Write one archive, into a folder or as a new file, and read it back. Nobody writes to the memory meanwhile."""
    store, now = root.store, root.clock()
    path = _target(store, place or daily_folder(store.root, root.environment), now)
    with store.writing():
        _sweep(store, os.path.dirname(path))
        written = _write(store, path, now)
        root.log("backup", about=[f"{written.files} files"])
    if not (report := verify(path)).ok:
        raise UnreadableFile(path, f"it was written and reads differently: {report.findings[0].message}")
    return written


def back_up_daily(root: Root) -> _Backup:
    """The day's archive, after which those beyond the newest few go; a folder that is gone is not made anew.

    While something is critical none goes: the older ones may be the whole ones.
    """
    folder = daily_folder(root.store.root, root.environment)
    if not os.path.isdir(folder):
        raise UnreadableFile(folder, "the folder of backups is not there; is its disk mounted?")
    done = backup(root, folder)
    old = [] if critical_now(root.store) else archives(root.store.root, folder)[: -root.settings.backup_keep]
    for path in old:
        durable.remove(path)
    return replace(done, removed=tuple(old))


def daily_folder(place: str, environment: Mapping[str, str]) -> str:
    """Where this machine puts a daily archive; empty when nobody said."""
    return environment.get(VARIABLE) or word_noted(place, _NOTED)


def set_daily(place: str, folder: str) -> None:
    """Have `tend` write an archive there every day, on this machine; an empty name ends it."""
    wanted = os.path.abspath(os.path.expanduser(folder)) if folder else ""
    note(place, _NOTED, wanted)
    if word_noted(place, _NOTED) != wanted:
        raise WriteFailed("this person's own state folder", f"name the folder in {VARIABLE}")


def archives(place: str, folder: str) -> list[str]:
    """The archives of this memory in a folder, the oldest first."""
    mine = re.compile(re.escape(_stem(place)) + r"-\d{8}-\d{6}\.tar")
    names = os.listdir(folder) if folder and os.path.isdir(folder) else []
    return [os.path.join(folder, name) for name in sorted(names) if mine.fullmatch(name)]


def verify(path: str) -> Report:
    """Read an archive to its end and compare every file with the manifest."""
    found: dict[str, list[Any]] = {}
    manifest: dict[str, Any] = {}
    findings: list[Finding] = []
    try:
        with _opened(path) as tar:
            for member, file in _members(tar):
                if member.name == _MANIFEST:
                    manifest = _manifest_in(file.read(_LARGEST_MANIFEST))
                else:
                    found[member.name] = _digest(file)
    except (tarfile.TarError, OSError, ValueError, EOFError) as problem:
        findings.append(_damage(path, f"it cannot be read on: {problem}"))
    listed = manifest.get("files", {})
    if not manifest and not findings:
        findings.append(_damage(path, "it has no manifest: it is no backup, or its end is missing"))
    for name, wanted in listed.items():
        if found.get(name) != wanted:
            findings.append(_damage(name, "it is damaged" if name in found else "it is missing"))
    findings += [
        _damage(name, "the manifest does not know it") for name in found if listed and name not in listed
    ]
    return Report(
        findings=tuple(findings), counts={"files": len(found), "bytes": sum(one[0] for one in found.values())}
    )


def restore(archive: str, target: str, *, agreed: bool = False, dry_run: bool = False) -> _Restored:
    """Make a memory of an archive, in a folder of its own; what stands there is put aside, and only when `agreed`."""
    report = verify(archive)
    if not report.ok:
        first = report.findings[0]
        says = f"{first.path}: {first.message}; nothing was restored (`tar -xf` reads what is whole)"
        raise UnreadableFile(archive, says)
    with _opened(archive) as tar:
        manifest = next(_manifest_in(file.read()) for one, file in _members(tar) if one.name == _MANIFEST)
    table, names = layout_named(str(manifest["layout"])), manifest["files"]
    place = os.path.realpath(os.path.expanduser(target))
    is_taken = os.path.isdir(place) and bool(os.listdir(place))
    if os.path.lexists(place) and not os.path.isdir(place):
        raise BadInput(f"{place} is a file", "name a folder")
    if is_taken and not agreed and not dry_run:
        raise NeedsConsent(f"something stands in {place}; it would be put aside")
    is_mine = manifest.get("machine") == machine()[0]
    left = [name for name in names if not is_mine and name in {f"{table['state']}/{one}" for one in _LISTS}]
    aside = f"{place}.before-{manifest['made'][:19].replace(':', '')}" if is_taken else ""
    while aside and os.path.lexists(aside):
        aside += "+"
    done = _Restored(
        root=place, files=len(names) - len(left), made=manifest["made"], aside=aside, not_taken=tuple(left)
    )
    if not dry_run:
        _put_in_place(archive, names, done, table["state"])
    return done


def _put_in_place(archive: str, names: Mapping[str, Any], done: _Restored, state: str) -> None:
    """Unpack beside the place, compare, and rename: before that nothing is there, after it everything."""
    folder, name = os.path.split(done.root)
    durable.make_folder(folder)
    draft = os.path.join(folder, f".{name}.{os.urandom(6).hex()}{TEMPORARY}")
    try:
        with _opened(archive) as tar:
            for member, file in _members(tar):
                if member.name in names and member.name not in done.not_taken:
                    durable.put_raw(f"{draft}/{_safe(member.name)}", file.read())
                    os.utime(f"{draft}/{member.name}", (member.mtime, member.mtime))
        if done.aside:
            os.rename(done.root, done.aside)
        elif os.path.isdir(done.root):
            os.rmdir(done.root)
        os.rename(draft, done.root)
        durable.sync_folder(folder)
    except BaseException as problem:
        import shutil

        shutil.rmtree(draft, ignore_errors=True)
        if isinstance(problem, OSError):
            raise WriteFailed(done.root, str(problem)) from problem
        raise
    own = {name: word_noted(done.root, name) for name in ("notify", _NOTED)}
    begin_anew(done.root)
    durable.make_folder(f"{done.root}/{state}")
    take_over(done.root, state)
    note(done.root, FAILING, f"restored from the backup of {done.made[:16]}Z")
    for word, said in own.items():  # what this person wants of this machine, not of the memory that was lost
        if said:
            note(done.root, word, said)


def _write(store: Store, path: str, now: datetime) -> _Backup:
    """The archive, under its name when it is whole and on the disk."""
    listed: dict[str, list[Any]] = {}
    draft = os.path.join(os.path.dirname(path), f".{_stem(store.root)}.{os.urandom(4).hex()}{TEMPORARY}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, durable.FILE_MODE)
        with os.fdopen(handle, "wb") as out:
            with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
                for name, kept in _names(store):
                    with store.volume.raw.opened(name) as file:
                        if file is not None:
                            listed[kept] = _add(tar, kept, file)
                manifest = {
                    "schema": _SCHEMA,
                    "layout": store.layout_name,
                    "made": write_time(now),
                    "machine": machine()[0],
                    "files": listed,
                }
                content = json.dumps(manifest, indent=1).encode()
                tar.addfile(_header(_MANIFEST, len(content), now.timestamp()), io.BytesIO(content))
            out.flush()
            os.fsync(out.fileno())
        os.rename(draft, path)
        durable.sync_folder(os.path.dirname(path))
    except OSError as problem:
        raise _unwritten(path, problem) from problem
    finally:
        with suppress(OSError):
            os.unlink(draft)
    read = (one for one in store.sessions.by_path().values() if one.here and not one.copy)
    elsewhere = sum(not one.path.startswith(f"{store.root}/") for one in read)
    return _Backup(path=path, files=len(listed), bytes=os.path.getsize(path), elsewhere=elsewhere)


def _add(tar: tarfile.TarFile, name: str, file: IO[bytes]) -> list[Any]:
    """Put one file in; its size and digest."""
    found = os.fstat(file.fileno())
    heard = _Hearing(file)
    try:
        tar.addfile(_header(name, found.st_size, found.st_mtime), heard)  # type: ignore[arg-type]
    except OSError as problem:  # of the archive: what is read says so itself
        raise _unwritten(str(tar.name), problem) from problem
    return [found.st_size, heard.hash.hexdigest()]


def _unwritten(path: str, problem: OSError) -> WriteFailed:
    return WriteFailed(path, os.strerror(problem.errno) if problem.errno else str(problem))


class _Hearing:
    """A file whose bytes are counted into a digest while another reads it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.hash = sha256()

    def read(self, size: int) -> bytes:
        try:
            content = self._file.read(size)
        except OSError as problem:
            raise UnreadableFile(str(self._file.name), str(problem)) from problem
        self.hash.update(content)
        return content


def _header(name: str, size: int, moment: float) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mtime, member.mode = size, int(moment), durable.FILE_MODE
    return member


def _names(store: Store) -> Iterator[tuple[str, str]]:
    """Every file that goes in, and its name there: the state of this machine under its usual name."""
    volume, table = store.volume, store.layout
    usual, own = f"{table['state']}/", f"{store.own_state().folder}/"
    apart = (f"{table['index']}/", ".git/", *([f"{table['backups']}/"] if "backups" in table else []))
    if store.layout_name == "native":
        top = volume.list("")
        tops = {*top.folders, *(one.name for one in top.files)}
    else:  # the directory of another program may hold anything beside
        tops = {template.split("/")[0] for template in table.values()} | {
            KEYS,
            ".gitignore",
            ".gitattributes",
        }
    known = (one.path for one in store.manifest() if not os.path.isabs(one.path))
    below = (name for top in sorted(tops) for name in _below(store, top))
    # Its configuration stands in no table of ours.
    understood = read_document(volume, store.name("found")) if "found" in table else {}
    for name in sorted({*below, *known, *understood}):
        is_lock = name.endswith(".lock") and (name.startswith(usual) or "/." in f"/{name}")
        if name.startswith(apart) or name.endswith(TEMPORARY) or is_lock:
            continue
        if not name.startswith(usual):
            yield name, name
        elif (
            name.startswith(own)
            and (kept := name[len(own) :]) not in _OF_THE_MACHINE
            and not kept.startswith("m-")
        ):
            yield name, f"{usual}{kept}"


def _below(store: Store, top: str) -> Iterator[str]:
    with suppress(OutsideRoot):  # a link leads elsewhere
        found = store.volume.stat(top)
        if found is not None and found.is_plain:
            yield top
        elif found is not None:
            yield from store.volume.walk(top, ("",), hidden=True)


def _target(store: Store, place: str, now: datetime) -> str:
    """The path of the archive that is to be written."""
    if not place:
        raise BadInput("name a file or a folder for the archive", "`memoracle backup FOLDER`")
    path = os.path.realpath(os.path.expanduser(place))
    if place.endswith("/") or os.path.isdir(path):
        path = os.path.join(path, f"{_stem(store.root)}-{now:%Y%m%d-%H%M%S}.tar")
    own = store.layout.get("backups")
    if f"{path}/".startswith(f"{store.root}/") and not (own and path.startswith(f"{store.root}/{own}/")):
        raise BadInput(f"{path} lies in the memory itself", "a backup belongs on another disk")
    if os.path.lexists(path):
        raise Conflict(f"{path} exists", "name another file; nothing was written over")
    durable.make_folder(os.path.dirname(path))
    return path


def _stem(place: str) -> str:
    """What the archives of one memory begin with; two of the same name have two."""
    slug = re.sub(r"[^A-Za-z0-9_-]+", "-", os.path.basename(place)).strip("-") or "memory"
    return f"memoracle-{slug}-{blake2b(os.fsencode(place), digest_size=3).hexdigest()}"


def _sweep(store: Store, folder: str) -> None:
    """Take away what a killed backup of this memory left: whoever holds the lock is alone."""
    for name in os.listdir(folder):
        if name.startswith(f".{_stem(store.root)}.") and name.endswith(TEMPORARY):
            durable.remove(os.path.join(folder, name))


def _opened(path: str) -> tarfile.TarFile:
    try:
        return tarfile.open(path, mode="r:")
    except (OSError, tarfile.TarError) as problem:
        raise UnreadableFile(path, f"it is no archive: {problem}") from None


def _members(tar: tarfile.TarFile) -> Iterator[tuple[tarfile.TarInfo, IO[bytes]]]:
    """The plain files of an archive, one after another."""
    for member in tar:
        file = tar.extractfile(member) if member.isreg() else None
        if file is None:
            raise tarfile.ReadError(f"`{member.name}` is no plain file")
        yield member, file


def _digest(file: IO[bytes]) -> list[Any]:
    made, size = sha256(), 0
    while piece := file.read(1 << 20):
        made.update(piece)
        size += len(piece)
    return [size, made.hexdigest()]


def _manifest_in(content: bytes) -> dict[str, Any]:
    held = json.loads(content)
    is_known = (
        isinstance(held, dict) and held.get("schema") == _SCHEMA and isinstance(held.get("files"), dict)
    )
    if not is_known or not all(isinstance(held.get(name), str) for name in ("made", "layout")):
        message = "its manifest is of no kind that is known here"
        raise ValueError(message)
    return {**held, "files": {_safe(str(name)): seen for name, seen in held["files"].items()}}


def _safe(name: str) -> str:
    """A name that stays in its folder."""
    if name.startswith("/") or "\0" in name or not {"", ".", ".."}.isdisjoint(name.split("/")):
        raise OutsideRoot(name, "an archive names it")
    return name


def _damage(path: str, says: str) -> Finding:
    return Finding(code="damaged-backup", severity=Severity.ERROR, path=path, message=says)
