"""What a process and a folder weigh. Reads the operating system's own numbers."""

from __future__ import annotations

import os
import resource
import sys

_MIB = 1 << 20


def peak_rss_mb() -> float:
    """The most memory this process has held, in MiB."""
    # VmHWM belongs to this program alone; ru_maxrss also remembers whoever started it.
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / _MIB if sys.platform == "darwin" else peak / 1024


def disk_mb(folder: str) -> float:
    """What the files under a folder take on disk, in MiB; a sparse file counts what it occupies."""
    total = 0
    for path, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(path, name)).st_blocks * 512
            except OSError:
                continue
    return total / _MIB
