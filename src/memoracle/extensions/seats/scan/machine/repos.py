"""Repositories below home: where, on which branch, with which remote. A bounded walk that follows no link."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.git import git_facts
from memoracle.extensions.seats.scan.machine.surroundings import Around
from memoracle.extensions.seats.scan.tree import ScanTree, words

_DEEPEST = 4
_MOST_FOLDERS = 4_000
_MOST = 500
_PASSED_OVER = frozenset({"node_modules", "vendor", "target", "dist", "build", "site-packages", "Library"})


def look(around: Around) -> list[Fact]:
    """Every repository that was met, by path."""
    facts = []
    for tree in around.trees:
        found = [_told(tree, path) for path in _repositories(tree)]
        if found:
            facts.append(
                Fact(
                    path=("repos",), says=sorted(found, key=lambda one: one["path"])[:_MOST], source=tree.root
                )
            )
    total = sum(len(fact.says) for fact in facts)
    return [
        Fact(path=("count",), says=total, source=around.trees[0].root if around.trees else "environment"),
        *facts,
    ]


def _told(tree: ScanTree, path: str) -> dict[str, str]:
    told = {"path": words(tree.at(path))}
    for fact in git_facts(tree, path):
        if fact.path[-1] == "branch":
            told["branch"] = fact.says
        else:
            told["remote"] = fact.says[0]["url"]
    return told


def _repositories(tree: ScanTree) -> Iterator[str]:
    waiting = deque([("", 0)])
    looked = 0
    while waiting and looked < _MOST_FOLDERS:
        folder, depth = waiting.popleft()
        looked += 1
        names = tree.names(folder)
        if folder and ".git" in names:
            yield folder
            continue
        for name in names:
            path = f"{folder}/{name}" if folder else name
            if name[0] != "." and name not in _PASSED_OVER and depth < _DEEPEST and _is_folder(tree.at(path)):
                waiting.append((path, depth + 1))


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)
