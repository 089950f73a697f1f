"""`memoracle page`: pages of seats. Each seat writes in its own place; all read everywhere."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from memoracle.clock import read_time, read_until
from memoracle.errors import BadInput
from memoracle.interfaces.cli.exits import DONE, FAILED, NOT_IN_FEDERATION, NOT_IN_MEMORY
from memoracle.interfaces.cli.given import read_stdin, read_text
from memoracle.interfaces.cli.parser import above_zero, add_act, listed
from memoracle.interfaces.cli.session import Session
from memoracle.interfaces.render import plain
from memoracle.model.page import PageWritten
from memoracle.text import shorten, visible


def add_to(parser: ArgumentParser) -> None:
    """Its arguments."""
    acts = parser.add_subparsers(dest="act", required=True, metavar="write|list|show|close|check-edit|index")
    _add_write(add_act(acts, "write", "write a page in its seat's place"))
    _add_list(add_act(acts, "list", "pages that fit, by time"))
    show = add_act(acts, "show", "one page")
    show.add_argument("page", help="an id, a unique beginning of one, or a path")
    close = add_act(acts, "close", "give a page another status; nothing is deleted")
    close.add_argument("page", help="an id, a unique beginning of one, or a path")
    close.add_argument(
        "--status", default="resolved", help="resolved (default), completed, superseded, investigating, open"
    )
    close.add_argument("--reason", default="", metavar="WHY", help="a line for its history")
    close.add_argument("--dry-run", action="store_true", help="write nothing")
    add_writer(close)
    check = add_act(acts, "check-edit", "whether an edit of somebody else's text only cleans it up")
    check.add_argument("old", help="the file as it was")
    check.add_argument("new", help="the file as it would be")
    index = add_act(acts, "index", "bring the index files of the clawseat layout up to date")
    index.add_argument("--project", default="", metavar="NAME", help="only this project")
    index.add_argument("--all", action="store_true", help="every project (default)")
    index.add_argument("--dry-run", action="store_true", help="write nothing")


def add_writer(parser: ArgumentParser) -> None:
    """Who writes."""
    parser.add_argument(
        "--author", default="", metavar="SEAT", help="who writes (default MEMORACLE_SEAT, then --seat)"
    )
    parser.add_argument(
        "--operator", action="store_true", help="the owner writes, in any place; needs --because"
    )
    parser.add_argument(
        "--because", default="", metavar="WHY", help="with --operator: the reason, kept and audited"
    )


def _add_write(parser: ArgumentParser) -> None:
    parser.add_argument("--kind", required=True, help="decision, finding, task, plan, observation, …")
    parser.add_argument("--project", default="", metavar="NAME", help="the project, or _shared")
    parser.add_argument("--seat", default="", metavar="SEAT", help="whose place (default: the author's)")
    add_writer(parser)
    parser.add_argument("--title", default="", help="default: the first line of the content")
    parser.add_argument("--body", default="", help="the text")
    parser.add_argument("--content-file", metavar="FILE", help="the text, from a file")
    parser.add_argument("--content-stdin", action="store_true", help="the text, from stdin")
    parser.add_argument("--task", default="", metavar="ID", help="the task it is about")
    parser.add_argument(
        "--detail", default="", help="one line that says it (default: the beginning of the text)"
    )
    parser.add_argument("--status", default="", help="open (default), investigating, resolved, completed")
    parser.add_argument("--severity", default="", help="HIGH, MEDIUM or LOW")
    parser.add_argument("--iso", metavar="TIME", help="when: 2026-05-15T09:30:00Z (default now)")
    parser.add_argument("--evidence", default="", metavar="JSON", help="an array of {trust, source_url, …}")
    parser.add_argument(
        "--related-task-ids", type=listed, default=[], metavar="A,B", help="other tasks it touches"
    )
    parser.add_argument("--confidence", default="medium", help="high, medium or low, or 0 to 1")
    parser.add_argument(
        "--source", default="write_api", help="scanner, write_api, reflection, event_derived, research"
    )
    parser.add_argument("--supersedes", default="", metavar="ID", help="the page it takes the place of")
    parser.add_argument("--seats", type=listed, default=[], metavar="A,B", help="refuse any author but these")
    parser.add_argument("--folder", default="", metavar="NAME", help="a folder inside the seat's place")
    parser.add_argument(
        "--field",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a further field of the header; may be repeated",
    )
    parser.add_argument("--dry-run", action="store_true", help="say where it would stand; write nothing")
    parser.add_argument("--quiet", action="store_true", help="no notes on stderr")


def _add_list(parser: ArgumentParser) -> None:
    for name in ("project", "kind", "seat", "status", "severity", "task"):
        parser.add_argument(f"--{name}", default="", help=f"only of this {name}")
    parser.add_argument("--since", metavar="TIME", help="only from this instant on")
    parser.add_argument("--until", metavar="TIME", help="only up to this instant")
    parser.add_argument("--limit", type=above_zero, metavar="N", help="at most the newest N")


def run(arguments: Namespace, session: Session) -> int:
    """Do what the word behind the verb says."""
    return int(_ACTS[arguments.act](arguments, session))


def told(written: PageWritten, session: Session, *, dry_run: bool = False, quiet: bool = False) -> int:
    """Say what became of a page."""
    for warning in () if quiet else written.warnings:
        session.say(f"note: {warning}")
    state = "would stand in" if dry_run else "written" if written.created else "stands already"
    document = {**plain(written), "dry_run": dry_run}
    session.show(document, f"{state}: {written.path}\n{written.id}  {written.status}  {written.owner}")
    return DONE


def page_lines(pages: Any) -> str:
    """Pages for a person, one line each."""
    return "\n".join(
        f"{page.ts.date().isoformat() if page.ts else '          '}  {page.status:<12} {visible(page.owner):<24} "
        f"{page.kind:<11} {visible(shorten(page.title, 80))}\n    {visible(page.path)}"
        for page in pages
    )


def _write(arguments: Namespace, session: Session) -> int:
    from memoracle.seats.draft import read_evidence, read_ts

    given = [name for name in ("body", "content_file", "content_stdin") if getattr(arguments, name)]
    if len(given) > 1:
        raise BadInput("--body, --content-file and --content-stdin exclude each other")
    body = arguments.body
    if arguments.content_file:
        body = read_text(arguments.content_file)
    elif arguments.content_stdin:
        body = read_stdin()
    extra = dict(_pair(one) for one in arguments.field)
    if arguments.severity:
        extra["severity"] = arguments.severity
    written = session.memory.seats.write_page(
        kind=arguments.kind,
        project=arguments.project,
        author=arguments.author,
        seat=arguments.seat,
        operator=arguments.operator,
        because=arguments.because,
        among=arguments.seats,
        title=arguments.title,
        body=body,
        task_id=arguments.task,
        detail=arguments.detail,
        status=arguments.status,
        confidence=_label(arguments.confidence),
        source=arguments.source,
        supersedes=arguments.supersedes,
        folder=arguments.folder,
        related=arguments.related_task_ids,
        evidence=read_evidence(arguments.evidence) if arguments.evidence else [],
        extra=extra,
        ts=read_ts(arguments.iso) if arguments.iso else None,
        dry_run=arguments.dry_run,
    )
    return told(written, session, dry_run=arguments.dry_run, quiet=arguments.quiet)


def _list(arguments: Namespace, session: Session) -> int:
    from memoracle.seats.record import row_of

    memory = session.memory
    found = memory.seats.pages(
        **{
            name: getattr(arguments, name)
            for name in ("project", "kind", "seat", "status", "severity", "task")
        },
        since=read_time(arguments.since) if arguments.since else None,
        until=read_until(arguments.until) if arguments.until else None,
        limit=arguments.limit,
    )
    status, code = "found", DONE
    if not found:
        asked = {
            "project": "" if arguments.project == "_shared" else arguments.project,
            "seat": arguments.seat,
        }
        is_there = memory.seats.has_pages(**asked) or not any(asked.values())
        status, code = (
            ("not_in_memory_db", NOT_IN_MEMORY) if is_there else ("not_in_federated_kb", NOT_IN_FEDERATION)
        )
    session.show({"status": status, "items": [row_of(page) for page in found]}, page_lines(found) or status)
    return code


def _show(arguments: Namespace, session: Session) -> int:
    from memoracle.seats.record import record_of

    page = session.memory.seats.page(arguments.page)
    rows = [f"{page.path}#L{page.body_line}", page_lines([page]), "", page.body.rstrip("\n")]
    rows += ["", "history:", *(f"  {line}" for line in page.history)]
    extra = {name: held for name, held in page.fields.items() if name != "history"}
    session.show({**record_of(page), "fields": extra, "line": page.body_line}, "\n".join(rows))
    return DONE


def _close(arguments: Namespace, session: Session) -> int:
    written = session.memory.seats.close_page(
        arguments.page,
        status=arguments.status,
        author=arguments.author,
        operator=arguments.operator,
        because=arguments.because,
        reason=arguments.reason,
        dry_run=arguments.dry_run,
    )
    for warning in written.warnings:
        session.say(f"note: {warning}")
    session.show({**plain(written), "dry_run": arguments.dry_run}, f"{written.status}: {written.path}")
    return DONE


def _check_edit(arguments: Namespace, session: Session) -> int:
    from memoracle.seats.prose import check_edit

    checked = check_edit(read_text(arguments.old), read_text(arguments.new))
    head = "a clean-up: anybody may make it" if checked.prose else "more than a clean-up: its owner's to make"
    session.show(plain(checked), "\n".join([head, *(f"  {why}" for why in checked.because)]))
    return DONE if checked.prose else FAILED


def _index(arguments: Namespace, session: Session) -> int:
    if arguments.all and arguments.project:
        raise BadInput("--all and --project exclude each other")
    plan = session.memory.seats.index_pages(arguments.project, dry_run=arguments.dry_run)
    session.show_plan(plan, done=not arguments.dry_run)
    return DONE


def _pair(text: str) -> tuple[str, str]:
    name, sign, held = text.partition("=")
    if not sign or not name.strip():
        raise BadInput(f"`{text}` is not NAME=VALUE")
    return name.strip(), held


def _label(text: str) -> str:
    from memoracle.seats.record import label_of

    try:
        number = float(text)
    except ValueError:
        return str(text)
    if not 0 <= number <= 1:
        raise BadInput(f"`{text}` is no confidence", "high, medium, low, or 0 to 1")
    return label_of(number)


_ACTS = {
    "write": _write,
    "list": _list,
    "show": _show,
    "close": _close,
    "check-edit": _check_edit,
    "index": _index,
}
