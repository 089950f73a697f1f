"""`memoracle intake`: whether a request must be clarified first, and the one question to ask."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput
from memoracle.interfaces.cli.given import read_words
from memoracle.interfaces.cli.manners import card_lines
from memoracle.interfaces.cli.session import Session
from memoracle.manners.intake import assess


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("request", nargs="*", help="what was asked for")
    parser.add_argument("--stdin", action="store_true", help="read it")
    parser.add_argument(
        "--asked", type=int, default=0, metavar="N", help="questions this turn has held already"
    )
    parser.add_argument(
        "--language", default="", choices=("", "zh", "en"), metavar="LANGUAGE", help="of the card"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Print the card, or that work can begin."""
    request = read_words(arguments.request, stdin=arguments.stdin)
    if not request.strip():
        raise BadInput("there is no request", "`memoracle intake WORDS…`, or --stdin")
    found = assess(request, asked=arguments.asked, language=arguments.language)
    if found.card:
        lines = [f"clarify first ({', '.join(found.reasons)})", *card_lines(found.card)]
    elif found.needed:
        lines = ["clarify first, in the next turn: one question per turn"]
    elif found.stopped:
        told = f"; mind: {', '.join(found.reasons)}" if found.reasons else ""
        lines = [f"begin: no questions are wanted{told}"]
    else:
        lines = ["begin: the request is clear"]
    session.show(found, "\n".join(lines))
    return 0
