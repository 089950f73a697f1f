"""Whose home it is: the one resolver of every scanner.

An agent may run with a redirected `HOME`, while the account's own files lie where the password database says. Where
the two differ both are looked at, the account's first, and every fact names the file it came from.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from memoracle.model.value import value


@value
class MachineHome:
    """A home folder, and who says that it is one."""

    path: str
    said_by: str


def account_home() -> str:
    """The home that the password database gives this account; nothing where it knows none."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def homes_of(
    environment: Mapping[str, str], account: str, given: Sequence[str] = ()
) -> tuple[MachineHome, ...]:
    """The homes to look at, each once, however it is spelled. Those that are `given` stand alone."""
    if given:
        wanted = [(path, "the call") for path in given]
    else:
        wanted = [(account, "the password database"), (environment.get("HOME", ""), "HOME")]
    found: dict[str, MachineHome] = {}
    for path, said_by in wanted:
        if path and os.path.isabs(path) and os.path.isdir(path):
            found.setdefault(
                os.path.realpath(path), MachineHome(path=os.path.realpath(path), said_by=said_by)
            )
    return tuple(found.values())
