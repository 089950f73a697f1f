"""`memoracle review`: the questions that wait for you, and what the last seven days suggest."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.parser import add_because, add_consent, add_limit
from memoracle.interfaces.cli.session import Session, sentence
from memoracle.interfaces.render import plain
from memoracle.model.inbox import Item, Matter, Queue, Waiting, Why
from memoracle.text import shorten, visible

# How the verbs that answer the inbox take questions and report.


def add_questions(parser: ArgumentParser) -> None:
    """The questions, and why they are answered so."""
    parser.add_argument("id", nargs="+", help="questions of the inbox, or unique beginnings of their ids")
    add_because(parser)
    parser.add_argument("--dry-run", action="store_true", help="print the plan and change nothing")


def answer(arguments: Namespace, session: Session, *, yes: bool) -> int:
    """Answer, and say what became of the records."""
    if arguments.dry_run:
        session.show_plan(session.memory.plan_answer(arguments.id, yes=yes), done=False)
        return 0
    act = session.memory.accept if yes else session.memory.reject
    receipts = act(arguments.id, because=arguments.because)
    said = f"{'accepted' if yes else 'turned down'}: {', '.join(arguments.id)}"
    session.show({"items": plain(receipts)}, "\n".join([said, *map(sentence, receipts)]))
    return 0


# `memoracle accept`: make what the inbox proposes true.


def add_to_accept(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_questions(parser)


def run_accept(arguments: Namespace, session: Session) -> int:
    """Accept them."""
    return answer(arguments, session, yes=True)


# `memoracle inbox`: the questions that wait for their owner.


def add_to_inbox(_parser: ArgumentParser) -> None:
    """Its arguments: none."""


def run_inbox(_arguments: Namespace, session: Session) -> int:
    """Print what is asked, why, and how to answer."""
    items = session.memory.inbox()
    text = "\n\n".join(map(question_text, items)) or "no question waits"
    session.show({"items": plain(items)}, text)
    return 0


_ASKS = {
    Matter.PROMOTION: "shall this be kept as {}?",
    Matter.CONFIRMATION: "is this yours, as your own {}?",
    Matter.WITHDRAWAL: "shall this be taken out of memory?",
}


def question_text(item: Item) -> str:
    """One question for a person: what is judged, whose word it is, where it came from, and what is proposed."""
    head = f"{item.id}  {item.matter.value}, since {item.since.date().isoformat()}"
    asks = visible(_ASKS.get(item.matter, "{}").format(item.proposal))
    rows = [f"    {asks}", f"    because {visible(item.because)}"]
    for one in item.sentences:
        whose = ", ".join(filter(None, (one.whose, one.at.date().isoformat(), one.where)))
        rows.append(f"    “{visible(one.text)}”\n        {visible(f'{whose}; {one.kind} {one.id}')}")
    rest = [one for one in item.about if one not in {said.id for said in item.sentences}]
    rows += [f"    about {', '.join(map(visible, rest))}"] if rest else []
    return "\n".join([head, *rows])


# `memoracle pending`: what waits for a model, and why.

_SHOWN = 20
_WORDS = {
    Why.NEW: "not asked about yet",
    Why.OFF: "no model is configured",
    Why.OVER_BUDGET: "the day's tokens are spent",
    Why.DOWN: "the model does not answer",
    Why.NONSENSE: "the model's answer could not be used",
    Why.PRIVATE: "the privacy gate keeps it from leaving",
}


def add_to_pending(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_limit(parser)
    parser.add_argument("--clear", action="store_true", help="let none of it wait any longer")
    add_consent(parser)


def run_pending(arguments: Namespace, session: Session) -> int:
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
    return 0


def _fields(one: Waiting) -> dict[str, object]:
    said = one.fragment
    return {
        "id": said.id,
        "text": said.text,
        "why": one.why.value,
        "tries": one.tries,
        "since": plain(one.since),
        "who": said.who,
        "channel": said.channel.value,
        "where": said.where,
        "session": said.session,
    }


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


# `memoracle reject`: turn down what the inbox proposes.


def add_to_reject(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_questions(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask before something is erased")


def run_reject(arguments: Namespace, session: Session) -> int:
    """Turn them down; they are not asked again. What waits in quarantine is erased by that, and needs consent."""
    if not arguments.dry_run:
        named = {step.target for step in session.memory.plan_answer(arguments.id, yes=False).steps}
        apart = [one for one in session.memory.inbox() if one.matter is Matter.QUARANTINE and one.id in named]
        if apart:
            session.ask(f"reject erases {len(apart)} record(s) for good", agreed=arguments.yes)
    return answer(arguments, session, yes=False)


def add_to_review(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "--accept", nargs="+", default=[], metavar="ID", help="make these proposals true; `all` for every one"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would happen and change nothing")


def run_review(arguments: Namespace, session: Session) -> int:
    """Do the week's upkeep, then show what is asked, or answer it."""
    found = session.memory.review(accept=arguments.accept, dry_run=arguments.dry_run)
    steps = [f"{step.act} {step.target}: {step.because}" for step in found.steps]
    items = [question_text(item) for item in found.items]
    hint = ["answer with: memoracle review --accept ID… (or all), memoracle reject ID…"] if items else []
    document = {
        "message": found.message,
        "dry_run": arguments.dry_run,
        "items": plain(found.items),
        "steps": plain(found.steps),
        "accepted": list(found.accepted),
    }
    session.show(document, "\n".join([found.message, *steps, *items, *hint]))
    return 0
