"""`memoracle entity`: what is known of a person, a place or a thing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.lifecycle.entities import EntityPage
from memoracle.text import shorten, visible


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("name", nargs="*", help="one entity, by any of its names (default: list them all)")


def run(arguments: Namespace, session: Session) -> int:
    """Print the list, or one page with its citations."""
    name = " ".join(arguments.name)
    pages = session.memory.entity(name or None)
    if name:
        session.show(_fields(pages[0]), page_text(pages[0]))
    else:
        text = "\n".join(map(page_line, pages)) or "no entity is known yet"
        session.show({"items": [_fields(page) for page in pages]}, text)
    return 0


def page_line(page: EntityPage) -> str:
    """One entity on one line."""
    also = f" ({', '.join(page.aliases)})" if page.aliases else ""
    return visible(f"{page.name}{also}  {page.type}, {len(page.facts)} facts, {len(page.beliefs)} beliefs")


def page_text(page: EntityPage) -> str:
    """One page for a person."""
    seen = [moment.date().isoformat() for moment in (page.first_seen, page.last_seen) if moment]
    lines = [page_line(page), *([f"seen {' to '.join(dict.fromkeys(seen))}"] if seen else [])]
    for title, mentions in (("facts", page.facts), ("beliefs", page.beliefs)):
        if mentions:
            lines += ["", title]
            lines += [f"  {visible(shorten(one.text, 160))}\n    {one.cite} · {one.id}" for one in mentions]
    if page.related:
        lines += ["", "related: " + visible(", ".join(f"{name} ({count})" for name, count in page.related))]
    return "\n".join(lines)


def _fields(page: EntityPage) -> dict[str, Any]:
    related = [{"name": name, "records": count} for name, count in page.related]
    return {**plain(page), "related": related}
