"""`memoracle compact-advice`: whether the operator may be advised to compact the conversation now."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput
from memoracle.interfaces.cli.exits import DONE, FAILED
from memoracle.interfaces.cli.given import read_stdin
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("fact", nargs="*", help="key facts of this turn")
    parser.add_argument(
        "--stdin", action="store_true", help="read the turn; its key facts are found by rules"
    )
    parser.add_argument("--transcript", default="", metavar="FILE", help="the latest turn of a conversation")


def run(arguments: Namespace, session: Session) -> int:
    """Say yes, or what has to be stored first; the exit status is 1 then."""
    if not (arguments.fact or arguments.stdin or arguments.transcript):
        raise BadInput("there is nothing to check", "name facts, or give --stdin or --transcript FILE")
    turn = read_stdin() if arguments.stdin else ""
    advice = session.memory.compact_advice(arguments.fact, turn=turn, transcript=arguments.transcript)
    head = (
        f"{'compaction may be advised' if advice.advise else 'store first, do not advise'}: {advice.because}"
    )
    lines = [f"  not stored  {fact.kind}: {fact.text}" for fact in advice.missing]
    document = {"advise": advice.advise, "because": advice.because}
    document |= {"items": plain(advice.facts), "missing": [fact.text for fact in advice.missing]}
    session.show(document, "\n".join([head, *lines]))
    return DONE if advice.advise else FAILED
