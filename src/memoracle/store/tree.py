"""What stands in the folders of a root, each listed once, however many ask.

A tree is for one look: whoever wants to know how things are later makes a new one. Links are never followed: that a
folder is none is checked for the first folder of a walk, and read from the listing for every folder below it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from memoracle.errors import OutsideRoot
from memoracle.model.value import value
from memoracle.store.contain import inside


@value
class Listing:
    """The names in one folder, sorted: plain files, and folders that are no links."""

    files: Sequence[os.DirEntry[str]] = ()
    folders: Sequence[str] = ()


_NOTHING = Listing()


class Tree:
    """The folders of one root at one moment."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._listed: dict[str, Listing] = {}
        self._safe: set[str] = set()

    def folder(self, relative: str) -> Listing:
        """What stands in a folder; nothing in one that is absent, closed to us, or a link."""
        found = self._listed.get(relative)
        if found is None:
            found = self._listed[relative] = self._list(relative)
        return found

    def below(
        self, relative: str, enters: Callable[[str], bool]
    ) -> Iterator[tuple[str, Sequence[os.DirEntry[str]]]]:
        """A folder and those below it whose names may be entered, each with its files."""
        here = self.folder(relative)
        if here.files:
            yield relative, here.files
        for name in here.folders:
            if enters(name):
                yield from self.below(f"{relative}/{name}" if relative else name, enters)

    def _list(self, relative: str) -> Listing:
        try:
            if relative and relative not in self._safe:
                inside(self._root, relative)
            with os.scandir(f"{self._root}/{relative}") as entries:
                found = sorted(entries, key=_name)
        except (OutsideRoot, FileNotFoundError, NotADirectoryError, PermissionError):
            return _NOTHING
        folders = [entry.name for entry in found if entry.is_dir(follow_symlinks=False)]
        self._safe.update(f"{relative}/{name}" if relative else name for name in folders)
        return Listing(files=[one for one in found if one.is_file(follow_symlinks=False)], folders=folders)


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name
