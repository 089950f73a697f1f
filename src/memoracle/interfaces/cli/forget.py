"""`memoracle forget`: take records out of memory, to be brought back within a month. A session or source is erased."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput
from memoracle.interfaces.cli import purge
from memoracle.interfaces.cli.session import Session


def add_to(parser: ArgumentParser) -> None:
    """Its arguments: those of `purge`."""
    purge.add_to(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Withdraw records, after consent. What names no record cannot come back whole: that is erased, as by `purge`."""
    cited = [reference for reference in arguments.id if "#" in reference]
    if cited and len(cited) < len(arguments.id):
        hint = "name them apart, or erase both with `memoracle purge`"
        raise BadInput("records are withdrawn, lines of notes are erased", hint)
    if cited or arguments.expired or purge.selection_in(arguments) is not None or not arguments.id:
        return purge.run(arguments, session)
    plan = session.memory.plan_withdraw(arguments.id)
    if arguments.dry_run or not plan:
        session.show_plan(plan, done=False)
        return 0
    act = f"forget takes {len(plan.steps)} record(s) out of memory; undo brings them back within 30 days"
    session.ask(act, agreed=arguments.yes)
    done = session.memory.withdraw(arguments.id, because=arguments.because)
    until = done.until.date().isoformat()
    told = f"withdrawn {len(done.ids)} record(s): in no answer any more, still on disk until {until}"
    how = f"  back: memoracle undo {done.operation}   erase now: memoracle purge {' '.join(done.ids[:3])}"
    session.show(done, f"{told}\n{how}")
    return 0
