"""Consolidation, measured on this machine: a night over many records, and a year day by day.

    python3 dev.py bench upkeep
    python3 dev.py bench upkeep --records 10000 --days 365 --json upkeep.json

A night is compared with reading every record line as JSON and writing it again, with one fsync, in the
same run. A year is compared with itself: a day of the last quarter beside a day of the first.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import memoracle
from benchmarks.texts import samples
from memoracle import make_draft

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))

PLAIN = {"MEMORACLE_RECIPE": "quick", "MEMORACLE_EMBEDDER": "none", "TZ": "UTC"}
ROUNDS = 3


def main() -> int:
    """Measure both, print them, and write the JSON if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument(
        "--records", type=int, default=10_000, help="active records of the night (default 10,000)"
    )
    parser.add_argument("--days", type=int, default=365, help="days of the year (default 365)")
    parser.add_argument("--json", metavar="FILE", help="also write the numbers here")
    parser.add_argument("--folder", help="where to work (default: a temporary folder)")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="memoracle-upkeep-bench-", dir=arguments.folder))
    try:
        found = {"night": night(folder, arguments.records), "year": year(folder, arguments.days)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def night(folder: Path, records: int) -> dict[str, Any]:
    """A forced run over so many active records, beside reading and writing their lines once."""
    from support.life import BEGIN, write_day

    root, chats = folder / "night", folder / "chats"
    chats.mkdir()
    memoracle.init(str(root), environment=PLAIN)
    clock = Still(BEGIN + timedelta(hours=1))
    with memoracle.open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        memory.remember_many([make_draft(one.text) for one in samples(records)])
        clock.now += timedelta(hours=1)
        memory.consolidate()
    nights, passes = [], []
    phases: dict[str, float] = {}
    for number in range(ROUNDS):
        write_day(chats, number)
        clock.now += timedelta(days=1)
        with memoracle.open_memory(str(root), environment=PLAIN, clock=clock) as memory:
            memory.ingest(str(chats), embed=False)
            started = time.perf_counter()
            done = memory.consolidate()
            nights.append(time.perf_counter() - started)
            phases = {phase.name: phase.seconds for phase in done.phases}
        passes.append(timed(lambda: read_and_write(root, folder / "copy")))
    return {
        "records": records,
        "night_s": min(nights),
        "one_pass_s": min(passes),
        "ratio": min(nights) / min(passes),
        "phases_s": phases,
    }


def read_and_write(root: Path, target: Path) -> None:
    """Every line of every record file as JSON, and back onto the disk."""
    target.mkdir(exist_ok=True)
    for path in [*root.glob("records/*.jsonl"), *root.glob("archive/records/*.jsonl")]:
        held = [json.loads(line) for line in path.read_bytes().splitlines()]
        with (target / path.name).open("wb") as file:
            file.writelines(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in held)
            file.flush()
            os.fsync(file.fileno())


def year(folder: Path, days: int) -> dict[str, Any]:
    """Twenty turns a day, consolidated every night; the time of a night in each quarter."""
    from support.life import BEGIN, write_day

    root, chats = folder / "year", folder / "days"
    chats.mkdir()
    memoracle.init(str(root), environment=PLAIN)
    clock = Still(BEGIN)
    taken: list[float] = []
    with memoracle.open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        for number in range(days):
            write_day(chats, number)
            clock.now = BEGIN + timedelta(days=number + 1, hours=3)
            memory.ingest(str(chats / f"{(BEGIN + timedelta(days=number)).date()}.jsonl"), embed=False)
            taken.append(timed(memory.consolidate))
        counts = memory.status()
    quarter = max(1, days // 4)
    spans = [taken[start : start + quarter] for start in range(0, quarter * 4, quarter)]
    means = [sum(span) / len(span) for span in spans if span]
    return {
        "days": days,
        "total_s": sum(taken),
        "night_ms_by_quarter": [round(mean * 1000, 1) for mean in means],
        "last_to_first": means[-1] / means[0],
        "active": counts.active,
        "archived": counts.archived,
    }


class Still:
    """A clock that stands where it is put."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def timed(act: Callable[[], Any]) -> float:
    """How long it took, in seconds."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


if __name__ == "__main__":
    raise SystemExit(main())
