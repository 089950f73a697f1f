"""`memoracle keys`: how a memory is sealed and what opens it; more ways, or fewer."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput
from memoracle.interfaces.cli.secret import add_passphrase, passphrase_of
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "act", nargs="?", choices=("list", "add", "remove"), default="list", help="what to do"
    )
    parser.add_argument("name", nargs="?", default="", help="remove: the name of the way")
    parser.add_argument("--recipient", default="", metavar="AGE1…", help="add: a public age key")
    add_passphrase(parser, "add: a passphrase, in place of the one before")
    parser.add_argument(
        "--recovery", action="store_true", help="add: a recovery key, in place of the one before"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Do it, and list the ways as they are then."""
    from memoracle.compose import locate
    from memoracle.interfaces.render import plain
    from memoracle.store.encrypting import add_way, keys, remove_way

    place = locate(session.root, os.environ)
    shown = ""
    if arguments.act == "add":
        found, shown = add_way(
            place,
            environment=os.environ,
            recipient=arguments.recipient,
            passphrase=passphrase_of(arguments, is_new=True),
            recovery=arguments.recovery,
        )
        session.note_act("keys-add", ways=len(found.ways))
    elif arguments.act == "remove":
        if not arguments.name:
            raise BadInput("name the way to remove", "`memoracle keys` lists them")
        found = remove_way(place, arguments.name, environment=os.environ)
        session.note_act("keys-remove", ways=len(found.ways))
    else:
        found = keys(place, environment=os.environ)
    head = "not encrypted" if found.mode == "off" and not found.ways else f"mode {found.mode}"
    state = "" if found.mode == "off" else f", {'locked' if found.locked else 'unlocked'}"
    unfinished = "; not finished: `memoracle encrypt` goes on with it" if found.moving else ""
    rows = [f"  {way.name}{f'  {way.recipient}' if way.recipient else ''}" for way in found.ways]
    if shown:
        rows.append(f"recovery key, shown this once:\n{shown}")
    document = {
        "mode": found.mode,
        "classes": list(found.classes),
        "locked": found.locked,
        "moving": found.moving,
        "items": plain(found.ways),
        **({"recovery_key": shown} if shown else {}),
    }
    session.show(document, "\n".join([head + state + unfinished, *rows]))
    return 0
