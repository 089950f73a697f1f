"""No path leaves the root, and no link is followed out of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from memoracle.errors import OutsideRoot


def inside(root: str, relative: str, *, is_followed: bool = True) -> str:
    """The absolute path of a relative one, when every step of it stays inside the root.

    The last step need not be looked at by who opens it without following it.
    """
    if not relative or relative.startswith("/") or "\0" in relative:
        raise OutsideRoot(relative, "it is not relative to the root")
    path = root
    steps = relative.split("/")
    if not {"", ".", ".."}.isdisjoint(steps):
        raise OutsideRoot(relative, "it walks upwards or nowhere")
    for step in steps if is_followed else steps[:-1]:
        path = f"{path}/{step}"
        try:
            mode = os.lstat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        if stat.S_ISLNK(mode):
            raise OutsideRoot(relative, f"`{step}` is a link")
    return f"{root}/{relative}"


def not_walked(root: str) -> Iterator[tuple[str, str]]:
    """What `walk` passes over below a folder: links, and folders that cannot be listed."""
    unlisted: list[OSError] = []
    for where, folders, names in os.walk(root, onerror=unlisted.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in (*folders, *sorted(names)):
            if not name.startswith(".") and os.path.islink(os.path.join(where, name)):
                yield (
                    os.path.relpath(os.path.join(where, name), root),
                    "it is a link, and links are not followed",
                )
    for problem in unlisted:
        place = os.path.relpath(str(problem.filename), root)
        yield place, f"the folder cannot be listed: {problem.strerror}"


def walk(root: str, folder: str, suffixes: tuple[str, ...], *, hidden: bool = False) -> Iterator[str]:
    """The plain files below a folder, as sorted relative paths; links are passed over, and hidden names."""
    top = os.path.join(root, folder) if folder else root
    try:
        entries = sorted(os.scandir(top), key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    for entry in entries:
        if entry.name.startswith(".") and not hidden:
            continue
        relative = f"{folder}/{entry.name}" if folder else entry.name
        if entry.is_dir(follow_symlinks=False):
            yield from walk(root, relative, suffixes, hidden=hidden)
        elif entry.is_file(follow_symlinks=False) and entry.name.endswith(suffixes):
            yield relative
