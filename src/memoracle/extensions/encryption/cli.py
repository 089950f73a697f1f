"""`memoracle unlock`: open a sealed memory for this session."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentTypeError, Namespace
from datetime import UTC, datetime

from memoracle.errors import BadInput
from memoracle.interfaces.cli.session import Parser, Session, add_consent

# `memoracle decrypt`: write every file in clear again.


def add_to_decrypt(parser: Parser) -> None:
    add_consent(parser)


def run_decrypt(arguments: Namespace, session: Session) -> int:
    """Open it for good, or say what would be opened."""
    from memoracle.compose import locate
    from memoracle.extensions.encryption.encrypting import decrypt
    from memoracle.interfaces.render import plain

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


# `memoracle lock`: let go of the keys of a sealed memory.


def add_to_lock(_: Parser) -> None:
    """It has no arguments of its own."""


def run_lock(_: Namespace, session: Session) -> None:
    """Lock it."""
    from memoracle.compose import locate
    from memoracle.extensions.encryption.encrypting import lock

    place = locate(session.root, os.environ)
    session.note_act("lock")
    was_open = lock(place, environment=os.environ)
    said = "locked; its view in memory is gone" if was_open else "it was locked already"
    session.show({"root": place, "locked": True, "was_open": was_open}, said)


# Asking for a passphrase: on the terminal, or from a file. Never a word of the command line, which others can read.

_LONGEST = 4096
_SHORTEST = 8


def add_passphrase(parser: Parser, help_text: str) -> None:
    """How a passphrase is given."""
    parser.flag("--passphrase", f"{help_text}, asked for on the terminal")
    parser.maybe(
        "--passphrase-file",
        "FILE",
        "the same, from the first line of FILE; `-` is standard input, /dev/fd/N an open handle",
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


# `memoracle encrypt`: seal the memory on disk, go on with an interrupted sealing, or seal it under a new key.

_AFTER = "What was in clear before may still be in free blocks of the disk, in snapshots and in backups"


def add_to_encrypt(parser: Parser) -> None:
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
    parser.several("--recipient", "AGE1…", "a public age key that opens it")
    add_passphrase(parser, "a passphrase that opens it")
    parser.flag("--no-recovery", "make no recovery key")
    parser.flag("--rekey", "seal everything anew under a new key")
    parser.flag("--dry-run", "print what would be done and change nothing")


def run_encrypt(arguments: Namespace, session: Session) -> int:
    """Seal it, and say what opens it."""
    from memoracle.compose import locate
    from memoracle.extensions.encryption.encrypting import encrypt
    from memoracle.interfaces.render import plain

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


# `memoracle keys`: how a memory is sealed and what opens it; more ways, or fewer.


def add_to_keys(parser: Parser) -> None:
    parser.add_argument(
        "act", nargs="?", choices=("list", "add", "remove"), default="list", help="what to do"
    )
    parser.add_argument("name", nargs="?", default="", help="remove: the name of the way")
    parser.word("--recipient", "AGE1…", "add: a public age key")
    add_passphrase(parser, "add: a passphrase, in place of the one before")
    parser.flag("--recovery", "add: a recovery key, in place of the one before")


def run_keys(arguments: Namespace, session: Session) -> None:
    """Do it, and list the ways as they are then."""
    from memoracle.compose import locate
    from memoracle.extensions.encryption.encrypting import add_way, keys, remove_way
    from memoracle.interfaces.render import plain

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


_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def add_to_unlock(parser: Parser) -> None:
    parser.word("--identity", "FILE", "an age identity file (default: MEMORACLE_IDENTITY)")
    add_passphrase(parser, "the passphrase")
    parser.add_argument(
        "--for", dest="seconds", type=_span, metavar="TIME", help="lock by itself after 30m, 8h, 2d"
    )


def run_unlock(arguments: Namespace, session: Session) -> None:
    """Open it, and say until when."""
    from memoracle.compose import locate
    from memoracle.extensions.encryption.encrypting import keys, unlock
    from memoracle.extensions.encryption.vaults import IDENTITY
    from memoracle.interfaces.render import plain

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


def _span(text: str) -> float:
    """A length of time in seconds."""
    number, unit = text[:-1], text[-1:]
    if unit not in _UNITS or not number.isascii() or not number.isdigit() or not 0 < int(number) < 10_000:
        raise ArgumentTypeError("write 30m, 8h or 2d")
    return float(int(number) * _UNITS[unit])
