"""Which layout an existing directory already has.

Reads names only, by the signs of each layout: no file is opened, no link is followed, nothing is
written. What the settings of a root say about its layout goes before any of this.
"""

from __future__ import annotations

import os
import stat
from fnmatch import fnmatchcase

from memoracle.store.layouts import Sign, layout_names, layout_of


def detect(root: str) -> str | None:
    """The layout a directory has; None when it is empty, absent or nothing we know."""
    known = [(sign.rank, name, sign) for name in layout_names() for sign in layout_of(name).signs]
    known.sort(key=lambda one: one[:2])
    return next((name for _, name, sign in known if _fits(sign, root)), None)


def _fits(sign: Sign, root: str) -> bool:
    return (
        all(_exists(root, path) for path in sign.needs)
        and any(_exists(root, path) for path in sign.any_of)
        and not any(_exists(root, path) for path in sign.never)
    )


def _exists(folder: str, path: str) -> bool:
    """True when the path, or one that fits its wildcard, is a plain file or folder."""
    step, _, rest = path.partition("/")
    names = _names_in(folder) if {"*", "?"} & set(step) else [step]
    return any(
        (_exists(os.path.join(folder, name), rest) if rest else True)
        for name in names
        if fnmatchcase(name, step) and _is_plain(os.path.join(folder, name), is_folder=bool(rest))
    )


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _is_plain(path: str, *, is_folder: bool) -> bool:
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and not is_folder)
