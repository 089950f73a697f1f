"""The store's core asks extensions in one file; see `memoracle/store/__init__.py` for which file belongs to whom."""

import ast
import re
from pathlib import Path

from memoracle import store

ROOM = Path(store.__file__).parent
WHOSE = {
    name: extension
    for extension, names in re.findall(r"(?m)^(Seats|Layouts): ((?:.+\n)+)", store.__doc__)
    for name in re.findall(r"(\w+)\.py", names)
}


def imported_by(path):
    """The modules of the store that a file imports when it runs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and id(node) not in typing:
            if node.module == "memoracle.store":
                yield from (one.name for one in node.names)
            elif node.module and node.module.startswith("memoracle.store."):
                yield node.module.split(".")[2]


def test_every_file_is_listed():
    """The room says what is in it, and nothing that is not."""
    listed = set(re.findall(r"(\w+)\.py", store.__doc__))
    assert listed == {path.stem for path in ROOM.glob("*.py")} - {"__init__"}


def test_the_core_asks_extensions_in_one_place():
    """A root without seats and without another design's layout runs none of their files."""
    core = [path for path in ROOM.glob("*.py") if path.stem not in WHOSE]
    asked = {path.stem for path in core if any(one in WHOSE for one in imported_by(path))}
    assert WHOSE
    assert asked == {"extension_points"}
