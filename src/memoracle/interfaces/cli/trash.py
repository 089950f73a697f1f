"""`memoracle trash`: what was withdrawn and can still be brought back, or erased at once."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.errors import BadInput
from memoracle.interfaces.cli.changed import sentence
from memoracle.interfaces.cli.parser import add_because, add_consent
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.model.plan import Plan, Step
from memoracle.model.record import KEPT_WITHDRAWN, Record
from memoracle.text import shorten, visible


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "act", nargs="?", choices=("list", "restore", "empty"), default="list", help="what to do"
    )
    parser.add_argument("id", nargs="*", help="restore: ids, or unique beginnings of them")
    add_because(parser)
    add_consent(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Print it, bring some of it back, or erase all of it after consent."""
    if bool(arguments.id) != (arguments.act == "restore"):
        raise BadInput(
            "name what to bring back", "memoracle trash restore ID…; without ids: trash, or trash empty"
        )
    if arguments.act == "restore" and not arguments.dry_run:
        receipts = session.memory.take_back(arguments.id, because=arguments.because)
        session.show({"items": plain(receipts)}, "\n".join(map(sentence, receipts)))
        return 0
    held = session.memory.trash()
    if arguments.act == "empty" and held and not arguments.dry_run:
        session.ask(f"this erases {len(held)} record(s) for good", agreed=arguments.yes)
        erased = session.memory.forget([one.id for one in held], because=arguments.because)
        session.show(erased, f"erased {len(erased.ids)} record(s), {erased.lines} line(s)")
        return 0
    if arguments.dry_run:
        steps = [
            Step(act="erase" if arguments.act == "empty" else "restore", target=one.id, because=_row(one))
            for one in held
            if arguments.act == "empty" or any(one.id.startswith(given) for given in arguments.id)
        ]
        session.show_plan(Plan(verb=f"trash {arguments.act}", steps=tuple(steps)), done=False)
        return 0
    items = [{**plain(one), "until": plain(one.change.at + KEPT_WITHDRAWN)} for one in held]
    session.show(
        {"items": items}, "\n".join(f"{one.id}  {_row(one)}" for one in held) or "nothing was withdrawn"
    )
    return 0


def _row(one: Record) -> str:
    until = (one.change.at + KEPT_WITHDRAWN).date().isoformat()
    by = f" by {visible(one.change.by)}" if one.change.by else ""
    return f"withdrawn {one.change.at.date().isoformat()}{by}, erased after {until}: {visible(shorten(one.text, 80))}"
