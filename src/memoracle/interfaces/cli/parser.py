"""The argument parser, and the options that several verbs share."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser, Namespace
from typing import Any, NoReturn

from memoracle.clock import read_time, read_until
from memoracle.errors import BadInput
from memoracle.model.query import Filters
from memoracle.model.scope import Scope

_MOST = 1_000_000


class Parser(ArgumentParser):
    """An argument parser whose complaints are errors like any other."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def error(self, message: str) -> NoReturn:
        """Refuse the call."""
        raise BadInput(message, f"`{self.prog} --help` explains the call")


def add_limit(parser: ArgumentParser) -> None:
    """How many answers are wanted."""
    parser.add_argument("--limit", type=above_zero, metavar="N", help="at most N (default from the settings)")


def add_scope(parser: ArgumentParser) -> None:
    """Whose memory it is."""
    for name in ("project", "seat", "user", "agent"):
        parser.add_argument(f"--{name}", default="", metavar="NAME", help=f"of this {name}")


def add_filters(parser: ArgumentParser) -> None:
    """What an answer has to fit."""
    add_scope(parser)
    parser.add_argument(
        "--kind", "--type", action="append", default=[], help="only this kind (may be repeated)"
    )
    parser.add_argument("--tag", action="append", default=[], help="only with this tag (may be repeated)")
    parser.add_argument("--speaker", default="", metavar="NAME", help="only what this one said")
    parser.add_argument("--since", metavar="TIME", help="only from this time on")
    parser.add_argument("--until", metavar="TIME", help="only up to this time")
    parser.add_argument("--as-of", metavar="TIME", help="what was known and valid then")
    parser.add_argument(
        "--wide", action="store_true", help="also what its owner archived, was superseded or ended"
    )
    parser.add_argument(
        "--page-status", default="", metavar="STATUS", help="only pages: open, resolved, and so on"
    )


def filters_of(arguments: Namespace) -> Filters:
    """The filters a call names."""
    return Filters(
        scope=Scope(
            project=arguments.project, seat=arguments.seat, user=arguments.user, agent=arguments.agent
        ),
        kinds=tuple(arguments.kind),
        tags=tuple(arguments.tag),
        speaker=arguments.speaker,
        since=read_time(arguments.since) if arguments.since else None,
        until=read_until(arguments.until) if arguments.until else None,
        as_of=read_until(arguments.as_of) if arguments.as_of else None,
        wide=arguments.wide,
        page_status=arguments.page_status,
    )


def add_act(acts: Any, name: str, help_: str) -> ArgumentParser:
    """A word behind a verb, with arguments of its own."""
    act: ArgumentParser = acts.add_parser(name, help=help_, description=help_)
    act.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON document")
    return act


def add_because(parser: ArgumentParser) -> None:
    """Why something is changed."""
    parser.add_argument("--because", default="", metavar="WHY", help="the reason, kept in the history")


def add_consent(parser: ArgumentParser) -> None:
    """How to look first, and how to agree."""
    parser.add_argument("--dry-run", action="store_true", help="print the plan and change nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def listed(text: str) -> list[str]:
    """The parts of a comma list; Chinese commas count too."""
    return [part.strip() for part in text.replace("，", ",").split(",") if part.strip()]


def above_zero(text: str) -> int:
    """A number that counts something."""
    number = int(text[:40])
    if number < 1:
        raise ValueError
    return min(number, _MOST)


above_zero.__name__ = "whole number above 0"
