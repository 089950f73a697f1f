"""`memoracle init`: make a memory, or adopt an existing directory."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("path", nargs="?", help="where (default: --root, MEMORACLE_ROOT, or your own place)")
    parser.add_argument(
        "--layout", metavar="NAME", help="native, vm-oracle, memory-system, v4, clawseat or openclaw"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Make it, and say what was made."""
    from memoracle.compose import init

    born = init(arguments.path or session.root, layout=arguments.layout)
    made = "\n".join(f"  made {path}" for path in born.made) or "  it was there already; nothing was changed"
    session.show(
        {"root": born.root, "layout": born.layout, "created": bool(born.made), "made": list(born.made)},
        f"memory at {born.root} (layout {born.layout})\n{made}",
    )
    return 0
