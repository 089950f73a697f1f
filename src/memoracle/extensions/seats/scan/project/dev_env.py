"""The short answer: languages, versions, managers, how to test, branch and remote."""

from __future__ import annotations

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.git import git_facts
from memoracle.extensions.seats.scan.project import runtime
from memoracle.extensions.seats.scan.project.testing import command_alone
from memoracle.extensions.seats.scan.tree import ScanTree

_KEPT = {"version", "version_range", "manager", "managers", "build_tool"}


def look(tree: ScanTree) -> list[Fact]:
    """What somebody who opens the repository asks first."""
    told = [fact for fact in runtime.look(tree) if len(fact.path) == 1 or fact.path[1] in _KEPT]
    return [*told, *command_alone(tree), *git_facts(tree)]
