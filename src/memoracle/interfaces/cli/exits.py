"""Error code to exit status. People's scripts rely on these numbers."""

from __future__ import annotations

from memoracle.errors import (
    BadInput,
    Conflict,
    MemoracleError,
    NeedsConsent,
    NoRoot,
    NotDelivered,
    NotFound,
    NothingToUndo,
    NotPushed,
    Refused,
)

DONE = 0
FAILED = 1
USAGE = 2
NOT_IN_MEMORY = 3
NOT_IN_FEDERATION = 4
REFUSED = 5
CONFLICT = 6
NOT_DELIVERED = 7
NOT_READY = 8

MEANING = {
    DONE: "done",
    FAILED: "a check failed, or something went wrong while running",
    USAGE: "the call's words are off",
    NOT_IN_MEMORY: "not_in_memory_db",
    NOT_IN_FEDERATION: "not_in_federated_kb",
    REFUSED: "refused by policy or ownership",
    CONFLICT: "conflict of versions",
    NOT_DELIVERED: "written but not delivered",
    NOT_READY: "not_ready",
}

_FAMILIES: tuple[tuple[type[MemoracleError], int], ...] = (
    (NoRoot, FAILED),
    (NothingToUndo, FAILED),
    (NotFound, NOT_IN_MEMORY),
    (BadInput, USAGE),
    (NeedsConsent, USAGE),
    (Refused, REFUSED),
    (Conflict, CONFLICT),
    (NotPushed, NOT_DELIVERED),
    (NotDelivered, NOT_DELIVERED),
)


def status_of(error: MemoracleError) -> int:
    """The exit status of an error."""
    return next((status for family, status in _FAMILIES if isinstance(error, family)), FAILED)
