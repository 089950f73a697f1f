"""The address of a page or an entity as one file name. Pure.

A slash becomes `__` and a colon `++`, as a published design has it; every character that could be mistaken for one of
them is escaped with its code, so that two addresses never share a name. A name longer than a file system takes is cut
and ends in a digest: what it stands for is written inside the file.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from unicodedata import normalize

LONGEST = 200
_CUT = "%-"
_PLAIN = re.compile(r"[^\W_]|-")
_BESIDE = frozenset("_/")


def flat(address: str) -> str:
    """The file name of an address; another for every address."""
    pieces = [_written(address, at) for at in range(len(address))]
    if not pieces or not re.match(r"[^\W_]", pieces[0]):
        pieces.insert(0, f"p{_CUT}")
    name = "".join(pieces)
    if len(name.encode()) <= LONGEST:
        return name
    digest = blake2b(address.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
    room = LONGEST - len(_CUT) - len(digest)
    kept: list[str] = []
    for piece in pieces:
        room -= len(piece.encode())
        if room < 0:
            break
        kept.append(piece)
    return f"{''.join(kept)}{_CUT}{digest}"


def _written(address: str, at: int) -> str:
    ch = address[at]
    if ch == "/":
        return "__"
    if ch == ":":
        return "++"
    beside = {address[at - 1 : at] if at else "", address[at + 1 : at + 2]}
    if ch == "_":
        return "%5F" if beside & _BESIDE else ch
    if ch == ".":
        return "%2E" if "." in beside or at == 0 else ch
    if _PLAIN.fullmatch(ch) and normalize("NFKC", ch) == ch:
        return ch
    return "".join(f"%{byte:02X}" for byte in ch.encode("utf-8", "surrogatepass"))
