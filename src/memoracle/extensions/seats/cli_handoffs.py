"""`memoracle verify`: hold the claims of a response against evidence in memory."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import Any

from memoracle.errors import BadInput
from memoracle.extensions.seats.model import Chain, Handed, TestPolicy
from memoracle.interfaces.cli.session import (
    DONE,
    FAILED,
    NOT_DELIVERED,
    Parser,
    Session,
    above_zero,
    add_act,
    listed,
    parse_json,
    read_json,
)
from memoracle.interfaces.render import plain, safe

# `memoracle deliver`: answer a task with a response and its receipt.


def add_to_deliver(parser: Parser) -> None:
    parser.word("--project", "NAME", "the project")
    parser.add_argument("--task", required=True, metavar="ID", help="the task that is answered")
    parser.add_argument("--to", "--target", required=True, metavar="SEAT", help="who asked")
    parser.add_argument(
        "--from", dest="source", default="memory", metavar="SEAT", help="who answers (default memory)"
    )
    parser.maybe("--response", "FILE", "a JSON object in a file, or - for stdin")
    parser.maybe("--response-inline", "JSON", "the same in the call itself")
    parser.word("--answer", "TEXT", "an answer that claims nothing")
    parser.add_argument("--summary", default="", help="one line for the receipt")
    parser.add_argument("--verdict", default="", help="how it ended")
    parser.flag("--dry-run", "check the claims and write nothing")


def run_deliver(arguments: Namespace, session: Session) -> int:
    """Deliver, and print what to say."""
    given = [bool(arguments.response), bool(arguments.response_inline), bool(arguments.answer)]
    if sum(given) != 1:
        raise BadInput("give one response", "--response FILE, --response-inline JSON or --answer TEXT")
    if arguments.answer:
        response = {"answer": arguments.answer, "claims": [], "sources": [], "confidence": "medium"}
    elif arguments.response:
        response = read_json(arguments.response)
    else:
        response = parse_json(arguments.response_inline, "--response-inline")
    handed = session.memory.seats.deliver(
        arguments.task,
        response,
        project=arguments.project,
        to=arguments.to,
        source=arguments.source,
        summary=arguments.summary,
        verdict=arguments.verdict,
        dry_run=arguments.dry_run,
    )
    return show_handed(handed, session)


def show_handed(handed: Handed, session: Session) -> int:
    """What was written, and the words to send."""
    for warning in handed.warnings:
        session.say(warning)
    lines = [
        *([f"{'wrote' if handed.created else 'there already'}: {handed.path}"] if handed.path else []),
        *([f"response: {handed.response}"] if handed.response else []),
        *([f"state: {handed.state}"] if handed.state else []),
        *([f"next: {handed.next}"] if handed.next else []),
        *(["", handed.message] if handed.message else []),
    ]
    session.show(plain(handed), "\n".join(lines))
    if handed.unsent:
        session.say("the message was not sent: the command that MEMORACLE_SEND names did not take it")
        return NOT_DELIVERED
    return DONE


# `memoracle handoff`: tasks that one seat gives another, seen, given back and looked after.


def add_to_handoff(parser: Parser) -> None:
    acts = parser.add_subparsers(dest="act", required=True, metavar="|".join(_ACTS))
    given = _of_task(add_act(acts, "dispatch", "give a task to a seat"))
    given.add_argument(
        "--from", dest="source", default="planner", metavar="SEAT", help="who gives it (planner)"
    )
    given.add_argument("--to", "--target", default="", metavar="SEAT", help="who gets it")
    given.add_argument(
        "--to-role", "--target-role", default="", metavar="ROLE", help="or the role of whoever gets it"
    )
    given.add_argument("--title", required=True, help="what it is called")
    given.add_argument("--objective", required=True, help="what should be true afterwards")
    given.add_argument("--test-policy", required=True, help=", ".join(TestPolicy))
    given.word("--reply-to", "SEAT", "who gets it back (default: who gave it)")
    given.add_argument("--docs", type=listed, default=[], metavar="A,B", help="documentation that was read")
    given.word("--docs-skip", "WHY", "why none was needed")
    given.flag("--external", "it is about somebody else's interface")
    given.flag("--queue", "behind what a builder is busy with")
    given.flag("--no-notify", "no message about it")
    given.flag("--dry-run", "ask whether it could be given; write nothing")
    listing = add_act(acts, "list", "every task: pending, queued or done")
    listing.word("--project", "NAME", "only of this project")
    for name, help_ in (("ack", "say that a task was seen"), ("consume", "say that what came back was seen")):
        act = _of_task(add_act(acts, name, help_))
        act.add_argument("--seat", required=True, help="who saw it")
    back = _of_task(add_act(acts, "complete", "give a task back: a delivery page and a receipt"))
    back.add_argument("--seat", required=True, help="who did it")
    back.word("--to", "SEAT", "who gets it (default: who asked for a reply)")
    back.add_argument("--status", default="completed", help="default completed")
    back.add_argument(
        "--verdict", default="", help="PASS, FAIL, BLOCKED, PASS_NEEDS_INTEGRATION; a reviewer's own"
    )
    back.add_argument("--weight", choices=("light", "medium", "heavy"), default="", help="of an integration")
    back.add_argument("--summary", default="", help="what was done")
    back.word("--commit", "HASH", "the commit it ended in")
    back.flag("--dry-run", "write nothing")
    _of_task(add_act(acts, "check", "was it seen and given back? the four steps"))
    _of_task(add_act(acts, "audit", "did the planner close it properly?"))
    begin = add_act(acts, "rehearse", "give every seat one step of a rehearsal")
    begin.add_argument("--project", required=True, metavar="NAME", help="the project")
    begin.add_argument(
        "--seats", type=listed, default=[], metavar="A,B", help="these (default: those that take part)"
    )
    report = add_act(acts, "rehearsal", "what a rehearsal came to")
    report.add_argument("--project", required=True, metavar="NAME", help="the project")
    report.add_argument("--name", default="", help="default: the newest")
    short = add_act(acts, "condense", "routing state in a few lines, when it is asked for or due")
    short.add_argument("--project", required=True, metavar="NAME", help="the project")
    short.word("--said", "TEXT", "what may hold [memory: compact-me]")
    short.add_argument(
        "--after", type=above_zero, default=5, metavar="N", help="due after N closed tasks (default 5)"
    )


def run_handoff(arguments: Namespace, session: Session) -> int | None:
    """Do what was asked."""
    return _ACTS[arguments.act](arguments, session)


def _of_task(parser: Parser) -> Parser:
    parser.word("--project", "NAME", "the project")
    parser.add_argument("--task", required=True, metavar="ID", help="the task")
    return parser


def _dispatch(arguments: Namespace, session: Session) -> int:
    handed = session.memory.seats.dispatch(
        arguments.task,
        project=arguments.project,
        source=arguments.source,
        target=arguments.to,
        role=arguments.to_role,
        title=arguments.title,
        objective=arguments.objective,
        test_policy=arguments.test_policy,
        reply_to=arguments.reply_to,
        docs=arguments.docs,
        docs_skip=arguments.docs_skip,
        external=arguments.external,
        queue_it=arguments.queue,
        notify=not arguments.no_notify,
        dry_run=arguments.dry_run,
    )
    return show_handed(handed, session)


def _list(arguments: Namespace, session: Session) -> None:
    found = session.memory.seats.handoffs(arguments.project)
    lines = [
        f"{one.state.value:<8} {one.dispatch.task_id}  {one.dispatch.source} → {one.dispatch.target}"
        f"  {one.dispatch.title}" + ("" if one.seen else "  (not seen)")
        for one in found
    ]
    session.show({"items": plain(found)}, "\n".join(lines) or "nothing was handed over")


def _ack(arguments: Namespace, session: Session) -> int:
    return show_handed(
        session.memory.seats.acknowledge(arguments.task, project=arguments.project, seat=arguments.seat),
        session,
    )


def _consume(arguments: Namespace, session: Session) -> int:
    return show_handed(
        session.memory.seats.consume(arguments.task, project=arguments.project, seat=arguments.seat), session
    )


def _complete(arguments: Namespace, session: Session) -> int:
    how: dict[str, Any] = {
        name: getattr(arguments, name)
        for name in ("seat", "to", "status", "verdict", "weight", "summary", "commit", "dry_run", "project")
    }
    return show_handed(session.memory.seats.complete(arguments.task, **how), session)


def _check(arguments: Namespace, session: Session) -> int:
    return _show(session.memory.seats.check_handoff(arguments.task, project=arguments.project), session)


def _audit(arguments: Namespace, session: Session) -> int:
    return _show(session.memory.seats.audit_closeout(arguments.task, project=arguments.project), session)


def _rehearse(arguments: Namespace, session: Session) -> None:
    handed = session.memory.seats.rehearse(arguments.project, seats=arguments.seats)
    session.show({"items": plain(handed)}, "\n".join(one.path for one in handed))


def _rehearsal(arguments: Namespace, session: Session) -> int:
    return _show(session.memory.seats.rehearsal(arguments.project, arguments.name), session)


def _condense(arguments: Namespace, session: Session) -> None:
    why, lines = session.memory.seats.condense(arguments.project, arguments.said, after=arguments.after)
    said = "present" if why == "marker" else "absent"
    session.show({"due": why, "marker": said, "items": list(lines)}, "\n".join(lines) or "nothing is due")


def _show(chain: Chain, session: Session) -> int:
    lines = [f"{check.result:<8} {check.name}  {check.says}".rstrip() for check in chain.checks]
    document = {**plain(chain), "ok": chain.ok}
    session.show(document, "\n".join([*lines, *([chain.message] if chain.message else [])]))
    return DONE if chain.ok else FAILED


_ACTS: dict[str, Callable[[Namespace, Session], int | None]] = {
    "dispatch": _dispatch,
    "list": _list,
    "ack": _ack,
    "consume": _consume,
    "complete": _complete,
    "check": _check,
    "audit": _audit,
    "rehearse": _rehearse,
    "rehearsal": _rehearsal,
    "condense": _condense,
}


def add_to_verify(parser: Parser) -> None:
    parser.add_argument("response", nargs="?", help="a JSON file, or - for stdin")
    parser.word("--task", "ID", "the response that was delivered to this task")


def run_verify(arguments: Namespace, session: Session) -> int:
    """Check, and say which claims do not hold; 1 when one does not."""
    if bool(arguments.response) == bool(arguments.task):
        raise BadInput("name one response to verify", "FILE, - or --task ID")
    if arguments.task:
        from memoracle.extensions.seats.files_handoffs import read_response

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
