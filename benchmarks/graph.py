"""The graph of links at scale: neighbourhoods, ways, and what one changed page costs, at several sizes.

python -m benchmarks graph [--bare] [PAGES …]            default: 1000 10000 100000

Pages are made up, with a fixed seed: each names some tasks, commits, files and components and links to other pages;
a few tasks are hubs that a hundredth of all pages name. They are written as files and read by the usual sync. With
`--bare` the view takes in their links alone and no words, which most of the time of building goes to.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memoracle.compose import init, open_memory
from memoracle.index.graph import walk, way
from memoracle.model.manifest import Role
from memoracle.model.value import replace

_SETTINGS = {"MEMORACLE_EMBEDDER": "none", "MEMORACLE_RECIPE": "quick"}
_PLAIN_WORDS = (
    "queue retry cache worker deploy index page memory seat planner reviewer token budget limit test".split()
)
_ASKED, _CHANGED = 300, 40


def page(chance: random.Random, number: int, pages: int) -> str:
    """The text of one page."""
    words = " ".join(chance.choice(_PLAIN_WORDS) for _ in range(30))
    tasks = " ".join(f"ARENA-{chance.randrange(pages)}" for _ in range(3))
    hub = f" EPIC-{chance.randrange(10)}" if chance.random() < 0.1 else ""
    others = " ".join(f"[[p{chance.randrange(pages)}]]" for _ in range(2))
    place = f"src/part{chance.randrange(pages // 5 + 1)}/main.py commit {chance.randrange(16**9):09x}a1"
    return f"# Page {number}\n\n{words}\n\n{tasks}{hub} {others} {place} Part{chance.randrange(200)}View\n"


def slug(number: int, pages: int) -> str:
    """Where a page stands: some hundred pages to a folder."""
    return f"projects/p{number % max(1, pages // 100)}/builder/p{number}"


def measure(pages: int, folder: Path, *, bare: bool) -> dict[str, float]:
    """One size, from writing the files to the last question."""
    chance = random.Random(7)
    root = folder / f"m{pages}"
    init(str(root), environment={})
    for number in range(pages):
        path = root / f"{slug(number, pages)}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(chance, number, pages), encoding="utf-8")
    with open_memory(str(root), environment=_SETTINGS) as memory:
        began = time.perf_counter()
        if bare:
            with memory.index.changing(wait=5.0):
                for number in range(pages):
                    _take_in(memory, f"{slug(number, pages)}.md", bare=True)
        else:
            memory.links(slug(0, pages))
        figures = {"build_s": time.perf_counter() - began}
        asked = [slug(chance.randrange(pages), pages) for _ in range(_ASKED)]
        for depth in (1, 2, 3):
            spent = []
            nodes = []
            for node in asked if depth < 3 else asked[:60]:
                with memory.index.links() as links:
                    start = time.perf_counter()
                    near = walk(node, depth, links.near)
                    spent.append(time.perf_counter() - start)
                nodes.append(len(near.nodes))
            figures |= _figures(f"depth{depth}", spent) | {f"depth{depth}_nodes": statistics.median(nodes)}
        spent = []
        for start_node, end_node in zip(asked[:50], asked[50:100], strict=True):
            with memory.index.links() as links:
                start = time.perf_counter()
                way(start_node, end_node, links.near)
                spent.append(time.perf_counter() - start)
        figures |= _figures("path", spent)
        figures |= _figures("update", _updates(memory, root, chance, pages, bare=bare))
        memory.list()  # whatever is new besides pages
        figures |= _figures("look", _spent(5, lambda _: memory.list()))
        figures |= _figures("sync", _syncs(memory, root, chance, pages))
        figures |= _writes(memory)
    return figures


def _take_in(memory: Any, path: str, *, bare: bool) -> None:
    """Have the view read one file."""
    state = next(iter(memory.store.states({path: Role.NOTE})))
    loaded = memory.store.load(path, Role.NOTE)
    memory.index.apply(state, replace(loaded, passages=()) if bare else loaded, lambda *_: None)


def _updates(memory: Any, root: Path, chance: random.Random, pages: int, *, bare: bool) -> list[float]:
    """What it costs the view to take in one changed page, apart from finding out which one changed."""
    spent = []
    for _ in range(_CHANGED):
        number = chance.randrange(pages)
        path = f"{slug(number, pages)}.md"
        (root / path).write_text(page(chance, number, pages), encoding="utf-8")
        start = time.perf_counter()
        with memory.index.changing(wait=5.0):
            _take_in(memory, path, bare=bare)
        spent.append(time.perf_counter() - start)
    return spent


def _syncs(memory: Any, root: Path, chance: random.Random, pages: int) -> list[float]:
    """The same through a question, which first compares the times of all files."""
    spent = []
    for _ in range(5):
        number = chance.randrange(pages)
        (root / f"{slug(number, pages)}.md").write_text(page(chance, number, pages), encoding="utf-8")
        time.sleep(0.1)  # a file of this very moment is read again by the next question
        start = time.perf_counter()
        memory.links(slug(number, pages))
        spent.append(time.perf_counter() - start)
    return spent


def _writes(memory: Any) -> dict[str, float]:
    """What it costs to write a page, and to close it by its id; no question is asked between."""
    written: list[str] = []

    def write(number: int) -> None:
        title = f"Seen {number}"
        page = memory.seats.write_page(
            kind="observation", project="p0", author="builder", title=title, body=f"{title}.\n"
        )
        written.append(page.id)

    figures = _figures("write", _spent(_CHANGED, write))
    closed = _spent(_CHANGED, lambda number: memory.seats.close_page(written[number], author="builder"))
    return figures | _figures("close", closed)


def _spent(times: int, act: Callable[[int], Any]) -> list[float]:
    spent = []
    for number in range(times):
        start = time.perf_counter()
        act(number)
        spent.append(time.perf_counter() - start)
    return spent


def _figures(name: str, spent: list[float]) -> dict[str, float]:
    ordered = sorted(spent)
    return {
        f"{name}_p50_ms": statistics.median(ordered) * 1000,
        f"{name}_p95_ms": ordered[int(len(ordered) * 0.95)] * 1000,
    }


def main() -> None:
    """Measure every size, and say how the last compares with the first."""
    bare = "--bare" in sys.argv
    sizes = [int(one) for one in sys.argv[1:] if one != "--bare"] or [1000, 10_000, 100_000]
    folder = Path(tempfile.mkdtemp(prefix="graph-"))
    found = {}
    try:
        for pages in sizes:
            found[pages] = measure(pages, folder, bare=bare)
            print(pages, {name: round(figure, 2) for name, figure in found[pages].items()}, flush=True)
            shutil.rmtree(folder / f"m{pages}")
        ratio = found[sizes[-1]]["update_p50_ms"] / found[sizes[0]]["update_p50_ms"]
        print(f"one page: {ratio:.2f} times at {sizes[-1]} pages what it costs at {sizes[0]}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
