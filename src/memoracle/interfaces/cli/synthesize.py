"""`memoracle synthesize`: pages of several seats as one page that cites and never copies."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.exits import DONE, NOT_IN_FEDERATION, NOT_IN_MEMORY
from memoracle.interfaces.cli.parser import listed
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("topic", nargs="*", help="what about (default: everything that is not settled)")
    parser.add_argument("--project", required=True, metavar="NAME", help="the project")
    parser.add_argument("--kind", default="finding", help="finding (default) or decision")
    parser.add_argument(
        "--seats", type=listed, default=[], metavar="A,B", help="default builder,patrol,planner,reviewer"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the page and write nothing")


def run(arguments: Namespace, session: Session) -> int:
    """Gather, write, and name who is missing."""
    made, written = session.memory.seats.synthesize(
        arguments.project,
        " ".join(arguments.topic),
        kind=arguments.kind,
        seats=arguments.seats,
        dry_run=arguments.dry_run,
    )
    missing = dict.fromkeys(made.missing, "not_in_federated_kb")
    if written is None:
        asked = set(arguments.seats) or {"builder", "patrol", "planner", "reviewer"}
        alone = asked <= set(made.missing)
        status = "not_in_federated_kb" if alone else "not_in_memory_db"
        session.show({"status": status, "missing": missing, "sources": []}, status)
        return NOT_IN_FEDERATION if alone else NOT_IN_MEMORY
    document = {
        "status": "found",
        **plain(written),
        "dry_run": arguments.dry_run,
        "title": made.title,
        "body": made.body,
        "sources": [page.path for page in made.sources],
        "missing": missing,
    }
    session.show(document, made.body if arguments.dry_run else f"written: {written.path}\n\n{made.body}")
    return DONE
