"""`memoracle purge`: erase records everywhere, or all that came of a session or source. It cannot be undone."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from memoracle.clock import read_span, read_time, system_clock
from memoracle.errors import BadInput
from memoracle.interfaces.cli.parser import add_because, add_consent
from memoracle.interfaces.cli.session import Session
from memoracle.model.origin import Channel
from memoracle.model.receipt import Erased
from memoracle.model.selection import Selection, selection_of


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("id", nargs="*", help="ids, or unique beginnings of them")
    parser.add_argument("--session", default="", metavar="ID", help="everything that came of this session")
    parser.add_argument(
        "--origin",
        default="",
        metavar="CHANNEL|PATH",
        help="everything that came of owner, agent, person, tool, document, external or system, or of a file or folder",
    )
    parser.add_argument("--since", type=read_time, metavar="WHEN", help="everything heard since then")
    parser.add_argument(
        "--last", type=read_span, metavar="SPAN", help="everything heard within the last 7d, 12h …"
    )
    parser.add_argument(
        "--expired", action="store_true", help="what is past the time set for its sensitivity"
    )
    add_because(parser)
    add_consent(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Erase, after consent; say what is gone and where the words still stand."""
    from memoracle.consolidation.forget import foresee

    selection = selection_in(arguments)
    if arguments.expired:
        return _expired(arguments, session)
    if selection is None and not arguments.id:
        raise BadInput("nothing is named to purge", "give ids, or --session, --origin, --since or --last")
    foreseen = foresee(session.memory.root, selection) if selection and not arguments.id else None
    plan = foreseen.plan if foreseen else session.memory.plan_forget(arguments.id, selection=selection)
    if arguments.dry_run or not plan:
        session.show_plan(plan, done=False)
        return 0
    many = sum(step.act == "erase" for step in plan.steps)
    act = f"this erases {many} record(s) for good"
    if (rest := len(plan.steps) - many) > 0:
        act += f" and changes {rest} other thing(s)"
    session.ask(act, agreed=arguments.yes)
    erased = session.memory.forget(
        arguments.id, selection=selection, foreseen=foreseen, because=arguments.because
    )
    for path in erased.remaining:
        session.say(f"note: the same words still stand in {path}, which was left as it is")
    session.show(erased, _sentence(erased))
    return 0


def _expired(arguments: Namespace, session: Session) -> int:
    plan = session.memory.expired()
    if arguments.dry_run or not plan:
        session.show_plan(plan, done=False)
        return 0
    session.ask(f"this erases {len(plan.steps)} record(s) for good", agreed=arguments.yes)
    because = arguments.because or "it is past the time set for its sensitivity"
    erased = session.memory.forget([step.target for step in plan.steps], because=because)
    session.show(erased, _sentence(erased))
    return 0


def _sentence(erased: Erased) -> str:
    parts = [f"erased {len(erased.ids)} record(s), {erased.lines} line(s)"]
    if erased.restored:
        parts.append(f"{len(erased.restored)} record(s) stand again")
    if others := len(erased.rewritten) - len(erased.restored):
        parts.append(f"{others} record(s) lost what they had of it")
    if erased.turns:
        parts.append(f"{erased.turns} turn(s) are never read again")
    if erased.unnoted:
        parts.append(f"{erased.unnoted} version(s) of older runs could only be kept or dropped whole")
    rest = "the words stand in other files too" if erased.remaining else "nothing of them is left"
    return "; ".join([*parts, rest])


def selection_in(arguments: Namespace) -> Selection | None:
    """Where what is meant came from, as the call says it; None when it names records alone."""
    now = system_clock()
    since = arguments.since
    if arguments.last:
        last = now - arguments.last
        since = max(since, last) if since else last
    if not (arguments.session or arguments.origin or since):
        return None
    origin = arguments.origin
    if origin and origin not in {channel.value for channel in Channel}:
        origin = os.path.realpath(os.path.expanduser(origin))
    return selection_of(session=arguments.session, origin=origin, since=since, now=now)
