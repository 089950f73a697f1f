"""What a scanner of the machine is given: homes, variables, the moment, and a way to compare secrets unseen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memoracle.extensions.seats.scan.homes import MachineHome
from memoracle.extensions.seats.scan.tree import ScanTree
from memoracle.model.value import value

_SHORTEST = 8
_CLASSES = ((8, "under 8"), (16, "8-15"), (32, "16-31"), (64, "32-63"), (128, "64-127"))


@value
class Around:
    """Everything a scanner may look at. `trees` are the homes, the account's own first."""

    homes: tuple[MachineHome, ...]
    trees: tuple[ScanTree, ...]
    environment: Mapping[str, str]
    at: str
    fingerprint: Callable[[str], str]
    is_secret: Callable[[str, str], bool]
    """Whether a value of that name is a secret."""
    system: ScanTree

    def sight(self, secret: str) -> dict[str, str | bool]:
        """What may be kept of a secret: that it is there, how long it is by class, and whether it changed.

        A short one gets no fingerprint: all of its possible values could be tried.
        """
        seen: dict[str, str | bool] = {"present": bool(secret), "length": length_class(secret)}
        if len(secret) >= _SHORTEST:
            seen["fingerprint"] = self.fingerprint(secret)
        return seen | {"last_seen": self.at}


def length_class(secret: str) -> str:
    """How long a secret is, by class: never the length itself."""
    if not secret:
        return "empty"
    return next((name for below, name in _CLASSES if len(secret) < below), "128 and more")
