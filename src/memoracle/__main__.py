"""`python -m memoracle` is the command line: the resident process does what it can, this one the rest."""

from __future__ import annotations

import os
import sys

from memoracle.interfaces.resident.client import ask, called


def main() -> int:
    """Run one command; the exit status is returned."""
    words = sys.argv[1:]
    status = ask(words)
    if status is None:
        from memoracle.interfaces.cli import is_hook
        from memoracle.interfaces.cli import main as work

        status = work(words)
        if (mine := called(words)) and status in {0, 3}:
            from memoracle.interfaces.resident.server import start

            start(mine[0])
        if not is_hook(words):
            return status
    # There is nothing left to tidy, and tidying takes a tenth of the time that a host waits.
    os._exit(status)


if __name__ == "__main__":
    raise SystemExit(main())
