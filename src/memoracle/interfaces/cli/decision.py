"""`memoracle decision`: the decision log of a project."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.exits import DONE, USAGE
from memoracle.interfaces.cli.page import add_writer, page_lines, told
from memoracle.interfaces.cli.parser import add_act
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import to_json


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    kinds = parser.add_subparsers(dest="what", required=True, metavar="log|payload")
    payload = kinds.add_parser("payload", help="a decision that somebody else must take, as JSON")
    steps = payload.add_subparsers(dest="act", required=True, metavar="validate|send|schema")
    for name, help_ in (
        ("validate", "say what is wrong with it"),
        ("send", "check it, and give or send the words"),
    ):
        step = add_act(steps, name, help_)
        step.add_argument("payload", help="a JSON file, or - for stdin")
    add_act(steps, "schema", "print the published JSON schema")
    log = kinds.add_parser("log", help="decisions, each a page of the seat that took it")
    acts = log.add_subparsers(dest="act", required=True, metavar="append|list|projects")
    append = add_act(acts, "append", "add a decision")
    for name in ("project", "task", "title", "detail"):
        append.add_argument(name)
    append.add_argument("--seat", default="planner", help="who decided (default planner)")
    append.add_argument("--decision-type", default="auto", metavar="TYPE", help="default auto")
    append.add_argument("--reason", default="", help="why (default: the detail)")
    append.add_argument("--manual", action="store_true", help="a person decided, not the automatic mode")
    append.add_argument("--dry-run", action="store_true", help="write nothing")
    add_writer(append)
    listing = add_act(acts, "list", "the newest decisions of a project, oldest of them first")
    listing.add_argument("project")
    listing.add_argument("--limit", type=int, default=50, metavar="N", help="default 50; below 1 gives none")
    add_act(acts, "projects", "projects that have decisions")


def run(arguments: Namespace, session: Session) -> int:
    """Append, list, or name the projects; check or send a payload."""
    if arguments.what == "payload":
        return _payload(arguments, session)
    if arguments.act == "append":
        written = session.memory.seats.log_decision(
            arguments.project,
            arguments.task,
            arguments.title,
            arguments.detail,
            seat=arguments.seat,
            decision_type=arguments.decision_type,
            reason=arguments.reason,
            manual=arguments.manual,
            author=arguments.author,
            operator=arguments.operator,
            because=arguments.because,
            dry_run=arguments.dry_run,
        )
        return told(written, session, dry_run=arguments.dry_run)
    if arguments.act == "projects":
        names = sorted({page.project for page in session.memory.seats.pages(kind="decision") if page.project})
        session.show({"items": names}, "\n".join(names) or "no project has decisions")
        return DONE
    from memoracle.seats.record import record_of

    found = session.memory.seats.decisions(arguments.project, limit=arguments.limit)
    rows = [{**record_of(page), **_own(page.fields)} for page in found]
    session.show({"items": rows}, page_lines(found) or "no decisions")
    return DONE


def _payload(arguments: Namespace, session: Session) -> int:
    from memoracle.handoffs.payload import problems_of, schema
    from memoracle.interfaces.cli.deliver import show_handed
    from memoracle.interfaces.cli.given import read_json

    if arguments.act == "schema":
        session.show(schema(), to_json(schema()))
        return DONE
    given = read_json(arguments.payload)
    if arguments.act == "send":
        return show_handed(session.memory.seats.send_decision(given), session)
    problems = problems_of(given)
    session.show({"valid": not problems, "items": problems}, "\n".join(problems) or "valid")
    return USAGE if problems else DONE


def _own(fields: object) -> dict[str, object]:
    held = dict(fields) if isinstance(fields, dict) else {}
    names = ("issue_id", "decision_type", "auto_mode", "reason")
    return {name: held[name] for name in names if name in held}
