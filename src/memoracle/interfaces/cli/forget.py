"""`memoracle forget`: erase records everywhere. The one verb that cannot be undone."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from datetime import timedelta

from memoracle.clock import read_span, system_clock
from memoracle.errors import BadInput
from memoracle.interfaces.cli.parser import add_because, add_consent
from memoracle.interfaces.cli.session import Session
from memoracle.model.query import Filters


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("id", nargs="*", help="ids, or unique beginnings of them")
    parser.add_argument("--session", default="", metavar="ID", help="everything that came from this session")
    parser.add_argument(
        "--origin", default="", metavar="CHANNEL", help="everything from owner, agent, tool or external"
    )
    parser.add_argument(
        "--last", type=read_span, metavar="SPAN", help="everything kept within the last 7d, 12h …"
    )
    add_because(parser)
    add_consent(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Erase, after consent; say what is gone and where the words still stand."""
    filters = _filters(arguments.session, arguments.origin, arguments.last)
    if filters is None and not arguments.id:
        raise BadInput("nothing is named to forget", "give ids, or --session, --origin or --last")
    plan = session.memory.plan_forget(arguments.id, filters=filters)
    if arguments.dry_run or not plan:
        session.show_plan(plan, done=False)
        return 0
    act = f"forget erases {len(plan.steps)} record(s) for good"
    session.ask(act, agreed=arguments.yes, is_explicit=filters is None)
    erased = session.memory.forget([step.target for step in plan.steps], because=arguments.because)
    for path in erased.remaining:
        session.say(f"note: the same words still stand in {path}, which was left as it is")
    rest = "the words stand in other files too" if erased.remaining else "nothing of them is left"
    session.show(erased, f"erased {len(erased.ids)} record(s), {erased.lines} line(s); {rest}")
    return 0


def _filters(session: str, origin: str, last: timedelta | None) -> Filters | None:
    if not (session or origin or last):
        return None
    since = system_clock() - last if last else None
    return Filters(session=session, channel=origin, since=since, wide=True)
