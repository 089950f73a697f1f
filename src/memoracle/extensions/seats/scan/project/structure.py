"""What stands at the top of a repository, and the packages of its workspace."""

from __future__ import annotations

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.project.packages import packages
from memoracle.extensions.seats.scan.tree import ScanTree

_FLAGS = {
    "has_src": ("src", "lib", "app"),
    "has_docs": ("docs", "doc"),
    "has_tests": ("tests", "test", "spec", "__tests__"),
    "has_scripts": ("scripts", "bin", "tools"),
}
_MOST = 200


def look(tree: ScanTree) -> list[Fact]:
    """Folders by purpose, names, numbers and packages."""
    names = [name for name in tree.names() if name != ".git"]
    facts = [
        Fact(
            path=(flag,),
            says=any(tree.has_folder(folder) for folder in folders),
            source=tree.root,
        )
        for flag, folders in _FLAGS.items()
    ]
    facts += [
        Fact(path=("top_level",), says=names[:_MOST], source=tree.root),
        Fact(path=("top_level_count",), says=len(names), source=tree.root),
        Fact(path=("file_count",), says=sum(tree.has(name) for name in names), source=tree.root),
    ]
    return [*facts, *packages(tree)]
