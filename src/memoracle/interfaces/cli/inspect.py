"""`memoracle inspect`: everything that is kept of a record, a session or an entity."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from memoracle.clock import write_time
from memoracle.errors import BadInput
from memoracle.health.inspecting import Inspection
from memoracle.interfaces.cli.session import Session
from memoracle.text import shorten, visible


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("id", nargs="?", default="", help="an id, or a unique beginning of one")
    parser.add_argument("--session", default="", metavar="ID", help="a session instead of a record")
    parser.add_argument("--entity", default="", metavar="NAME", help="an entity instead of a record")


def run(arguments: Namespace, session: Session) -> int:
    """Print it, part by part."""
    if sum(map(bool, (arguments.id, arguments.session, arguments.entity))) != 1:
        raise BadInput("one thing can be inspected at a time", "give an id, or --session, or --entity")
    found = session.memory.inspect(arguments.id, session=arguments.session, entity=arguments.entity)
    session.show(found, "\n".join(_lines(found)))
    return 0


def _lines(found: Inspection) -> Iterator[str]:
    yield f"{found.of} {visible(found.name)}"
    if found.lineage:
        record = found.lineage.record
        origin = record.origin
        said = [
            origin.channel.value,
            origin.who,
            origin.where,
            origin.session and f"session {origin.session}",
        ]
        yield f"  says        {visible(shorten(record.text, 200))}"
        yield f"  is          {record.kind.value}, {record.status.value}, {record.sensitivity.value}"
        yield f"  came from   {visible(', '.join(part for part in said if part))}, trust {origin.trust:.1f}"
        yield from (
            f"  {one.relation:<11} {one.id}  {visible(shorten(one.text, 80))}"
            for one in found.lineage.related
        )
    for one in found.versions:
        because = f": {visible(one.because)}" if one.because else ""
        yield f"  version {one.version:<3} {write_time(one.at)[:19]}Z  {one.verb} by {one.by}{because}  {one.cite}"
    for page in found.pages:
        yield f"  page        {visible(page.name)} ({', '.join(map(visible, page.aliases)) or 'no other name'})"
    if found.of == "session":
        yield f"  turns       {found.turns}"
    yield from (f"  conversation {visible(path)}" for path in found.transcripts)
    yield from (
        f"  {one.relation:<11} {one.id}  {visible(shorten(one.text, 80))}  {one.cite}"
        for one in (*found.derived, *found.records)
    )
    yield from (f"  named in    {visible(path)}" for path in found.named_in)
    yield from (f"  at hand in  {visible(path)}" for path in found.at_hand)
    if found.uses:
        yield f"  handed out  {len(found.uses)} times, last {write_time(max(found.uses))[:19]}Z"
    yield from (f"  asked       {visible(one)}" for one in found.questions)
    for told in found.acts:
        event = told.event
        yield f"  audit       {write_time(event.at)[:19]}Z  {event.act} by {event.by} {event.via}".rstrip()
