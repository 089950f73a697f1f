"""The kinds of facts by depth, and one look at a repository."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from memoracle.errors import BadInput
from memoracle.extensions.seats.errors import UnreadableRepository
from memoracle.extensions.seats.scan.document import project_document
from memoracle.extensions.seats.scan.tree import ScanTree
from memoracle.model.value import value

SHALLOW = ("dev_env",)
MEDIUM = (*SHALLOW, "runtime", "tests", "deploy", "ci", "lint", "structure")
DEEP = (*MEDIUM, "env_templates")
DEPTHS = {"shallow": SHALLOW, "medium": MEDIUM, "deep": DEEP}
_ROOMS = {"tests": "testing"}


@value
class ProjectFacts:
    """What a repository tells: a document per kind, and the files nobody could read."""

    repo: str
    documents: Mapping[str, Mapping[str, Any]]
    unread: Mapping[str, str]


def look_at_project(repo: str, *, project: str, depth: str, at: str) -> ProjectFacts:
    """One look, as deep as it is asked for."""
    if depth not in DEPTHS:
        raise BadInput(f"`{depth}` is no depth", f"one of: {', '.join(DEPTHS)}")
    place = os.path.realpath(os.path.expanduser(repo))
    if not os.path.isdir(place):
        raise UnreadableRepository(repo, "no folder stands there")
    if not os.access(place, os.R_OK | os.X_OK):
        raise UnreadableRepository(repo, "it may not be read")
    tree = ScanTree(place)
    documents = {
        kind: project_document(
            kind,
            import_module(f"memoracle.extensions.seats.scan.project.{_ROOMS.get(kind, kind)}").look(tree),
            project=project,
            repo=place,
            at=at,
        )
        for kind in DEPTHS[depth]
    }
    return ProjectFacts(repo=place, documents=documents, unread=dict(tree.unread))
