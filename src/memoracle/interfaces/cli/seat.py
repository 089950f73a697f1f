"""`memoracle seat`: who may write where."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.exits import DONE
from memoracle.interfaces.cli.parser import add_act, add_because, listed
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.model.seat import Seat


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    acts = parser.add_subparsers(dest="act", required=True, metavar="list|add|retire")
    add_act(acts, "list", "the seats of this root")
    add = add_act(acts, "add", "register a seat, or bring one back")
    add.add_argument("name")
    add.add_argument(
        "--projects", type=listed, default=[], metavar="A,B", help="only in these (default: in all)"
    )
    add.add_argument("--folders", type=listed, default=[], metavar="A,B", help="folders inside its place")
    add_because(add)
    retire = add_act(acts, "retire", "let a seat write no more; its pages stay")
    retire.add_argument("name")
    add_because(retire)


def run(arguments: Namespace, session: Session) -> int:
    """List, add or retire."""
    memory = session.memory
    if arguments.act == "list":
        seats = memory.seats.registry().seats
        session.show({"items": plain(seats)}, "\n".join(map(_line, seats)))
        return DONE
    if arguments.act == "add":
        seat = memory.seats.add_seat(
            arguments.name, projects=arguments.projects, folders=arguments.folders, because=arguments.because
        )
    else:
        seat = memory.seats.retire_seat(arguments.name, because=arguments.because)
    session.show(seat, _line(seat))
    return DONE


def _line(seat: Seat) -> str:
    where = ", ".join(seat.projects) or "all projects"
    folders = f"  ({', '.join(seat.folders)})" if seat.folders else ""
    return f"{seat.name:<12} {seat.status:<8} {where}{folders}"
