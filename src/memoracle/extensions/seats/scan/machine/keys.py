"""Keys for ssh: public ones by type and fingerprint, private ones by presence."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from hashlib import sha256

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.tree import ScanTree

_FOLDER = ".ssh"
_MOST = 100


def key_facts(tree: ScanTree) -> Iterator[Fact]:
    """The key files of a home; a private key is named, never opened."""
    names = tree.names(_FOLDER)
    public = [key for name in names if name.endswith(".pub") if (key := _public(tree, name))]
    if public:
        yield Fact(path=("ssh", "public_keys"), says=public[:_MOST], source=tree.at(_FOLDER))
    private = [name for name in names if f"{name}.pub" in names]
    if private:
        yield Fact(path=("ssh", "private_keys"), says=private[:_MOST], source=tree.at(_FOLDER))


def _public(tree: ScanTree, name: str) -> dict[str, str] | None:
    """Type and fingerprint as `ssh-keygen -l` prints it; the comment names people and is left out."""
    kind, _, rest = tree.text(f"{_FOLDER}/{name}").strip().partition(" ")
    try:
        digest = sha256(base64.b64decode(rest.split(" ")[0].encode(), validate=True)).digest()
    except (ValueError, binascii.Error):
        return None
    if not kind.startswith(("ssh-", "ecdsa-", "sk-")) or not rest:
        return None
    print_ = base64.b64encode(digest).decode().rstrip("=")
    return {"file": f"{_FOLDER}/{name}", "type": kind[:60], "fingerprint": f"SHA256:{print_}"}
