"""Encryption at rest: sealing a root, opening it for a session, and the ways to do so.

Works on a root that is locked, so it opens no `Memory`. Secrets come in as values and leave as one: the recovery key,
which is shown once and kept nowhere.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from memoracle.errors import BadInput, Locked
from memoracle.extensions.encryption import keyring, sealing, unlocked, vaults
from memoracle.extensions.encryption.keyring import PASSPHRASE, UnlockMethod
from memoracle.extensions.encryption.vaults import ALL, SENSITIVE, Public
from memoracle.model.value import replace, value
from memoracle.settings import load_settings
from memoracle.store import durable, sealed
from memoracle.store.layouts import layout_named
from memoracle.store.sealed import OFF

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memoracle.extensions.encryption.seal import Ring

MODES = (ALL, SENSITIVE)
CLASSES = ("secret", "private")


@value
class Encrypted:
    """How a root is sealed, and what was done to bring it there."""

    root: str
    mode: str
    files: int
    waiting: tuple[str, ...]
    ways: tuple[str, ...]
    classes: tuple[str, ...] = ()
    recovery_key: str = ""
    history: bool = False
    dry_run: bool = False


@value
class Keys:
    """What anybody may know: how a root is sealed, by what it opens, and whether it is open now."""

    root: str
    mode: str
    locked: bool
    moving: bool
    ways: tuple[UnlockMethod, ...]
    classes: tuple[str, ...] = ()


@value
class Unlocked:
    """Where open keys are held, and until when."""

    root: str
    held_at: str
    until: float | None


def encrypt(
    root: str,
    *,
    environment: Mapping[str, str],
    mode: str = "",
    classes: Sequence[str] = (),
    recipients: Sequence[str] = (),
    passphrase: str | None = None,
    recovery: bool = True,
    rekey: bool = False,
    dry_run: bool = False,
    show: Callable[[str], None] = lambda _: None,
    watch: Callable[[str], None] = lambda _: None,
) -> Encrypted:
    """Seal a root, finish what was interrupted, change the mode, or with `rekey` seal it anew under a new key.

    `show` gets the recovery key before anything depends on it.
    """
    place, index, lock = _places(root, environment)
    vault = vaults.vault_at(place, is_wary=False)
    chosen = mode or (vault.public.mode if vault and vault.public.mode != OFF else ALL)
    if chosen not in MODES or not set(classes) <= set(CLASSES):
        raise BadInput(f"`{chosen}` is no way to seal a root", f"one of {', '.join(MODES)}")
    kept = vault.public.classes if vault and vault.public.classes and chosen == SENSITIVE else CLASSES[:1]
    covered = tuple(dict.fromkeys(classes or kept)) if chosen == SENSITIVE else ()
    ways = [keyring.way_for(one) for one in dict.fromkeys(recipients)]
    if dry_run:
        return _planned(place, index, chosen, covered, ways)
    with durable.locked(lock, timeout=20.0):
        shown = ""
        if vault is None:
            _must_be_new(place, index)
            ways += [UnlockMethod(name=PASSPHRASE)] if passphrase else []
            if not ways:
                raise BadInput(
                    "nothing was named that could open it again", "give --passphrase or --recipient"
                )
            if recovery:
                way, shown = keyring.recovery_way()
                ways.append(way)
                show(shown)
            ring = keyring.new_ring()
            _begin(place, ring, ways, passphrase, mode=chosen, classes=covered)
        else:
            kept_ways = keyring.ways_of(place)
            if not rekey:
                _must_be_the_same(place, vault.public, kept_ways, ways, passphrase)
            elif recipients:
                raise BadInput("this root has its keys already", "`memoracle keys add` adds a way to open it")
            ring, ways = vault.sealer().ring, kept_ways
            if rekey:
                if any(way.name == PASSPHRASE for way in ways) and passphrase:
                    keyring.unwrap(place, vault.public, passphrase=passphrase)  # a slip of the hand ends here
                ring = keyring.new_ring(ring)
            if rekey or vault.public.mode != chosen or covered != vault.public.classes:
                _begin(place, ring, ways, passphrase, mode=chosen, classes=covered, wrap=rekey)
        return _finish(place, index, lock, ways, watch, shown, drop=rekey)


def _must_be_the_same(
    root: str,
    public: Public,
    held: Sequence[UnlockMethod],
    asked: Sequence[UnlockMethod],
    passphrase: str | None,
) -> None:
    """Refuse other keys than a root has; those it has are the same command again, which ends what was interrupted."""
    strange = [one.name for one in asked if one not in held]
    if passphrase and not any(one.name == PASSPHRASE for one in held):
        strange.append(PASSPHRASE)
    elif passphrase:
        keyring.unwrap(root, public, passphrase=passphrase)  # raises where it is another one
    if strange:
        raise BadInput(
            f"this root has its keys already, and {', '.join(strange)} is not among them",
            "give the keys it was sealed with, or none, to go on; `memoracle keys add` adds a way to open it",
        )


def decrypt(
    root: str,
    *,
    environment: Mapping[str, str],
    dry_run: bool = False,
    watch: Callable[[str], None] = lambda _: None,
) -> Encrypted:
    """Open every file of a root for good. Its keys stay: copies and git's history may still need them."""
    place, index, lock = _places(root, environment)
    vault = vaults.vault_at(place, is_wary=False)
    if vault is None:
        return _told(place, OFF, (), files=0, waiting=(), dry_run=dry_run)
    ways = keyring.ways_of(place)
    vault.sealer()
    if dry_run:
        touched = [path for path in sealing.files_under(place, index) if _is_sealed(f"{place}/{path}")]
        return _told(place, OFF, ways, files=len(touched), waiting=touched, dry_run=True)
    with durable.locked(lock, timeout=20.0):
        keyring.write_public(place, vault.sealer().ring, replace(vault.public, mode=OFF, moving=True), ways)
        return _finish(place, index, lock, ways, watch, "", drop=False)


def unlock(
    root: str,
    *,
    environment: Mapping[str, str],
    identity: str = "",
    passphrase: str | None = None,
    seconds: float | None = None,
) -> Unlocked:
    """Open the keys of a root and hold them for this session, in memory; a root in clear is open."""
    place, _, lock_path = _places(root, environment)
    vault = vaults.vault_at(place, is_wary=False)
    if vault is None:
        return Unlocked(root=place, held_at="", until=None)
    identities = keyring.read_identities(os.path.expanduser(identity)) if identity else []
    ring = keyring.unwrap(place, vault.public, identities=identities, passphrase=passphrase)
    until = time.time() + seconds if seconds else None
    keyring.pin(os.path.dirname(lock_path), vault.public.mode)
    return Unlocked(root=place, held_at=unlocked.keep(ring, until=until), until=until)


def lock(root: str, *, environment: Mapping[str, str]) -> bool:
    """Let go of the keys and of the view; True when they were open."""
    place, _, _ = _places(root, environment)
    return unlocked.forget(_sealed(place).public.root)


def keys(root: str, *, environment: Mapping[str, str]) -> Keys:
    """How a root is sealed; a root in clear has the mode `off`."""
    place, _, _ = _places(root, environment)
    vault = vaults.vault_at(place, is_wary=False)
    if vault is None:
        return Keys(root=place, mode=OFF, locked=False, moving=False, ways=())
    public = vault.public
    return Keys(
        root=place,
        mode=public.mode,
        locked=public.mode != OFF and sealed.is_locked(place),
        moving=public.moving,
        ways=tuple(keyring.ways_of(place)),
        classes=public.classes,
    )


def add_way(
    root: str,
    *,
    environment: Mapping[str, str],
    recipient: str = "",
    passphrase: str | None = None,
    recovery: bool = False,
) -> tuple[Keys, str]:
    """One more way to open a root, or a new one in place of its namesake; and the recovery key, if one was made."""
    place, _, lock_path = _places(root, environment)
    vault = _sealed(place)
    shown = ""
    if recovery:
        way, shown = keyring.recovery_way()
    elif recipient:
        way = keyring.way_for(recipient)
    elif passphrase:
        way = UnlockMethod(name=PASSPHRASE)
    else:
        raise BadInput("name a way", "--recipient, --passphrase or --recovery")
    with durable.locked(lock_path, timeout=20.0):
        keyring.wrap(place, vault.sealer().ring, [way], passphrase)
        ways = [one for one in keyring.ways_of(place) if one.name != way.name]
        keyring.write_public(place, vault.sealer().ring, vault.public, [*ways, way])
    return keys(place, environment=environment), shown


def remove_way(root: str, name: str, *, environment: Mapping[str, str]) -> Keys:
    """Take a way out. Whoever had it may know the key: `encrypt --rekey` changes that."""
    place, _, lock_path = _places(root, environment)
    vault = _sealed(place)
    vault.sealer()
    with durable.locked(lock_path, timeout=20.0):
        ways = keyring.ways_of(place)
        left = [one for one in ways if one.name != name]
        if len(left) == len(ways):
            raise BadInput(f"no way is called `{name}`", ", ".join(one.name for one in ways))
        if not left:
            raise BadInput("it is the only way to open this memory", "add another first")
        keyring.write_public(place, vault.sealer().ring, vault.public, left)
        keyring.drop_wraps(place, way=name)
    return keys(place, environment=environment)


def _begin(
    place: str,
    ring: Ring,
    ways: Sequence[UnlockMethod],
    passphrase: str | None,
    *,
    mode: str,
    classes: Sequence[str],
    wrap: bool = True,
) -> None:
    """Keys first, then the public file: from then on everything that is written is written in the new form."""
    if wrap:
        keyring.wrap(place, ring, ways, passphrase)
    public = Public(
        root=ring.root,
        mode=mode,
        classes=tuple(classes),
        current=ring.current,
        inbox=keyring.inbox_of(ring),
        moving=True,
    )
    _prove(place, public, ring, ways, passphrase if wrap else None)
    unlocked.keep(ring, until=None)
    keyring.write_public(place, ring, public, ways)


def _prove(
    place: str, public: Public, ring: Ring, ways: Sequence[UnlockMethod], passphrase: str | None
) -> None:
    """A passphrase that was just wrapped has to open the keys before anything depends on it."""
    if passphrase and any(way.name == PASSPHRASE for way in ways):
        found = keyring.unwrap(place, public, passphrase=passphrase)
        if found.keys != ring.keys:
            raise Locked(place, "what was wrapped does not open to the same keys; nothing was sealed")


def _finish(
    place: str,
    index: str,
    lock_path: str,
    ways: Sequence[UnlockMethod],
    watch: Callable[[str], None],
    shown: str,
    *,
    drop: bool,
) -> Encrypted:
    public = vaults.read_public(place)
    keyring.pin(os.path.dirname(lock_path), public.mode)
    moved = sealing.settle(place, index=index, watch=watch)
    if not moved.left:
        if drop:
            keyring.drop_wraps(place, keep_key=public.current)
        vault = _sealed(place)
        keyring.write_public(place, vault.sealer().ring, replace(public, moving=False), ways)
    told = _told(place, public.mode, ways, files=moved.files, waiting=moved.left)
    return replace(told, recovery_key=shown, classes=public.classes)


def _planned(
    place: str, index: str, mode: str, classes: tuple[str, ...], ways: Sequence[UnlockMethod]
) -> Encrypted:
    vault = vaults.vault_at(place, is_wary=False)
    found = list(sealing.files_under(place, index))
    if vault is not None:
        ways = keyring.ways_of(place)
    if vault is not None and vault.public.mode == mode and vault.public.classes == classes:
        found = sealing.waiting(place, index=index)
    told = _told(place, mode, ways, files=len(found), waiting=found, dry_run=True)
    return replace(told, classes=classes)


def _told(
    place: str,
    mode: str,
    ways: Sequence[UnlockMethod],
    *,
    files: int,
    waiting: Sequence[str],
    dry_run: bool = False,
) -> Encrypted:
    return Encrypted(
        root=place,
        mode=mode,
        files=files,
        waiting=tuple(waiting),
        ways=tuple(way.name for way in ways),
        history=os.path.isdir(os.path.join(place, ".git")),
        dry_run=dry_run,
    )


def _is_sealed(path: str) -> bool:
    raw = durable.read_raw(path)
    return raw != sealed.opened(path, raw, is_whole=False)


def _must_be_new(place: str, index: str) -> None:
    """Nothing here is sealed already: a second set of keys would hide that the first one is gone."""
    for relative in sealing.files_under(place, index):
        sealed.opened(f"{place}/{relative}", durable.read_raw(f"{place}/{relative}"), is_whole=False)


def _sealed(place: str) -> vaults.Vault:
    vault = vaults.vault_at(place, is_wary=False)
    if vault is None:
        raise BadInput("this memory is not encrypted", "`memoracle encrypt` seals it")
    return vault


def _places(root: str, environment: Mapping[str, str]) -> tuple[str, str, str]:
    """The root, its index folder (relative), and the file whose lock every writer holds."""
    table = layout_named(load_settings(root, environment).settings.layout)
    place = os.path.realpath(root)
    folder = os.path.join(place, table["state"])
    durable.make_folder(folder)
    return place, table["index"], os.path.join(folder, "write.lock")
