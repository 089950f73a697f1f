"""The verbs for what waits: the questions of the inbox and their answers, the week's review, the model's queue."""

from __future__ import annotations

import os
import sys
from argparse import Namespace

from memoracle.errors import CannotChange, Declined
from memoracle.interfaces.cli.session import Parser, Session, add_because, add_consent, add_limit, sentence
from memoracle.interfaces.render import plain
from memoracle.model.inbox import InboxItem, Matter, Queue, Waiting, Why
from memoracle.text import shorten, visible


def add_to_accept(parser: Parser) -> None:
    parser.add_argument("id", nargs="+", help="questions of the inbox, or unique beginnings of their ids")
    add_because(parser)
    parser.flag("--dry-run", "print the plan and change nothing")


def _answer(arguments: Namespace, session: Session, *, yes: bool) -> None:
    if arguments.dry_run:
        from memoracle.learn.review import plan_answer

        session.show_plan(plan_answer(session.memory.root, arguments.id, yes=yes), done=False)
        return
    act = session.memory.accept if yes else session.memory.reject
    receipts = act(arguments.id, because=arguments.because)
    said = f"{'accepted' if yes else 'turned down'}: {', '.join(arguments.id)}"
    session.show({"items": plain(receipts)}, "\n".join([said, *map(sentence, receipts)]))


def run_accept(arguments: Namespace, session: Session) -> None:
    _answer(arguments, session, yes=True)


def add_to_inbox(parser: Parser) -> None:
    parser.flag("--answer", "go through them, one key for each: y(es), n(o), s(kip), a(lways), q(uit)")
    parser.flag("--rules", "the standing answers that `a` has given")
    parser.add_argument("--drop", metavar="RULE", help="give a standing answer no longer")
    parser.flag("--yes", "do not ask before something is erased")


def run_inbox(arguments: Namespace, session: Session) -> None:
    """Print what is asked, why, and what a yes would change; or take the answers."""
    if arguments.answer:
        _go_through(arguments, session)
    elif arguments.drop or arguments.rules:
        _show_rules(arguments, session)
    else:
        items = session.memory.inbox()
        hint = "answer with: memoracle inbox --answer, or memoracle accept ID…, memoracle reject ID…"
        text = "\n\n".join([*map(_question, items), hint]) if items else "no question waits"
        session.show({"items": plain(items)}, text)


def _show_rules(arguments: Namespace, session: Session) -> None:
    from memoracle.learn.review import drop_rule
    from memoracle.store.inbox import read_inbox

    session.memory.root.reader.must_see_all()
    if arguments.drop:
        drop_rule(session.memory.root, arguments.drop)
    rules = read_inbox(session.memory.store).rules
    lines = [f"{name}  always {'yes' if yes else 'no'}" for name, yes in rules.items()]
    session.show({"rules": dict(rules)}, "\n".join(lines) or "no answer stands")


_KEYS = {"y": "yes", "n": "no", "s": "skip", "a": "always", "q": "quit"}


def _go_through(arguments: Namespace, session: Session) -> None:
    """Ask one question after the other; an end of the input answers nothing."""
    from memoracle.learn.review import always

    given: dict[str, str] = {}
    for item in session.memory.inbox():
        if item.id not in {one.id for one in session.memory.inbox()}:
            continue  # an answer before it settled this one too
        session.say("", _question(item))
        key = _key(session, "ynsaq")
        if key == "q":
            break
        try:
            if key == "a":
                key = _key(session, "ynq", "    always yes or always no? ")
                if key == "q":
                    break
                always(session.memory.root, item.id, yes=key == "y")
                session.say(f"    from now on: {item.rule}, always {_KEYS[key]}")
            elif key == "y":
                session.memory.accept([item.id])
            elif key == "n":
                if item.matter is Matter.QUARANTINE:
                    session.ask("this erases the record for good", agreed=arguments.yes)
                session.memory.reject([item.id])
        except (CannotChange, Declined) as problem:
            session.say(f"    {problem}")
            continue
        if key != "s":
            given[item.id] = _KEYS[key]
    left = len(session.memory.inbox())
    session.show({"answers": given, "left": left}, f"{len(given)} answered, {left} left")


def _key(session: Session, keys: str, asks: str = "") -> str:
    """One of these keys, from a terminal as it is pressed, from a pipe line by line; `q` where there is no more."""
    offers = asks or "    " + ", ".join(f"{key} {_KEYS[key]}" for key in keys) + ": "
    while True:
        sys.stderr.write(offers)
        sys.stderr.flush()
        if not (said := _pressed()):
            return "q"
        word = said.strip().casefold()
        if sys.stdin.isatty():
            session.say("")
        for key in keys:
            if word in {key, _KEYS[key]}:
                return key


def _pressed() -> str:
    if sys.stdin is None or not sys.stdin.isatty() or os.name == "nt":
        return sys.stdin.readline() if sys.stdin else ""
    import termios
    import tty

    place = sys.stdin.fileno()
    before = termios.tcgetattr(place)
    try:
        tty.setcbreak(place)
        return os.read(place, 1).decode("ascii", "replace")
    finally:
        termios.tcsetattr(place, termios.TCSADRAIN, before)


_ASKS = {
    Matter.PROMOTION: "shall this be kept as {}?",
    Matter.CONFIRMATION: "is this yours, as your own {}?",
    Matter.WITHDRAWAL: "shall this be taken out of memory?",
}


def _question(item: InboxItem) -> str:
    """One question for a person: what is judged, whose word it is, where it came from, and what is proposed."""
    head = f"{item.id}  {item.matter.value}, since {item.since.date().isoformat()}"
    asks = visible(_ASKS.get(item.matter, "{}").format(item.proposal))
    rows = [f"    {asks}"] if item.matter in _ASKS or not item.diff else []
    rows.append(f"    because {visible(item.because)}")
    rows += [f"    after “{visible(one.before)}”" for one in item.sentences[-1:] if one.before]
    rows += [f"    {visible(line)}" for line in item.diff]
    for one in item.sentences:
        whose = ", ".join(filter(None, (one.whose, one.at.date().isoformat(), one.where)))
        rows.append(f"        {visible(f'{one.kind} {one.id}: {whose}')}")
    rest = [one for one in item.about if one not in {said.id for said in item.sentences}]
    rows += [f"    about {', '.join(map(visible, rest))}"] if rest else []
    return "\n".join([head, *rows])


_SHOWN = 20
_WORDS = {
    Why.NEW: "not asked about yet",
    Why.OFF: "no model is configured",
    Why.OVER_BUDGET: "the day's tokens are spent",
    Why.DOWN: "the model does not answer",
    Why.NONSENSE: "the model's answer could not be used",
    Why.PRIVATE: "the privacy gate keeps it from leaving",
}


def add_to_pending(parser: Parser) -> None:
    add_limit(parser)
    parser.flag("--clear", "let none of it wait any longer")
    add_consent(parser)


def run_pending(arguments: Namespace, session: Session) -> None:
    """Print what waits; with `--clear`, and consent, let it go."""
    queue = session.memory.pending()
    is_clearing = arguments.clear and not arguments.dry_run
    if is_clearing and queue.waiting:
        session.ask(f"this lets go of {len(queue.waiting)} fragments", agreed=arguments.yes)
    if is_clearing:
        session.memory.pending(clear=True)
    shown = queue.waiting[: arguments.limit or _SHOWN]
    document = {
        "items": [_fields(one) for one in shown],
        "waiting": len(queue.waiting),
        "compacted": queue.compacted,
        "cleared": is_clearing,
    }
    session.show(document, "\n".join(_lines(queue, shown, cleared=is_clearing)))


def _fields(one: Waiting) -> dict[str, object]:
    said = one.fragment
    waits = {"id": said.id, "text": said.text, "why": one.why, "tries": one.tries, "since": one.since}
    return waits | {"who": said.who, "channel": said.channel, "where": said.where, "session": said.session}


def _lines(queue: Queue, shown: tuple[Waiting, ...], *, cleared: bool) -> list[str]:
    head = f"{len(queue.waiting)} fragments " + ("were let go" if cleared else "wait")
    lines = [head if queue.waiting else "nothing waits"]
    for one in shown:
        lines.append(f"{one.fragment.where}  {shorten(one.fragment.text, 100)}")
        lines.append(f"    {_WORDS[one.why]}, since {one.since.date().isoformat()}")
    if len(shown) < len(queue.waiting):
        lines.append(f"… and {len(queue.waiting) - len(shown)} more (`--limit`)")
    if queue.compacted:
        lines.append(
            f"{queue.compacted} more were too many and wait no longer; their turns are in the transcripts"
        )
    return lines


def add_to_reject(parser: Parser) -> None:
    add_to_accept(parser)
    parser.flag("--yes", "do not ask before something is erased")


def run_reject(arguments: Namespace, session: Session) -> None:
    """Turn them down; they are not asked again. What waits in quarantine is erased by that, and needs consent."""
    if not arguments.dry_run:
        from memoracle.learn.review import plan_answer

        named = {step.target for step in plan_answer(session.memory.root, arguments.id, yes=False).steps}
        apart = [one for one in session.memory.inbox() if one.matter is Matter.QUARANTINE and one.id in named]
        if apart:
            session.ask(f"reject erases {len(apart)} record(s) for good", agreed=arguments.yes)
    _answer(arguments, session, yes=False)


def add_to_review(parser: Parser) -> None:
    parser.add_argument(
        "--accept", nargs="+", default=[], metavar="ID", help="make these proposals true; `all` for every one"
    )
    parser.flag("--dry-run", "say what would happen and change nothing")


def run_review(arguments: Namespace, session: Session) -> None:
    """Do the week's upkeep, then show what is asked, or answer it."""
    found = session.memory.review(accept=arguments.accept, dry_run=arguments.dry_run)
    steps = [f"{step.act} {step.target}: {step.because}" for step in found.steps]
    steps += [f"yours to do: {one}" for one in found.left]
    items = [_question(item) for item in found.items]
    hint = ["answer with: memoracle review --accept ID… (or all), memoracle reject ID…"] if items else []
    document = {
        "message": found.message,
        "notices": found.notices,
        "dry_run": arguments.dry_run,
        "items": found.items,
        "steps": found.steps,
        "accepted": found.accepted,
        "left": found.left,
    }
    session.show(document, "\n".join([found.message, *found.notices, *steps, *items, *hint]))
