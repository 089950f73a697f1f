"""`memoracle roots`: the roots of this machine that questions across roots reach."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput, NoRoot
from memoracle.interfaces.cli.exits import DONE
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.text import visible


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("act", nargs="?", choices=("list", "add", "remove"), default="list")
    parser.add_argument("path", nargs="?", help="a root; with remove also its name")
    parser.add_argument("--name", default="", help="with add: what to call it (default: its folder's name)")


def run(arguments: Namespace, session: Session) -> int:
    """List, add or take off the list; a root itself is never touched."""
    from memoracle.store.rootbook import add_root, book_path, known_roots, remove_root

    book = book_path(os.environ, home=os.path.expanduser("~"))
    changed = False
    if arguments.act != "list":
        if not arguments.path:
            raise BadInput("which root?", f"memoracle roots {arguments.act} PATH")
        place = os.path.abspath(os.path.expanduser(arguments.path))
        if arguments.act == "add":
            if not os.path.isfile(os.path.join(place, "memoracle.toml")):
                raise NoRoot(place)
            changed = add_root(book, place, name=arguments.name)
        else:
            changed = remove_root(book, arguments.path) or remove_root(book, place)
    found = known_roots(book)
    rows = [f"{one.name:<20} {'there' if one.present else 'missing':<8} {visible(one.path)}" for one in found]
    document = {"items": plain(found), "list": book, "changed": changed}
    session.show(document, "\n".join(rows) or f"no roots are listed in {visible(book)}")
    return DONE
