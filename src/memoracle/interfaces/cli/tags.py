"""`memoracle tags`: the vocabulary of tags; `add` puts one more into it, with a reason."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput
from memoracle.interfaces.cli.parser import add_because
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.model.receipt import Tag


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("act", nargs="?", choices=("list", "add"), default="list", help="what to do")
    parser.add_argument("tag", nargs="?", default="", help="with add: the tag")
    add_because(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Print the vocabulary, or add to it."""
    if arguments.act == "add":
        added = session.memory.add_tag(arguments.tag, because=arguments.because)
        session.show(added, f"{added.name}: {added.because}")
        return 0
    if arguments.tag or arguments.because:
        raise BadInput("`list` takes nothing", "`memoracle tags add TAG --because WHY`")
    found, problem = session.memory.tags()
    if problem:
        session.say(f"note: tags.toml cannot be read: {problem}")
    session.show({"items": plain(found)}, "\n".join(map(_line, found)) or "no note carries a tag yet")
    return 0


def _line(tag: Tag) -> str:
    told = tag.because if tag.known else f"not in the vocabulary; {tag.hint}"
    return f"{tag.name:<20} {tag.notes:>3} notes  {told}".rstrip()
