"""The verbs that ask: questions, records and their lineage, what an agent should see, counts. They write no record."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping

from memoracle.errors import BadInput
from memoracle.interfaces.cli.session import (
    DONE,
    NOT_IN_MEMORY,
    NOT_READY,
    Parser,
    Session,
    above_zero,
    add_filters,
    add_id,
    add_limit,
    filters_of,
    given,
)
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
from memoracle.learn.revise import Ancestor
from memoracle.model.record import Record, Status
from memoracle.model.search import Recollection, Verdict
from memoracle.model.value import as_fields, replace
from memoracle.registry import needed
from memoracle.text import shorten, visible
from memoracle.times import write_time
from memoracle.upkeep.inspecting import Inspection

_EXITS = {Verdict.NOT_IN_MEMORY: NOT_IN_MEMORY, Verdict.NOT_READY: NOT_READY}


def add_to_search(parser: Parser) -> None:
    parser.add_argument("question", nargs="+", help="words, a question, a name, an id")
    parser.flag("--explain", "show what every stage did, and near misses")
    parser.maybe("--recipe", "NAME", "quick, balanced, deep or openclaw")
    parser.maybe("--budget", "TOKENS", "also a context pack of at most so many", above_zero)
    parser.flag("--all-roots", "ask every listed root; each hit names its owner")
    add_limit(parser)
    add_filters(parser)


add_to_recall = add_to_search


def run_search(arguments: Namespace, session: Session) -> int:
    """Answer, and leave every file untouched."""
    return _answer(session.memory.search, arguments, session)


def run_recall(arguments: Namespace, session: Session) -> int:
    """Answer, and let what was handed over grow stronger."""
    return _answer(session.memory.recall, arguments, session)


def _answer(ask: Callable[..., Recollection], arguments: Namespace, session: Session) -> int:
    """Print the answer; "not in memory" has an exit status of its own."""
    if arguments.all_roots:
        return int(needed("ask_all_roots")(arguments, session))
    how = given(arguments, "limit", "recipe", "budget")
    found = ask(" ".join(arguments.question), filters=filters_of(arguments), **how)
    session.warn(found.warnings)
    session.show(
        recollection_fields(found, explain=arguments.explain) if session.json else {},
        "" if session.json else recollection_text(found, explain=arguments.explain),
    )
    return _EXITS.get(found.verdict, DONE)


_NOTHING = "nothing to hand over"


def add_to_recover(parser: Parser) -> None:
    parser.add_argument("prompt", nargs="*", help="what was just asked; memories that fit it come along")
    _add_audience(parser, "from the settings")


def add_to_context(parser: Parser) -> None:
    add_to_recover(parser)
    says = "what happened before: after a loss, notes and buffer come right behind MEMORY.md; "
    says += "`prompt` gives what fits the prompt alone"
    parser.choice("--after", ("start", "compact", "reset", "prompt"), says)


def _add_audience(parser: Parser, budget: str) -> None:
    says = "who reads it; a group is given public records alone"
    parser.choice("--audience", ("private", "group"), says)
    parser.maybe("--budget", "N", f"at most N tokens (default {budget})", above_zero)


def run_context(arguments: Namespace, session: Session) -> None:
    how = given(arguments, "audience", "budget", "after")
    made = session.memory.context(" ".join(arguments.prompt), **how)
    session.warn(made.warnings)
    session.show(made, made.text or _NOTHING)


def add_to_entity(parser: Parser) -> None:
    parser.add_argument("name", nargs="*", help="one entity, by any of its names (default: list them all)")


def run_entity(arguments: Namespace, session: Session) -> None:
    name = " ".join(arguments.name)
    pages = session.memory.entity(name or None)
    fields = [
        {**plain(page), "related": [{"name": name, "records": count} for name, count in page.related]}
        for page in pages
    ]
    if name:
        session.show(fields[0], _page_text(pages[0]))
    else:
        session.show({"items": fields}, "\n".join(map(_page_line, pages)) or "no entity is known yet")


def _page_line(page: EntityPage) -> str:
    also = f" ({', '.join(page.aliases)})" if page.aliases else ""
    return visible(f"{page.name}{also}  {page.type}, {len(page.facts)} facts, {len(page.beliefs)} beliefs")


def _page_text(page: EntityPage) -> str:
    seen = [moment.date().isoformat() for moment in (page.first_seen, page.last_seen) if moment]
    lines = [_page_line(page), *([f"seen {' to '.join(dict.fromkeys(seen))}"] if seen else [])]
    for title, mentions in (("facts", page.facts), ("beliefs", page.beliefs)):
        if mentions:
            lines += ["", title]
            lines += [f"  {visible(shorten(one.text, 160))}\n    {one.cite} · {one.id}" for one in mentions]
    if page.related:
        lines += ["", "related: " + visible(", ".join(f"{name} ({count})" for name, count in page.related))]
    return "\n".join(lines)


add_to_history = add_to_show = add_to_why = add_id


def run_history(arguments: Namespace, session: Session) -> None:
    versions = session.memory.history(arguments.id)
    session.show({"items": plain(versions)}, "\n".join(map(version_text, versions)))


def add_to_inspect(parser: Parser) -> None:
    parser.add_argument("id", nargs="?", default="", help="an id, or a unique beginning of one")
    parser.word("--session", "ID", "a session instead of a record")
    parser.word("--entity", "NAME", "an entity instead of a record")


def run_inspect(arguments: Namespace, session: Session) -> None:
    if sum(map(bool, (arguments.id, arguments.session, arguments.entity))) != 1:
        raise BadInput("one thing can be inspected at a time", "give an id, or --session, or --entity")
    found = session.memory.inspect(arguments.id, **given(arguments, "session", "entity"))
    session.show(found, "\n".join(_lines(found)))


def _lines(found: Inspection) -> Iterator[str]:
    yield f"{found.of} {visible(found.name)}"
    if found.lineage:
        record = found.lineage.record
        yield f"  says        {visible(shorten(record.text, 200))}"
        yield f"  is          {record.kind.value}, {record.status.value}, {record.sensitivity.value}"
        yield f"  came from   {_came_from(record)}"
        yield from (f"  {_row(one)}" for one in found.lineage.related)
    for one in found.versions:
        because = f": {visible(one.because)}" if one.because else ""
        yield f"  version {one.version:<3} {write_time(one.at)[:19]}Z  {one.verb} by {one.by}{because}  {one.cite}"
    for page in found.pages:
        yield f"  page        {visible(page.name)} ({', '.join(map(visible, page.aliases)) or 'no other name'})"
    if found.of == "session":
        yield f"  turns       {found.turns}"
    yield from (f"  conversation {visible(path)}" for path in found.transcripts)
    yield from (f"  {_row(one)}  {one.cite}" for one in (*found.derived, *found.records))
    yield from (f"  named in    {visible(path)}" for path in found.named_in)
    yield from (f"  at hand in  {visible(path)}" for path in found.at_hand)
    if found.uses:
        yield f"  handed out  {len(found.uses)} times, last {write_time(max(found.uses))[:19]}Z"
    yield from (f"  asked       {visible(one)}" for one in found.questions)
    for told in found.acts:
        event = told.event
        yield f"  audit       {write_time(event.at)[:19]}Z  {event.act} by {event.by} {event.via}".rstrip()


def add_to_list(parser: Parser) -> None:
    add_limit(parser)
    add_filters(parser)
    states = [one.value for one in Status if one is not Status.FORGOTTEN]
    says = "only in this state, also those that no answer shows (may be repeated)"
    parser.add_argument("--status", action="append", default=[], choices=states, help=says)


def run_list(arguments: Namespace, session: Session) -> None:
    from memoracle.recall.answers import count

    filters = replace(filters_of(arguments), statuses=tuple(arguments.status))
    records = session.memory.list(limit=arguments.limit, filters=filters)
    total = max(len(records), count(session.memory.root, filters=filters))
    document = {"items": plain(records), "total": total}
    session.show(document, "\n".join(map(hit_line, records)) or "no record fits")
    if total > len(records):
        session.say(f"{len(records):,} of {total:,}; --limit N shows more")


def run_recover(arguments: Namespace, session: Session) -> None:
    found = session.memory.recover(" ".join(arguments.prompt), **given(arguments, "audience", "budget"))
    session.say(*(f"{step.act} {step.target}: {step.because}" for step in found.steps))
    session.warn(found.context.warnings)
    document = {**plain(found.context), "steps": plain(found.steps)}
    session.show(document, found.context.text or _NOTHING)


def run_show(arguments: Namespace, session: Session) -> None:
    record = session.memory.show(arguments.id)
    place = session.memory.store.journal.place_of(record)
    where = {"path": place.path, "line": place.line} if place else {}
    cite = f"{place.path}#L{place.line}\n" if place else ""
    session.show(record_fields(record) | where, cite + record_text(record))


def add_to_snapshot(parser: Parser) -> None:
    _add_audience(parser, "2000")


def run_snapshot(arguments: Namespace, session: Session) -> None:
    hot = session.memory.snapshot(audience=arguments.audience, budget=arguments.budget)
    session.warn(hot.warnings)
    session.show({"audience": arguments.audience, **as_fields(hot)}, hot.text.rstrip("\n"))


_BANDS = {"critical": "0.9–1.0", "high": "0.7–0.9", "medium": "0.4–0.7", "low": "0.0–0.4"}


def run_stats(_: Namespace, session: Session) -> None:
    counts = session.memory.stats()
    by_importance = {f"{name:<9}{_BANDS[name]}": number for name, number in counts.by_importance.items()}
    last, coming = (
        moment.strftime("%Y-%m-%d %H:%M") if moment else "never"
        for moment in (counts.last_consolidation, counts.next_consolidation)
    )
    lines = [
        f"total {counts.total} | active {counts.active} | archive {counts.archive}",
        *("", "by kind", *_rows(counts.by_kind, counts.active)),
        *("", "by importance", *_rows(by_importance, counts.active)),
        *("", f"consolidated  last {last}, next {coming}"),
    ]
    session.show(counts, "\n".join(lines))


def _rows(counts: Mapping[str, int], total: int) -> list[str]:
    return [f"  {name:<18}{number:>7}  {number / max(1, total):6.1%}" for name, number in counts.items()]


def run_why(arguments: Namespace, session: Session) -> None:
    from memoracle.context.publish import place_of

    lineage = session.memory.why(arguments.id)
    record = lineage.record
    hot = place_of(session.memory.root, record.id)
    lines = [
        visible(record.text),
        "",
        f"stands at   {lineage.cite} ({lineage.versions} versions, {record.status.value})",
        f"came from   {_came_from(record)}",
        f"known since {write_time(record.created)}",
        f"MEMORY.md   {f'under {hot.part}' if hot.part else 'not in it'}: {hot.because}",
        *(f"{_row(one)}  {one.cite}" for one in lineage.related),
    ]
    session.show({**as_fields(lineage), "hot": hot}, "\n".join(lines))


def _row(one: Ancestor) -> str:
    return f"{one.relation:<11} {one.id}  {visible(shorten(one.text, 80))}"


def _came_from(record: Record) -> str:
    origin = record.origin
    said = [origin.channel.value, origin.who, origin.where, origin.session and f"session {origin.session}"]
    return f"{visible(', '.join(filter(None, said)))}, trust {origin.trust:.1f}"
