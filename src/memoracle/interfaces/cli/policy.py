"""`memoracle policy`: what is in force, what would happen to a text, and the privacy gate."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from memoracle.errors import BadInput
from memoracle.interfaces.cli.exits import DONE, REFUSED
from memoracle.interfaces.cli.given import read_bytes
from memoracle.interfaces.cli.parser import add_act
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.model.origin import Channel
from memoracle.model.record import Kind
from memoracle.text import shorten, visible

if TYPE_CHECKING:
    from memoracle.policy.explain import InForce, Verdict

_LARGEST = 10_000_000


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    acts = parser.add_subparsers(dest="act", metavar="show|test|check")
    add_act(acts, "show", "what is in force, and where each part comes from (default)")
    test = add_act(acts, "test", "what would happen to a text, channel by channel, and by which rule")
    test.add_argument("given", nargs="*", metavar="TEXT", help="the text to test")
    test.add_argument(
        "--channel", choices=[one.value for one in Channel], help="test this channel alone (default: all)"
    )
    test.add_argument(
        "--kind", default=Kind.FACT.value, choices=[one.value for one in Kind], help="test it as this kind"
    )
    check = add_act(acts, "check", "the privacy gate over a file; exit status 5 on a hit")
    check.add_argument("given", nargs="*", metavar="FILE", help="the file to check, or - for standard input")
    check.add_argument(
        "--outgoing",
        action="store_true",
        help="check what goes to somebody else: also personal data and paths",
    )


def run(arguments: Namespace, session: Session) -> int:
    """Explain, or stop."""
    if arguments.act == "test":
        return _test(arguments, session)
    if arguments.act == "check":
        return _check(arguments, session)
    found = session.memory.policy()
    session.show(found, _table(found))
    return DONE


def _test(arguments: Namespace, session: Session) -> int:
    text = " ".join(arguments.given)
    if not text:
        raise BadInput("there is no text to test", "memoracle policy test 'some text'")
    channels = [arguments.channel] if arguments.channel else []
    verdicts = session.memory.policy_test(text, channels=channels, kind=arguments.kind)
    session.show({"items": plain(verdicts)}, "\n\n".join(map(_sentence, verdicts)))
    return DONE


def _check(arguments: Namespace, session: Session) -> int:
    if len(arguments.given) != 1:
        raise BadInput("name one file to check, or - for standard input")
    found = session.memory.policy_check(_read(arguments.given[0]), outgoing=arguments.outgoing)
    if warning := _shrunk(session.memory.policy()):
        session.say(warning)
    said = [f"line {one.line}: {one.type} ({one.rule})" for one in found]
    session.show(
        {"passes": not found, "items": plain(found)},
        "\n".join(["stopped by the privacy gate", *said]) if found else "nothing stops it",
    )
    return REFUSED if found else DONE


def _read(name: str) -> str:
    # What is checked may be any file: bytes that are no text are looked at as they come.
    content = sys.stdin.buffer.read(_LARGEST + 1) if name == "-" else read_bytes(name, _LARGEST)
    if len(content) > _LARGEST:
        raise BadInput(f"more than {_LARGEST:,} bytes cannot be checked at once")
    return content.decode("utf-8", "replace")


def _sentence(verdict: Verdict) -> str:
    lines = [f"{verdict.channel}: {verdict.outcome}" + (f", as a {verdict.kind}" if verdict.text else "")]
    if verdict.rules:
        lines.append(f"    by {', '.join(verdict.rules)}")
    lines += [f"    line {one.line}: {one.type} ({one.rule})" for one in verdict.seen]
    if verdict.text:
        lines.append(f"    {visible(shorten(verdict.text, 300))}")
    return "\n".join(lines)


def _shrunk(found: InForce) -> str:
    if not found.lost:
        return ""
    return f"{found.privacy_list} has lost {found.lost} lines; a list of what must not be known only grows"


def _table(found: InForce) -> str:
    rows = [f"{part.name:<20} {part.stance:<12} {part.source}" for part in found.parts]
    lists = f"{found.phrases} phrases in the settings, {found.listed} lines in {found.privacy_list}"
    return "\n".join(
        [
            *([f"nothing is written: {visible(found.problem)}", ""] if found.problem else []),
            *rows,
            "",
            f"blocked: {lists}",
            *filter(None, [_shrunk(found)]),
        ]
    )
