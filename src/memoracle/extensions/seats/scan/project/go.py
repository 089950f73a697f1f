"""Go: module and version."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.tree import ScanTree, words

NAME = "go"
_LINE = re.compile(r"^(module|go|toolchain)\s+(\S{1,200})\s*(?://.*)?$", re.MULTILINE)
_NAMES = {"module": "module", "go": "version", "toolchain": "toolchain"}


def sign(tree: ScanTree) -> str:
    """The file that shows this language is used."""
    return tree.first("go.mod", "go.work")


def look(tree: ScanTree) -> Iterator[Fact]:
    """What go.mod states."""
    file = sign(tree)
    for what, said in _LINE.findall(tree.text(file)):
        yield Fact(path=(NAME, _NAMES[what]), says=words(said.strip('"')), source=tree.at(file))
    yield Fact(path=(NAME, "manager"), says="go modules", source=tree.at(file))
