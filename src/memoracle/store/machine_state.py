"""Whose `state/` is: what a machine notes of a root is believed by that machine alone.

`state/` stays out of git, but a folder can be copied, and git can be forced. So it has a mark (`own.json`, twice),
and the person's own state folder (`$XDG_STATE_HOME/memoracle/states`, else `~/.local/state`) a record of it, which no
clone brings along. The two have to agree on the name of the mark, and the folder has to be where or what it was: a root
that was moved keeps its state, a copy of one that is still there does not. Where there is no record (a home that cannot
be written, a container's new one) the mark alone has to name this very folder of this machine.

A `state/` that is not this machine's own is left as it is and not read: the machine keeps its own in a folder below
(`state/m-…`).
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from memoracle.errors import MemoracleError, UnreadableFile
from memoracle.model.ids import file_digest
from memoracle.model.value import value
from memoracle.store import durable

MARK, TWIN = "own.json", "own.twin.json"
FAILING = "failing"
"""What was noted of a memory whose upkeep cannot begin, or has to begin anew, until somebody is told otherwise."""
NOTED = ("conversations", "never", "writers", "salt", "notify", FAILING, "backup")
_PREFIX = "m-"
_FAILING = frozenset({errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EROFS})
_LARGEST = 1 << 16
_PATIENCE = 3.0


@value
class OwnState:
    """The folder this machine keeps its notes in, relative to the root.

    `first_list` is the digest of the list of conversations that an earlier edition kept among the files that travel;
    `foreign` is true when what stands in the usual place is somebody else's, `fresh` when that was noticed just now.
    """

    folder: str
    foreign: bool = False
    fresh: bool = False
    first_list: str = ""


def own_state(root: str, usual: str, *, first_list: str = "") -> OwnState:
    """This machine's own folder for a root; it is marked when that is possible.

    `first_list` is where an earlier edition listed conversations.
    """
    record = _read(_record_path(root))
    for relative, mark in _marks(root, usual).items():
        if record.get("id") == mark.get("id") and record.get("place") == _place(f"{root}/{relative}"):
            return _settled(usual, relative, mark)
    # Processes that begin together would each mark the folder for themselves, and take the others' for a stranger's.
    with _alone(root):
        return _decided(root, usual, first_list)


def _decided(root: str, usual: str, first_list: str) -> OwnState:
    top, marks = f"{root}/{usual}", _marks(root, usual)
    known = _read(_record_path(root)).get("id")
    for relative, mark in sorted(marks.items(), key=lambda one: one[1].get("id") != known):
        if _is_ours(root, f"{root}/{relative}", mark):
            return _settled(usual, relative, mark)
    if all(name.endswith(".lock") for name in _names_in(top)):  # locks say nothing
        if _mark(root, top):
            _drop_view(root, usual)
        return OwnState(folder=usual)
    record = _read(_record_path(root))
    if usual not in marks and record.get("place") == _place(top) and _holds_salt(top, record):
        _mark(root, top)  # the mark was damaged or taken away; the record knows this very folder
        return OwnState(folder=usual)
    if not record and _was_made_here(root, top):
        # An earlier edition's: the list it kept among the files is this machine's as well, as it is now.
        digest = ""
        with suppress(MemoracleError):
            if first_list and (held := durable.read_raw(f"{root}/{first_list}")):
                digest = file_digest(held)
        if _mark(root, top, first_list=digest):
            return OwnState(folder=usual, first_list=digest)
    made = f"{usual}/{_PREFIX}{os.urandom(6).hex()}"
    if _mark(root, f"{root}/{made}"):
        _drop_view(root, usual)
    return OwnState(folder=made, foreign=True, fresh=True)


def _marks(root: str, usual: str) -> dict[str, dict[str, Any]]:
    below = (name for name in _names_in(f"{root}/{usual}") if name.startswith(_PREFIX))
    folders = (usual, *(f"{usual}/{name}" for name in below))
    return {relative: mark for relative in folders if (mark := _mark_in(f"{root}/{relative}"))}


def _settled(usual: str, relative: str, mark: Mapping[str, Any]) -> OwnState:
    return OwnState(folder=relative, foreign=relative != usual, first_list=str(mark.get("first_list", "")))


def begin_anew(root: str) -> None:
    """Nothing is known of a root that stood at this place before: another one was made there."""
    with suppress(OSError):
        os.unlink(_record_path(root))


def take_over(root: str, usual: str) -> None:
    """Make the state that stands in the usual place this machine's own: its owner says it is."""
    _mark(root, f"{root}/{usual}")


def note(root: str, name: str, noted: int | str) -> None:
    """Have something known outside the root: what vanished from it is missed, what was exchanged is noticed."""
    if _read(_record_path(root)).get(name) == noted:
        return
    with _alone(root):
        if record := _read(_record_path(root)):
            _write(_record_path(root), {**record, name: noted})


def count_noted(root: str, name: str) -> int:
    """The number this person's own state folder has under that name for the root at this place."""
    noted = _read(_record_path(root)).get(name, 0)
    return noted if isinstance(noted, int) else 0


def word_noted(root: str, name: str) -> str:
    """The word it has there."""
    return str(_read(_record_path(root)).get(name, ""))


@lru_cache(maxsize=1)
def machine() -> tuple[str, bool]:
    """What names this machine, and whether nobody else can know it."""
    try:
        with open("/etc/machine-id", "rb") as file:
            identity = file.read().strip()
    except OSError:
        identity = b""
    named = identity + b"@" + os.uname().nodename.encode()
    return blake2b(named, digest_size=16).hexdigest(), len(identity) >= 32


def _is_ours(root: str, folder: str, mark: Mapping[str, Any]) -> bool:
    record = _read(_record_path(root))
    if record.get("id") == mark.get("id"):
        if record.get("place") != _place(folder):  # put back from a copy, or a file system mounted anew
            _write(_record_path(root), {**record, "folder": folder, "place": _place(folder)})
        return True
    for moved in _records():
        if moved.get("id") == mark.get("id"):
            there = _read(f"{moved.get('folder')}/{MARK}")
            if moved.get("place") != _place(folder) and there.get("id") == mark.get("id"):
                return False  # a copy of a root that still stands elsewhere
            _write(_record_path(root), {**moved, "folder": folder, "place": _place(folder)})
            return True
    named, is_private = machine()
    if mark.get("place") != _place(folder) or (is_private and mark.get("machine") != named):
        return False
    _write(_record_path(root), {**record, "id": mark.get("id"), "folder": folder, "place": _place(folder)})
    return True


def _mark(root: str, folder: str, *, first_list: str = "") -> bool:
    """Mark a folder as this machine's own; False when it cannot be written."""
    try:
        durable.make_folder(folder)
    except MemoracleError:
        return False
    made: dict[str, Any] = {"id": os.urandom(16).hex(), "machine": machine()[0], "place": _place(folder)}
    if first_list:
        made["first_list"] = first_list
    before = _read(_record_path(root))
    kept = {name: before[name] for name in NOTED if name in before}
    # The record first: whoever meets the mark finds it.
    _write(_record_path(root), {**kept, "id": made["id"], "folder": folder, "place": made["place"]})
    return _write(f"{folder}/{MARK}", made) and _write(f"{folder}/{TWIN}", made)


def _drop_view(root: str, usual: str) -> None:
    """Take away a view that may have come along: it is built again from the files, by this machine."""
    folder = os.path.join(root, os.path.dirname(usual), "index")
    with suppress(OSError):
        if not os.path.islink(folder):
            for name in os.listdir(folder):
                with suppress(OSError):
                    os.unlink(os.path.join(folder, name))


def _mark_in(folder: str) -> dict[str, Any]:
    """The mark of a folder; where it is damaged or gone, its second copy, which takes its place."""
    if mark := _read(f"{folder}/{MARK}"):
        return mark
    if twin := _read(f"{folder}/{TWIN}"):
        _write(f"{folder}/{MARK}", twin)
    return twin


def _holds_salt(top: str, record: Mapping[str, Any]) -> bool:
    """True when the folder holds the salt that was noted: the number of a folder may be given again, that is not."""
    try:
        salt = bytes.fromhex(durable.read_raw(f"{top}/salt", most=_LARGEST).decode("ascii").strip())
    except (MemoracleError, ValueError):
        return False
    return bool(record.get("salt")) and record.get("salt") == digest_of_salt(salt)


def digest_of_salt(salt: bytes) -> str:
    """What is noted of a salt outside its root."""
    return blake2b(salt, digest_size=16, person=b"memoracle salt").hexdigest()


def _was_made_here(root: str, top: str) -> bool:
    """True for a state without a mark that an earlier edition made on this machine, and that git does not carry."""
    named, is_private = machine()
    written = _read(f"{top}/writer.json").get("machine")
    if not is_private or written != named or os.stat(top).st_uid != os.geteuid():
        return False
    if os.path.exists(f"{top}/{MARK}"):
        return False
    try:
        with open(f"{root}/.git/index", "rb") as file:
            return b"writer.json" not in file.read()
    except FileNotFoundError:
        return True
    except OSError:
        return not os.path.lexists(f"{root}/.git")


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _place(folder: str) -> list[int]:
    try:
        found = os.stat(folder, follow_symlinks=False)
    except OSError:
        return []
    return [found.st_dev, found.st_ino]


@contextmanager
def _alone(root: str) -> Iterator[None]:
    """Keep other processes of this person from deciding about the same root meanwhile; nobody waits for ever."""
    with ExitStack() as held:
        with suppress(MemoracleError):
            held.enter_context(durable.locked(f"{_record_path(root)}.lock", timeout=_PATIENCE))
        yield


def _records_folder() -> str:
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(state, "memoracle", "states")


def _record_path(root: str) -> str:
    name = blake2b(os.fsencode(root), digest_size=12).hexdigest()
    return os.path.join(_records_folder(), f"{name}.json")


def _records() -> Iterator[dict[str, Any]]:
    folder = _records_folder()
    for name in _names_in(folder):
        yield _read(os.path.join(folder, name))


def _read(path: str) -> dict[str, Any]:
    """A small JSON object; empty when it is anything else, but not when the disk fails: whose a state is waits then."""
    try:
        held = json.loads(durable.read_raw(path, most=_LARGEST) or b"{}")
    except UnreadableFile as problem:
        if isinstance(problem.__cause__, OSError) and problem.__cause__.errno in _FAILING:
            raise
        return {}
    except (ValueError, RecursionError, MemoracleError):
        return {}
    return held if isinstance(held, dict) else {}


def _write(path: str, held: Mapping[str, Any]) -> bool:
    """Put a small file in place, in one step; False where that cannot be done."""
    try:
        durable.put_raw(path, json.dumps(held).encode() + b"\n", private=True)
    except MemoracleError:
        return False
    return True
