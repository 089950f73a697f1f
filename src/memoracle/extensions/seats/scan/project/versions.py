"""Versions that files pin: a file of its own, or a line in the file of a version manager."""

from __future__ import annotations

from collections.abc import Iterator

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.tree import ScanTree, table, words

_OTHER_NAMES = {"node": ("node", "nodejs"), "go": ("go", "golang")}


def pinned(tree: ScanTree, name: str, *files: str) -> Iterator[Fact]:
    """The pinned version of a language, from the first file that has one."""
    for file in files:
        said = next((line for line in tree.lines(file) if line and not line.startswith("#")), "")
        if version := words(said).removeprefix(f"{name}-").removeprefix("v")[:40]:
            yield Fact(path=(name, "version"), says=version, source=tree.at(file))
            return
    names = _OTHER_NAMES.get(name, (name,))
    for line in tree.lines(".tool-versions"):
        tool, _, version = line.partition(" ")
        if tool in names and version.strip():
            yield Fact(
                path=(name, "version"), says=words(version.split()[0])[:40], source=tree.at(".tool-versions")
            )
            return
    for file in ("mise.toml", ".mise.toml"):
        held = table(tree.toml(file), "tools")
        for one in names:
            if version := words(held.get(one))[:40]:
                yield Fact(path=(name, "version"), says=version, source=tree.at(file))
                return
