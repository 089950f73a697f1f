"""Which files of a sealed root are sealed, and how: the codec that its volume asks for every file.

A sealed root has `keys/memory.json`, which is public. It is looked at for each file, so a process that lives long
follows when a root is sealed, opened or locked. Files in clear are always readable: while a root is being sealed,
and when a person has put one there, both forms stand side by side.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any

from memoracle.errors import KeysLost, Locked, UnreadableFile
from memoracle.extensions.encryption import unlocked
from memoracle.extensions.encryption.seal import (
    FILE,
    LINE,
    POSTED,
    BrokenSeal,
    Ring,
    Sealer,
    StrangeKey,
    WrongKey,
    post_line,
)
from memoracle.model.value import value
from memoracle.store.sealed import FOLDER, MARK, OFF, PUBLIC, SHELTER, pinned

ALL, SENSITIVE = "all", "sensitive"
IDENTITY = "MEMORACLE_IDENTITY"
_LINES = (".jsonl", ".log")
# What every process must be able to read before anything is unlocked, and holds counts and moments alone.
_CLEAR_FOLDERS = ("keys", ".git", "index")
_CLEAR_NAMES = (MARK, ".gitattributes", ".gitignore")
_CLEAR_STATE = (
    "sequence.json",
    "writer.json",
    "jobs.json",
    "hook-turns.json",
    "audit.json",
    "sealed.json",
    "own.json",
    "own.twin.json",
)
# Where words of sensitive records may stand besides the records themselves.
_SENSITIVE_FOLDERS = ("state", "quarantine", "trash")
_SENSITIVE_FILES = ("events.jsonl", "events.log")


@value
class Public:
    """What anybody may know of a sealed root."""

    root: str
    mode: str
    classes: tuple[str, ...]
    current: str
    inbox: str
    moving: bool = False
    ways: tuple[tuple[str, str], ...] = ()
    proof: str = ""


class Vault:
    """One sealed root in this process: its rules, and its keys while they are open."""

    def __init__(self, place: str, public: Public, looks: tuple[int, int, int]) -> None:
        self.place = place
        self.public = public
        self.looks = looks
        self._sealer: Sealer | None = None
        self._source: tuple[str, tuple[int, int]] | None = None
        self._until: float | None = None
        self._read: dict[str, tuple[bytes, bytes]] = {}
        self.is_off_here = False

    def sealer(self) -> Sealer:
        """The open keys; raises `Locked`."""
        source = unlocked.find(self.public.root)
        if self._until is not None and time.time() >= self._until:
            source, self._sealer = None, None
            unlocked.forget(self.public.root)
        if self._sealer is None or source != self._source:
            self._sealer, self._source, self._until = None, source, None
            self._read.clear()
            found = unlocked.read(source[0]) if source else None
            if found is None and (ring := self._by_identity()):
                found = (ring, None)
            if found is None:
                raise Locked(self.place)
            ring, self._until = found
            sealer = Sealer(ring if ring.current == self.public.current else self._turned(ring))
            must_vouch(sealer, self.place, self.public)
            self._sealer = sealer
        return self._sealer

    def _turned(self, ring: Ring) -> Ring:
        """The ring with the key that seals now; after a change of keys elsewhere it may have to be unlocked again."""
        if self.public.current not in ring.keys:
            raise Locked(self.place, "its key was changed since")
        return Ring(root=ring.root, current=self.public.current, keys=ring.keys, inboxes=ring.inboxes)

    def _by_identity(self) -> Ring | None:
        """The keys by the identity file that the environment names, for this process alone."""
        named = os.environ.get(IDENTITY)
        if not named:
            return None
        from memoracle.extensions.encryption.keyring import open_with_identity

        return open_with_identity(self.place, self.public, os.path.expanduser(named))

    @property
    def is_off(self) -> bool:
        """True when everything lies in clear again."""
        return self.public.mode == OFF

    def must_be_open(self) -> None:
        """Raise `Locked` when the keys are not open."""
        self.sealer()

    def view_folder(self) -> str | None:
        """Where the view of this root may stand: in memory alone."""
        return unlocked.view_folder(self.public.root)

    def memory_folder(self) -> str | None:
        """Where temporary words may stand: in memory alone."""
        return unlocked.memory_folder()

    def shut(self, path: str, content: bytes) -> bytes:
        """The bytes to write for these words."""
        relative, group = self._where(path)
        if not content or not self._is_touched(relative):
            return content
        sealer = self.sealer()
        if not relative.endswith(_LINES):
            return sealer.seal_file(content, group)
        wanted = self._needles(relative)
        return b"\n".join(
            line
            if not line.strip() or line.startswith((LINE, POSTED)) or not _holds(line, wanted)
            else sealer.seal_line(line, group)
            for line in content.split(b"\n")
        )

    def post(self, path: str, lines: bytes) -> bytes:
        """Whole lines that may be written while the root is locked."""
        relative, _ = self._where(path)
        if not self._is_touched(relative):
            return lines
        return b"".join(
            post_line(line, self.public.inbox) + b"\n" for line in lines.split(b"\n") if line.strip()
        )

    def opened(self, path: str, raw: bytes, *, is_whole: bool = True) -> bytes:
        """The words in these bytes; a line whose seal is broken stays as it is, and is damage."""
        relative, group = self._where(path)
        if relative.endswith(_LINES):
            return self._opened_lines(path, raw, group, is_whole=is_whole) if _has_seals(raw) else raw
        if not raw.startswith(FILE):
            return raw
        try:
            return self.sealer().open_file(raw, group)
        except StrangeKey as problem:
            raise self._strange(problem.key_id, path) from None
        except BrokenSeal as problem:
            raise UnreadableFile(path, f"its seal is broken: {problem}") from None

    def _opened_lines(self, path: str, raw: bytes, group: str, *, is_whole: bool) -> bytes:
        sealer = self.sealer()
        before, known = self._read.get(path, (b"", b"")) if is_whole else (b"", b"")
        if not before or not raw.startswith(before):
            before = known = b""
        lines = [self._opened_line(sealer, line, path, group) for line in raw[len(before) :].split(b"\n")]
        content = known + b"\n".join(lines)
        if is_whole and raw.endswith(
            b"\n"
        ):  # files grow at their end: what was opened once is not opened again
            self._read[path] = (raw, content)
        return content

    def _opened_line(self, sealer: Sealer, line: bytes, path: str, group: str) -> bytes:
        if not line.startswith((LINE, POSTED)):
            return line
        try:
            whole = line.removesuffix(b"\r")
            return sealer.open_line(whole, group) if line.startswith(LINE) else sealer.open_posted(whole)
        except BrokenSeal:
            return line
        except StrangeKey as problem:
            if self._is_known(problem.key_id):
                raise self._strange(problem.key_id, path) from None
            return line

    def _is_known(self, key_id: str) -> bool:
        """True for a key of this root that is kept wrapped, so that it may still be opened."""
        try:
            names = os.listdir(os.path.join(self.place, FOLDER))
        except OSError:
            return False
        return key_id == self.public.current or any(name.startswith(f"{key_id}.") for name in names)

    def _strange(self, key_id: str, path: str) -> Locked | UnreadableFile:
        if self._is_known(key_id):
            return Locked(self.place, f"a part is sealed with key {key_id}, which is not open")
        return UnreadableFile(path, f"it names the key {key_id}, which this root does not have")

    def _where(self, path: str) -> tuple[str, str]:
        """The path from the root on, and the folder that a seal is bound to."""
        relative = path[len(self.place) :].lstrip("/")
        top, slash, _ = relative.removeprefix(SHELTER).partition("/")
        return relative, top if slash else ""

    def _is_touched(self, relative: str) -> bool:
        """False for what is in clear in this root."""
        own = relative.removeprefix(SHELTER)
        top, _, rest = own.partition("/")
        name = own.rpartition("/")[2]
        if top in _CLEAR_FOLDERS or relative in _CLEAR_NAMES or name.endswith(".lock"):
            return False
        if self.public.mode == OFF or (top == "state" and rest.rpartition("/")[2] in _CLEAR_STATE):
            return False
        return (
            self.public.mode == ALL
            or top in _SENSITIVE_FOLDERS
            or name in _SENSITIVE_FILES
            or relative.endswith(".jsonl")
        )

    def _needles(self, relative: str) -> tuple[bytes, ...]:
        """What a line has to hold to be sealed; nothing when all are."""
        own = relative.removeprefix(SHELTER)
        if (
            self.public.mode == ALL
            or own.partition("/")[0] in _SENSITIVE_FOLDERS
            or own.rpartition("/")[2] in _SENSITIVE_FILES
        ):
            return ()
        return tuple(
            f'"sensitivity":{gap}"{name}"'.encode() for name in self.public.classes for gap in ("", " ")
        )


_vaults: dict[str, Vault] = {}


def vault_at(root: str, *, is_wary: bool = True) -> Vault | None:
    """The vault of a root, as its public file says at this moment.

    That file travels with the root. Where it is gone, or says that nothing is sealed any more, the wary look at what
    this machine knows: else whoever can write to a shared copy could have new words written in clear.
    """
    place = f"{root}/{PUBLIC}"
    if not os.access(place, os.F_OK):  # cheaper than an exception, and most roots are in clear
        if is_wary and pinned(root) not in {"", OFF}:
            raise KeysLost(place)
        return None
    try:
        found = os.stat(place, follow_symlinks=False)
    except OSError:
        raise KeysLost(place) from None
    looks = (found.st_ino, found.st_mtime_ns, found.st_size)
    known = _vaults.get(root)
    if known is None or known.looks != looks:
        known = _vaults[root] = Vault(root, read_public(root), looks)
    if is_wary and known.public.mode == OFF and not known.is_off_here:
        if pinned(root) not in {"", OFF}:
            raise Locked(
                root, "its encryption was turned off elsewhere, which `memoracle unlock` has to confirm"
            )
        known.is_off_here = True
    return known


def read_public(root: str) -> Public:
    """What a root says of itself; raises `KeysLost` when that cannot be read, since all may depend on it."""
    place = f"{root}/{PUBLIC}"
    try:
        with open(place, "rb") as file:
            held: Any = json.loads(file.read(1 << 20))
        return Public(
            root=str(held["root"]),
            mode=str(held["mode"]),
            classes=tuple(map(str, held["classes"])),
            current=str(held["current"]),
            inbox=str(held["inbox"]),
            moving=bool(held.get("moving")),
            ways=tuple((str(name), str(key)) for name, key in held["ways"].items()),
            proof=str(held["proof"]),
        )
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        raise KeysLost(place) from None


def proof_of(sealer: Sealer, public: Public) -> str:
    """What only a holder of the key can say of a public file."""
    fields = [public.root, public.mode, public.classes, public.inbox, sorted(public.ways)]
    return sealer.seal_line(json.dumps(fields).encode(), FOLDER).decode()


def must_vouch(sealer: Sealer, root: str, public: Public) -> None:
    """Raise when the public file was not written by a holder of the key."""
    if proof_of(sealer, public) != public.proof:
        ways = [name for name, _ in public.ways]
        raise WrongKey(root, ways, "`keys/memory.json` was changed by somebody who did not have the key")


def _has_seals(raw: bytes) -> bool:
    return raw.startswith((LINE, POSTED)) or b"\n" + LINE in raw or b"\n" + POSTED in raw


def _holds(line: bytes, needles: tuple[bytes, ...]) -> bool:
    return not needles or any(needle in line for needle in needles)
