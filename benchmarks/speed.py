"""What durability costs: acknowledged writes per second beside bare write + fsync, in one run.

    python -m benchmarks speed [ROUNDS] [FOLDER]

Bare writes and ours alternate in short rounds on the same disk, so that a busy machine slows both.
Printed: medians per second, their ratio, and the processor time of one of our writes.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import tempfile
import time

from memoracle.compose import init, open_memory

EACH = 40
LINE = b"x" * 600 + b"\n"


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    folder = tempfile.mkdtemp(dir=sys.argv[2] if len(sys.argv) > 2 else None)
    init(os.path.join(folder, "memory"), environment={})
    bare, ours, spent, singles = [], [], [], []
    handle = os.open(os.path.join(folder, "bare"), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with open_memory(os.path.join(folder, "memory"), environment={}) as memory:
        for turn in range(rounds):
            begun = time.perf_counter()
            for _ in range(EACH):
                os.write(handle, LINE)
                os.fsync(handle)
            bare.append(EACH / (time.perf_counter() - begun))
            begun, used = time.perf_counter(), time.process_time()
            for number in range(EACH):
                single = time.perf_counter()
                memory.remember(f"record {number} of turn {turn}, with a few words to say")
                singles.append(time.perf_counter() - single)
            ours.append(EACH / (time.perf_counter() - begun))
            spent.append((time.process_time() - used) / EACH)
    os.close(handle)
    shutil.rmtree(folder)
    singles.sort()
    print(
        json.dumps(
            {
                "bare_per_s": round(statistics.median(bare)),
                "ours_per_s": round(statistics.median(ours)),
                "ratio": round(statistics.median(o / b for o, b in zip(ours, bare, strict=True)), 2),
                "cpu_us": round(min(spent) * 1e6),
                "p50_ms": round(singles[len(singles) // 2] * 1e3, 2),
                "p99_ms": round(singles[int(len(singles) * 0.99)] * 1e3, 2),
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
