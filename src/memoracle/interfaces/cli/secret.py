"""Asking for a passphrase: on the terminal, or from a file. Never a word of the command line, which others can read."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput

_LONGEST = 4096
_SHORTEST = 8


def add_passphrase(parser: ArgumentParser, help_text: str) -> None:
    """How a passphrase is given."""
    parser.add_argument("--passphrase", action="store_true", help=f"{help_text}, asked for on the terminal")
    parser.add_argument(
        "--passphrase-file",
        metavar="FILE",
        help="the same, from the first line of FILE; `-` is standard input, /dev/fd/N an open handle",
    )


def passphrase_of(arguments: Namespace, *, is_new: bool = False) -> str | None:
    """The passphrase a call gives; None when it gives none. A new one is asked for twice."""
    if arguments.passphrase_file:
        said = _from_file(arguments.passphrase_file)
    elif arguments.passphrase:
        said = ask_passphrase(is_new=is_new)
    else:
        return None
    if is_new and len(said) < _SHORTEST:
        raise BadInput(f"a passphrase has at least {_SHORTEST} characters", "several words are best")
    return said


def ask_passphrase(*, is_new: bool) -> str:
    """What the person types, unseen."""
    from getpass import getpass

    if not sys.stdin.isatty():
        raise BadInput("there is no terminal to ask for a passphrase on", "--passphrase-file FILE gives one")
    said = getpass("Passphrase: ")
    if is_new and getpass("Once more: ") != said:
        raise BadInput("the two are not the same; nothing was changed")
    if not said:
        raise BadInput("the passphrase is empty")
    return said


def _from_file(name: str) -> str:
    try:
        with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
            first = file.readline(_LONGEST)
    except OSError as problem:
        raise BadInput(f"could not read {name}: {os.strerror(problem.errno or 0)}") from None
    said = first.rstrip(b"\r\n").decode("utf-8", "replace")
    if not said:
        raise BadInput(f"{name} holds no passphrase in its first line")
    return said
