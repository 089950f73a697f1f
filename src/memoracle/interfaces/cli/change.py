"""The verbs that change a record, withdraw it, bring it back or erase it. What erases asks first."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence

from memoracle.errors import BadInput
from memoracle.interfaces.cli.session import (
    Parser,
    Session,
    add_because,
    add_consent,
    add_id,
    given,
    listed,
    sentence,
)
from memoracle.interfaces.render import plain
from memoracle.model.record import KEPT_WITHDRAWN, Channel, Record
from memoracle.model.report import Erased, Plan, Receipt, Step
from memoracle.model.search import Selection, selection_of
from memoracle.text import shorten, visible
from memoracle.times import read_span, read_time, system_clock


def add_record(parser: Parser) -> None:
    """The record, and why it is changed."""
    add_id(parser)
    add_because(parser)


def _show(receipt: Receipt, session: Session) -> None:
    session.warn(receipt.warnings)
    session.show(receipt, sentence(receipt))


def _show_all(receipts: Sequence[Receipt], session: Session) -> None:
    session.show({"items": plain(receipts)}, "\n".join(map(sentence, receipts)))


add_to_archive = add_to_reactivate = add_record


def run_archive(arguments: Namespace, session: Session) -> None:
    _show(session.memory.archive(arguments.id, because=arguments.because), session)


def run_reactivate(arguments: Namespace, session: Session) -> None:
    _show(session.memory.reactivate(arguments.id, because=arguments.because), session)


def add_to_edit(parser: Parser) -> None:
    add_id(parser)
    parser.add_argument("text", nargs="*", help="the new words")
    parser.add_argument("--text", dest="words", metavar="TEXT", help="the new words, as one argument")
    parser.add_argument("--type", "--kind", dest="kind", help="another kind")
    parser.maybe("--importance", "0-1", "how much it matters", float)
    parser.maybe("--confidence", "0-1", "how sure it is", float)
    parser.maybe("--entities", "A,B", "its entities", listed)
    parser.maybe("--tags", "A,B", "its tags", listed)
    parser.maybe("--expect", "VERSION", "only if it is still at this version", int)
    add_because(parser)


def run_edit(arguments: Namespace, session: Session) -> None:
    text = arguments.words or " ".join(arguments.text) or None
    new = given(arguments, "because", "kind", "importance", "confidence", "entities", "tags")
    receipt = session.memory.edit(arguments.id, expected=arguments.expect, text=text, **new)
    _show(receipt, session)


def add_to_pin(parser: Parser) -> None:
    add_record(parser)
    parser.flag("--off", "let it fade again")


def run_pin(arguments: Namespace, session: Session) -> None:
    receipt = session.memory.pin(arguments.id, pinned=not arguments.off, because=arguments.because)
    _show(receipt, session)


def add_to_purge(parser: Parser) -> None:
    parser.add_argument("id", nargs="*", help="ids, or unique beginnings of them")
    parser.word("--session", "ID", "everything that came of this session")
    parser.word(
        "--origin",
        "CHANNEL|PATH",
        "everything that came of owner, agent, person, tool, document, external or system, or of a file or folder",
    )
    parser.maybe("--since", "WHEN", "everything heard since then", read_time)
    parser.maybe("--last", "SPAN", "everything heard within the last 7d, 12h …", read_span)
    parser.flag("--expired", "what is past the time set for its sensitivity")
    add_because(parser)
    add_consent(parser)


def run_purge(arguments: Namespace, session: Session) -> None:
    """Erase, after consent; say what is gone and where the words still stand."""
    from memoracle.learn.forgetting import foresee

    selection = _selection_in(arguments)
    if arguments.expired:
        _expired(arguments, session)
        return
    if selection is None and not arguments.id:
        raise BadInput("nothing is named to purge", "give ids, or --session, --origin, --since or --last")
    foreseen = foresee(session.memory.root, selection) if selection and not arguments.id else None
    plan = foreseen.plan if foreseen else session.memory.plan_forget(arguments.id, selection=selection)
    if arguments.dry_run or not plan:
        session.show_plan(plan, done=False)
        return
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


def _expired(arguments: Namespace, session: Session) -> None:
    from memoracle.learn.forget import expired

    plan = expired(session.memory.root)
    if arguments.dry_run or not plan:
        session.show_plan(plan, done=False)
        return
    session.ask(f"this erases {len(plan.steps)} record(s) for good", agreed=arguments.yes)
    because = arguments.because or "it is past the time set for its sensitivity"
    erased = session.memory.forget([step.target for step in plan.steps], because=because)
    session.show(erased, _sentence(erased))


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


def _selection_in(arguments: Namespace) -> Selection | None:
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


add_to_forget = add_to_purge


def run_forget(arguments: Namespace, session: Session) -> None:
    """Withdraw records, after consent. What names no record cannot come back whole: that is erased, as by `purge`."""
    cited = [reference for reference in arguments.id if "#" in reference]
    if cited and len(cited) < len(arguments.id):
        hint = "name them apart, or erase both with `memoracle purge`"
        raise BadInput("records are withdrawn, lines of notes are erased", hint)
    if cited or arguments.expired or _selection_in(arguments) is not None or not arguments.id:
        run_purge(arguments, session)
        return
    plan = session.memory.plan_withdraw(arguments.id)
    if arguments.dry_run or not plan:
        session.show_plan(plan, done=False)
        return
    act = f"forget takes {len(plan.steps)} record(s) out of memory; undo brings them back within 30 days"
    session.ask(act, agreed=arguments.yes)
    done = session.memory.withdraw(arguments.id, because=arguments.because)
    until = done.until.date().isoformat()
    told = f"withdrawn {len(done.ids)} record(s): in no answer any more, still on disk until {until}"
    how = f"  back: memoracle undo {done.operation}   erase now: memoracle purge {' '.join(done.ids[:3])}"
    session.show(done, f"{told}\n{how}")


def add_to_supersede(parser: Parser) -> None:
    add_record(parser)
    parser.add_argument("text", nargs="+", help="what holds now")


def run_supersede(arguments: Namespace, session: Session) -> None:
    """Write the new one; the old one keeps its place in the history."""
    receipt = session.memory.supersede(arguments.id, " ".join(arguments.text), because=arguments.because)
    _show(receipt, session)


def add_to_trash(parser: Parser) -> None:
    parser.add_argument(
        "act", nargs="?", choices=("list", "restore", "empty"), default="list", help="what to do"
    )
    parser.add_argument("id", nargs="*", help="restore: ids, or unique beginnings of them")
    add_because(parser)
    add_consent(parser)


def run_trash(arguments: Namespace, session: Session) -> None:
    """Print it, bring some of it back, or erase all of it after consent."""
    if bool(arguments.id) != (arguments.act == "restore"):
        raise BadInput(
            "name what to bring back", "memoracle trash restore ID…; without ids: trash, or trash empty"
        )
    if arguments.act == "restore" and not arguments.dry_run:
        _show_all(session.memory.take_back(arguments.id, because=arguments.because), session)
        return
    held = session.memory.trash()
    if arguments.act == "empty" and held and not arguments.dry_run:
        session.ask(f"this erases {len(held)} record(s) for good", agreed=arguments.yes)
        erased = session.memory.forget([one.id for one in held], because=arguments.because)
        session.show(erased, f"erased {len(erased.ids)} record(s), {erased.lines} line(s)")
        return
    if arguments.dry_run:
        steps = [
            Step(act="erase" if arguments.act == "empty" else "restore", target=one.id, because=_row(one))
            for one in held
            if arguments.act == "empty" or any(one.id.startswith(given) for given in arguments.id)
        ]
        session.show_plan(Plan(verb=f"trash {arguments.act}", steps=tuple(steps)), done=False)
        return
    items = [{**plain(one), "until": plain(one.change.at + KEPT_WITHDRAWN)} for one in held]
    session.show(
        {"items": items}, "\n".join(f"{one.id}  {_row(one)}" for one in held) or "nothing was withdrawn"
    )


def _row(one: Record) -> str:
    until = (one.change.at + KEPT_WITHDRAWN).date().isoformat()
    by = f" by {visible(one.change.by)}" if one.change.by else ""
    return f"withdrawn {one.change.at.date().isoformat()}{by}, erased after {until}: {visible(shorten(one.text, 80))}"


def add_to_undo(parser: Parser) -> None:
    parser.add_argument("operation", nargs="?", help="op_… as `history` prints it (default: the last change)")


def run_undo(arguments: Namespace, session: Session) -> None:
    _show_all(session.memory.undo(arguments.operation), session)
