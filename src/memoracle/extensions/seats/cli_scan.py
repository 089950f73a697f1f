"""`memoracle scan`: look at this machine or at a repository, and what changed since the last look."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, InvalidTime
from memoracle.extensions.seats.manners.intake import Card, assess
from memoracle.interfaces.cli.session import DONE, FAILED, Parser, Session, listed, read_stdin, read_words
from memoracle.interfaces.render import plain
from memoracle.text import shorten
from memoracle.times import read_span, read_time, system_clock, write_time

if TYPE_CHECKING:
    from datetime import datetime

    from memoracle.extensions.seats.scan.scanning import Filed, ScanDifference, Scanned


# What the verbs about manners share: reading messages, printing a card.


def messages_in(text: str) -> list[str]:
    """A JSON list of texts or of `{"text": …}`, or a message per line."""
    if not text.lstrip().startswith("["):
        return [line for line in text.splitlines() if line.strip()]
    try:
        held = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"stdin is not JSON: {problem}") from None
    said = [one.get("text") or one.get("content") if isinstance(one, dict) else one for one in held]
    if not all(isinstance(one, str) for one in said):
        raise BadInput("stdin is not a list of messages")
    return [str(one) for one in said]


def card_lines(card: Card) -> Iterator[str]:
    """A card for a person."""
    yield card.question
    yield from (f"  {option.id}  {option.label}" for option in card.options)


# `memoracle drift`: whether work has left the goal of a project's north star.

_NUMBERS = {
    "scope": (float, "scope now against the plan, 2.0 is twice as much"),
    "new-requirements": (int, "visible requirements that came after the lock"),
    "blocked": (float, "share of the estimate that was spent blocked, 0.2 is a fifth"),
    "time": (float, "time spent against the estimate"),
    "broken-assumptions": (int, "assumptions that no longer hold"),
    "unrelated-dispatches": (int, "tasks handed out that do not serve the goal"),
    "hours-without-progress": (float, "hours since a milestone moved"),
}


def add_to_drift(parser: Parser) -> None:
    parser.add_argument("--project", required=True, metavar="NAME", help="whose north star")
    for name, (kind, told) in _NUMBERS.items():
        parser.maybe(f"--{name}", "N", told, kind)
    parser.word("--doing", "TEXT", "what is being done, held against the anti-goals")
    parser.flag("--stdin", "read the numbers: one JSON object with these names")
    parser.add_argument(
        "--language", default="", choices=("", "zh", "en"), metavar="LANGUAGE", help="of the card"
    )


def run_drift(arguments: Namespace, session: Session) -> int:
    """Print the card; the exit status is 1 when work has drifted."""
    measured = _given(read_stdin()) if arguments.stdin else {}
    for name in _NUMBERS:
        key = name.replace("-", "_")
        if (number := getattr(arguments, key)) is not None:
            measured[key] = number
    if arguments.doing:
        measured["doing"] = arguments.doing
    found = session.memory.drift(arguments.project, language=arguments.language, **measured)
    lines = [f"{one.code}: {one.measured} (limit {one.limit})" for one in found.signals]
    text = [*lines, *card_lines(found.card)] if found.card else [f"on course: {found.goal}"]
    session.show(found, "\n".join(text))
    return FAILED if found.drifted else DONE


def _given(text: str) -> dict[str, Any]:
    try:
        held = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"stdin is not JSON: {problem}") from None
    if not isinstance(held, dict):
        raise BadInput("stdin is not a JSON object")
    numbers = {}
    for name, said in held.items():
        wanted = _NUMBERS.get(str(name).replace("_", "-"))
        if wanted is None or isinstance(said, bool) or not isinstance(said, int | float):
            raise BadInput(f"`{name}` is not a number of this check", f"one of: {', '.join(_NUMBERS)}")
        numbers[str(name).replace("-", "_")] = wanted[0](said)
    return numbers


# `memoracle intake`: whether a request must be clarified first, and the one question to ask.


def add_to_intake(parser: Parser) -> None:
    parser.add_argument("request", nargs="*", help="what was asked for")
    parser.flag("--stdin", "read it")
    parser.add_argument(
        "--asked", type=int, default=0, metavar="N", help="questions this turn has held already"
    )
    parser.add_argument(
        "--language", default="", choices=("", "zh", "en"), metavar="LANGUAGE", help="of the card"
    )


def run_intake(arguments: Namespace, session: Session) -> None:
    """Print the card, or that work can begin."""
    request = read_words(arguments.request, stdin=arguments.stdin)
    if not request.strip():
        raise BadInput("there is no request", "`memoracle intake WORDS…`, or --stdin")
    found = assess(request, asked=arguments.asked, language=arguments.language)
    if found.card:
        lines = [f"clarify first ({', '.join(found.reasons)})", *card_lines(found.card)]
    elif found.needed:
        lines = ["clarify first, in the next turn: one question per turn"]
    elif found.stopped:
        told = f"; mind: {', '.join(found.reasons)}" if found.reasons else ""
        lines = [f"begin: no questions are wanted{told}"]
    else:
        lines = ["begin: the request is clear"]
    session.show(found, "\n".join(lines))


# `memoracle reply-language`: which language to reply in.


def add_to_reply_language(parser: Parser) -> None:
    parser.add_argument("message", nargs="*", help="the operator's last messages, the newest last")
    parser.flag("--stdin", "read them: a JSON list, or a line each")
    parser.word("--transcript", "FILE", "take them from a conversation")
    parser.add_argument(
        "--current",
        default="",
        choices=("", "zh", "en"),
        metavar="LANGUAGE",
        help="the conversation's so far",
    )


def run_reply_language(arguments: Namespace, session: Session) -> None:
    """Print `zh` or `en`."""
    said = messages_in(read_stdin()) if arguments.stdin else []
    chosen = session.memory.reply_language(
        [*said, *arguments.message], transcript=arguments.transcript, current=arguments.current
    )
    session.show(chosen, chosen.language)
    if not session.json:
        session.say(chosen.because)


_SHOWN = 8
_WEEK = "7d"


def add_to_scan(parser: Parser) -> None:
    parser.add_argument("what", choices=("machine", "project", "diff"), help="what to look at")
    parser.add_argument(
        "of", nargs="*", metavar="OF", help="with diff: `machine` (default) or `project NAME`"
    )
    parser.word("--only", "A,B", "machine: these scanners alone")
    parser.several("--home", "PATH", "machine: this home, no other")
    parser.flag("--dry-run", "machine: print what would change, keep nothing")
    parser.word("--project", "NAME", "project, diff: its name")
    parser.word("--repo", "PATH", "project: where it lies")
    parser.add_argument("--depth", default="shallow", metavar="HOW", help="project: shallow, medium or deep")
    parser.flag("--commit", "project: keep it; other facts there are a failure")
    parser.add_argument(
        "--force", "--force-commit", action="store_true", help="project: keep it in place of what is there"
    )
    parser.add_argument("--since", default=_WEEK, metavar="WHEN", help="diff: a time or a span (default 7d)")


def run_scan(arguments: Namespace, session: Session) -> int | None:
    """Look, and say what was seen."""
    if arguments.what == "diff":
        _diff(arguments, session)
        return None
    if arguments.of:
        raise BadInput(
            f"`{arguments.of[0]}` is one word too many", "`memoracle scan --help` explains the call"
        )
    if arguments.what == "project":
        _project(arguments, session)
        return None
    only = listed(arguments.only)
    done = session.memory.scan_machine(only=only, homes=arguments.home, dry_run=arguments.dry_run)
    for path, why in done.unread.items():
        session.say(f"note: not read: {path}: {why}")
    document = {
        "dry_run": done.dry_run,
        "homes": list(done.homes),
        "files": [_file(one) for one in done.files],
        "errors": dict(done.errors),
        "unread": dict(done.unread),
    }
    session.show(document, "\n".join(_lines(done)))
    return FAILED if done.errors else DONE


def _project(arguments: Namespace, session: Session) -> None:
    if not arguments.project or not arguments.repo:
        raise BadInput("a project needs --project NAME and --repo PATH")
    if arguments.dry_run and (arguments.commit or arguments.force):
        raise BadInput("--dry-run keeps nothing, --commit and --force do", "leave one of them out")
    done = session.memory.scan_project(
        arguments.project,
        arguments.repo,
        depth=arguments.depth,
        commit=arguments.commit,
        force=arguments.force,
    )
    for path, why in done.unread.items():
        session.say(f"note: not read: {path}: {why}")
    document = {
        "dry_run": done.dry_run,
        "project": done.project,
        "repo": done.repo,
        "depth": done.depth,
        "files": [
            _file(one) | ({"record": plain(one.document)} if done.dry_run else {}) for one in done.files
        ],
        "unread": dict(done.unread),
    }
    session.show(document, "\n".join(_lines(done)))


def _diff(arguments: Namespace, session: Session) -> None:
    whose, *names = arguments.of or ["project" if arguments.project else "machine"]
    if whose not in {"machine", "project"} or len(names) > (whose == "project"):
        raise BadInput("write `scan diff machine` or `scan diff project NAME`")
    project = (names[0] if names else arguments.project) if whose == "project" else ""
    if whose == "project" and not project:
        raise BadInput("which project?", "`memoracle scan diff project NAME`")
    found = session.memory.scan_diff(project=project, since=_since(arguments.since))
    items = [
        {"file": file, "path": change.path, "before": change.before, "after": change.after, "at": at}
        for file, at, change in found.changes
    ]
    document = {"since": write_time(found.since), "items": items, "first": list(found.first)}
    session.show(document, "\n".join(_changes(found)))


def _since(text: str) -> datetime:
    try:
        return system_clock() - read_span(text)
    except InvalidTime:
        return read_time(text)


def _file(one: Filed) -> dict[str, Any]:
    told = {
        "path": one.path,
        "kind": one.kind,
        "created": one.created,
        "written": one.written,
        "facts": one.facts,
    }
    told |= {"changes": plain(one.changes)}
    return told | ({"previous": one.previous} if one.previous else {})


def _lines(done: Scanned) -> Iterator[str]:
    yield "would keep:" if done.dry_run else "kept:"
    for one in done.files:
        news = "new" if one.created else f"{len(one.changes)} changed" if one.changes else "unchanged"
        yield f"  {one.path:<34} {one.facts:>4} facts, {news}"
        yield from (
            f"      {_told(change.path, change.before, change.after)}" for change in one.changes[:_SHOWN]
        )
        if len(one.changes) > _SHOWN:
            yield f"      … and {len(one.changes) - _SHOWN} more"
    yield from (f"  {name}: {why}" for name, why in done.errors.items())
    if done.homes:
        yield f"looked at {', '.join(done.homes)}"
    if done.dry_run and done.project:
        yield "nothing was written; `--commit` keeps it"


def _changes(found: ScanDifference) -> Iterator[str]:
    since = found.since.date().isoformat()
    yield (
        f"since {since}: {len(found.changes)} changes" if found.changes else f"since {since}: nothing changed"
    )
    for file, at, change in found.changes:
        yield f"  {at[:10]}  {file}  {_told(change.path, change.before, change.after)}"
    yield from (f"  seen for the first time: {path}" for path in found.first)


def _told(path: str, before: object, after: object) -> str:
    if before is None:
        return f"+ {path}: {shorten(str(after), 80)}" if after is not True else f"+ {path}"
    if after is None:
        return f"- {path}: {shorten(str(before), 80)}" if before is not True else f"- {path}"
    return f"  {path}: {shorten(str(before), 60)} → {shorten(str(after), 60)}"


# `memoracle compact-advice`: whether the operator may be advised to compact the conversation now.


def add_to_compact_advice(parser: Parser) -> None:
    parser.add_argument("fact", nargs="*", help="key facts of this turn")
    parser.flag("--stdin", "read the turn; its key facts are found by rules")
    parser.word("--transcript", "FILE", "the latest turn of a conversation")


def run_compact_advice(arguments: Namespace, session: Session) -> int:
    """Say yes, or what has to be stored first; the exit status is 1 then."""
    if not (arguments.fact or arguments.stdin or arguments.transcript):
        raise BadInput("there is nothing to check", "name facts, or give --stdin or --transcript FILE")
    turn = read_stdin() if arguments.stdin else ""
    advice = session.memory.compact_advice(arguments.fact, turn=turn, transcript=arguments.transcript)
    head = (
        f"{'compaction may be advised' if advice.advise else 'store first, do not advise'}: {advice.because}"
    )
    lines = [f"  not stored  {fact.kind}: {fact.text}" for fact in advice.missing]
    document = {"advise": advice.advise, "because": advice.because}
    document |= {"items": plain(advice.facts), "missing": [fact.text for fact in advice.missing]}
    session.show(document, "\n".join([head, *lines]))
    return DONE if advice.advise else FAILED
