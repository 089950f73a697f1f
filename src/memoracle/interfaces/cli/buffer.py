"""`memoracle buffer`: what is written down before a reply, and moves into the note of the day when it is full."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput
from memoracle.interfaces.cli.given import read_words
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "act", nargs="?", choices=("show", "add", "rotate", "clear"), default="show", help="what to do"
    )
    parser.add_argument("text", nargs="*", help="with add: what to write down")
    parser.add_argument("--stdin", action="store_true", help="with add: read the text from stdin")
    parser.add_argument(
        "--defer",
        action="store_true",
        help="with add: do not move a full buffer now, in the middle of a task",
    )


def run(arguments: Namespace, session: Session) -> int:
    """Do it, and show what the buffer holds."""
    is_add = arguments.act == "add"
    if not is_add and (arguments.text or arguments.stdin or arguments.defer):
        raise BadInput(f"`{arguments.act}` takes no text", "`memoracle buffer add TEXT`")
    text = read_words(arguments.text, stdin=arguments.stdin, when_piped=is_add)
    held = session.memory.buffer(arguments.act, text, defer=arguments.defer)
    for step in held.steps:
        session.say(f"{step.act} {step.target}: {step.because}")
    for warning in held.warnings:
        session.say(f"note: {warning}")
    if held.stale and arguments.act == "show":
        session.say("note: nobody has worked with it for two hours; look for unfinished work")
    shown = f"noted: {held.path}#L{held.line}" if is_add else "\n".join(held.entries) or "the buffer is empty"
    session.show(held, shown)
    return 0
