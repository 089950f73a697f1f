"""Root resolution: which folder a call means, by flag, variable, surroundings or the usual place.

Imports nothing that a bare Python has not: the resident process is looked for before anything else is loaded.
"""

from __future__ import annotations

import os

FILE = "memoracle.toml"
ROOT_VARIABLE = "MEMORACLE_ROOT"

TYPE_CHECKING = False  # `typing` takes a third of a bare start
if TYPE_CHECKING:
    from collections.abc import Mapping


def find_root(flag: str | None, environment: Mapping[str, str], *, start: str, home: str) -> str:
    """The root every interface uses: flag, variable, nearest ancestor that holds one, per-user default."""
    if flag:
        return os.path.abspath(os.path.expanduser(flag))
    if named := environment.get(ROOT_VARIABLE):
        return os.path.abspath(os.path.expanduser(named))
    folder = os.path.abspath(start)
    while True:
        if os.path.isfile(os.path.join(folder, FILE)):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return default_root(environment, home=home)
        folder = parent


def default_root(environment: Mapping[str, str], *, home: str) -> str:
    """Where a person's memory lives when nobody says otherwise."""
    data = environment.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(data, "memoracle")


def folder_here() -> str:
    """The folder a command stands in; the top of all where that one is gone."""
    try:
        return os.getcwd()
    except OSError:
        return os.sep
