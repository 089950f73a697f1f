"""How truth describes its files to a view, without either knowing the other."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from memoracle.model.link import Link
from memoracle.model.record import Record
from memoracle.model.report import Finding
from memoracle.model.value import value

if TYPE_CHECKING:
    from memoracle.model.search import Passage


class Role(StrEnum):
    """What a file of truth holds."""

    RECORDS = "records"
    NOTE = "note"
    USAGE = "usage"
    TRANSCRIPT = "transcript"
    FACTS = "facts"


Looks = tuple[str, int, int, int, int]
"""How a file looked: its role, size, two times and inode. Plain, because there are as many as files."""


@value
class FileState:
    """What the file system says of a file; equal states mean equal content."""

    path: str
    role: Role
    size: int
    modified: int
    changed: int
    inode: int


@value
class Mark:
    """How far a file was read: so many bytes and lines, and the digest of those bytes.

    `memo` is what the reader of a transcript wants to be told when it reads on.
    """

    size: int
    lines: int
    digest: str
    memo: str = ""


@value
class Version:
    """One line of a record file: where it stands and what it says."""

    line: int
    digest: str
    record: Record
    links: tuple[Link, ...] = ()


@value
class RecallUse:
    """A record was handed to an agent."""

    line: int
    ref: str
    at: datetime


@value
class NoteSheet:
    """A note as something that others can link to: what it is called besides its path, and whose it is."""

    names: tuple[str, ...] = ()
    kind: str = ""
    project: str = ""


@value
class Loaded:
    """What a file says: all of it, or only what came after the mark.

    `mark` is None when the end of the file is unsettled; it is then read whole the next time.
    `withdrawn` names passages that an earlier reading gave and that no longer stand. A transcript
    that is `absent` takes nothing out of the view: a source that is away has not been deleted.
    Where there is `more`, it is read on behind the mark.
    """

    path: str
    role: Role
    whole: bool
    mark: Mark | None
    versions: tuple[Version, ...] = ()
    passages: tuple[Passage, ...] = ()
    withdrawn: tuple[str, ...] = ()
    uses: tuple[RecallUse, ...] = ()
    absent: bool = False
    sheet: NoteSheet | None = None
    links: tuple[Link, ...] = ()
    findings: tuple[Finding, ...] = ()
    more: bool = False
