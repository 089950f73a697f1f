"""What the audit trail costs: acknowledged writes with and without it, in turns, in one run on one disk.

    .venv/bin/python -m benchmarks audit
    .venv/bin/python -m benchmarks audit --writes 2000 --rounds 9 --json audit.json

Both sides write single records through the store, each acknowledged after fsync. "Without" leaves out everything the
trail needs: the entry, its file, and the note of where it ends. Blocks of writes alternate, so that a busy machine is
busy for both. `verify` is then timed over the trail that came of it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import memoracle
from memoracle.store import audit_trail as events
from memoracle.store.audit_proof import verify
from memoracle.store.disk import DiskVolume
from memoracle.store.volume import Extent

_BLOCK = 50


def main() -> int:
    """Measure, print, and write the JSON if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--writes", type=int, default=1_000, help="writes of each sort in a round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, each in fresh folders")
    parser.add_argument("--json", metavar="FILE", help="also write the numbers here")
    arguments = parser.parse_args()
    rounds = [measure(arguments.writes) for _ in range(arguments.rounds)]
    ratios = [one["ratio"] for one in rounds]
    for one in rounds:
        print(
            f"without {one['without_us']:.0f} µs  with {one['with_us']:.0f} µs  ×{one['ratio']:.2f}"
            f"  verify {one['verify_s']:.2f} s for {one['entries']} entries, {one['bytes_each']:.0f} bytes each"
        )
    print(f"median ×{statistics.median(ratios):.2f}, from ×{min(ratios):.2f} to ×{max(ratios):.2f}")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rounds, indent=1) + "\n", encoding="utf-8")
    return 0


def measure(writes: int) -> dict[str, Any]:
    """One round: blocks of writes with and without the trail, in two memories on the same disk."""
    folder = Path(tempfile.mkdtemp(prefix="memoracle-audit-bench-"))
    taken: dict[str, list[float]] = {"with": [], "without": []}
    try:
        memories = {}
        for name in taken:
            memoracle.init(str(folder / name))
            memories[name] = memoracle.open_memory(str(folder / name), environment={})
        for start in range(0, writes, _BLOCK):
            for name, costs in taken.items():
                with untold() if name == "without" else told():
                    for number in range(start, min(writes, start + _BLOCK)):
                        began = time.perf_counter()
                        memories[name].remember(f"the parcel number {number} waits at the corner shop")
                        costs.append(time.perf_counter() - began)
        began = time.perf_counter()
        found = verify(memories["with"].store)
        seconds = time.perf_counter() - began
        assert found.ok, found.problems
        size = (folder / "with" / "events.jsonl").stat().st_size
        for memory in memories.values():
            memory.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    medians = {name: statistics.median(costs) * 1e6 for name, costs in taken.items()}
    return {
        "with_us": medians["with"],
        "without_us": medians["without"],
        "ratio": medians["with"] / medians["without"],
        "verify_s": seconds,
        "entries": found.entries,
        "bytes_each": size / found.entries,
    }


@contextmanager
def told() -> Iterator[None]:
    """Everything as it is."""
    yield


@contextmanager
def untold() -> Iterator[None]:
    """A store that keeps no trail."""
    audit: Any = events.Audit
    volumes: Any = DiskVolume
    kept: Any = (audit.prepare_writes, audit.prepare, audit.settle, volumes.append)

    def append(volume: Any, batches: Any, *, loose: str = "") -> Any:
        places = kept[3](volume, {path: lines for path, lines in batches.items() if path != loose})
        return places | {loose: Extent(begin=0, end=0, last=b"")}

    nothing = events.Prepared(path="-", content=b"", writer="", heads={})
    audit.prepare_writes = audit.prepare = lambda *_, **__: nothing
    audit.settle = lambda *_, **__: None
    volumes.append = append
    try:
        yield
    finally:
        audit.prepare_writes, audit.prepare, audit.settle, volumes.append = kept


if __name__ == "__main__":
    raise SystemExit(main())
