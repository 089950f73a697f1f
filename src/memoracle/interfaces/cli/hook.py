"""`memoracle hook`: what an agent's host calls. It always ends with 0 and prints nothing but its JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments. They are read by `hooks/entry.py`, which has no time for a parser."""
    parser.add_argument(
        "event",
        metavar="EVENT",
        help="session-start, prompt, stop, pre-compact, post-compact or session-end; the host's JSON comes on stdin."
        " `work` drains the spool",
    )
    parser.add_argument(
        "--host",
        default="",
        metavar="NAME",
        help="claude-code, codex, gemini or openclaw (default: by the JSON)",
    )


def run(arguments: Namespace, session: Session) -> int:
    """The same as the short way through the door."""
    from memoracle.interfaces.hooks.entry import run_hook

    return run_hook([arguments.event, f"--host={arguments.host}"], session.root)
