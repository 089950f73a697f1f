"""`memoracle list`: records that fit, newest first."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.parser import add_filters, add_limit, filters_of
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import hit_line, plain
from memoracle.model.record import Status
from memoracle.model.value import replace


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_limit(parser)
    add_filters(parser)
    parser.add_argument(
        "--status",
        action="append",
        default=[],
        choices=[one.value for one in Status if one is not Status.FORGOTTEN],
        help="only in this state, also those that no answer shows (may be repeated)",
    )


def run(arguments: Namespace, session: Session) -> int:
    """Print them."""
    filters = replace(filters_of(arguments), statuses=tuple(arguments.status))
    records = session.memory.list(limit=arguments.limit, filters=filters)
    total = max(len(records), session.memory.count(filters=filters))
    document = {"items": plain(records), "total": total}
    session.show(document, "\n".join(map(hit_line, records)) or "no record fits")
    if total > len(records):
        session.say(f"{len(records):,} of {total:,}; --limit N shows more")
    return 0
