"""`memoracle pending`: what waits for a model, and why."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memoracle.interfaces.cli.parser import add_consent, add_limit
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.model.pending import Queue, Waiting, Why
from memoracle.text import shorten

_SHOWN = 20
_WORDS = {
    Why.NEW: "not asked about yet",
    Why.OFF: "no model is configured",
    Why.OVER_BUDGET: "the day's tokens are spent",
    Why.DOWN: "the model does not answer",
    Why.NONSENSE: "the model's answer could not be used",
    Why.PRIVATE: "the privacy gate keeps it from leaving",
}


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_limit(parser)
    parser.add_argument("--clear", action="store_true", help="let none of it wait any longer")
    add_consent(parser)


def run(arguments: Namespace, session: Session) -> int:
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
