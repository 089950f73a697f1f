"""`memoracle embed`: compute the vectors that are missing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session


def add_to(_: ArgumentParser) -> None:
    """It has no arguments of its own."""


def run(_: Namespace, session: Session) -> int:
    """Compute them, batch by batch."""
    done = session.memory.embed()
    session.show({"embedded": done}, f"{done} vectors computed")
    return 0
