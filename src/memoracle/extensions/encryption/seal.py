"""Sealing bytes: one line, one whole file, or one line for a reader who holds the key.

Lines and files are sealed with AES-SIV (RFC 5297). The same words under the same key give the same bytes, so a
file written anew changes only where its words changed, and git merges sealed lines like any others. Each seal is
bound to the root, to the form and to the folder it stands in. A posted line is sealed to a public age key: whoever
writes it cannot open it. Pure: no file is opened here.
"""

from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memoracle.errors import MissingExtra, StoreProblem
from memoracle.model.value import value

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV


class WrongKey(StoreProblem):
    """A key or a passphrase that does not open this memory."""

    def __init__(self, root: str, ways: list[str], because: str = "") -> None:
        self.root = root
        self.hint = f"it can be opened by: {', '.join(ways) or 'nothing that is listed'}; nothing was changed"
        super().__init__(f"this does not open the memory at {root}{f': {because}' if because else ''}")


class NoMemoryFolder(StoreProblem):
    """No folder that lives in memory, where open keys could be held."""

    hint = "MEMORACLE_IDENTITY can name an age identity file instead, which each process reads for itself"

    def __init__(self, looked: list[str]) -> None:
        super().__init__(
            f"open keys may not lie on a disk, and none of these lives in memory: {', '.join(looked)}"
        )


LINE = b"sealed1."
FILE = b"memoracle sealed file 1 "
POSTED = b"posted1."
KEY_LENGTH = 64
_VERSION = b"memoracle 1"


class BrokenSeal(ValueError):
    """Bytes that the key does not vouch for: changed, cut short, or sealed for another place."""


class StrangeKey(ValueError):
    """Bytes that name a key which is not at hand."""

    def __init__(self, key_id: str) -> None:
        self.key_id = key_id
        super().__init__(key_id)


@value
class Ring:
    """The keys of one root: `current` seals, all of them open; `inboxes` open what was posted."""

    root: str
    current: str
    keys: Mapping[str, bytes]
    inboxes: tuple[str, ...] = ()


class Sealer:
    """A ring at work."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self._ciphers: dict[str, AESSIV] = {}

    def seal_line(self, line: bytes, place: str) -> bytes:
        """One line, without its end, as one line."""
        key_id = self.ring.current
        sealed = self._cipher(key_id).encrypt(line, self._bound(b"line", place))
        return LINE + key_id.encode() + b"." + b2a_base64(sealed, newline=False)

    def open_line(self, line: bytes, place: str) -> bytes:
        """What a sealed line says; raises `BrokenSeal` or `StrangeKey`."""
        key_id, _, text = line[len(LINE) :].partition(b".")
        try:
            sealed = a2b_base64(text, strict_mode=True)
        except Error:
            raise BrokenSeal("the line is not whole") from None
        return self._open(key_id, sealed, self._bound(b"line", place))

    def seal_file(self, content: bytes, place: str) -> bytes:
        """A whole file; its first line says what it is."""
        key_id = self.ring.current
        return b"%s%s\n" % (FILE, key_id.encode()) + self._cipher(key_id).encrypt(
            content, self._bound(b"file", place)
        )

    def open_file(self, raw: bytes, place: str) -> bytes:
        """What a sealed file holds; raises `BrokenSeal` or `StrangeKey`."""
        head, end, sealed = raw.partition(b"\n")
        if not end:
            raise BrokenSeal("the file is not whole")
        return self._open(head[len(FILE) :], sealed, self._bound(b"file", place))

    def open_posted(self, line: bytes) -> bytes:
        """What was posted to this root; raises `BrokenSeal`."""
        import pyrage

        try:
            identities = [pyrage.x25519.Identity.from_str(inbox) for inbox in self.ring.inboxes]
            return bytes(pyrage.decrypt(a2b_base64(line[len(POSTED) :], strict_mode=True), identities))
        except (Error, pyrage.DecryptError):
            raise BrokenSeal("it was not posted to this root, or was changed") from None

    def _open(self, key_id: bytes, sealed: bytes, bound: list[bytes]) -> bytes:
        from cryptography.exceptions import InvalidTag

        name = key_id.decode("ascii", "replace")
        if name not in self.ring.keys:
            raise StrangeKey(name)
        try:
            return self._cipher(name).decrypt(sealed, bound)
        except (InvalidTag, ValueError):
            raise BrokenSeal("the key does not vouch for it") from None

    def _bound(self, form: bytes, place: str) -> list[bytes]:
        return [_VERSION, self.ring.root.encode(), form, place.encode("utf-8", "surrogateescape")]

    def _cipher(self, key_id: str) -> AESSIV:
        if key_id not in self._ciphers:
            try:
                from cryptography.hazmat.primitives.ciphers.aead import AESSIV
            except ImportError:
                raise MissingExtra("encrypt", "cryptography") from None
            self._ciphers[key_id] = AESSIV(self.ring.keys[key_id])
        return self._ciphers[key_id]


def post_line(line: bytes, inbox: str) -> bytes:
    """One line sealed to a public key."""
    try:
        import pyrage
    except ImportError:
        raise MissingExtra("encrypt", "pyrage") from None
    sealed = pyrage.encrypt(line, [pyrage.x25519.Recipient.from_str(inbox)])
    return POSTED + b2a_base64(sealed, newline=False)
