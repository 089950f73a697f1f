"""Where the root and its state are, found without opening a memory: a hook has a few milliseconds."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from memoracle.model.value import value
from memoracle.settings import FILE, ROOT_VARIABLE, default_root
from memoracle.store.disk import DiskVolume
from memoracle.store.own_state import own_state

_LAYOUT = re.compile(rb"^[ \t]*layout[ \t]*=[ \t]*[\"']([^\"'\n]*)", re.MULTILINE)
_LARGEST = 1 << 20


@value
class Place:
    """A root that is there, its files, and the folder of its state: its name there, and its place on this machine."""

    root: str
    volume: DiskVolume
    state: str
    state_place: str


def find_place(root: str | None, environment: Mapping[str, str]) -> Place | None:
    """The root this hook works for; None when there is no memory.

    The folder an agent works in has no say: a repository that was cloned must not bring a memory along that is told
    to the agent unasked, and that its talks are written to.
    """
    named = root or environment.get(ROOT_VARIABLE) or default_root(environment, home=os.path.expanduser("~"))
    found = os.path.abspath(os.path.expanduser(named))
    try:
        with open(os.path.join(found, FILE), "rb") as file:
            written = _LAYOUT.search(file.read(_LARGEST))
    except OSError:
        return None
    layout = environment.get("MEMORACLE_LAYOUT") or (
        written[1].decode("utf-8", "replace") if written else "native"
    )
    real = os.path.realpath(found)
    # As the tables of `store/layouts.py` have it: an adopted directory shelters what its design has no place for.
    usual = "state" if layout == "native" else ".memoracle/state"
    volume = DiskVolume(real)
    volume.path(usual)  # no link
    listed = "sessions" if layout in {"native", "vm-oracle"} else ".memoracle/sessions"
    own = own_state(real, usual, first_list=f"{listed}/transcripts.json")
    return Place(root=found, volume=volume, state=own.folder, state_place=volume.path(own.folder))
