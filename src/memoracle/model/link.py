"""What a page, a note or a record points at: a typed link, and how its target is written.

A target is an entity (`entity:taskid:ARENA-228`), the name of a page as somebody wrote it (`page:retry-policy`), or
the id of a record. Pure values; what a page's name leads to is decided where links are asked about.
"""

from __future__ import annotations

from enum import StrEnum

from memoracle.model.value import value

PAGE = "page:"
"""Before the name of a page that somebody linked to."""
ENTITY = "entity:"


class LinkType(StrEnum):
    """What a link says about its target."""

    TASK = "references-task"
    COMMIT = "references-commit"
    COMPONENT = "references-component"
    FILE = "references-file"
    URL = "references-url"
    KEY = "references-key"
    PROJECT = "references-project"
    WIKILINK = "wikilink"
    SUPERSEDES = "supersedes"
    EVIDENCE = "evidence"


@value
class Link:
    """One link of one source, at its first mention.

    `doubt` is the prefix of a task id that counts only where the project uses it for another number, too.
    """

    type: LinkType
    target: str
    snippet: str
    line: int = 0
    doubt: str = ""


@value
class Edge:
    """A link between two things that a reader can name."""

    source: str
    target: str
    type: LinkType
    snippet: str
    path: str = ""
    line: int = 0


def entity(namespace: str, named: str) -> str:
    """The address of an entity."""
    return f"{ENTITY}{namespace}:{named}"


@value
class Backlinks:
    """Everything that links to a target."""

    target: str
    incoming: tuple[Edge, ...] = ()


@value
class BrokenLink:
    """A link that leads nowhere, and why."""

    edge: Edge
    because: str


@value
class LinksWritten:
    """What became of the files of links: how many edges there are, and how many targets came and went."""

    source: str
    edges_total: int
    targets_added: int
    targets_removed: int
    paths: tuple[str, ...] = ()
