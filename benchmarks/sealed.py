"""A sealed root beside one in clear, in one run: appends, loading, cold questions. Prints medians and their ratios.

    python -m benchmarks sealed [RECORDS] [ROUNDS]

Both roots lie side by side under a temporary folder (TMPDIR chooses the disk); rounds alternate between them. An append
is timed by the clock, since it waits for the disk; the rest in processor time, which a busy machine hardly changes.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from memoracle.compose import init, open_memory
from memoracle.extensions.encryption import encrypting, keyring, vaults
from memoracle.learn.draft import make_draft
from memoracle.store import durable, sealed

QUICK = {"MEMORACLE_EMBEDDER": "none", "MEMORACLE_RECIPE": "quick"}
_TEXT = "the {n}th crate of tea from Hangzhou stands on shelf {s} since spring, as Mei said on the phone"


def main(records: int, rounds: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="memoracle-bench-") as folder:
        clear, shut = os.path.join(folder, "clear"), os.path.join(folder, "sealed")
        init(clear, environment={})
        with open_memory(clear, environment=QUICK) as memory:
            for start in range(0, records, 1000):
                drafts = [
                    make_draft(_TEXT.format(n=n, s=n % 97)) for n in range(start, min(start + 1000, records))
                ]
                memory.remember_many(drafts)
        shutil.rmtree(os.path.join(clear, "index"), ignore_errors=True)
        shutil.copytree(clear, shut)
        identity = keyring.age().x25519.Identity.generate()
        began = time.perf_counter()
        encrypting.encrypt(shut, environment={}, recipients=[str(identity.to_public())], recovery=False)
        print(f"sealing {records} records: {time.perf_counter() - began:.2f} s")
        try:
            compare("append, acknowledged (ms)", append, clear, shut, rounds * 40)
            look(clear)
            compare(f"read {records} records from their file (CPU ms)", load, clear, shut, rounds)
            compare(f"build the view of {records} records (CPU ms)", build, clear, shut, max(3, rounds // 3))
            compare("cold search, a process of its own (CPU ms)", cold, clear, shut, rounds)
            compare("cold remember, a process of its own (CPU ms)", cold_remember, clear, shut, rounds)
        finally:
            encrypting.lock(shut, environment={})


def compare(name: str, act: Callable[[str, list[float]], None], clear: str, shut: str, rounds: int) -> None:
    """Both, in turn."""
    took: dict[str, list[float]] = {clear: [], shut: []}
    for root in (clear, shut):
        act(root, took[root])
        took[root].clear()
    for _ in range(rounds):
        for root in (clear, shut):
            act(root, took[root])
    plain, other = median(took[clear]), median(took[shut])
    print(
        f"{name}: clear {plain * 1000:.2f}, sealed {other * 1000:.2f}, ratio {other / plain:.2f}, n={rounds}"
    )


def look(root: str) -> None:
    """What a root in clear pays for each file that is read."""
    path = os.path.join(root, "memoracle.toml")
    took: dict[str, list[float]] = {"raw": [], "read": []}
    for _ in range(20_000):
        for name, act in (("raw", durable.read_raw), ("read", sealed.read)):
            began = time.perf_counter()
            act(path)
            took[name].append(time.perf_counter() - began)
    raw, read = median(took["raw"]) * 1e6, median(took["read"]) * 1e6
    print(f"reading a small file in clear (µs): without the look {raw:.1f}, with it {read:.1f}, n=20000")


_open: dict[str, Any] = {}


def append(root: str, took: list[float]) -> None:
    memory = _open.setdefault(root, open_memory(root, environment=QUICK))
    text = f"a new line {os.urandom(6).hex()}"
    began = time.perf_counter()
    memory.remember(text)
    took.append(time.perf_counter() - began)


def load(root: str, took: list[float]) -> None:
    vaults._vaults.clear()  # noqa: SLF001 - what a vault has opened once it does not open again
    with open_memory(root, environment=QUICK) as memory:
        began = time.process_time()
        sum(1 for _ in memory.store.journal.all_versions())
        took.append(time.process_time() - began)


def build(root: str, took: list[float]) -> None:
    vaults._vaults.clear()  # noqa: SLF001 - the same
    with open_memory(root, environment=QUICK) as memory:
        began = time.process_time()
        memory.rebuild_index()
        took.append(time.process_time() - began)


def cold(root: str, took: list[float]) -> None:
    _call(root, took, "search", "tea Hangzhou")


def cold_remember(root: str, took: list[float]) -> None:
    _call(root, took, "remember", f"a cold line {os.urandom(6).hex()}")


def _call(root: str, took: list[float], *words: str) -> None:
    began = _spent()
    subprocess.run(
        [sys.executable, "-m", "memoracle", "--root", root, *words],
        env={**{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}, **QUICK},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    took.append(_spent() - began)


def _spent() -> float:
    """Seconds of processor time that children have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, int(sys.argv[2]) if len(sys.argv) > 2 else 15)
