"""Secrets that stand in clear in files of a root: by place and type, never by value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.errors import MemoracleError
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.manifest import Role
from memoracle.model.report import Finding, Severity
from memoracle.store import audit_trail as chain
from memoracle.store import sealed
from memoracle.store.line import DamagedLine, decode
from memoracle.store.volume import content_of

if TYPE_CHECKING:
    from memoracle.guard.guard import PolicyGuard
    from memoracle.root import Root
    from memoracle.store.store import Store

_OWN_KEYS = re.compile(r'"keys":\["c_[^\]]{0,2000}\]')
"""Digests of what a record says; in a damaged line they stand behind a word that names secrets."""


def secrets_in_clear(root: Root) -> Iterator[Finding]:
    """Where secrets stand in files that somebody else wrote here: the place and the type, never the value."""
    roles = {Role.RECORDS, Role.NOTE, Role.FACTS}
    paths = [state.path for state in root.store.manifest() if state.role in roles]
    for path in paths:
        for place in secrets_in(root.store, root.guard, path):
            where, _, kind = place.partition(" (")
            yield Finding(
                code="secret-in-clear",
                severity=Severity.WARNING,
                path=where,
                message=f"a secret stands here in clear ({kind.rstrip(')')}); whatever is shown of it is masked",
                hint="take it out of the file, and make the secret anew where others could read it",
            )


def secrets_in(store: Store, guard: PolicyGuard, path: str) -> Iterator[str]:
    """Where a file of the root holds secrets: `path#Lx (type)`, never a value."""
    with suppress(MemoracleError):
        seen = store.volume.stat(path)
        if seen is None or not seen.is_plain:
            return
    if path.startswith(f"{sealed.FOLDER}/") and sealed.vault_at(store.root):
        return  # keys that are wrapped for their owners look like anything
    try:
        content = content_of(store.volume, path)
    except MemoracleError:
        return  # it cannot be unpacked, so nobody can read it either
    if path in store.journal.files():
        yield from _secrets_in_lines(guard, path, content)
        return
    if path in store.audit.files():
        content = _without_entries(content)
    text = content.decode("utf-8", "replace")
    for one in guard.mask(text).found:
        yield f"{path}#L{text.count(chr(10), 0, one.start) + 1} ({one.type})"


def _without_entries(content: bytes) -> bytes:
    """The audit trail without its whole entries, whose hashes may look like anything; line numbers stay.

    Of an entry what a person may have put in words is left to be looked at.
    """
    kept = []
    for raw in content.split(b"\n"):
        if link := chain.read_entry(raw.removesuffix(b"\r")):
            names = (*link.event.rules, *link.event.about)
            said = " ".join(word for word in names if not word.startswith(RECORD_PREFIX))
            kept.append(said.replace("\n", " ").encode("utf-8", "replace"))
        else:
            kept.append(raw)
    return b"\n".join(kept)


def _secrets_in_lines(guard: PolicyGuard, path: str, content: bytes) -> Iterator[str]:
    """Record lines are judged as the last door before the disk judges them."""
    for number, raw in enumerate(content.split(b"\n"), start=1):
        try:
            record = decode(raw.removesuffix(b"\r")).record
        except DamagedLine:
            types = guard.mask(_OWN_KEYS.sub("", raw.decode("utf-8", "replace"))).types
        else:
            types = () if guard.screen(record) == record else ("a secret",)
        for one in types:
            yield f"{path}#L{number} ({one})"
