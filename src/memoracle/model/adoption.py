"""What stands in a directory of another design, what it becomes, and what of it nobody here understands."""

from __future__ import annotations

from collections.abc import Mapping

from memoracle.model.report import Finding
from memoracle.model.value import field, value

Setting = str | int | float


@value
class FoundFiles:
    """Files of one sort: where they stand, how many, how much they hold, and what becomes of them."""

    what: str
    place: str
    becomes: str
    files: int = 1
    holds: int = 0


@value
class DesignSays:
    """What a design says in files of its own: our settings for it, files that were read for them, and findings."""

    settings: Mapping[str, Setting] = field(default_factory=dict)
    found: tuple[FoundFiles, ...] = ()
    findings: tuple[Finding, ...] = ()


@value
class AdoptionReport:
    """A directory as it is found, before or when it is adopted. Looking changes nothing."""

    root: str
    layout: str
    active: int = 0
    archived: int = 0
    found: tuple[FoundFiles, ...] = ()
    settings: Mapping[str, Setting] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    """Folders of conversations that upkeep looks into from now on."""
    findings: tuple[Finding, ...] = ()
    """What could not be read or is not taken over, and why."""
    unknown: tuple[str, ...] = ()
    """Files that are left alone because nobody here knows them."""
