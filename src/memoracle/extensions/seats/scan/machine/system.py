"""The system itself: kernel, distribution, processors, memory, disk. Read from the kernel's files; no program runs."""

from __future__ import annotations

import os
import sys

from memoracle.extensions.seats.scan.fact import Fact
from memoracle.extensions.seats.scan.machine.surroundings import Around
from memoracle.extensions.seats.scan.tree import words


def look(around: Around) -> list[Fact]:
    """What it is and how large."""
    kernel = os.uname()
    facts = [
        Fact(path=("system",), says=words(kernel.sysname), source="uname"),
        Fact(path=("kernel",), says=words(kernel.release), source="uname"),
        Fact(path=("machine",), says=words(kernel.machine), source="uname"),
        Fact(path=("hostname",), says=words(kernel.nodename), source="uname"),
        Fact(path=("processors",), says=os.cpu_count() or 0, source="the kernel"),
        Fact(path=("python",), says=sys.version.split()[0], source=words(sys.executable)),
    ]
    release = dict(line.split("=", 1) for line in around.system.lines("etc/os-release") if "=" in line)
    if name := words(release.get("PRETTY_NAME", "").strip('"')):
        facts.append(Fact(path=("distribution",), says=name, source="/etc/os-release"))
    facts += [
        Fact(path=("memory_gb",), says=round(int(line.split()[1]) / 1e6), source="/proc/meminfo")
        for line in around.system.lines("proc/meminfo")
        if line.startswith("MemTotal:") and line.split()[1].isdecimal()
    ]
    if shell := words(around.environment.get("SHELL", "")):
        facts.append(Fact(path=("shell",), says=shell, source="environment"))
    return facts
