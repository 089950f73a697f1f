"""`memoracle drift`: whether work has left the goal of a project's north star."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from memoracle.errors import BadInput
from memoracle.interfaces.cli.exits import DONE, FAILED
from memoracle.interfaces.cli.given import read_stdin
from memoracle.interfaces.cli.manners import card_lines
from memoracle.interfaces.cli.session import Session

_NUMBERS = {
    "scope": (float, "scope now against the plan, 2.0 is twice as much"),
    "new-requirements": (int, "visible requirements that came after the lock"),
    "blocked": (float, "share of the estimate that was spent blocked, 0.2 is a fifth"),
    "time": (float, "time spent against the estimate"),
    "broken-assumptions": (int, "assumptions that no longer hold"),
    "unrelated-dispatches": (int, "tasks handed out that do not serve the goal"),
    "hours-without-progress": (float, "hours since a milestone moved"),
}


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("--project", required=True, metavar="NAME", help="whose north star")
    for name, (kind, told) in _NUMBERS.items():
        parser.add_argument(f"--{name}", type=kind, metavar="N", help=told)
    parser.add_argument(
        "--doing", default="", metavar="TEXT", help="what is being done, held against the anti-goals"
    )
    parser.add_argument(
        "--stdin", action="store_true", help="read the numbers: one JSON object with these names"
    )
    parser.add_argument(
        "--language", default="", choices=("", "zh", "en"), metavar="LANGUAGE", help="of the card"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Print the card; the exit status is 1 when work has drifted."""
    measured = _given(read_stdin()) if arguments.stdin else {}
    for name in _NUMBERS:
        key = name.replace("-", "_")
        if (number := getattr(arguments, key)) is not None:
            measured[key] = number
    if arguments.doing:
        measured["doing"] = arguments.doing
    found = session.memory.drift(arguments.project, language=arguments.language, **measured)
    lines = [f"{one.code}: {one.measured} (limit {one.limit})" for one in found.signals]
    text = [*lines, *card_lines(found.card)] if found.card else [f"on course: {found.goal}"]
    session.show(found, "\n".join(text))
    return FAILED if found.drifted else DONE


def _given(text: str) -> dict[str, Any]:
    try:
        held = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"stdin is not JSON: {problem}") from None
    if not isinstance(held, dict):
        raise BadInput("stdin is not a JSON object")
    numbers = {}
    for name, said in held.items():
        wanted = _NUMBERS.get(str(name).replace("_", "-"))
        if wanted is None or isinstance(said, bool) or not isinstance(said, int | float):
            raise BadInput(f"`{name}` is not a number of this check", f"one of: {', '.join(_NUMBERS)}")
        numbers[str(name).replace("-", "_")] = wanted[0](said)
    return numbers
