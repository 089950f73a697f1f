"""`memoracle probe`: ask questions whose answers are known, and see whether they are still found."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput
from memoracle.health.probe import Canary, Probe, probe_fields
from memoracle.interfaces.cli.exits import DONE, FAILED
from memoracle.interfaces.cli.parser import above_zero
from memoracle.interfaces.cli.session import Session
from memoracle.text import shorten

_CRITICAL = 0.7


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("act", nargs="?", choices=["add"], help="keep one more canary instead of asking")
    parser.add_argument("query", nargs="?", help="with add: the question")
    parser.add_argument(
        "--expect",
        action="append",
        default=[],
        metavar="TEXT",
        help="with add: what the answer says (any of several)",
    )
    parser.add_argument("--id", default="", metavar="ID", help="with add: the record that answers")
    parser.add_argument(
        "--k", type=above_zero, default=10, metavar="N", help="with add: found among the first N hits"
    )


def run(arguments: Namespace, session: Session) -> int:
    """Ask every canary, or keep a new one; the exit status is 1 when fewer than 70 % are found."""
    if arguments.act == "add":
        return _add(arguments, session)
    if arguments.expect or arguments.id:
        raise BadInput(
            "--expect and --id belong to a new canary", "`memoracle probe add QUERY --expect TEXT`"
        )
    found = session.memory.probe()
    session.show(probe_fields(found), _told(found))
    return FAILED if found.accuracy < _CRITICAL else DONE


def _add(arguments: Namespace, session: Session) -> int:
    canary = Canary(
        query=arguments.query or "", expected=tuple(arguments.expect), expected_id=arguments.id, k=arguments.k
    )
    number = session.memory.add_canary(canary)
    session.show({"query": canary.query, "total": number}, f"kept; {number} canaries are asked from now on")
    return DONE


def _told(found: Probe) -> str:
    if not found.asked:
        return "there are no canaries yet; `memoracle probe add QUERY --expect TEXT` keeps one"
    lines = [
        f"{'found' if one.passed else 'MISSED':<7} {f'#{one.place}' if one.place else '–':<4} "
        f"{one.milliseconds:>7.1f} ms  {shorten(one.query, 60)}  →  {shorten(one.expected, 60)}"
        for one in found.asked
    ]
    middle, longest = found.milliseconds
    recalls = ", ".join(f"recall@{k} {found.recall_at(k):.2f}" for k in (1, 5, 10))
    share = f"{found.passed} of {len(found.asked)} found ({found.accuracy:.0%})"
    times = f"half within {middle:.0f} ms, all within {longest:.0f} ms"
    return "\n".join([*lines, "", f"{share}; {recalls}; {times}"])
