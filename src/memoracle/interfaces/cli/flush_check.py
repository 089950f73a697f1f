"""`memoracle flush-check`: whether a host should save what is worth keeping before it compacts its context."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "--tokens", type=int, required=True, metavar="N", help="the tokens of the context now"
    )
    parser.add_argument(
        "--window", type=int, metavar="W", help="the context window (default from the settings)"
    )
    parser.add_argument(
        "--reserve",
        type=int,
        metavar="R",
        help="what the host keeps free; 20,000 at least (default from the settings)",
    )
    parser.add_argument(
        "--soft",
        type=int,
        metavar="S",
        help="how much earlier than the compaction (default from the settings)",
    )
    parser.add_argument("--cycle", type=int, metavar="C", help="how many compactions there were before")
    parser.add_argument("--session", default="", metavar="ID", help="the session; each has cycles of its own")
    parser.add_argument(
        "--transcript", default="", metavar="FILE", help="its transcript; at 2 MB a flush is due in any case"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Answer; the status is 0 either way."""
    answer = session.memory.flush_check(
        arguments.tokens,
        window=arguments.window,
        reserve=arguments.reserve,
        soft=arguments.soft,
        cycle=arguments.cycle,
        session=arguments.session,
        transcript=arguments.transcript,
    )
    session.show(answer, f"{'flush' if answer.flush else 'no flush'}: {answer.because}")
    return 0
