"""A ClawSeat installation: its projects with their repositories and states."""

from __future__ import annotations

from memoracle.extensions.seats.scan.fact import Fact, listed
from memoracle.extensions.seats.scan.machine.surroundings import Around
from memoracle.extensions.seats.scan.tree import ScanTree, table, words

_HOME, _REGISTRY, _MEMORY = ".clawseat", ".clawseat/projects.json", ".agents/memory"
_MOST = 200


def look(around: Around) -> list[Fact]:
    """The registry of the first home that has one, and the projects its memory holds."""
    facts: list[Fact] = []
    for tree in around.trees:
        if tree.has_folder(_HOME):
            facts.append(Fact(path=("home",), says=words(tree.at(_HOME)), source=tree.at(_HOME)))
        facts += _registered(tree)
        facts += listed(("memory_projects",), tree.names(f"{_MEMORY}/projects")[:_MOST], tree.at(_MEMORY))
    source = around.trees[0].at(_HOME) if around.trees else "environment"
    return [Fact(path=("installed",), says=bool(facts), source=source), *facts]


def _registered(tree: ScanTree) -> list[Fact]:
    held = tree.json(_REGISTRY)
    entries = table(held, "projects") or held
    projects = [
        {
            "name": words(name),
            "repo_path": words(table(entry).get("repo_path")),
            "status": words(table(entry).get("status")) or "active",
        }
        for name, entry in sorted(entries.items())
        if isinstance(entry, dict)
    ]
    return [Fact(path=("projects",), says=projects[:_MOST], source=tree.at(_REGISTRY))] if projects else []
