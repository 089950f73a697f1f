"""`memoracle decrypt`: write every file in clear again."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.parser import add_consent
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_consent(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Open it for good, or say what would be opened."""
    from memoracle.compose import locate
    from memoracle.interfaces.render import plain
    from memoracle.store.encrypting import decrypt

    if not arguments.dry_run:
        session.ask("Every file of this memory will be written in clear", agreed=arguments.yes)
    done = decrypt(locate(session.root, os.environ), environment=os.environ, dry_run=arguments.dry_run)
    if done.dry_run:
        text = [f"would open {done.files} files", *(f"  {path}" for path in done.waiting)]
    else:
        session.note_act("decrypt", files=done.files)
        text = [f"{done.files} files are in clear again; the keys stay in `keys`, older copies may need them"]
        text += [f"left as it is: {said}" for said in done.waiting]
    session.show(plain(done), "\n".join(text))
    return 1 if done.waiting and not done.dry_run else 0
