"""The languages of a repository, each with what its files state. The first of them is the primary one."""

from __future__ import annotations

from collections.abc import Iterator

from memoracle.extensions.seats.scan.fact import MEDIUM, Fact, listed
from memoracle.extensions.seats.scan.project import go, jvm, node, python, ruby, rust
from memoracle.extensions.seats.scan.tree import ScanTree

_LANGUAGES = (python, node, go, rust, ruby, jvm)


def look(tree: ScanTree) -> list[Fact]:
    """Languages in the order in which one of them is called primary, then the facts of each."""
    return [*languages(tree), *_details(tree)]


def languages(tree: ScanTree) -> Iterator[Fact]:
    """Which languages there are."""
    primary = ""
    for language in _LANGUAGES:
        if file := language.sign(tree):
            name = "kotlin" if language is jvm and jvm.is_kotlin(tree) else language.NAME
            if not primary:
                primary = name
                yield Fact(path=("primary_language",), says=name, source=tree.at(file), trust=MEDIUM)
            yield from listed(("languages",), [name], tree.at(file))
    if not primary:
        yield Fact(path=("primary_language",), says="unknown", source=tree.root, trust=MEDIUM)


def _details(tree: ScanTree) -> Iterator[Fact]:
    for language in _LANGUAGES:
        if language.sign(tree):
            yield from language.look(tree)
