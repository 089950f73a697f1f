"""`memoracle unlock`: open a sealed memory for this session."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from datetime import UTC, datetime

from memoracle.interfaces.cli.secret import add_passphrase, ask_passphrase, passphrase_of
from memoracle.interfaces.cli.session import Session

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "--identity", default="", metavar="FILE", help="an age identity file (default: MEMORACLE_IDENTITY)"
    )
    add_passphrase(parser, "the passphrase")
    parser.add_argument(
        "--for", dest="seconds", type=_span, metavar="TIME", help="lock by itself after 30m, 8h, 2d"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Open it, and say until when."""
    from memoracle.compose import locate
    from memoracle.interfaces.render import plain
    from memoracle.store.encrypting import keys, unlock
    from memoracle.store.sealed import IDENTITY

    place = locate(session.root, os.environ)
    identity = arguments.identity or os.environ.get(IDENTITY, "")
    passphrase = passphrase_of(arguments)
    if passphrase is None and not identity and keys(place, environment=os.environ).ways:
        passphrase = ask_passphrase(is_new=False)
    done = unlock(
        place,
        environment=os.environ,
        identity=identity,
        passphrase=passphrase,
        seconds=arguments.seconds,
    )
    if done.held_at:
        session.note_act("unlock")
    until = datetime.fromtimestamp(done.until, UTC) if done.until else None
    session.show(
        {"root": done.root, "unlocked": True, "until": plain(until)},
        f"unlocked{f' until {plain(until)}' if until else ' for this session'}: {done.root}"
        if done.held_at
        else "this memory is not encrypted; it is open",
    )
    return 0


def _span(text: str) -> float:
    """A length of time in seconds."""
    number, unit = text[:-1], text[-1:]
    if unit not in _UNITS or not number.isascii() or not number.isdigit() or not 0 < int(number) < 10_000:
        raise ArgumentTypeError("write 30m, 8h or 2d")
    return float(int(number) * _UNITS[unit])
