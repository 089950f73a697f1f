"""What stands in the folders of a root, each listed once, however many ask.

A tree is for one look: whoever wants to know how things are later makes a new one. Links are never followed: that a
folder is none is checked for the first folder of a walk, and read from the listing for every folder below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from memoracle.store.volume import FileEntry, Folder, Volume


class Tree:
    """The folders of one root at one moment."""

    def __init__(self, volume: Volume) -> None:
        self._volume = volume
        self._listed: dict[str, Folder] = {}
        self._safe: set[str] = set()

    def folder(self, relative: str) -> Folder:
        """What stands in a folder; nothing in one that is absent, closed to us, or a link."""
        found = self._listed.get(relative)
        if found is None:
            found = self._listed[relative] = self._list(relative)
        return found

    def below(
        self, relative: str, enters: Callable[[str], bool]
    ) -> Iterator[tuple[str, Sequence[FileEntry]]]:
        """A folder and those below it whose names may be entered, each with its files."""
        here = self.folder(relative)
        if here.files:
            yield relative, here.files
        for name in here.folders:
            if enters(name):
                yield from self.below(f"{relative}/{name}" if relative else name, enters)

    def _list(self, relative: str) -> Folder:
        found = self._volume.list(relative, trusted=relative in self._safe)
        self._safe.update(f"{relative}/{name}" if relative else name for name in found.folders)
        return found
