"""`memoracle flush`: take what is worth keeping from conversations now, without waiting for the night."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "transcript", nargs="*", help="a transcript; without one, all that are known (may be several)"
    )
    parser.add_argument(
        "--session", default="", metavar="ID", help="the transcripts with this session in their name"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Read them to their ends."""
    done = session.memory.flush(arguments.transcript, session=arguments.session)
    counts = {name: number for phase in done.phases for name, number in phase.counts.items()}
    said = f"{counts.get('turns', 0)} new turns, {counts.get('lines written', 0)} lines written"
    steps = [f"  {step.act} {step.target}: {step.because}" for phase in done.phases for step in phase.steps]
    session.show(done, "\n".join([said, *steps]))
    return 0
