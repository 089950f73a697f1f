"""`memoracle verify`: hold the claims of a response against evidence in memory."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from memoracle.errors import BadInput
from memoracle.interfaces.cli.exits import DONE, FAILED
from memoracle.interfaces.cli.given import read_json
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain, safe


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("response", nargs="?", help="a JSON file, or - for stdin")
    parser.add_argument(
        "--task", default="", metavar="ID", help="the response that was delivered to this task"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Check, and say which claims do not hold; 1 when one does not."""
    if bool(arguments.response) == bool(arguments.task):
        raise BadInput("name one response to verify", "FILE, - or --task ID")
    if arguments.task:
        from memoracle.store.handoffs import read_response

        response = read_response(session.memory.store, arguments.task)
        if response is None:
            raise BadInput(f"nothing was delivered to {arguments.task}")
    else:
        response = read_json(arguments.response)
    checked = session.memory.seats.verify(response)
    lines = [
        f"{'ok  ' if one.verified else 'FAIL'} {one.index}: {safe(one.statement)}"
        + "".join(f"\n       {miss.reason} {miss.where}" for miss in one.mismatches)
        for one in checked.claim_results
    ]
    verdict = {True: "every claim holds", False: "not every claim holds", None: "nothing is claimed"}
    session.show(
        _safe(plain(checked)),
        "\n".join([*lines, f"{verdict[checked.all_verified]} {checked.reason}".strip()]),
    )
    return FAILED if checked.all_verified is False else DONE


def _safe(said: Any) -> Any:
    """The same without secrets: what a response claims was never looked at by the guard."""
    if isinstance(said, dict):
        return {name: _safe(item) for name, item in said.items()}
    if isinstance(said, list):
        return [_safe(item) for item in said]
    return safe(said) if isinstance(said, str) else said
