"""The keys of a root, wrapped: `keys/<key>.<name>.age`, one file for each way to open it.

A way is an age key, a passphrase, or the recovery key that was shown once. Each file holds all keys of the root, so
any one of them is enough, and ways come and go without touching what is sealed. Files are never overwritten by
another key's: two machines that change keys at the same time keep both. Passphrases and identities are handed in;
nothing here reads a terminal, and no secret is written but wrapped.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, MissingExtra
from memoracle.extensions.encryption.seal import KEY_LENGTH, Ring, Sealer, WrongKey
from memoracle.extensions.encryption.vaults import Public, must_vouch, proof_of, read_public
from memoracle.model.value import as_fields, replace, value
from memoracle.store import durable
from memoracle.store.sealed import FOLDER, PIN, PUBLIC

if TYPE_CHECKING:
    from types import ModuleType

PASSPHRASE, RECOVERY = "passphrase", "recovery"
_ENDING = ".age"
_NAME = re.compile(r"[a-z0-9-]{1,40}")
_SHOWN = 16


@value
class UnlockMethod:
    """One way to open a root: its name, and the age key it is wrapped for; a passphrase has none."""

    name: str
    recipient: str = ""


def age() -> ModuleType:
    """The library of age; raises `MissingExtra`."""
    try:
        import pyrage
    except ImportError:
        raise MissingExtra("encrypt", "pyrage") from None
    return pyrage  # type: ignore[no-any-return]


def new_ring(earlier: Ring | None = None) -> Ring:
    """A new key that seals from now on, beside the earlier ones."""
    key_id = os.urandom(4).hex()
    return Ring(
        root=earlier.root if earlier else os.urandom(8).hex(),
        current=key_id,
        keys={**(earlier.keys if earlier else {}), key_id: os.urandom(KEY_LENGTH)},
        inboxes=(str(age().x25519.Identity.generate()), *(earlier.inboxes if earlier else ())),
    )


def inbox_of(ring: Ring) -> str:
    """The public key that hooks post to."""
    return str(age().x25519.Identity.from_str(ring.inboxes[0]).to_public())


def way_for(recipient: str) -> UnlockMethod:
    """The way of an age key; raises for what is none."""
    pyrage = age()
    try:
        pyrage.x25519.Recipient.from_str(recipient)
    except pyrage.RecipientError:
        raise BadInput(
            f"`{recipient[:_SHOWN]}` is no public age key", "it begins with `age1`; `age-keygen` makes one"
        ) from None
    return UnlockMethod(name=recipient[:_SHOWN], recipient=recipient)


def recovery_way() -> tuple[UnlockMethod, str]:
    """A way that nobody has yet, and the secret that opens it: to be shown once and kept elsewhere."""
    identity = age().x25519.Identity.generate()
    return UnlockMethod(name=RECOVERY, recipient=str(identity.to_public())), str(identity)


def wrap(root: str, ring: Ring, ways: Sequence[UnlockMethod], passphrase: str | None) -> None:
    """Write the keys for each of these ways, durably."""
    pyrage = age()
    folder = os.path.join(root, FOLDER)
    durable.make_folder(folder)
    held = {
        "root": ring.root,
        "current": ring.current,
        "keys": {name: key.hex() for name, key in ring.keys.items()},
        "inboxes": list(ring.inboxes),
    }
    content = json.dumps(held).encode()
    for way in ways:
        if way.recipient:
            wrapped = pyrage.encrypt(content, [pyrage.x25519.Recipient.from_str(way.recipient)])
        elif passphrase:
            wrapped = pyrage.passphrase.encrypt(content, passphrase)
        else:
            raise BadInput("this root has a passphrase, and it was not given", "give it with --passphrase")
        durable.put_raw(os.path.join(folder, f"{ring.current}.{way.name}{_ENDING}"), wrapped)


def unwrap(
    root: str, public: Public, *, identities: Sequence[str] = (), passphrase: str | None = None
) -> Ring:
    """The keys, opened by any of these; raises `WrongKey` when none of them opens the key in use."""
    pyrage = age()
    try:
        known = [pyrage.x25519.Identity.from_str(one) for one in identities]
    except pyrage.IdentityError:
        raise BadInput("the identity file holds a key that age does not know") from None
    ring: Ring | None = None
    for key_id, name in _wrapped(root, first=public.current):
        if ring and key_id in ring.keys:
            continue  # a wrapped ring holds the keys before it
        raw = durable.read_raw(os.path.join(root, FOLDER, f"{key_id}.{name}{_ENDING}"))
        try:
            if name == PASSPHRASE and passphrase is not None:
                content = pyrage.passphrase.decrypt(raw, passphrase)
            elif name != PASSPHRASE and known:
                content = pyrage.decrypt(raw, known)
            else:
                continue
        except pyrage.DecryptError:
            continue
        found = _ring_in(content)
        if found and found.root == public.root:
            ring = found if ring is None else _joined(ring, found)
    if ring is None or public.current not in ring.keys:
        raise WrongKey(root, [way.name for way in ways_of(root)])
    if public.inbox not in {str(pyrage.x25519.Identity.from_str(one).to_public()) for one in ring.inboxes}:
        raise WrongKey(root, [way.name for way in ways_of(root)], "the inbox it names is not its own")
    ring = replace(ring, current=public.current)
    if public.proof:
        must_vouch(Sealer(ring), root, public)
    return ring


def open_with_identity(root: str, public: Public, path: str) -> Ring:
    """The keys, opened by an identity file."""
    return unwrap(root, public, identities=read_identities(path))


def read_identities(path: str) -> list[str]:
    """The secret keys in a file as `age-keygen` writes it."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file.read(1 << 16).splitlines()]
    except (OSError, UnicodeDecodeError):
        raise BadInput(f"could not read the identity file {path}") from None
    found = [line for line in lines if line and not line.startswith("#")]
    if not found:
        raise BadInput(f"{path} holds no identity", "`age-keygen -o FILE` makes one")
    return found


def ways_of(root: str) -> list[UnlockMethod]:
    """The ways to open a root, as its public file lists them."""
    rows = read_public(root).ways
    return [UnlockMethod(name=name, recipient=key) for name, key in rows if _NAME.fullmatch(name)]


def write_public(root: str, ring: Ring, public: Public, ways: Sequence[UnlockMethod]) -> None:
    """Say what anybody may know of a root, vouched for by its key: the moment it is written, it holds."""
    listed = replace(public, ways=tuple((one.name, one.recipient) for one in ways), proof="")
    listed = replace(listed, proof=proof_of(Sealer(replace(ring, current=public.current)), listed))
    document: dict[str, Any] = {
        "schema": 1,
        **as_fields(listed),
        "ways": {one.name: one.recipient for one in ways},
    }
    place = os.path.join(root, PUBLIC)
    durable.make_folder(os.path.dirname(place))
    durable.put_raw(place, json.dumps(document, indent=1).encode() + b"\n")


def pin(state: str, mode: str) -> None:
    """Note in the folder of this machine's own state what was confirmed with the key."""
    place = os.path.join(state, PIN)
    content = json.dumps({"mode": mode}).encode() + b"\n"
    if durable.read_raw(place) != content:
        durable.make_folder(state)
        durable.put_raw(place, content)


def drop_wraps(root: str, *, keep_key: str = "", way: str = "") -> list[str]:
    """Remove the wrapped keys of a way, or of all keys but one; the names that went are returned."""
    gone = []
    for key_id, name in _wrapped(root):
        if (way and name == way) or (keep_key and key_id != keep_key):
            durable.remove(os.path.join(root, FOLDER, f"{key_id}.{name}{_ENDING}"))
            gone.append(f"{key_id}.{name}{_ENDING}")
    return gone


def _wrapped(root: str, *, first: str = "") -> list[tuple[str, str]]:
    try:
        names = sorted(os.listdir(os.path.join(root, FOLDER)))
    except OSError:
        return []
    stems = [name.removesuffix(_ENDING).partition(".") for name in names if name.endswith(_ENDING)]
    pairs = [(key_id, name) for key_id, _, name in stems if _NAME.fullmatch(name)]
    return sorted(pairs, key=lambda pair: (pair[0] != first, pair))


def _ring_in(content: bytes) -> Ring | None:
    try:
        held: Any = json.loads(content)
        keys = {str(name): bytes.fromhex(key) for name, key in held["keys"].items()}
        return Ring(
            root=str(held["root"]), current=str(held["current"]), keys=keys, inboxes=tuple(held["inboxes"])
        )
    except (ValueError, TypeError, LookupError, AttributeError):
        return None


def _joined(one: Ring, other: Ring) -> Ring:
    return replace(
        one, keys={**other.keys, **one.keys}, inboxes=tuple(dict.fromkeys((*one.inboxes, *other.inboxes)))
    )
