"""What must not be committed: secrets in the files of a root, by place and type, never by value."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memoracle.errors import MemoracleError, SecretInTheWay
from memoracle.store.line import DamagedLine, decode
from memoracle.store.packed import content_of
from memoracle.store.store import Store

if TYPE_CHECKING:
    from memoracle.policy.shield import Shield


def must_be_clean(store: Store, shield: Shield, paths: Sequence[str]) -> None:
    """Stop when one of these files holds a secret."""
    if places := [place for path in paths for place in _secrets_in(store, shield, path)]:
        raise SecretInTheWay(places)


def _secrets_in(store: Store, shield: Shield, path: str) -> Iterator[str]:
    place = os.path.join(store.root, path)
    if os.path.islink(place) or not os.path.isfile(place):
        return
    try:
        content = content_of(place)
    except MemoracleError:
        return  # it cannot be unpacked, so nobody can read it either
    if path in store.record_files():
        yield from _secrets_in_lines(shield, path, content)
        return
    text = content.decode("utf-8", "replace")
    for one in shield.mask(text).found:
        yield f"{path}#L{text.count(chr(10), 0, one.start) + 1} ({one.type})"


def _secrets_in_lines(shield: Shield, path: str, content: bytes) -> Iterator[str]:
    """Record lines are judged as the last door before the disk judges them."""
    for number, raw in enumerate(content.split(b"\n"), start=1):
        try:
            record = decode(raw.removesuffix(b"\r")).record
        except DamagedLine:
            types = shield.mask(raw.decode("utf-8", "replace")).types
        else:
            types = () if shield.screen(record) == record else ("a secret",)
        for one in types:
            yield f"{path}#L{number} ({one})"
