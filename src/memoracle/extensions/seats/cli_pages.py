"""`memoracle synthesize`: pages of several seats as one page that cites and never copies."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Callable, Mapping
from typing import Any

from memoracle.errors import BadInput
from memoracle.extensions.seats.federation.gather import Federation, FederationStanding
from memoracle.extensions.seats.federation.lookup import Fetched, Looked
from memoracle.extensions.seats.model import PageWritten, Project, Seat
from memoracle.interfaces.cli.session import (
    DONE,
    FAILED,
    NOT_IN_FEDERATION,
    NOT_IN_MEMORY,
    NOT_READY,
    USAGE,
    Parser,
    Session,
    above_zero,
    add_act,
    add_because,
    add_limit,
    filters_of,
    listed,
    read_stdin,
    read_text,
)
from memoracle.interfaces.render import SNIPPET, hit_fields, plain, safe, to_json
from memoracle.text import shorten, visible
from memoracle.times import read_time, read_until

# `memoracle federate`: ask several seats, projects and roots; each answer names its owner.

_EXITS = {
    FederationStanding.NOTHING: NOT_IN_MEMORY,
    FederationStanding.NOT_READY: NOT_READY,
    FederationStanding.MISSING: NOT_IN_FEDERATION,
}


def add_to_federate(parser: Parser) -> None:
    parser.add_argument("question", nargs="+", help="words, a question, a name")
    parser.add_argument("--seats", type=listed, default=[], metavar="A,B", help="ask each of these seats")
    parser.add_argument(
        "--projects", "--project", type=listed, default=[], metavar="A,B", help="in each of these projects"
    )
    parser.add_argument(
        "--roots", type=listed, default=[], metavar="A,B", help="also these roots, by path or name"
    )
    parser.flag("--all-roots", "every root of this machine that is listed")
    parser.maybe("--recipe", "NAME", "quick, balanced, deep or openclaw")
    add_limit(parser)


def run_federate(arguments: Namespace, session: Session) -> int:
    """Ask, and say who answered."""
    found = session.memory.seats.federate(
        " ".join(arguments.question),
        seats=arguments.seats,
        projects=arguments.projects,
        roots=roots_of(arguments.roots, every=arguments.all_roots),
        limit=arguments.limit,
        recipe=arguments.recipe,
    )
    return answer(found, session)


def roots_of(named: list[str], *, every: bool) -> list[str]:
    """The roots a call names: by path, by name on the list, or all of the list."""
    from memoracle.store.roots import book_path, known_roots

    known = known_roots(book_path(os.environ, home=os.path.expanduser("~"))) if named or every else []
    by_name = {one.name: one.path for one in known}
    chosen = [by_name.get(one, os.path.abspath(os.path.expanduser(one))) for one in named]
    return [*chosen, *(one.path for one in known)] if every else chosen


def ask_all_roots(arguments: Namespace, session: Session) -> int:
    """`recall` and `search` with `--all-roots`: the same question to every root; nothing is reinforced there."""
    found = session.memory.seats.federate(
        " ".join(arguments.question),
        roots=roots_of([], every=True),
        filters=filters_of(arguments),
        limit=arguments.limit,
        recipe=arguments.recipe,
    )
    return answer(found, session)


def answer(found: Federation, session: Session) -> int:
    """Print the evidence with its owners, and which members are missing."""
    session.warn(found.warnings)
    session.show(fields(found), _text(found))
    return _EXITS.get(found.status, DONE)


def fields(found: Federation) -> dict[str, Any]:
    """The answer as one document."""
    return {
        "status": found.status.value,
        "confidence": found.confidence,
        "question": found.question,
        "hits": [
            {**hit_fields(one.hit), "owner": {"seat": one.seat, "project": one.project, "root": one.root}}
            for one in found.hits
        ],
        "members": dict(found.members),
        "missing": list(found.missing),
        "findings": plain(found.findings),
        "warnings": list(found.warnings),
    }


def _text(found: Federation) -> str:
    lines = [f"{found.status.value} (confidence {found.confidence:.2f})"]
    for place, one in enumerate(found.hits, start=1):
        passage = one.hit.passage
        whose = f"{one.seat or 'nobody in particular'}@{one.project or '*'} in {one.root}"
        lines += ["", f"{place}. {visible(shorten(passage.text, SNIPPET))}"]
        lines.append(
            f"   {visible(passage.cite)} · {passage.kind} · {visible(whose)} · score {one.hit.score:.3f}"
        )
    if found.missing:
        lines += ["", *(f"not_in_federated_kb: {visible(one)}" for one in found.missing)]
    return "\n".join(lines)


# `memoracle get`: a fact by its dotted key, with the file and path it stands at.

_GET_EXITS = {
    Fetched.FOUND: DONE,
    Fetched.NOT_IN_MEMORY: NOT_IN_MEMORY,
    Fetched.NOT_FEDERATED: NOT_IN_FEDERATION,
}


def add_to_get(parser: Parser) -> None:
    parser.add_argument(
        "key", nargs="?", help="FILE.a.b.0, a key of the project's dev_env, or the name of a page"
    )
    parser.add_argument("--key", dest="named", metavar="KEY", help="the same")
    parser.word("--project", "NAME", "facts and pages of this project first")
    parser.word("--seat", "NAME", "only in the pages of this seat")
    parser.maybe("--context", "JSON", "what was said this turn, which goes first; @FILE reads it")
    parser.maybe("--file", "NAME", "a whole file of facts")
    parser.word("--section", "A.B", "with --file: a part of it")
    parser.maybe("--search", "TERM", "every place in facts that holds a term")
    parser.add_argument("--files", type=listed, default=[], metavar="A,B", help="with --search: only these")
    parser.flag("--status", "what there is to ask")


def run_get(arguments: Namespace, session: Session) -> int:
    """Look it up."""
    asked = [one for one in (arguments.key, arguments.named, arguments.file, arguments.search) if one]
    if len(asked) + arguments.status != 1:
        raise BadInput("name one thing: a key, --file, --search or --status")
    if arguments.status:
        held = session.memory.seats.holdings()
        session.show(held, "\n".join(f"{name}: {said}" for name, said in held.items()))
        return DONE
    if arguments.search:
        return _search(arguments, session)
    if arguments.file:
        found = session.memory.seats.get_file(
            arguments.file, section=arguments.section, project=arguments.project
        )
    else:
        found = session.memory.seats.get(
            arguments.key or arguments.named,
            project=arguments.project,
            seat=arguments.seat,
            context=_context(arguments.context),
        )
    return _answer(found, session)


def _answer(found: Looked, session: Session) -> int:
    if found.status is not Fetched.FOUND:
        key = safe(found.key)
        session.show({**plain(found), "key": key, "evidence": None}, f"{found.status.value}: {key}")
        return _GET_EXITS[found.status]
    said = (
        found.value if isinstance(found.value, str) else json.dumps(found.value, ensure_ascii=False, indent=1)
    )
    cite = f"   {found.evidence}"
    session.show({**plain(found), "evidence": found.evidence}, f"found in {found.layer}: {said}\n{cite}")
    return DONE


def _search(arguments: Namespace, session: Session) -> int:
    found = session.memory.seats.find_facts(
        arguments.search, project=arguments.project, files=arguments.files
    )
    rows = [f"{one.file}#{one.path} ({one.match}): {one.value}" for one in found]
    status = Fetched.FOUND if found else Fetched.NOT_IN_MEMORY
    document = {
        "status": status.value,
        "term": safe(arguments.search),
        "count": len(found),
        "matches": plain(found),
    }
    session.show(document, "\n".join(rows) or status.value)
    return _GET_EXITS[status]


def _context(given: str | None) -> Mapping[str, Any] | None:
    if given is None:
        return None
    text = read_text(given[1:]) if given.startswith("@") else given
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput("--context is not JSON") from None
    if not isinstance(held, dict):
        raise BadInput("--context is not a JSON object")
    return held


# `memoracle page`: pages of seats. Each seat writes in its own place; all read everywhere.


def add_to_page(parser: Parser) -> None:
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
    close.word("--reason", "WHY", "a line for its history")
    close.flag("--dry-run", "write nothing")
    add_writer(close)
    check = add_act(acts, "check-edit", "whether an edit of somebody else's text only cleans it up")
    check.add_argument("old", help="the file as it was")
    check.add_argument("new", help="the file as it would be")
    index = add_act(acts, "index", "bring the index files of the clawseat layout up to date")
    index.word("--project", "NAME", "only this project")
    index.flag("--all", "every project (default)")
    index.flag("--dry-run", "write nothing")


def add_writer(parser: Parser) -> None:
    """Who writes."""
    parser.word("--author", "SEAT", "who writes (default MEMORACLE_SEAT, then --seat)")
    parser.flag("--operator", "the owner writes, in any place; needs --because")
    parser.word("--because", "WHY", "with --operator: the reason, kept and audited")


def _add_write(parser: Parser) -> None:
    parser.add_argument("--kind", required=True, help="decision, finding, task, plan, observation, …")
    parser.word("--project", "NAME", "the project, or _shared")
    parser.word("--seat", "SEAT", "whose place (default: the author's)")
    add_writer(parser)
    parser.add_argument("--title", default="", help="default: the first line of the content")
    parser.add_argument("--body", default="", help="the text")
    parser.maybe("--content-file", "FILE", "the text, from a file")
    parser.flag("--content-stdin", "the text, from stdin")
    parser.word("--task", "ID", "the task it is about")
    parser.add_argument(
        "--detail", default="", help="one line that says it (default: the beginning of the text)"
    )
    parser.add_argument("--status", default="", help="open (default), investigating, resolved, completed")
    parser.add_argument("--severity", default="", help="HIGH, MEDIUM or LOW")
    parser.maybe("--iso", "TIME", "when: 2026-05-15T09:30:00Z (default now)")
    parser.word("--evidence", "JSON", "an array of {trust, source_url, …}")
    parser.add_argument(
        "--related-task-ids", type=listed, default=[], metavar="A,B", help="other tasks it touches"
    )
    parser.add_argument("--confidence", default="medium", help="high, medium or low, or 0 to 1")
    parser.add_argument(
        "--source", default="write_api", help="scanner, write_api, reflection, event_derived, research"
    )
    parser.word("--supersedes", "ID", "the page it takes the place of")
    parser.add_argument("--seats", type=listed, default=[], metavar="A,B", help="refuse any author but these")
    parser.word("--folder", "NAME", "a folder inside the seat's place")
    parser.several("--field", "NAME=VALUE", "a further field of the header; may be repeated")
    parser.flag("--dry-run", "say where it would stand; write nothing")
    parser.flag("--quiet", "no notes on stderr")


def _add_list(parser: Parser) -> None:
    for name in ("project", "kind", "seat", "status", "severity", "task"):
        parser.add_argument(f"--{name}", default="", help=f"only of this {name}")
    parser.maybe("--since", "TIME", "only from this instant on")
    parser.maybe("--until", "TIME", "only up to this instant")
    parser.maybe("--limit", "N", "at most the newest N", above_zero)


def run_page(arguments: Namespace, session: Session) -> int | None:
    """Do what the word behind the verb says."""
    return _ACTS[arguments.act](arguments, session)


def told(written: PageWritten, session: Session, *, dry_run: bool = False, quiet: bool = False) -> None:
    """Say what became of a page."""
    for warning in () if quiet else written.warnings:
        session.say(f"note: {warning}")
    state = "would stand in" if dry_run else "written" if written.created else "stands already"
    document = {**plain(written), "dry_run": dry_run}
    session.show(document, f"{state}: {written.path}\n{written.id}  {written.status}  {written.owner}")


def page_lines(pages: Any) -> str:
    """Pages for a person, one line each."""
    return "\n".join(
        f"{page.ts.date().isoformat() if page.ts else '          '}  {page.status:<12} {visible(page.owner):<24} "
        f"{page.kind:<11} {visible(shorten(page.title, 80))}\n    {visible(page.path)}"
        for page in pages
    )


def _write(arguments: Namespace, session: Session) -> None:
    from memoracle.extensions.seats.pages.draft import read_evidence, read_ts

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
    told(written, session, dry_run=arguments.dry_run, quiet=arguments.quiet)


def _list(arguments: Namespace, session: Session) -> int:
    from memoracle.extensions.seats.pages.record import row_of

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


def _show(arguments: Namespace, session: Session) -> None:
    from memoracle.extensions.seats.pages.record import record_of

    page = session.memory.seats.page(arguments.page)
    rows = [f"{page.path}#L{page.body_line}", page_lines([page]), "", page.body.rstrip("\n")]
    rows += ["", "history:", *(f"  {line}" for line in page.history)]
    extra = {name: held for name, held in page.fields.items() if name != "history"}
    session.show({**record_of(page), "fields": extra, "line": page.body_line}, "\n".join(rows))


def _close(arguments: Namespace, session: Session) -> None:
    written = session.memory.seats.close_page(
        arguments.page,
        status=arguments.status,
        author=arguments.author,
        operator=arguments.operator,
        because=arguments.because,
        reason=arguments.reason,
        dry_run=arguments.dry_run,
    )
    session.warn(written.warnings)
    session.show({**plain(written), "dry_run": arguments.dry_run}, f"{written.status}: {written.path}")


def _check_edit(arguments: Namespace, session: Session) -> int:
    from memoracle.extensions.seats.pages.prose import check_edit

    checked = check_edit(read_text(arguments.old), read_text(arguments.new))
    head = "a clean-up: anybody may make it" if checked.prose else "more than a clean-up: its owner's to make"
    session.show(plain(checked), "\n".join([head, *(f"  {why}" for why in checked.because)]))
    return DONE if checked.prose else FAILED


def _index(arguments: Namespace, session: Session) -> None:
    if arguments.all and arguments.project:
        raise BadInput("--all and --project exclude each other")
    plan = session.memory.seats.index_pages(arguments.project, dry_run=arguments.dry_run)
    session.show_plan(plan, done=not arguments.dry_run)


def _pair(text: str) -> tuple[str, str]:
    name, sign, held = text.partition("=")
    if not sign or not name.strip():
        raise BadInput(f"`{text}` is not NAME=VALUE")
    return name.strip(), held


def _label(text: str) -> str:
    from memoracle.extensions.seats.pages.record import label_of

    try:
        number = float(text)
    except ValueError:
        return str(text)
    if not 0 <= number <= 1:
        raise BadInput(f"`{text}` is no confidence", "high, medium, low, or 0 to 1")
    return label_of(number)


_ACTS: dict[str, Callable[[Namespace, Session], int | None]] = {
    "write": _write,
    "list": _list,
    "show": _show,
    "close": _close,
    "check-edit": _check_edit,
    "index": _index,
}


# `memoracle decision`: the decision log of a project.


def add_to_decision(parser: Parser) -> None:
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
    append.flag("--manual", "a person decided, not the automatic mode")
    append.flag("--dry-run", "write nothing")
    add_writer(append)
    listing = add_act(acts, "list", "the newest decisions of a project, oldest of them first")
    listing.add_argument("project")
    listing.add_argument("--limit", type=int, default=50, metavar="N", help="default 50; below 1 gives none")
    add_act(acts, "projects", "projects that have decisions")


def run_decision(arguments: Namespace, session: Session) -> int:
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
        told(written, session, dry_run=arguments.dry_run)
        return DONE
    if arguments.act == "projects":
        names = sorted({page.project for page in session.memory.seats.pages(kind="decision") if page.project})
        session.show({"items": names}, "\n".join(names) or "no project has decisions")
        return DONE
    from memoracle.extensions.seats.pages.record import record_of

    found = session.memory.seats.decisions(arguments.project, limit=arguments.limit)
    rows = [{**record_of(page), **_own(page.fields)} for page in found]
    session.show({"items": rows}, page_lines(found) or "no decisions")
    return DONE


def _payload(arguments: Namespace, session: Session) -> int:
    from memoracle.extensions.seats.cli_handoffs import show_handed
    from memoracle.extensions.seats.handoffs.payload import problems_of, schema
    from memoracle.interfaces.cli.session import read_json

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


# `memoracle project`: the projects of this root.


def add_to_project(parser: Parser) -> None:
    acts = parser.add_subparsers(dest="act", required=True, metavar="list|add|retire")
    listing = add_act(acts, "list", "projects that are worked on")
    listing.flag("--all", "also those that are retired")
    add = add_act(acts, "add", "register a project, or bring one back")
    add.add_argument("name")
    add.word("--repo", "PATH", "where its repository stands")
    add_because(add)
    retire = add_act(acts, "retire", "let a project rest; its pages stay")
    retire.add_argument("name")
    add_because(retire)


def run_project(arguments: Namespace, session: Session) -> None:
    """List, add or retire."""
    memory = session.memory
    if arguments.act == "list":
        found = [one for one in memory.seats.registry().projects if one.is_active or arguments.all]
        session.show({"items": plain(found)}, "\n".join(map(_line, found)) or "no projects")
        return
    if arguments.act == "add":
        project = memory.seats.add_project(
            arguments.name, repo_path=arguments.repo, because=arguments.because
        )
    else:
        project = memory.seats.retire_project(arguments.name, because=arguments.because)
    session.show(project, _line(project))


def _line(project: Project) -> str:
    return f"{project.name:<20} {project.status:<8} {project.pages:>5} pages  {visible(project.repo_path)}".rstrip()


# `memoracle seat`: who may write where.


def add_to_seat(parser: Parser) -> None:
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


def run_seat(arguments: Namespace, session: Session) -> None:
    """List, add or retire."""
    memory = session.memory
    if arguments.act == "list":
        seats = memory.seats.registry().seats
        session.show({"items": plain(seats)}, "\n".join(map(_line_seat, seats)))
        return
    if arguments.act == "add":
        seat = memory.seats.add_seat(
            arguments.name, projects=arguments.projects, folders=arguments.folders, because=arguments.because
        )
    else:
        seat = memory.seats.retire_seat(arguments.name, because=arguments.because)
    session.show(seat, _line_seat(seat))


def _line_seat(seat: Seat) -> str:
    where = ", ".join(seat.projects) or "all projects"
    folders = f"  ({', '.join(seat.folders)})" if seat.folders else ""
    return f"{seat.name:<12} {seat.status:<8} {where}{folders}"


def add_to_synthesize(parser: Parser) -> None:
    parser.add_argument("topic", nargs="*", help="what about (default: everything that is not settled)")
    parser.add_argument("--project", required=True, metavar="NAME", help="the project")
    parser.add_argument("--kind", default="finding", help="finding (default) or decision")
    parser.add_argument(
        "--seats", type=listed, default=[], metavar="A,B", help="default builder,patrol,planner,reviewer"
    )
    parser.flag("--dry-run", "print the page and write nothing")


def run_synthesize(arguments: Namespace, session: Session) -> int:
    """Gather, write, and name who is missing."""
    made, written = session.memory.seats.synthesize(
        arguments.project,
        " ".join(arguments.topic),
        kind=arguments.kind,
        seats=arguments.seats,
        dry_run=arguments.dry_run,
    )
    missing = dict.fromkeys(made.missing, "not_in_federated_kb")
    if written is None:
        asked = set(arguments.seats) or {"builder", "patrol", "planner", "reviewer"}
        alone = asked <= set(made.missing)
        status = "not_in_federated_kb" if alone else "not_in_memory_db"
        session.show({"status": status, "missing": missing, "sources": []}, status)
        return NOT_IN_FEDERATION if alone else NOT_IN_MEMORY
    document = {
        "status": "found",
        **plain(written),
        "dry_run": arguments.dry_run,
        "title": made.title,
        "body": made.body,
        "sources": [page.path for page in made.sources],
        "missing": missing,
    }
    session.show(document, made.body if arguments.dry_run else f"written: {written.path}\n\n{made.body}")
    return DONE
