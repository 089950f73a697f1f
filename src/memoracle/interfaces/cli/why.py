"""`memoracle why`: where a memory came from and what it replaced."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.clock import write_time
from memoracle.interfaces.cli.session import Session
from memoracle.lifecycle.lineage import Lineage
from memoracle.text import shorten, visible


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("id", help="an id, or a unique beginning of one")


def run(arguments: Namespace, session: Session) -> int:
    """Print its lineage."""
    lineage = session.memory.why(arguments.id)
    session.show(lineage, _text(lineage))
    return 0


def _text(lineage: Lineage) -> str:
    record = lineage.record
    origin = record.origin
    said = [
        origin.channel.value,
        origin.who,
        origin.where,
        f"session {origin.session}" if origin.session else "",
    ]
    lines = [
        visible(record.text),
        "",
        f"stands at   {lineage.cite} ({lineage.versions} versions, {record.status.value})",
        f"came from   {visible(', '.join(part for part in said if part))}, trust {origin.trust:.1f}",
        f"known since {write_time(record.created)}",
    ]
    lines += [
        f"{one.relation:<11} {one.id}  {visible(shorten(one.text, 80))}  {one.cite}"
        for one in lineage.related
    ]
    return "\n".join(lines)
