"""What the store asks of others: what may be written, what a conversation says, and what a text links to.

Each is a protocol with one implementation here that does nothing, for a store that stands alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from memoracle.model.claim import Turn
    from memoracle.model.link import Link
    from memoracle.model.manifest import Loaded
    from memoracle.model.record import Record


class Guard(Protocol):
    """Decides what may stand in the files and what the view is told. Asked for every record, so it has to be quick."""

    def admit(self, record: Record) -> Record:
        """A record as it may be written, at the last door before the disk; raises while nobody can tell."""

    def screen(self, record: Record) -> Record:
        """A record as the view may know it; itself where nothing has to be masked. Never raises."""

    def hide(self, text: str) -> str:
        """A text without its secrets, every line where it was."""

    def clean_copy(self, content: bytes) -> bytes | None:
        """A transcript as it may be copied; None when nobody can look into it."""

    def is_suspect(self, text: str) -> bool:
        """True for words from outside that hold hidden text or an injected order."""


class TranscriptReader(Protocol):
    """Reads the conversations of hosts: files that belong to others, in shapes this room does not know."""

    def load(self, path: str, shape: str, memo: str) -> Loaded:
        """What is new in a transcript since the reading that left this memo."""

    def turns(self, path: str, shape: str) -> Sequence[Turn]:
        """Every turn of a transcript; none of a shape nobody knows."""


class LinkExtractor(Protocol):
    """Reads what a note or a record links to."""

    def of_note(
        self, path: str, project: str, header: Mapping[str, Any], body: str, *, first_line: int
    ) -> tuple[Link, ...]:
        """The links of a note."""

    def of_record(self, record: Record) -> tuple[Link, ...]:
        """The links of one version of a record."""


class LinkSource(Protocol):
    """Gives the reader of links by the rules that a root has now."""

    def reader(self) -> LinkExtractor:
        """What reads links."""


class Unguarded:
    """A guard that lets everything pass: for a store whose caller has looked already."""

    def admit(self, record: Record) -> Record:
        """The record."""
        return record

    screen = admit

    def hide(self, text: str) -> str:
        """The text."""
        return text

    def clean_copy(self, content: bytes) -> bytes | None:
        """The content."""
        return content

    def is_suspect(self, text: str) -> bool:  # noqa: ARG002 - nothing is
        """Nothing is."""
        return False
