"""Records: lists, counts, references, versions, how alive they are, and the dump that proves two views equal."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from memoracle.index.api import Candidate, Cited
from memoracle.index.sqlite.passages import (
    COLUMNS,
    SELECTED,
    Row,
    cited_name,
    fold,
    found,
    many,
    open_to,
    slot_name,
    where,
)
from memoracle.model.record import EVERYBODY, Anchor, Law, Scope, activation, reinforce
from memoracle.model.report import Finding, Severity
from memoracle.model.search import TOOL, Filters, Passage, Standing
from memoracle.model.value import replace
from memoracle.times import read_time, write_time

# Lists, counts, references, and the dump that proves two views equal.

_AT_ONCE = 500


def list_records(
    connection: sqlite3.Connection, filters: Filters, limit: int, now: datetime
) -> list[Candidate]:
    """The standing records that fit, newest first, or the notes of the kinds that are asked for."""
    condition, values = where(filters, now)
    if not (filters.statuses or filters.as_of or filters.wide):
        condition += " AND p.status = 'active'"  # a list is not a question: what was put away is asked for
    rows = connection.execute(
        f"SELECT {SELECTED}, 0.0 FROM passages p WHERE {_listed(filters)} AND {condition} "  # noqa: S608
        "ORDER BY p.changed_at DESC, p.ref DESC LIMIT ?",
        (*values, limit),
    )
    return many(rows)


def count_records(connection: sqlite3.Connection, filters: Filters, now: datetime) -> int:
    """How many of them there are."""
    condition, values = where(filters, now)
    query = f"SELECT count(*) FROM passages p WHERE {_listed(filters)} AND {condition}"  # noqa: S608
    return int(connection.execute(query, values).fetchone()[0])


def _listed(filters: Filters) -> str:
    """Records; where kinds are named also notes, each by its first chunk."""
    note = "p.source = 'note' AND NOT EXISTS (SELECT 1 FROM passages q WHERE q.path = p.path AND q.rowid < p.rowid)"
    return f"(p.source = 'record' OR {note})" if filters.kinds else "p.source = 'record'"


def kinds(connection: sqlite3.Connection) -> set[str]:
    """Every kind that something here has."""
    return {kind for (kind,) in connection.execute("SELECT DISTINCT kind FROM passages")}


def resolve(connection: sqlite3.Connection, reference: str, limit: int) -> list[str]:
    """The ids of records that answer to an id, a prefix of one, or an alias."""
    exact = connection.execute(
        "SELECT DISTINCT ref FROM passages WHERE ref = ? AND source = 'record'", (reference,)
    ).fetchall()
    if exact:
        return [reference]
    for pattern in (f"{reference}*", f"mem_{reference.upper().removeprefix('MEM_')}*"):
        if any(mark in reference for mark in "*?["):
            break
        rows = connection.execute(
            "SELECT DISTINCT ref FROM passages WHERE ref GLOB ? AND source = 'record' ORDER BY ref LIMIT ?",
            (pattern, limit),
        ).fetchall()
        if rows:
            return [ref for (ref,) in rows]
    rows = connection.execute(
        "SELECT DISTINCT p.ref FROM names n CROSS JOIN passages p ON p.rowid = n.passage "
        "WHERE n.name = ? AND p.source = 'record' AND p.live = 1 ORDER BY p.ref LIMIT ?",
        (fold(reference), limit),
    ).fetchall()
    return [ref for (ref,) in rows]


def in_slot(connection: sqlite3.Connection, subject: str, predicate: str) -> list[Candidate]:
    """Every standing record, ended ones included, that says this sort of thing of this subject; oldest first."""
    rows = connection.execute(
        f"SELECT {SELECTED}, 0.0 FROM names n CROSS JOIN passages p ON p.rowid = n.passage "  # noqa: S608
        "WHERE n.name = ? AND p.live = 1 AND p.status IN ('active', 'archived', 'superseded') "
        "ORDER BY p.at, p.ref",
        (slot_name(subject, predicate),),
    )
    return many(rows)


def citing(connection: sqlite3.Connection, places: Sequence[str], filters: Filters) -> list[Cited]:
    """The records made of the words at these places, in every state but erased."""
    condition, values = _at_the_moment(filters)
    wanted = {cited_name(place): place for place in places}
    rows = connection.execute(
        f"SELECT {SELECTED}, p.verb, p.changed_at, n.name FROM names n "  # noqa: S608
        "CROSS JOIN passages p ON p.rowid = n.passage "
        f"WHERE n.name IN ({', '.join('?' * len(wanted))}) AND {condition} ORDER BY p.ref",
        (*wanted, *values),
    )
    return [
        Cited(place=wanted[row[-1]], passage=found(row).passage, verb=row[-3], changed=read_time(row[-2]))
        for row in rows
    ]


def standing_record(connection: sqlite3.Connection, ref: str, filters: Filters) -> Passage | None:
    """A record at the moment asked about."""
    condition, values = _at_the_moment(filters)
    query = f"SELECT {SELECTED} FROM passages p WHERE p.ref = ? AND {condition}"  # noqa: S608
    row = connection.execute(query, (ref, *values)).fetchone()
    return found(row).passage if row else None


def sources_of(connection: sqlite3.Connection, ref: str) -> tuple[str, ...]:
    """The places that a record was made of."""
    rows = connection.execute(
        "SELECT DISTINCT n.name FROM passages p CROSS JOIN names n ON n.passage = p.rowid "
        "WHERE p.ref = ? AND p.live = 1 AND n.name GLOB 'at:*' ORDER BY n.name",
        (ref,),
    )
    return tuple(name.removeprefix("at:") for (name,) in rows)


def earlier_words(connection: sqlite3.Connection, ref: str) -> list[str]:
    """What the earlier versions of a record said."""
    query = "SELECT text FROM passages WHERE ref = ? AND live = 0 ORDER BY version"
    return [text for (text,) in connection.execute(query, (ref,))]


def _at_the_moment(filters: Filters) -> tuple[str, list[Any]]:
    """The version of each record that stood then, as a reader sees it, whatever its state."""
    seen, values = open_to(filters.reader, public=filters.public)
    conditions = ["p.source = 'record'", *seen]
    if filters.withheld:
        conditions.append(f"p.sensitivity NOT IN ({', '.join('?' * len(filters.withheld))})")
        values = [*values, *filters.withheld]
    if filters.as_of is None:
        return " AND ".join([*conditions, "p.live = 1", "p.status != 'forgotten'"]), list(values)
    then = write_time(filters.as_of)
    conditions += ["p.live >= 0", "p.known_from <= ? AND (p.known_until IS NULL OR p.known_until > ?)"]
    return " AND ".join([*conditions, "p.status != 'forgotten'"]), [*values, then, then]


def around(
    connection: sqlite3.Connection, refs: Sequence[str], filters: Filters, now: datetime
) -> dict[str, tuple[Passage, ...]]:
    """What was said before and, up to two turns, after each of these, in the same session, that may be seen."""
    seen = where(replace(filters, kinds=(), tags=(), speaker="", channel="", statuses=(), since=None), now)
    return {ref: _beside(connection, ref, *seen, after=2) for ref in refs}


def turns_before(connection: sqlite3.Connection, refs: Sequence[str]) -> dict[str, Passage]:
    """What was said just before each of these turns, named by id or place; nothing for the first ones."""
    return {ref: earlier for ref in refs for earlier in _beside(connection, ref, "p.live = 1", [], after=0)}


def _beside(
    connection: sqlite3.Connection, ref: str, condition: str, values: list[Any], *, after: int
) -> tuple[Passage, ...]:
    """What was said just before a turn, and so many turns behind it; what tools gave between is passed over.

    Nothing where the turn itself does not fit the condition: a record may be seen where its turn is not.
    """
    path, _, line = ref.partition("#L")
    which, named = ("p.path = ? AND p.first_line = ?", (path, line)) if line else ("p.ref = ?", (ref,))
    origin = connection.execute(
        f"SELECT p.path, p.session, p.ordinal FROM passages p WHERE {which} AND {condition} "  # noqa: S608
        "ORDER BY p.kind = ? LIMIT 1",
        (*named, *values, TOOL),
    ).fetchone()
    beside: list[Passage] = []
    for sign, order, most in (("<", "DESC", 1), (">", "ASC", after)) if origin else ():
        rows = connection.execute(
            f"SELECT {SELECTED}, 0.0 FROM passages p WHERE p.path = ? AND p.session = ? "  # noqa: S608
            f"AND p.ordinal {sign} ? AND p.kind != ? AND {condition} ORDER BY p.ordinal {order} LIMIT ?",
            (*origin, TOOL, *values, most),
        )
        beside += [item.passage for item in many(rows)]
    return tuple(beside)


def uses_of(connection: sqlite3.Connection, refs: Sequence[str]) -> dict[str, list[datetime]]:
    """When these records were handed over."""
    uses: dict[str, list[datetime]] = {}
    every = list(dict.fromkeys(refs))
    for start in range(0, len(every), _AT_ONCE):
        part = every[start : start + _AT_ONCE]
        query = f"SELECT ref, at FROM uses WHERE ref IN ({', '.join('?' * len(part))}) ORDER BY ref, at"  # noqa: S608
        for ref, at in connection.execute(query, part):
            uses.setdefault(ref, []).append(read_time(at))
    return uses


def findings(connection: sqlite3.Connection) -> list[Finding]:
    """What was wrong with the files when they were read."""
    rows = connection.execute(
        "SELECT path, line, code, severity, message, hint FROM findings ORDER BY path, line, code"
    )
    return [
        Finding(path=path, line=line, code=code, severity=Severity(severity), message=message, hint=hint)
        for path, line, code, severity, message, hint in rows
    ]


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """How many records stand, by status and by kind; how many pieces of notes there are."""
    found: Counter[str] = Counter()
    rows = connection.execute(
        "SELECT source, kind, status, count(*) FROM passages WHERE live = 1 GROUP BY source, kind, status"
    )
    for source, kind, status, number in rows:
        if source != "record":
            found[f"{source}s"] += number
            continue
        found["records"] += number
        found[f"status:{status}"] += number
        if status == "active":
            found[f"kind:{kind}"] += number
    return dict(found)


def dump(connection: sqlite3.Connection) -> list[str]:
    """Everything the view holds, independent of the order in which it came there."""
    columns = ", ".join(f"quote({name})" for name in COLUMNS)
    queries = (
        f"SELECT 'passage', {columns} FROM passages",  # noqa: S608
        (
            "SELECT 'name', n.name, p.path, p.first_line, p.digest "
            "FROM names n JOIN passages p ON p.rowid = n.passage"
        ),
        "SELECT 'term', term, passages FROM terms",
        "SELECT 'page', g.slug, g.path, g.kind, g.project, n.name FROM pages g JOIN page_names n ON n.slug = g.slug",
        (
            "SELECT 'link', l.source, l.target, l.type, l.snippet, coalesce(p.path, l.path), "
            "coalesce(p.first_line, l.line), l.project, l.doubt "
            "FROM links l LEFT JOIN passages p ON p.rowid = l.passage"
        ),
        "SELECT 'use', path, line, ref, at FROM uses",
        "SELECT 'finding', path, line, code FROM findings",
        "SELECT 'file', path, role, size, mark_size, mark_lines, mark_digest FROM files",
    )
    return sorted("|".join(map(str, row)) for query in queries for row in connection.execute(query))


_ALWAYS = ("identity", "health", "safety", "rule", "task", "plan")
_WEIGHTY = 0.7
_BY_WEIGHT = "ORDER BY p.importance DESC, p.at, p.ref"
_MOST = 900
"""As many values as any SQLite takes in one query."""


def standing(
    connection: sqlite3.Connection, law: Law, now: datetime, *, reader: Scope = EVERYBODY
) -> list[Standing]:
    """Every standing record, whatever its status, with its activation; oldest first."""
    seen, reader_values = open_to(reader)
    scoped = "".join(f" AND {one}" for one in seen)
    uses = {
        ref: [read_time(at) for _, at in group]
        for ref, group in groupby(
            connection.execute("SELECT ref, at FROM uses ORDER BY ref, at"), key=lambda row: row[0]
        )
    }
    rows = connection.execute(
        f"SELECT {SELECTED} FROM passages p WHERE p.source = 'record' AND p.live = 1 "  # noqa: S608
        f"AND p.status NOT IN ('retracted', 'forgotten', 'quarantined', 'withdrawn'){scoped} ORDER BY p.at, p.ref",
        reader_values,
    )
    return _alive(rows, uses, law, now)


def at_hand(
    connection: sqlite3.Connection,
    law: Law,
    now: datetime,
    *,
    since: datetime,
    shown: Sequence[str] = (),
    public: bool = False,
    reader: Scope = EVERYBODY,
) -> list[Standing]:
    """The active records that may be wanted unasked: few of them, however many there are.

    Pinned ones, those of lasting kinds, tasks and plans, what was written since a moment, and those named; where none
    is named, the weightiest, and those of the reader's own project.
    """
    only = " AND p.sensitivity = 'public'" if public else " AND p.sensitivity != 'secret'"
    seen, reader_values = open_to(reader)
    scoped = "".join(f" AND {one}" for one in seen)
    base = (
        "SELECT p.ref FROM passages p WHERE p.source = 'record' AND p.live = 1 AND p.status = 'active' "  # noqa: S608
        "AND p.channel NOT IN ('tool', 'document', 'external') "
        f"AND (p.channel != 'agent' OR p.confirmed_by != '' OR p.pinned = 1){only}{scoped}"
    )
    lately = "p.changed_at >= ? ORDER BY p.changed_at DESC LIMIT 120"
    refs = {ref for (ref,) in connection.execute(f"{base} AND {lately}", (*reader_values, write_time(since)))}
    always = f"(p.pinned = 1 OR p.kind IN ({_marks(_ALWAYS)})) {_BY_WEIGHT} LIMIT 240"
    refs |= {ref for (ref,) in connection.execute(f"{base} AND {always}", (*reader_values, *_ALWAYS))}
    if not shown:
        weighty = f"p.importance >= {0 if public else _WEIGHTY} {_BY_WEIGHT} LIMIT 60"
        refs |= {ref for (ref,) in connection.execute(f"{base} AND {weighty}", reader_values)}
    if reader.project:  # what is named stands in a file that is read in every project
        names = (reader.project, *reader.also)
        own = f"p.project IN ({_marks(names)}) {_BY_WEIGHT} LIMIT 60"
        refs |= {ref for (ref,) in connection.execute(f"{base} AND {own}", (*reader_values, *names))}
    named = sorted(refs.union(shown))[:_MOST]
    rows = connection.execute(
        f"SELECT {SELECTED} FROM passages p WHERE p.ref IN ({_marks(named)}) AND p.source = 'record' "  # noqa: S608
        f"AND p.live = 1 AND p.status = 'active'{scoped} ORDER BY p.at, p.ref",
        (*named, *reader_values),
    )
    return _alive(rows, uses_of(connection, named), law, now)


def _alive(
    rows: Iterable[Row], uses: Mapping[str, list[datetime]], law: Law, now: datetime
) -> list[Standing]:
    stand = []
    for row in rows:
        item = found(row)
        passage = item.passage
        half_life = law.half_life(passage.kind, passage.importance)
        anchor = Anchor(value=item.anchor_value, at=item.anchor_at or now)
        if passage.ref in uses:
            anchor = reinforce(anchor, half_life, uses[passage.ref], law)
        stand.append(Standing(passage=passage, activation=activation(anchor, half_life, now)))
    return stand


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))
