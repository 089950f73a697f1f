"""What a change did: under which id, where it stands, whether it is new."""

from __future__ import annotations

from memoracle.model.record import Status
from memoracle.model.report import Finding
from memoracle.model.value import value


@value
class Receipt:
    """One acknowledged change of one record. `created` is False when it was there already."""

    id: str
    version: int
    created: bool
    status: Status
    path: str = ""
    line: int | None = None
    operation: str = ""
    warnings: tuple[str, ...] = ()


@value
class Erased:
    """What `forget` erased, and where the same words still stand in files that are not its own."""

    ids: tuple[str, ...]
    operation: str
    lines: int
    remaining: tuple[str, ...] = ()


@value
class Ingested:
    """What `ingest` read: conversations and what they added, and what it could not use."""

    files: int
    turns: int
    embedded: int
    kept: int
    findings: tuple[Finding, ...] = ()
