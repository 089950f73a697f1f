"""`memoracle list`: records that fit, newest first."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.parser import add_filters, add_limit, filters_of
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import hit_line, plain


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_limit(parser)
    add_filters(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Print them."""
    records = session.memory.list(limit=arguments.limit, filters=filters_of(arguments))
    session.show({"items": plain(records)}, "\n".join(map(hit_line, records)) or "no record fits")
    return 0
