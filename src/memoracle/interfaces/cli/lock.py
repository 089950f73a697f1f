"""`memoracle lock`: let go of the keys of a sealed memory."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session


def add_to(_: ArgumentParser) -> None:
    """It has no arguments of its own."""


def run(_: Namespace, session: Session) -> int:
    """Lock it."""
    from memoracle.compose import locate
    from memoracle.store.encrypting import lock

    place = locate(session.root, os.environ)
    session.note_act("lock")
    was_open = lock(place, environment=os.environ)
    said = "locked; its view in memory is gone" if was_open else "it was locked already"
    session.show({"root": place, "locked": True, "was_open": was_open}, said)
    return 0
