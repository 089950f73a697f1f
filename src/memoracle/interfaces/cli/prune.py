"""`memoracle prune`: a copy of a transcript without the bulk of its tool results. The file itself is only read."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput
from memoracle.interfaces.cli.parser import above_zero
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("file", help="a transcript of OpenClaw, Claude Code or Codex")
    parser.add_argument(
        "--mode",
        choices=("soft", "hard"),
        default="soft",
        help="soft keeps the head and the tail of long results; hard also clears old ones",
    )
    parser.add_argument(
        "--window",
        type=above_zero,
        default=200_000,
        metavar="N",
        help="the context window in tokens (200,000)",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be saved, and print no transcript"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Print the pruned transcript, or what pruning saves."""
    from memoracle.ingest.lines import UNPACK_ERRORS
    from memoracle.ingest.prune import Pruning, prune

    try:
        done = prune(arguments.file, mode=arguments.mode, numbers=Pruning(window=arguments.window))
    except UNPACK_ERRORS as problem:
        raise BadInput(f"{arguments.file} cannot be read: {problem}") from None
    if not arguments.dry_run and not session.json:
        sys.stdout.buffer.write(b"".join(line + b"\n" for line in done.lines))
        return 0
    counts = {"trimmed": done.trimmed, "cleared": done.cleared, "before": done.before, "after": done.after}
    said = f"{done.trimmed} results trimmed, {done.cleared} cleared: {done.before:,} characters become {done.after:,}"
    session.show(counts, said)
    return 0
