"""`memoracle note`: a line in the note of today, in its home, or the closing lines of a day."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from datetime import date

from memoracle.errors import BadInput, InvalidTime
from memoracle.interfaces.cli.given import read_words
from memoracle.interfaces.cli.parser import listed
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain

_CLOSING = ("decisions", "signal", "open")


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("text", nargs="*", help="what to write down; `-`, or nothing in a pipe: all of stdin")
    parser.add_argument("--stdin", action="store_true", help="read the text from stdin")
    parser.add_argument(
        "--type", default="", metavar="W|B|O|S", help="world fact, experience, opinion, observation"
    )
    parser.add_argument("--confidence", type=float, metavar="0-1", help="how sure an opinion is")
    parser.add_argument("--entity", default="", metavar="NAME", help="whom or what it is about")
    parser.add_argument("--heading", default="", metavar="TOPIC", help="the topic of its heading")
    parser.add_argument("--date", metavar="DATE", help="in the note of this day (default today)")
    parser.add_argument(
        "--to",
        default="",
        metavar="HOME",
        help="into its home: infrastructure, preferences, projects, decisions, lessons-learned, procedures, NAME; "
        "`auto` finds it",
    )
    parser.add_argument("--tags", type=listed, default=[], metavar="A,B", help="with --to: tags of that note")
    parser.add_argument("--verified", action="store_true", help="with --to: it was read through today")
    parser.add_argument("--close", action="store_true", help="write or renew the closing lines of the day")
    for name in _CLOSING:
        parser.add_argument(f"--{name}", default="", metavar="TEXT", help=f"with --close: its line `{name}`")
    parser.add_argument("--duplicates", action="store_true", help="list facts that stand in two notes")


def run(arguments: Namespace, session: Session) -> int:
    """Write it, and say where it stands."""
    if arguments.duplicates:
        return _list_duplicates(session)
    if not arguments.close and any(getattr(arguments, name) for name in _CLOSING):
        raise BadInput("--decisions, --signal and --open belong to --close")
    if not arguments.to and (arguments.tags or arguments.verified):
        raise BadInput("--tags and --verified belong to --to")
    day = _day(arguments.date) if arguments.date else None
    text = read_words(arguments.text, stdin=arguments.stdin, when_piped=not arguments.close)
    if arguments.close:
        if text.strip():
            session.memory.note(text, heading=arguments.heading, day=day)
        written = session.memory.close_day(
            day, decisions=arguments.decisions, signal=arguments.signal, left_open=arguments.open
        )
    else:
        written = session.memory.note(
            text,
            type=arguments.type,
            confidence=arguments.confidence,
            entity=arguments.entity,
            heading=arguments.heading,
            day=day,
            to=arguments.to,
            tags=arguments.tags,
            verified=arguments.verified,
        )
    for warning in written.warnings:
        session.say(f"note: {warning}")
    state = "noted" if written.created else "known already"
    session.show(written, f"{state}: {written.path}#L{written.line}")
    return 0


def _list_duplicates(session: Session) -> int:
    found = session.memory.duplicates()
    rows = [
        f"{one.how}, at home in `{one.home}`: {one.lines[0].text}\n"
        + "\n".join(f"    {line.place}" for line in one.lines)
        for one in found
    ]
    session.show({"items": plain(found)}, "\n".join(rows) or "no fact stands in two notes")
    return 0


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidTime(text) from None
