"""`memoracle links`: what a page links to, what leads nowhere, what nobody links; and the files of links."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.drawing import edge_fields, edge_line
from memoracle.interfaces.render import plain


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("page", nargs="?", help="a page or a record")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--broken", action="store_true", help="links that lead nowhere")
    what.add_argument("--orphans", action="store_true", help="pages without any link")
    what.add_argument("--write", action="store_true", help="bring the layout's files of links up to date")
    parser.add_argument("--dry-run", action="store_true", help="with --write: say what would change")


def run(arguments: Namespace, session: Session) -> int:
    """Print edges, broken links, orphans, or what was written."""
    if arguments.write:
        return _write(arguments, session)
    if arguments.dry_run:
        raise BadInput("--dry-run goes with --write")
    if arguments.broken or arguments.orphans:
        if arguments.page:
            raise BadInput("--broken and --orphans look at all pages")
        return _broken(session) if arguments.broken else _orphans(session)
    if not arguments.page:
        raise BadInput("name a page, or say --broken, --orphans or --write")
    edges = session.memory.links(arguments.page)
    lines = [edge_line(edge) for edge in edges]
    session.show({"items": [edge_fields(edge) for edge in edges]}, "\n".join(lines) or "it links to nothing")
    return 0


def _write(arguments: Namespace, session: Session) -> int:
    done = session.memory.write_links(arguments.page, dry_run=arguments.dry_run)
    said = f"{done.edges_total} edges, {done.targets_added} targets added, {done.targets_removed} removed"
    files = f"{len(done.paths)} files {'would change' if arguments.dry_run else 'changed'}"
    session.show({**plain(done), "dry_run": arguments.dry_run}, f"{said}; {files}")
    return 0


def _broken(session: Session) -> int:
    found = session.memory.broken_links()
    items = [{**edge_fields(one.edge), "because": one.because} for one in found]
    lines = [f"{one.edge.path}#L{one.edge.line}: {one.edge.target}: {one.because}" for one in found]
    session.show({"items": items}, "\n".join(lines) or "every link leads somewhere")
    return 0


def _orphans(session: Session) -> int:
    found = session.memory.orphans()
    session.show({"items": list(found)}, "\n".join(found) or "every page has a link")
    return 0
