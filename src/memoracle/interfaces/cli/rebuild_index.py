"""`memoracle rebuild-index`: build the index again from the files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session


def add_to(_: ArgumentParser) -> None:
    """It has no arguments of its own."""


def run(_: Namespace, session: Session) -> int:
    """Throw the view away and read every file again."""
    synced = session.memory.rebuild_index()
    session.show(
        {"rebuilt": synced.level, "files": synced.changed},
        f"read {synced.changed} files; the index is whole"
        if synced.level
        else "another process is changing the index; try again",
    )
    return 0 if synced.level else 1
