"""`python -m benchmarks NAME …`: run, scorecard, latency, extract as in `memoracle bench`, or one of the programs."""

import runpy
import sys

from memoracle.interfaces.cli import main

PROGRAMS = {
    "attacks": "what becomes of attacks, channel by channel, seen from outside the program",
    "audit": "what the audit trail costs",
    "graph": "the graph of links at several sizes",
    "guard": "what the guard finds and what it mistakes",
    "hooks": "how long a host waits for a hook",
    "injections": "how often the guard sets text apart",
    "mcp_trips": "round trips of the MCP server",
    "race": "everybody at once on one root",
    "sealed": "a sealed root beside one in clear",
    "speed": "acknowledged writes beside bare write and fsync",
    "store": "the store and its view beside bare baselines",
    "told": "what agents are told unasked, and whether it answers",
    "upkeep": "consolidation of many records, and a year day by day",
}

if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "--help"
    if name in PROGRAMS:
        sys.argv = [f"benchmarks {name}", *sys.argv[2:]]
        runpy.run_module(f"benchmarks.{name}", run_name="__main__", alter_sys=False)
    else:
        if name in {"-h", "--help"}:
            rows = "\n".join(f"  {name:<12}{what}" for name, what in PROGRAMS.items())
            sys.stdout.write(f"usage: python -m benchmarks NAME …\n\n{rows}\n\nas `memoracle bench`:\n\n")
        raise SystemExit(main(["bench", *sys.argv[1:]] if len(sys.argv) > 1 else ["bench", "--help"]))
