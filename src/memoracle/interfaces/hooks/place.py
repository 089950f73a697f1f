"""Where the root and its state are, found without opening a memory: a hook has a few milliseconds."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from memoracle.model.value import value
from memoracle.settings import FILE, find_root
from memoracle.store.contain import inside

_LAYOUT = re.compile(rb"^[ \t]*layout[ \t]*=[ \t]*[\"']([^\"'\n]*)", re.MULTILINE)
_LARGEST = 1 << 20


@value
class Place:
    """A root that is there, and the folder of its state."""

    root: str
    state: str


def find_place(root: str | None, environment: Mapping[str, str], cwd: str) -> Place | None:
    """The root this hook works for; None when there is no memory."""
    start = cwd if cwd and os.path.isdir(cwd) else os.getcwd()
    found = find_root(root, environment, start=start, home=os.path.expanduser("~"))
    try:
        with open(os.path.join(found, FILE), "rb") as file:
            named = _LAYOUT.search(file.read(_LARGEST))
    except OSError:
        return None
    layout = environment.get("MEMORACLE_LAYOUT") or (named[1].decode("utf-8", "replace") if named else "native")
    real = os.path.realpath(found)
    # As the tables of `store/layouts.py` have it: an adopted directory shelters what its design has no place for.
    return Place(root=found, state=inside(real, "state" if layout == "native" else ".memoracle/state"))
