"""The verbs of the link graph: what links where, what lies around a thing, and the way from one to another."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput
from memoracle.interfaces.cli.session import NOT_IN_MEMORY, Parser, Session, above_zero
from memoracle.interfaces.render import plain, some, to_json
from memoracle.text import shorten, visible

if TYPE_CHECKING:
    from memoracle.index.graph import Neighbourhood
    from memoracle.model.link import Edge


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
        "incoming": [_edge_fields(edge) for edge in found.incoming],
    }
    lines = [_edge_line(edge) for edge in found.incoming]
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
    fields = {
        **some(near, "root", "depth"),
        "node_count": len(near.nodes),
        "edge_count": len(near.edges),
        "nodes": list(near.nodes),
        "edges": [{**_edge_fields(one.edge), "depth": one.depth} for one in near.edges],
        "capped": list(near.capped),
    }
    drawn = {"text": _graph_text, "mermaid": _mermaid, "dot": _dot}.get(arguments.format)
    session.show(fields, drawn(near) if drawn else to_json(fields))
    if drawn is not _graph_text and not session.json:
        session.say(*_cut(near.capped))


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
        items = [{**_edge_fields(one.edge), "because": one.because} for one in broken]
        lines = [f"{one.edge.path}#L{one.edge.line}: {one.edge.target}: {one.because}" for one in broken]
        session.show({"items": items}, "\n".join(lines) or "every link leads somewhere")
    elif arguments.orphans:
        alone = orphans(session.memory.root)
        session.show({"items": alone}, "\n".join(alone) or "every page has a link")
    elif arguments.page:
        edges = session.memory.links(arguments.page)
        text = "\n".join(map(_edge_line, edges)) or "it links to nothing"
        session.show({"items": list(map(_edge_fields, edges))}, text)
    else:
        raise BadInput("name a page, or say --broken, --orphans or --write")


def add_to_path(parser: Parser) -> None:
    parser.add_argument("start", metavar="A", help="a page, a record, or entity:<namespace>:<value>")
    parser.add_argument("end", metavar="B", help="another one")
    _add_cap(parser)


def run_path(arguments: Namespace, session: Session) -> int:
    """Print the way, edge by edge; 3 when there is none."""
    way = session.memory.path(arguments.start, arguments.end, cap=arguments.cap)
    lines = [_edge_line(edge) for edge in way.edges]
    ends = f"{way.start} to {way.end}"
    head = f"{ends}: {len(lines)} steps" if way.found else f"no way from {ends}"
    fields = {
        "from": way.start,
        "to": way.end,
        "found": way.found,
        "steps": len(way.edges),
        "edges": list(map(_edge_fields, way.edges)),
        "capped": way.capped,
    }
    session.show(fields, "\n".join([head, *lines, *_cut(way.capped)]))
    return 0 if way.found else NOT_IN_MEMORY


# A neighbourhood of the graph as text, Mermaid and DOT. Names and snippets come from outside: in a drawing they are
# labels between quotes, with every character that could end one spelled out, and nodes are numbered.

_LABEL = 80


def _edge_fields(edge: Edge) -> dict[str, Any]:
    return {"from": edge.source, "to": edge.target, **some(edge, "type", "snippet", "path", "line")}


def _graph_text(near: Neighbourhood) -> str:
    """A neighbourhood for a person: one line for every edge, nearest first."""
    head = f"{near.root}: {len(near.nodes)} nodes, {len(near.edges)} edges within {near.depth}"
    lines = [f"{one.depth}  {_edge_line(one.edge)}" for one in near.edges]
    return "\n".join([head, *lines, *_cut(near.capped)])


def _edge_line(edge: Edge) -> str:
    """One edge on one line."""
    said = f"  “{shorten(edge.snippet, 100)}”" if edge.snippet else ""
    return visible(f"{edge.source} -{edge.type.value}-> {edge.target}{said}")


def _cut(capped: tuple[str, ...]) -> list[str]:
    """What is said of hubs that were not followed whole."""
    says = f"not all neighbours of {', '.join(capped)} were followed; --cap takes more"
    return [visible(says)] if capped else []


def _mermaid(near: Neighbourhood) -> str:
    """A flowchart for Mermaid."""
    numbers = {node: f"n{at}" for at, node in enumerate(near.nodes)}
    lines = ["graph LR", *(f'  {number}["{_in_mermaid(node)}"]' for node, number in numbers.items())]
    lines += [
        f"  {numbers[one.edge.source]} -->|{one.edge.type.value}| {numbers[one.edge.target]}"
        for one in near.edges
    ]
    return "\n".join(lines)


def _dot(near: Neighbourhood) -> str:
    """A digraph for Graphviz."""
    numbers = {node: f"n{at}" for at, node in enumerate(near.nodes)}
    lines = [f'  {number} [label="{_in_dot(node)}"];' for node, number in numbers.items()]
    lines += [
        f'  {numbers[one.edge.source]} -> {numbers[one.edge.target]} [label="{one.edge.type.value}"];'
        for one in near.edges
    ]
    return "\n".join(["digraph links {", *lines, "}"])


def _in_mermaid(name: str) -> str:
    """A label: what is no letter, digit or plain mark is written as its code, as Mermaid reads it."""
    plain = shorten(visible(" ".join(name.split())), _LABEL)
    return "".join(ch if ch.isalnum() or ch in " -_./:+@…" else f"#{ord(ch)};" for ch in plain)


def _in_dot(name: str) -> str:
    plain = shorten(visible(" ".join(name.split())), _LABEL)
    return plain.replace("\\", "\\\\").replace('"', '\\"')
