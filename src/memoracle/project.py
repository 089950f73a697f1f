"""The project of a working folder: the repository it belongs to, under a name that stays the same.

A project is a place. Subfolders and worktrees of a repository belong to it; two clones are two projects, because each
may follow rules of its own. A folder without a repository is a project of its own, the home folder and an assistant's
own room are none. Only where the folder stands decides, never what somebody wrote into its files: a repository that
was unpacked cannot pose as another. Nothing is run and nothing is written.
"""

from __future__ import annotations

import os
import re
import unicodedata
from hashlib import sha256

OUTSIDE = "outside-projects"
"""Read as this project, memory shows what belongs to no project."""

_ODD = re.compile(r"[^\w-]+")
_ROOMS = ("SOUL.md", "memoracle.toml")
_LARGEST = 4096
_LONGEST = 40


def project_of(folder: str, *, home: str = "") -> str:
    """The name of the project that a folder belongs to; empty when it belongs to none."""
    root = root_of(folder, home=home)
    if not root:
        return ""
    near = os.path.relpath(root, _home(home))
    # Under the home folder its way from there counts, so that two machines agree on it.
    known_as = os.path.abspath(root) if near.startswith(os.pardir) else f"~/{near}"
    stem = (
        _ODD.sub("-", unicodedata.normalize("NFC", os.path.basename(root))).strip("-_")[:_LONGEST].strip("-_")
    )
    digits = sha256(known_as.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{stem or 'project'}-{digits}"


def root_of(folder: str, *, home: str = "") -> str:
    """The folder that a project stands in: its main repository, or the folder itself; empty for none."""
    if not os.path.isabs(folder) or "\0" in folder:
        return ""
    place = os.path.realpath(folder)
    ends = {_home(home), os.path.dirname(place) if os.path.ismount(place) else "", os.path.abspath(os.sep)}
    at = place
    while at not in ends:
        if os.path.lexists(os.path.join(at, ".git")):
            return "" if _is_a_room(at) else _main(at)
        at = os.path.dirname(at)
    is_nowhere = place in ends or place in {"/tmp", "/var/tmp", "/private/tmp"}  # noqa: S108 - names, not uses
    return "" if is_nowhere or _is_a_room(place) else place


def _home(home: str) -> str:
    return os.path.realpath(home or os.path.expanduser("~"))


def _is_a_room(folder: str) -> bool:
    """True where an assistant lives, or memory itself: what is said there is about its owner."""
    return any(os.path.lexists(os.path.join(folder, name)) for name in _ROOMS)


def _main(folder: str) -> str:
    """The main folder of a worktree, when the repository itself says that this is one; otherwise the folder."""
    own = os.path.join(folder, ".git")
    said = _first_line(own).removeprefix("gitdir:").strip()
    kept = os.path.realpath(os.path.join(folder, said)) if said else ""
    trees, name = os.path.split(kept)
    if not name or os.path.basename(trees) != "worktrees":
        return folder
    back = _first_line(os.path.join(kept, "gitdir"))
    is_known = back and os.path.realpath(os.path.join(kept, back)) == os.path.realpath(own)
    git = os.path.dirname(trees)
    return os.path.dirname(git) if is_known and os.path.basename(git) == ".git" else folder


def _first_line(path: str) -> str:
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(_LARGEST).split(b"\n", 1)[0]).strip()
    except OSError:
        return ""
