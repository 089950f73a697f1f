"""`memoracle reply-language`: which language to reply in."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.given import read_stdin
from memoracle.interfaces.cli.manners import messages_in
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("message", nargs="*", help="the operator's last messages, the newest last")
    parser.add_argument("--stdin", action="store_true", help="read them: a JSON list, or a line each")
    parser.add_argument("--transcript", default="", metavar="FILE", help="take them from a conversation")
    parser.add_argument(
        "--current",
        default="",
        choices=("", "zh", "en"),
        metavar="LANGUAGE",
        help="the conversation's so far",
    )


def run(arguments: Namespace, session: Session) -> int:
    """Print `zh` or `en`."""
    said = messages_in(read_stdin()) if arguments.stdin else []
    chosen = session.memory.reply_language(
        [*said, *arguments.message], transcript=arguments.transcript, current=arguments.current
    )
    session.show(chosen, chosen.language)
    if not session.json:
        session.say(chosen.because)
    return 0
