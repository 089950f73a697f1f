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
    parser.add_argument(
        "--scan", action="store_true", help="then look at this machine once, as `scan machine` does"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Make it, and say what was made."""
    from memoracle.compose import init

    born = init(arguments.path or session.root, layout=arguments.layout)
    _list_it(born.root)
    made = "\n".join(f"  made {path}" for path in born.made) or "  it was there already; nothing was changed"
    document = {"root": born.root, "layout": born.layout, "created": bool(born.made), "made": list(born.made)}
    if born.adopted is not None:
        document |= {"adopted": born.adopted}
        made += (
            f"\nadopted: {born.adopted:,} records and every note stay as they are; upkeep archives, moves or replaces "
            "nothing of it before you say so (`memoracle inbox` asks once)"
        )
    if arguments.scan:
        from memoracle.compose import open_memory

        with open_memory(born.root) as memory:
            files = [file.path for file in memory.scan_machine().files]
        document |= {"scanned": files}
        made += "".join(f"\n  saw  {path}" for path in files)
    session.show(document, f"memory at {born.root} (layout {born.layout})\n{made}")
    return 0


def _list_it(root: str) -> None:
    """Put it on the person's list of roots, for questions across them."""
    import os

    from memoracle.store.rootbook import add_if_possible, book_path

    add_if_possible(book_path(os.environ, home=os.path.expanduser("~")), root)
