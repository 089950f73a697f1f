"""Whether a root is encrypted at rest, and the codec that seals and opens it then: asked for every file.

A sealed root has `keys/memory.json`, which is public; this machine notes beside its state that it saw one. The file is
looked at each time, so a process that lives long follows when a root is sealed, opened or locked; a root without it
costs one look. The codec is registered by an extension. Where that is missing nothing of a sealed root is read or
written: sealed bytes are never taken for words, and no words are put in clear beside them.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from memoracle.errors import KeysLost, Locked, MissingExtension, UnreadableFile
from memoracle.registry import point
from memoracle.store.durable import read_raw

if TYPE_CHECKING:
    from memoracle.store.volume import Codec

FOLDER = "keys"
PUBLIC = f"{FOLDER}/memory.json"
PIN = "sealed.json"
PINS = (f"state/{PIN}", f".memoracle/state/{PIN}")
OFF = "off"
MARK = "memoracle.toml"
SHELTER = ".memoracle/"
SIGNS = (b"sealed1.", b"memoracle sealed file 1 ")
"""How a sealed line, and a sealed file, begin."""

_roots: dict[str, str] = {}
_never_sealed: set[str] = set()


def vault_of(path: str) -> Codec | None:
    """The codec of the root that a path belongs to; None in a root that was never sealed, and outside of any."""
    root = root_of(path)
    return vault_at(root) if root else None


def vault_at(root: str) -> Codec | None:
    """The codec of a root, as its public file says at this moment.

    That file travels with the root. Where it is gone, what this machine noted is looked at: else whoever can write to
    a shared copy could have new words written in clear.
    """
    place = f"{root}/{PUBLIC}"
    if not os.access(place, os.F_OK):  # cheaper than an exception, and most roots are in clear
        if root not in _never_sealed:
            if pinned(root) not in {"", OFF}:
                raise KeysLost(place)
            _never_sealed.add(root)
        return None
    _never_sealed.discard(root)
    codec = point("codec")
    if codec is None:
        if _is_clear(place) and pinned(root) in {"", OFF}:
            return None
        raise MissingExtension("encryption", f"{root} is sealed, and nothing else can open it")
    found: Codec | None = codec(root)
    return found


def _is_clear(place: str) -> bool:
    """True when a public file says that all was opened again."""
    try:
        with open(place, "rb") as file:
            held = json.loads(file.read(1 << 20))
        return held["mode"] == OFF and not held.get("moving")
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return False


def root_of(path: str) -> str | None:
    """The folder of the memory that a path belongs to; None when it belongs to none."""
    folder = os.path.dirname(path)
    known = _roots.get(folder)
    if known is not None:
        return known
    place = folder
    while not os.path.lexists(f"{place}/{MARK}"):
        parent = os.path.dirname(place)
        if parent == place:
            return None
        place = parent
    _roots[folder] = place
    return place


def pinned(root: str) -> str:
    """The mode that this machine has confirmed; empty when it has confirmed none."""
    for pin in PINS:
        try:
            with open(f"{root}/{pin}", "rb") as file:
                return str(json.loads(file.read(1 << 12))["mode"])
        except (OSError, ValueError, TypeError, LookupError):
            continue
    return ""


def read(path: str) -> bytes:
    """The words of a file, wherever it stands; an absent one is empty."""
    return opened(path, read_raw(path))


def opened(path: str, raw: bytes, *, is_whole: bool = True) -> bytes:
    """The words in the bytes of a file, or in its last lines."""
    vault = vault_of(path)
    if vault is not None:
        return vault.opened(path, raw, is_whole=is_whole)
    if raw.startswith(SIGNS) and (root := root_of(path)):
        raise KeysLost(f"{root}/{PUBLIC}")
    return raw


def shut(path: str, content: bytes) -> bytes:
    """The bytes that a file of these words has."""
    vault = vault_of(path)
    return content if vault is None else vault.shut(path, content)


def posted(path: str, lines: bytes) -> bytes:
    """Lines as they may be written into a file of this place, locked or not."""
    vault = vault_of(path)
    return lines if vault is None else vault.post(path, lines)


def must_be_open(root: str) -> None:
    """Raise `Locked` when this root is sealed and its keys are not open."""
    vault = vault_at(os.path.abspath(root))
    if vault is not None and not vault.is_off:
        vault.must_be_open()


def is_locked(root: str) -> bool:
    """True when this root is sealed and its keys are not open."""
    try:
        must_be_open(root)
    except Locked:
        return True
    return False


def place_of_view(root: str, usual: str) -> str | None:
    """Where the view of a root may stand: on disk when nothing is sealed, else in memory alone."""
    vault = vault_at(root)
    return usual if vault is None or vault.is_off else vault.view_folder()


def scratch(path: str) -> str | None:
    """Where temporary words of a file may stand: in memory for a sealed root, anywhere (None) for others."""
    vault = vault_of(path)
    if vault is None or vault.is_off:
        return None
    folder = vault.memory_folder()
    if folder is None:
        raise UnreadableFile(path, "no folder lives in memory, and its words may not stand on a disk")
    return folder
