"""`memoracle audit`: prove the trail of acts, or read it. Changes nothing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.clock import read_time
from memoracle.errors import BadInput
from memoracle.interfaces.cli.exits import DONE, FAILED
from memoracle.interfaces.cli.parser import add_limit
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.model.event import Told, Trouble, Verified

_SHOWN = 20
_FILTERS = ("record", "did", "who", "since", "session", "limit")


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "act", nargs="?", choices=("verify", "show", "head"), default="verify", help="what to do"
    )
    parser.add_argument(
        "--head",
        action="append",
        default=[],
        metavar="HASH",
        help="with verify: a hash that `audit head` gave earlier and that must still stand in the trail",
    )
    parser.add_argument("--record", default="", metavar="ID", help="with show: only about this id or path")
    parser.add_argument("--act", dest="did", default="", metavar="ACT", help="with show: only this act")
    parser.add_argument("--who", default="", metavar="NAME", help="with show: only by this one")
    parser.add_argument("--since", metavar="TIME", help="with show: only from this time on")
    parser.add_argument("--session", default="", metavar="ID", help="with show: only of this session")
    add_limit(parser)


def run(arguments: Namespace, session: Session) -> int:
    """Print what was asked for; `verify` ends with 1 when something is wrong."""
    if arguments.act != "show" and any(getattr(arguments, name) for name in _FILTERS):
        raise BadInput(f"`{arguments.act}` takes no filters", "`memoracle audit show --record ID`")
    if arguments.act != "verify" and arguments.head:
        raise BadInput("`--head` goes with verify", "`memoracle audit verify --head HASH`")
    if arguments.act == "show":
        return _show(arguments, session)
    found = session.memory.verify_audit(heads=arguments.head)
    if arguments.act == "head":
        items = [{"writer": writer, "hash": made} for writer, made in found.heads.items()]
        lines = [f"{one['hash']}  {one['writer']}" for one in items]
        session.show({"items": items}, "\n".join(lines) or "nothing has been told yet")
        return DONE
    document = {
        "ok": found.ok,
        "entries": found.entries,
        "records": found.records,
        "since": plain(found.since),
    }
    parts = {"problems": plain(found.problems), "notes": plain(found.notes), "heads": dict(found.heads)}
    session.show(document | parts, "\n".join(_verdict(found)))
    return DONE if found.ok else FAILED


def _verdict(found: Verified) -> list[str]:
    lines = [f"problem {one.code}: {one.message}{_at(one)}" for one in found.problems]
    lines += [f"note {one.code}: {one.message}{_at(one)}" for one in found.notes]
    if not found.entries:
        return [*lines, "nothing has been told yet"]
    began = f"since {found.since:%Y-%m-%d}" if found.since else ""
    verdict = "whole" if found.ok else "NOT whole"
    return [*lines, f"{verdict}: {found.entries} entries {began}, beside {found.records} record lines"]


def _at(trouble: Trouble) -> str:
    return f" ({trouble.path})" if trouble.path else ""


def _show(arguments: Namespace, session: Session) -> int:
    told = session.memory.audit(
        record=arguments.record,
        act=arguments.did,
        who=arguments.who,
        since=read_time(arguments.since) if arguments.since else None,
        session=arguments.session,
        limit=arguments.limit or _SHOWN,
    )
    items = [
        plain(one.event) | {"because": list(one.because), "sessions": list(one.sessions)} for one in told
    ]
    session.show({"items": items}, "\n".join(map(_line, told)) or "no act fits")
    return DONE


def _line(told: Told) -> str:
    event = told.event
    head = f"{event.at:%Y-%m-%d %H:%M:%S}  {event.by or '-'}{f' via {event.via}' if event.via else ''}  {event.act}"
    about = [f"{one.id}@{one.version}" for one in event.records] + list(event.about)
    shown = " ".join(about[:5]) + (f" … {len(about) - 5} more" if len(about) > 5 else "")
    facts = " ".join(f"{name}={said}" for name, said in event.facts.items())
    why = f"({'; '.join(told.because)})" if told.because else ""
    return "  ".join(part for part in (head, shown, " ".join(event.rules), facts, why) if part)
