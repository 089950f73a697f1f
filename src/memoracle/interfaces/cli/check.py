"""`memoracle check`: read everything back and say what is wrong. Changes nothing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.exits import DONE, FAILED
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import finding_text, plain


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("--deep", action="store_true", help="also prove the index equal to a rebuild")


def run(arguments: Namespace, session: Session) -> int:
    """Print the findings; the exit status is 1 when one of them is an error."""
    report = session.memory.check(deep=arguments.deep)
    counts = ", ".join(f"{number} {name}" for name, number in report.counts.items())
    verdict = "whole" if report.ok else "damaged"
    session.show(
        {"ok": report.ok, "findings": plain(report.findings), "counts": report.counts},
        "\n".join([*map(finding_text, report.findings), f"{verdict}: {counts} read"]),
    )
    return DONE if report.ok else FAILED
