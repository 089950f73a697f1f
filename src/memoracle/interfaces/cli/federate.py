"""`memoracle federate`: ask several seats, projects and roots; each answer names its owner."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from typing import Any

from memoracle.federation.gather import Federation, Standing
from memoracle.interfaces.cli.exits import DONE, NOT_IN_FEDERATION, NOT_IN_MEMORY, NOT_READY
from memoracle.interfaces.cli.parser import add_limit, listed
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import SNIPPET, hit_fields, plain
from memoracle.text import shorten, visible

_EXITS = {
    Standing.NOTHING: NOT_IN_MEMORY,
    Standing.NOT_READY: NOT_READY,
    Standing.MISSING: NOT_IN_FEDERATION,
}


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("question", nargs="+", help="words, a question, a name")
    parser.add_argument("--seats", type=listed, default=[], metavar="A,B", help="ask each of these seats")
    parser.add_argument(
        "--projects", "--project", type=listed, default=[], metavar="A,B", help="in each of these projects"
    )
    parser.add_argument(
        "--roots", type=listed, default=[], metavar="A,B", help="also these roots, by path or name"
    )
    parser.add_argument("--all-roots", action="store_true", help="every root of this machine that is listed")
    parser.add_argument("--recipe", metavar="NAME", help="quick, balanced, deep or openclaw")
    add_limit(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Ask, and say who answered."""
    found = session.memory.seats.federate(
        " ".join(arguments.question),
        seats=arguments.seats,
        projects=arguments.projects,
        roots=roots_of(arguments.roots, every=arguments.all_roots),
        limit=arguments.limit,
        recipe=arguments.recipe,
    )
    return answer(found, session)


def roots_of(named: list[str], *, every: bool) -> list[str]:
    """The roots a call names: by path, by name on the list, or all of the list."""
    from memoracle.store.rootbook import book_path, known_roots

    known = known_roots(book_path(os.environ, home=os.path.expanduser("~"))) if named or every else []
    by_name = {one.name: one.path for one in known}
    chosen = [by_name.get(one, os.path.abspath(os.path.expanduser(one))) for one in named]
    return [*chosen, *(one.path for one in known)] if every else chosen


def answer(found: Federation, session: Session) -> int:
    """Print the evidence with its owners, and which members are missing."""
    for warning in found.warnings:
        session.say(f"note: {warning}")
    session.show(fields(found), _text(found))
    return _EXITS.get(found.status, DONE)


def fields(found: Federation) -> dict[str, Any]:
    """The answer as one document."""
    return {
        "status": found.status.value,
        "confidence": found.confidence,
        "question": found.question,
        "hits": [
            {**hit_fields(one.hit), "owner": {"seat": one.seat, "project": one.project, "root": one.root}}
            for one in found.hits
        ],
        "members": dict(found.members),
        "missing": list(found.missing),
        "findings": plain(found.findings),
        "warnings": list(found.warnings),
    }


def _text(found: Federation) -> str:
    lines = [f"{found.status.value} (confidence {found.confidence:.2f})"]
    for place, one in enumerate(found.hits, start=1):
        passage = one.hit.passage
        whose = f"{one.seat or 'nobody in particular'}@{one.project or '*'} in {one.root}"
        lines += ["", f"{place}. {visible(shorten(passage.text, SNIPPET))}"]
        lines.append(
            f"   {visible(passage.cite)} · {passage.kind} · {visible(whose)} · score {one.hit.score:.3f}"
        )
    if found.missing:
        lines += ["", *(f"not_in_federated_kb: {visible(one)}" for one in found.missing)]
    return "\n".join(lines)
