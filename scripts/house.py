"""The house in numbers, beside what it was before it was redrawn.

    python scripts/house.py          the numbers (add --walks for what one verb enters)
    python scripts/house.py map      every file and what it holds
    python scripts/house.py homonyms public classes that share a name

The core is the package without `extensions/`; tables of data are no Python and are not counted. A file is a module, a
line is a line, a chain is the longest path of imports at the top of modules.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "memoracle"
# Measured by this script on the last commit before the rooms were redrawn; all of it was core then.
BEFORE = {
    "files, with extensions": 766,
    "lines, with extensions": 88_627,
    "files": 766,
    "lines": 88_627,
    "lines of tables": 11_168,  # the last before a tagger took over what rows had read
    "rooms": 23,
    "largest file": 678,
    "largest function": 80,
    "public classes": 614,
    "homonyms": 70,
    "import chain": 24,
    "remember: files entered": 58,
    "remember: room changes": 96,
    "recall: files entered": 82,
    "recall: room changes": 166,
}
LIMITS = {
    "files, with extensions": 400,
    "lines, with extensions": 60_000,
    "files": 300,
    "lines": 46_000,
    "lines of tables": 9_000,
    "rooms": 13,
    "largest file": 500,
    "largest function": 80,
    "public classes": 400,
    "homonyms": 0,
    "import chain": 12,
    "remember: files entered": 30,
    "remember: room changes": 46,
    "recall: files entered": 40,
    "recall: room changes": 82,
}
WALKS = {"remember": ["remember", "the dog is called Rex"], "recall": ["recall", "What is the cat called?"]}


def core() -> list[Path]:
    """The modules of the core."""
    return [
        path for path in sorted(SOURCE.rglob("*.py")) if "extensions" not in path.relative_to(SOURCE).parts
    ]


def numbers(*, walks: bool) -> dict[str, int]:
    """What the house measures now."""
    texts = {path: path.read_text(encoding="utf-8") for path in core()}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    functions = [
        node.end_lineno - node.lineno + 1
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno
    ]
    everything = sorted(SOURCE.rglob("*.py"))
    found = {
        "files, with extensions": len(everything),
        "lines, with extensions": sum(path.read_text(encoding="utf-8").count("\n") for path in everything),
        "files": len(texts),
        "lines": sum(text.count("\n") for text in texts.values()),
        "lines of tables": sum(
            path.read_text(encoding="utf-8").count("\n") for path in SOURCE.rglob("*.toml")
        ),
        "rooms": len(
            {path.relative_to(SOURCE).parts[0] for path in SOURCE.rglob("*.py") if path.parent != SOURCE}
        ),
        "largest file": max(text.count("\n") for text in texts.values()),
        "largest function": max(functions),
        "public classes": sum(len(names) for path, names in classes() if path in texts),
        "homonyms": len(homonyms()),
        "import chain": longest_chain(),
    }
    if walks:
        for verb in WALKS:
            files, changes = walk(verb)
            found |= {f"{verb}: files entered": files, f"{verb}: room changes": changes}
    return found


def classes() -> Iterator[tuple[Path, list[str]]]:
    """The public classes of every module, extensions included."""
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield path, [n.name for n in tree.body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")]


def homonyms() -> dict[str, list[str]]:
    """Names that more than one public class has, and where."""
    count = Counter(name for _, names in classes() for name in names)
    return {
        name: [str(path.relative_to(SOURCE)) for path, names in classes() if name in names]
        for name, times in sorted(count.items())
        if times > 1
    }


def imports() -> dict[str, set[str]]:
    """For every module of the core, the modules it imports at its top."""
    names = {_name(path): path for path in core()}
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        graph[name] = set()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memoracle"):
                wanted = {f"{node.module}.{one.name}" for one in node.names} | {node.module or ""}
                deeper = {one for one in wanted if one in names and one != node.module}
                graph[name] |= deeper or ({node.module or ""} & names.keys())
        graph[name].discard(name)
    return graph


def longest_chain() -> int:
    """How many modules the longest path of imports has."""
    return len(chain())


def chain() -> list[str]:
    """The longest path of imports."""
    graph = imports()

    @cache
    def below(name: str) -> tuple[str, ...]:
        return (name, *max((below(other) for other in graph[name]), key=len, default=()))

    return list(max((below(name) for name in graph), key=len))


_PROFILE = """
import json, os, sys
files, changes, last = set(), 0, None
source = {source!r}
def room(name):
    parts = os.path.relpath(name, source).split(os.sep)
    return parts[0] if len(parts) > 1 else "top"
def profile(frame, event, arg):
    global changes, last
    if event != "call":
        return
    code = frame.f_code
    name = code.co_filename
    if not name.startswith(source) or code.co_name.startswith("<") or name.endswith("value.py"):
        return
    above = frame.f_back
    while above is not None:  # what an import does is not the verb's way
        if above.f_code.co_filename.startswith("<frozen importlib"):
            return
        above = above.f_back
    files.add(name)
    if last is not None and room(name) != last:
        changes += 1
    last = room(name)
from memoracle.interfaces.cli import main
sys.setprofile(profile)
status = main(sys.argv[2:])
sys.setprofile(None)
with open(sys.argv[1], "w") as file:
    json.dump([len(files), changes, sorted(os.path.relpath(one, source) for one in files)], file)
"""


def walk(verb: str) -> tuple[int, int]:
    """How many files one verb over four facts enters, and how often it changes rooms; imports are not counted."""
    return walked(verb)[:2]


def walked(verb: str) -> tuple[int, int, list[str]]:
    """The same, and which files."""
    with tempfile.TemporaryDirectory() as place:
        root, out = os.path.join(place, "memory"), os.path.join(place, "out.json")
        around = {
            **os.environ,
            "XDG_STATE_HOME": place,
            "HOME": place,
            "MEMORACLE_ROOTS": os.path.join(place, "roots.json"),
        }
        command = [sys.executable, "-m", "memoracle", "--root", root]
        facts = ("the cat is called Miso", "the car is blue", "tea is at four", "the lake is deep")
        for words in (["init"], *(["remember", fact] for fact in facts), ["recall", "the cat"]):
            subprocess.run([*command, *words], check=True, capture_output=True, env=around)
        code = _PROFILE.format(source=str(SOURCE) + os.sep)
        subprocess.run(
            [sys.executable, "-c", code, out, "--root", root, *WALKS[verb]],
            check=True,
            capture_output=True,
            env=around,
        )
        files, changes, names = json.loads(Path(out).read_text(encoding="utf-8"))
        return files, changes, names


def _name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


def show_map() -> None:
    """Every module and the first line of what it says of itself."""
    for path in sorted(SOURCE.rglob("*.py")):
        said = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n")[0]
        print(f"{path.relative_to(SOURCE)!s:46} {said}")


def main(words: list[str]) -> int:
    """One of the three."""
    if words[:1] == ["map"]:
        show_map()
    elif words[:1] == ["homonyms"]:
        for name, places in homonyms().items():
            print(f"{name:24} {'  '.join(places)}")
    elif words[:1] == ["chain"]:
        print(" > ".join(chain()))
    elif words[:1] == ["walk"]:
        files, changes, names = walked(words[1])
        print(f"{files} files, {changes} room changes", *names, sep="\n")
    else:
        print(f"{'':28}{'before':>8}{'now':>8}{'limit':>8}")
        for name, now in numbers(walks="--walks" in words).items():
            print(
                f"{name:28}{BEFORE[name]:>8,}{now:>8,}{LIMITS[name]:>8,}{'' if now <= LIMITS[name] else '  over'}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
