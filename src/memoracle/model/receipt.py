"""What a change did: under which id, where it stands, whether it is new."""

from __future__ import annotations

from dataclasses import dataclass

from memoracle.model.record import Status


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What `forget` erased, and where the same words still stand in files that are not its own."""

    ids: tuple[str, ...]
    operation: str
    lines: int
    remaining: tuple[str, ...] = ()
