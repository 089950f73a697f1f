"""`memoracle encrypt`: seal the memory on disk, go on with an interrupted sealing, or seal it under a new key."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.secret import add_passphrase, passphrase_of
from memoracle.interfaces.cli.session import Session

_AFTER = "What was in clear before may still be in free blocks of the disk, in snapshots and in backups"


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "--mode", choices=("all", "sensitive"), default="", help="all files (default), or sensitive records"
    )
    parser.add_argument(
        "--class",
        dest="classes",
        action="append",
        choices=("secret", "private"),
        default=[],
        help="with --mode sensitive: records of this sensitivity (default secret; may be repeated)",
    )
    parser.add_argument(
        "--recipient", action="append", default=[], metavar="AGE1…", help="a public age key that opens it"
    )
    add_passphrase(parser, "a passphrase that opens it")
    parser.add_argument("--no-recovery", action="store_true", help="make no recovery key")
    parser.add_argument("--rekey", action="store_true", help="seal everything anew under a new key")
    parser.add_argument("--dry-run", action="store_true", help="print what would be done and change nothing")


def run(arguments: Namespace, session: Session) -> int:
    """Seal it, and say what opens it."""
    from memoracle.compose import locate
    from memoracle.interfaces.render import plain
    from memoracle.store.encrypting import encrypt

    done = encrypt(
        locate(session.root, os.environ),
        environment=os.environ,
        mode=arguments.mode,
        classes=arguments.classes,
        recipients=arguments.recipient,
        passphrase=None if arguments.dry_run else passphrase_of(arguments, is_new=not arguments.rekey),
        recovery=not arguments.no_recovery,
        rekey=arguments.rekey,
        dry_run=arguments.dry_run,
        show=lambda key: session.say(
            f"recovery key, shown this once; keep it away from this machine:\n{key}"
        ),
    )
    if done.dry_run:
        text = [f"would seal {done.files} files (mode {done.mode})", *(f"  {path}" for path in done.waiting)]
    else:
        session.note_act("rekey" if arguments.rekey else "encrypt", mode=done.mode, files=done.files)
        text = [f"{done.files} files were sealed (mode {done.mode}); it opens by: {', '.join(done.ways)}"]
        text += [f"left as it is: {said}" for said in done.waiting]
        session.say(f"{_AFTER}{', and the history of git keeps it' if done.history else ''}.")
    session.show(plain(done), "\n".join(text))
    return 1 if done.waiting and not done.dry_run else 0
