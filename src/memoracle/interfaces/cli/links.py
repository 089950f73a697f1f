"""The verbs of the link graph: what links where, what lies around a thing, and the way from one to another."""

from __future__ import annotations

from argparse import Namespace

from memoracle.errors import BadInput
from memoracle.interfaces import drawing
from memoracle.interfaces.cli.session import NOT_IN_MEMORY, Parser, Session, above_zero
from memoracle.interfaces.drawing import cut, edge_fields, edge_line, way_fields
from memoracle.interfaces.render import plain, to_json


def add_to_backlinks(parser: Parser) -> None:
    parser.add_argument(
        "target", help="a page (path, name or title), a record, or entity:<namespace>:<value>"
    )


def run_backlinks(arguments: Namespace, session: Session) -> None:
    """Print everything that links there; nothing is an answer, too."""
    found = session.memory.backlinks(arguments.target)
    document = {
        "target": found.target,
        "incoming_count": len(found.incoming),
        "incoming": [edge_fields(edge) for edge in found.incoming],
    }
    lines = [edge_line(edge) for edge in found.incoming]
    session.show(document, "\n".join([f"{found.target}: {len(lines)} incoming", *lines]))


def _add_cap(parser: Parser) -> None:
    says = "neighbours of one hub that are followed (50)"
    parser.add_argument("--cap", type=above_zero, default=50, metavar="N", help=says)


def add_to_graph(parser: Parser) -> None:
    parser.add_argument("start", metavar="ROOT", help="a page, a record, or entity:<namespace>:<value>")
    parser.add_argument("--depth", type=int, default=1, metavar="N", help="how many steps (default 1)")
    _add_cap(parser)
    parser.choice("--format", ("text", "json", "mermaid", "dot"), "how to draw it")


def run_graph(arguments: Namespace, session: Session) -> None:
    """Print nodes and edges, nearest first."""
    near = session.memory.graph(arguments.start, depth=arguments.depth, cap=arguments.cap)
    fields = drawing.graph_fields(near)
    drawn = {"text": drawing.graph_text, "mermaid": drawing.mermaid, "dot": drawing.dot}.get(arguments.format)
    session.show(fields, drawn(near) if drawn else to_json(fields))
    if drawn is not drawing.graph_text and not session.json:
        session.say(*drawing.cut(near.capped))


def add_to_links(parser: Parser) -> None:
    parser.add_argument("page", nargs="?", help="a page or a record")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--broken", action="store_true", help="links that lead nowhere")
    what.add_argument("--orphans", action="store_true", help="pages without any link")
    what.add_argument("--write", action="store_true", help="bring the layout's files of links up to date")
    parser.flag("--dry-run", "with --write: say what would change")


def run_links(arguments: Namespace, session: Session) -> None:
    """Print edges, broken links, orphans, or what was written."""
    from memoracle.recall.linked import broken_links, orphans, write_links

    if arguments.dry_run and not arguments.write:
        raise BadInput("--dry-run goes with --write")
    if arguments.page and (arguments.broken or arguments.orphans):
        raise BadInput("--broken and --orphans look at all pages")
    if arguments.write:
        done = write_links(session.memory.root, arguments.page, dry_run=arguments.dry_run)
        said = f"{done.edges_total} edges, {done.targets_added} targets added, {done.targets_removed} removed"
        files = f"{len(done.paths)} files {'would change' if arguments.dry_run else 'changed'}"
        session.show({**plain(done), "dry_run": arguments.dry_run}, f"{said}; {files}")
    elif arguments.broken:
        broken = broken_links(session.memory.root)
        items = [{**edge_fields(one.edge), "because": one.because} for one in broken]
        lines = [f"{one.edge.path}#L{one.edge.line}: {one.edge.target}: {one.because}" for one in broken]
        session.show({"items": items}, "\n".join(lines) or "every link leads somewhere")
    elif arguments.orphans:
        alone = orphans(session.memory.root)
        session.show({"items": alone}, "\n".join(alone) or "every page has a link")
    elif arguments.page:
        edges = session.memory.links(arguments.page)
        text = "\n".join(map(edge_line, edges)) or "it links to nothing"
        session.show({"items": list(map(edge_fields, edges))}, text)
    else:
        raise BadInput("name a page, or say --broken, --orphans or --write")


def add_to_path(parser: Parser) -> None:
    parser.add_argument("start", metavar="A", help="a page, a record, or entity:<namespace>:<value>")
    parser.add_argument("end", metavar="B", help="another one")
    _add_cap(parser)


def run_path(arguments: Namespace, session: Session) -> int:
    """Print the way, edge by edge; 3 when there is none."""
    way = session.memory.path(arguments.start, arguments.end, cap=arguments.cap)
    lines = [edge_line(edge) for edge in way.edges]
    ends = f"{way.start} to {way.end}"
    head = f"{ends}: {len(lines)} steps" if way.found else f"no way from {ends}"
    session.show(way_fields(way), "\n".join([head, *lines, *cut(way.capped)]))
    return 0 if way.found else NOT_IN_MEMORY
