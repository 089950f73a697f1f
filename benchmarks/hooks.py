"""How long a host waits for a hook, measured on this machine beside a bare start of the same Python.

    .venv/bin/python -m benchmarks hooks
    .venv/bin/python -m benchmarks hooks --sizes 100 1000 10000 --calls 30 --json hooks.json

Every call is a real process with a host's JSON on stdin. Bare starts and hooks take turns in the same run, so that
their ratio means something on a machine that others use. `wall` is what the host waits, `cpu` what the process spent.
The last rows are asked with a resident process there: the reading hooks, and `search` with the reranker and without.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import memoracle
from benchmarks.texts import samples
from memoracle import make_draft

TRANSCRIPT = {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": "s", "isSidechain": False}
COMMON = {"session_id": "s", "cwd": "/", "permission_mode": "default"}
HOOKS: dict[str, dict[str, Any]] = {
    "session-start": {"hook_event_name": "SessionStart", "source": "startup"},
    "prompt": {"hook_event_name": "UserPromptSubmit"},
    "stop": {"hook_event_name": "Stop", "last_assistant_message": "It is done."},
    "session-end": {"hook_event_name": "SessionEnd", "reason": "other"},
}


SEARCH = ("search", "search, unread")
RESIDENT = ("session-start", "prompt", *SEARCH)


def main() -> int:
    """Measure, print, and write the JSON if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=[100, 1_000, 10_000], help="records in the memory"
    )
    parser.add_argument("--calls", type=int, default=20, help="calls of each hook (default 20)")
    parser.add_argument("--json", metavar="FILE", help="also write the numbers here")
    arguments = parser.parse_args()
    found: dict[str, Any] = {"calls": arguments.calls, "cores": os.cpu_count(), "sizes": {}}
    for size in arguments.sizes:
        folder = Path(tempfile.mkdtemp(prefix="memoracle-hooks-bench-"))
        try:
            found["sizes"][size] = measure(folder, size, arguments.calls)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        print(f"{size:>7,} records  " + _row(found["sizes"][size]), flush=True)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def measure(folder: Path, size: int, calls: int) -> dict[str, Any]:
    """Fill a memory, then start bare Pythons and hooks in turns."""
    root, chat = folder / "memory", folder / "s.jsonl"
    drafts = list(samples(size))
    memoracle.init(str(root))
    with memoracle.open_memory(str(root)) as memory:
        for start in range(0, size, 1_000):
            memory.remember_many([make_draft(one.text) for one in drafts[start : start + 1_000]])
        memory.search("warm")
    chat.write_text(json.dumps(TRANSCRIPT | {"message": {"role": "user", "content": "hello there"}}) + "\n")
    env = {name: text for name, text in os.environ.items() if not name.startswith("MEMORACLE_")}
    env = env | {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "MEMORACLE_EMBEDDER": "none"}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    ways = {False: env | {"MEMORACLE_RESIDENT_MINUTES": "0"}, True: env | {"MEMORACLE_RESIDENT_MINUTES": "5"}}
    warm = [f"{name}, resident" for name in RESIDENT]
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ("bare", *HOOKS, *SEARCH, *warm)}
    _have_resident(root, ways[True])
    for number in range(calls + 2):
        question = drafts[number * 7 % size].question
        for name, costs in taken.items():
            verb, is_warm = name.removesuffix(", resident"), name in warm
            payload = COMMON | HOOKS.get(verb, {}) | {"transcript_path": str(chat), "prompt": question}
            asked = ["search", question] if verb in SEARCH else ["hook", verb]
            words = ["-c", "pass"] if name == "bare" else ["-m", "memoracle", "--root", str(root), *asked]
            more = {"MEMORACLE_RERANKER": "none"} if verb == SEARCH[1] else {}
            cost = _run([sys.executable, *words], json.dumps(payload).encode(), ways[is_warm] | more)
            _wait_for_worker(root, ways[False])
            if number >= 2:  # the first ones write bytecode and fill caches
                costs.append(cost)
    _run([sys.executable, "-m", "memoracle", "--root", str(root), "resident", "stop"], b"", ways[True])
    bare = [statistics.median(one) for one in zip(*taken["bare"], strict=True)]
    return {name: _figures(costs, bare) for name, costs in taken.items()}


def _have_resident(root: Path, env: dict[str, str]) -> None:
    """Ask once, which starts it, and wait until it is there."""
    words = [sys.executable, "-m", "memoracle", "--root", str(root)]
    _run([*words, "search", "warm"], b"", env)
    for _ in range(600):
        said = subprocess.run([*words, "resident"], env=env, capture_output=True, text=True, check=True)
        if said.stdout.startswith("process"):
            return
        time.sleep(0.1)
    raise SystemExit("there is no resident process")


def _figures(costs: list[tuple[float, float]], bare: list[float]) -> dict[str, float]:
    walls, cpus = ([cost[part] for cost in costs] for part in (0, 1))
    wall, cpu = statistics.median(walls), statistics.median(cpus)
    return {
        "wall_ms": round(wall, 1),
        "wall_p90_ms": round(statistics.quantiles(walls, n=10)[-1], 1) if len(walls) > 1 else round(wall, 1),
        "cpu_ms": round(cpu, 1),
        "wall_ratio": round(wall / bare[0], 2),
        "cpu_ratio": round(cpu / bare[1], 2),
    }


def _run(words: list[str], given: bytes, env: dict[str, str]) -> tuple[float, float]:
    """Milliseconds of wall clock and of processor that one process took."""
    read, write = os.pipe()
    os.write(write, given)
    os.close(write)
    null = os.open(os.devnull, os.O_WRONLY)
    started = time.perf_counter()
    actions = [(os.POSIX_SPAWN_DUP2, read, 0), (os.POSIX_SPAWN_DUP2, null, 1)]
    pid = os.posix_spawn(words[0], words, env, file_actions=actions)
    _, status, used = os.wait4(pid, 0)
    wall = time.perf_counter() - started
    os.close(read)
    os.close(null)
    assert os.waitstatus_to_exitcode(status) in {0, 3}, words  # 3: not in memory
    return wall * 1000, (used.ru_utime + used.ru_stime) * 1000


def _wait_for_worker(root: Path, env: dict[str, str]) -> None:
    """Drain the spool before the next call: a worker in the background is not what is measured."""
    spool = root / "state" / "spool"
    while spool.exists() and any(path.suffix == ".jsonl" for path in spool.iterdir()):
        _run([sys.executable, "-m", "memoracle", "--root", str(root), "hook", "work"], b"", env)
        time.sleep(0.05)


def _row(found: dict[str, dict[str, float]]) -> str:
    return "  ".join(
        f"{name} {one['wall_ms']:.0f} ms (×{one['wall_ratio']:.1f})" for name, one in found.items()
    )


if __name__ == "__main__":
    raise SystemExit(main())
