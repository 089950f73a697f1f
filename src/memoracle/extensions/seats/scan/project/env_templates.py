"""The names in a template of settings: which variables a repository wants, never what anybody gave them."""

from __future__ import annotations

from memoracle.extensions.seats.scan.dotenv import settings_of
from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.tree import ScanTree

_NAMES = (".env.example", ".env.sample", ".env.template", "env.example")
_MOST = 50


def look(tree: ScanTree) -> list[Fact]:
    """The first template that is there: its file, its names, and how many there are."""
    file = tree.first(*_NAMES)
    if not file:
        return [
            Fact(path=("template",), says="", source=tree.root),
            Fact(path=("key_count",), says=0, source=tree.root),
        ]
    keys = list(dict.fromkeys(name for name, _ in settings_of(tree.text(file))))
    source = tree.at(file)
    return [
        Fact(path=("template",), says=file, source=source),
        Fact(path=("keys",), says=keys[:_MOST], source=source),
        Fact(path=("key_count",), says=len(keys), source=source),
    ]
