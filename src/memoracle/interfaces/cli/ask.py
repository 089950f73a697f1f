"""`memoracle why`: where a memory came from and what it replaced."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from memoracle.errors import BadInput
from memoracle.interfaces.cli.parser import above_zero, add_filters, add_limit, filters_of
from memoracle.interfaces.cli.session import DONE, NOT_IN_MEMORY, NOT_READY, Session
from memoracle.interfaces.render import (
    hit_line,
    plain,
    recollection_fields,
    recollection_text,
    record_fields,
    record_text,
    version_text,
)
from memoracle.learn.entity_index import EntityPage
from memoracle.learn.revise import Lineage
from memoracle.model.record import Status
from memoracle.model.search import Recollection, Verdict
from memoracle.model.value import replace
from memoracle.registry import needed
from memoracle.text import shorten, visible
from memoracle.times import write_time
from memoracle.upkeep.inspecting import Inspection

# How `recall` and `search` take a question and print an answer.

_EXITS = {Verdict.NOT_IN_MEMORY: NOT_IN_MEMORY, Verdict.NOT_READY: NOT_READY}


def add_question(parser: ArgumentParser) -> None:
    """The question, its filters, and how much to say about the answer."""
    parser.add_argument("question", nargs="+", help="words, a question, a name, an id")
    parser.add_argument("--explain", action="store_true", help="show what every stage did, and near misses")
    parser.add_argument("--recipe", metavar="NAME", help="quick, balanced, deep or openclaw")
    parser.add_argument(
        "--budget", type=above_zero, metavar="TOKENS", help="also a context pack of at most so many"
    )
    parser.add_argument(
        "--all-roots", action="store_true", help="ask every listed root; each hit names its owner"
    )
    add_limit(parser)
    add_filters(parser)


def how(arguments: Namespace) -> dict[str, Any]:
    """How the question is to be answered, as `Memory` takes it."""
    return {
        "limit": arguments.limit,
        "filters": filters_of(arguments),
        "recipe": arguments.recipe,
        "budget": arguments.budget,
    }


def answer(found: Recollection, arguments: Namespace, session: Session) -> int:
    """Print the answer; "not in memory" has an exit status of its own."""
    for warning in found.warnings:
        session.say(f"note: {warning}")
    session.show(
        recollection_fields(found, explain=arguments.explain) if session.json else {},
        "" if session.json else recollection_text(found, explain=arguments.explain),
    )
    return _EXITS.get(found.verdict, DONE)


# `memoracle context`: what an agent should see first, for one audience, within a budget.

NOTHING = "nothing to hand over"


def add_to_context(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_pack(parser)
    parser.add_argument(
        "--after",
        choices=("start", "compact", "reset", "prompt"),
        default="start",
        help="what happened before: after a loss, notes and buffer come right behind MEMORY.md; "
        "`prompt` gives what fits the prompt alone",
    )


def add_pack(parser: ArgumentParser) -> None:
    """What every pack takes."""
    parser.add_argument("prompt", nargs="*", help="what was just asked; memories that fit it come along")
    parser.add_argument(
        "--audience",
        choices=("private", "group"),
        default="private",
        help="who reads it; a group is given public records alone",
    )
    parser.add_argument(
        "--budget", type=above_zero, metavar="N", help="at most N tokens (default from the settings)"
    )


def run_context(arguments: Namespace, session: Session) -> int:
    """Print it; nothing is written."""
    made = session.memory.context(
        " ".join(arguments.prompt),
        audience=arguments.audience,
        budget=arguments.budget,
        after=arguments.after,
    )
    for warning in made.warnings:
        session.say(f"note: {warning}")
    session.show(made, made.text or NOTHING)
    return 0


# `memoracle entity`: what is known of a person, a place or a thing.


def add_to_entity(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("name", nargs="*", help="one entity, by any of its names (default: list them all)")


def run_entity(arguments: Namespace, session: Session) -> int:
    """Print the list, or one page with its citations."""
    name = " ".join(arguments.name)
    pages = session.memory.entity(name or None)
    if name:
        session.show(_fields(pages[0]), page_text(pages[0]))
    else:
        text = "\n".join(map(page_line, pages)) or "no entity is known yet"
        session.show({"items": [_fields(page) for page in pages]}, text)
    return 0


def page_line(page: EntityPage) -> str:
    """One entity on one line."""
    also = f" ({', '.join(page.aliases)})" if page.aliases else ""
    return visible(f"{page.name}{also}  {page.type}, {len(page.facts)} facts, {len(page.beliefs)} beliefs")


def page_text(page: EntityPage) -> str:
    """One page for a person."""
    seen = [moment.date().isoformat() for moment in (page.first_seen, page.last_seen) if moment]
    lines = [page_line(page), *([f"seen {' to '.join(dict.fromkeys(seen))}"] if seen else [])]
    for title, mentions in (("facts", page.facts), ("beliefs", page.beliefs)):
        if mentions:
            lines += ["", title]
            lines += [f"  {visible(shorten(one.text, 160))}\n    {one.cite} · {one.id}" for one in mentions]
    if page.related:
        lines += ["", "related: " + visible(", ".join(f"{name} ({count})" for name, count in page.related))]
    return "\n".join(lines)


def _fields(page: EntityPage) -> dict[str, Any]:
    related = [{"name": name, "records": count} for name, count in page.related]
    return {**plain(page), "related": related}


# `memoracle history`: every version of a record.


def add_to_history(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("id", help="an id, or a unique beginning of one")


def run_history(arguments: Namespace, session: Session) -> int:
    """Print who changed what, when and why."""
    versions = session.memory.history(arguments.id)
    session.show({"items": plain(versions)}, "\n".join(map(version_text, versions)))
    return 0


# `memoracle inspect`: everything that is kept of a record, a session or an entity.


def add_to_inspect(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("id", nargs="?", default="", help="an id, or a unique beginning of one")
    parser.add_argument("--session", default="", metavar="ID", help="a session instead of a record")
    parser.add_argument("--entity", default="", metavar="NAME", help="an entity instead of a record")


def run_inspect(arguments: Namespace, session: Session) -> int:
    """Print it, part by part."""
    if sum(map(bool, (arguments.id, arguments.session, arguments.entity))) != 1:
        raise BadInput("one thing can be inspected at a time", "give an id, or --session, or --entity")
    found = session.memory.inspect(arguments.id, session=arguments.session, entity=arguments.entity)
    session.show(found, "\n".join(_lines(found)))
    return 0


def _lines(found: Inspection) -> Iterator[str]:
    yield f"{found.of} {visible(found.name)}"
    if found.lineage:
        record = found.lineage.record
        origin = record.origin
        said = [
            origin.channel.value,
            origin.who,
            origin.where,
            origin.session and f"session {origin.session}",
        ]
        yield f"  says        {visible(shorten(record.text, 200))}"
        yield f"  is          {record.kind.value}, {record.status.value}, {record.sensitivity.value}"
        yield f"  came from   {visible(', '.join(part for part in said if part))}, trust {origin.trust:.1f}"
        yield from (
            f"  {one.relation:<11} {one.id}  {visible(shorten(one.text, 80))}"
            for one in found.lineage.related
        )
    for one in found.versions:
        because = f": {visible(one.because)}" if one.because else ""
        yield f"  version {one.version:<3} {write_time(one.at)[:19]}Z  {one.verb} by {one.by}{because}  {one.cite}"
    for page in found.pages:
        yield f"  page        {visible(page.name)} ({', '.join(map(visible, page.aliases)) or 'no other name'})"
    if found.of == "session":
        yield f"  turns       {found.turns}"
    yield from (f"  conversation {visible(path)}" for path in found.transcripts)
    yield from (
        f"  {one.relation:<11} {one.id}  {visible(shorten(one.text, 80))}  {one.cite}"
        for one in (*found.derived, *found.records)
    )
    yield from (f"  named in    {visible(path)}" for path in found.named_in)
    yield from (f"  at hand in  {visible(path)}" for path in found.at_hand)
    if found.uses:
        yield f"  handed out  {len(found.uses)} times, last {write_time(max(found.uses))[:19]}Z"
    yield from (f"  asked       {visible(one)}" for one in found.questions)
    for told in found.acts:
        event = told.event
        yield f"  audit       {write_time(event.at)[:19]}Z  {event.act} by {event.by} {event.via}".rstrip()


# `memoracle list`: records that fit, newest first.


def add_to_list(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_limit(parser)
    add_filters(parser)
    parser.add_argument(
        "--status",
        action="append",
        default=[],
        choices=[one.value for one in Status if one is not Status.FORGOTTEN],
        help="only in this state, also those that no answer shows (may be repeated)",
    )


def run_list(arguments: Namespace, session: Session) -> int:
    """Print them."""
    filters = replace(filters_of(arguments), statuses=tuple(arguments.status))
    records = session.memory.list(limit=arguments.limit, filters=filters)
    total = max(len(records), session.memory.count(filters=filters))
    document = {"items": plain(records), "total": total}
    session.show(document, "\n".join(map(hit_line, records)) or "no record fits")
    if total > len(records):
        session.say(f"{len(records):,} of {total:,}; --limit N shows more")
    return 0


# `memoracle recall`: answer a question with evidence.


def add_to_recall(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_question(parser)


def run_recall(arguments: Namespace, session: Session) -> int:
    """Answer, and let what was handed over grow stronger."""
    if arguments.all_roots:
        return int(needed("ask_all_roots")(arguments, session))
    question = " ".join(arguments.question)
    found = session.memory.recall(question, **how(arguments))
    return answer(found, arguments, session)


# `memoracle recover`: what to go on from after a reset, once what was interrupted is finished.


def add_to_recover(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_pack(parser)


def run_recover(arguments: Namespace, session: Session) -> int:
    """Finish, read, print."""
    found = session.memory.recover(
        " ".join(arguments.prompt), audience=arguments.audience, budget=arguments.budget
    )
    for step in found.steps:
        session.say(f"{step.act} {step.target}: {step.because}")
    for warning in found.context.warnings:
        session.say(f"note: {warning}")
    document = {**plain(found.context), "steps": plain(found.steps)}
    session.show(document, found.context.text or NOTHING)
    return 0


# `memoracle search`: the same evidence, leaving every file untouched.


def add_to_search(parser: ArgumentParser) -> None:
    """Its arguments."""
    add_question(parser)


def run_search(arguments: Namespace, session: Session) -> int:
    """Answer, and leave no receipt."""
    if arguments.all_roots:
        return int(needed("ask_all_roots")(arguments, session))
    question = " ".join(arguments.question)
    found = session.memory.search(question, **how(arguments))
    return answer(found, arguments, session)


# `memoracle show`: one record as it stands.


def add_to_show(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("id", help="an id, or a unique beginning of one")


def run_show(arguments: Namespace, session: Session) -> int:
    """Print it."""
    record = session.memory.show(arguments.id)
    place = session.memory.store.journal.place_of(record)
    where = {"path": place.path, "line": place.line} if place else {}
    cite = f"{place.path}#L{place.line}\n" if place else ""
    session.show(record_fields(record) | where, cite + record_text(record))
    return 0


# `memoracle snapshot`: what an agent should have before it at the start of a session.


def add_to_snapshot(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "--audience",
        choices=("private", "group"),
        default="private",
        help="who reads it; a group is given public records alone",
    )
    parser.add_argument("--budget", type=above_zero, metavar="N", help="at most N tokens (default 2000)")


def run_snapshot(arguments: Namespace, session: Session) -> int:
    """Print it; nothing is written."""
    hot = session.memory.snapshot(audience=arguments.audience, budget=arguments.budget)
    for warning in hot.warnings:
        session.say(f"note: {warning}")
    session.show({"audience": arguments.audience, **_fields_snapshot(hot)}, hot.text.rstrip("\n"))
    return 0


def _fields_snapshot(hot: object) -> dict[str, object]:
    from memoracle.model.value import as_fields

    return as_fields(hot)


# `memoracle stats`: counts by kind and by importance, and when it was last put in order.

_BANDS = {"critical": "0.9–1.0", "high": "0.7–0.9", "medium": "0.4–0.7", "low": "0.0–0.4"}


def add_to_stats(_: ArgumentParser) -> None:
    """It has no arguments of its own."""


def run_stats(_: Namespace, session: Session) -> int:
    """Print the counts."""
    counts = session.memory.stats()
    lines = [f"total {counts.total} | active {counts.active} | archive {counts.archive}", "", "by kind"]
    lines += _rows(counts.by_kind, counts.active)
    lines += ["", "by importance"]
    lines += _rows({f"{name:<9}{_BANDS[name]}": n for name, n in counts.by_importance.items()}, counts.active)
    lines += [
        "",
        f"consolidated  last {_when(counts.last_consolidation)}, next {_when(counts.next_consolidation)}",
    ]
    session.show(counts, "\n".join(lines))
    return 0


def _rows(counts: Mapping[str, int], total: int) -> list[str]:
    return [f"  {name:<18}{number:>7}  {number / max(1, total):6.1%}" for name, number in counts.items()]


def _when(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d %H:%M") if moment else "never"


def add_to_why(parser: ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("id", help="an id, or a unique beginning of one")


def run_why(arguments: Namespace, session: Session) -> int:
    """Print its lineage."""
    lineage = session.memory.why(arguments.id)
    session.show(lineage, _text(lineage))
    return 0


def _text(lineage: Lineage) -> str:
    record = lineage.record
    origin = record.origin
    said = [
        origin.channel.value,
        origin.who,
        origin.where,
        f"session {origin.session}" if origin.session else "",
    ]
    lines = [
        visible(record.text),
        "",
        f"stands at   {lineage.cite} ({lineage.versions} versions, {record.status.value})",
        f"came from   {visible(', '.join(part for part in said if part))}, trust {origin.trust:.1f}",
        f"known since {write_time(record.created)}",
    ]
    lines += [
        f"{one.relation:<11} {one.id}  {visible(shorten(one.text, 80))}  {one.cite}"
        for one in lineage.related
    ]
    return "\n".join(lines)
