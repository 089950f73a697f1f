"""The rules by which one root's links are read, and the reader that follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.store.link_tables import digest_of, link_files, tables_of
from memoracle.store.volume import Volume

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memoracle.learn.link_sources import LinkReader
    from memoracle.learn.links import LinkRules


class LinkSetup:
    """What a root says about links, read again whenever somebody asks what it says."""

    def __init__(self, volume: Volume, layout: Mapping[str, str]) -> None:
        self._volume = volume
        self._layout = layout
        self._files: dict[str, bytes] = {}
        self._reader: LinkReader | None = None

    def rules(self) -> str:
        """A digest of the rules as they are now; empty when nobody wrote any."""
        files = link_files(self._volume, self._layout)
        if files != self._files:
            self._files, self._reader = files, None
        return digest_of(files)

    def reader(self) -> LinkReader:
        """What reads links by the rules that were last looked at."""
        if self._reader is None:
            from memoracle.learn.link_sources import LinkReader
            from memoracle.learn.links import PLAIN, read_rules

            tables = tables_of(self._files) if self._files else {}
            base = read_rules(tables.pop("", {}))
            own: dict[str, LinkRules] = {name: read_rules(table, base) for name, table in tables.items()}
            usual = base if self._files else PLAIN
            self._reader = LinkReader(self._volume.root, lambda project: own.get(project, usual))
        return self._reader
