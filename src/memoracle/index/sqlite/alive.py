"""How alive standing records are: all of them in one pass, or the few that may be wanted unasked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from memoracle.index.sqlite.facets import uses_of
from memoracle.index.sqlite.filters import open_to
from memoracle.index.sqlite.rows import SELECTED, Row, found
from memoracle.model.activation import Anchor, Law, activation, reinforce
from memoracle.model.hit import Standing
from memoracle.model.record import EVERYBODY, Scope
from memoracle.times import read_time, write_time

_ALWAYS = ("identity", "health", "safety", "rule", "task", "plan")
_WEIGHTY = 0.7
_BY_WEIGHT = "ORDER BY p.importance DESC, p.at, p.ref"
_MOST = 900
"""As many values as any SQLite takes in one query."""


def standing(
    connection: sqlite3.Connection, law: Law, now: datetime, *, reader: Scope = EVERYBODY
) -> list[Standing]:
    """Every standing record, whatever its status, with its activation; oldest first."""
    seen, eyes = open_to(reader)
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
        eyes,
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
    seen, eyes = open_to(reader)
    scoped = "".join(f" AND {one}" for one in seen)
    base = (
        "SELECT p.ref FROM passages p WHERE p.source = 'record' AND p.live = 1 AND p.status = 'active' "  # noqa: S608
        "AND p.channel NOT IN ('tool', 'document', 'external') "
        f"AND (p.channel != 'agent' OR p.confirmed_by != '' OR p.pinned = 1){only}{scoped}"
    )
    lately = "p.changed_at >= ? ORDER BY p.changed_at DESC LIMIT 120"
    refs = {ref for (ref,) in connection.execute(f"{base} AND {lately}", (*eyes, write_time(since)))}
    always = f"(p.pinned = 1 OR p.kind IN ({_marks(_ALWAYS)})) {_BY_WEIGHT} LIMIT 240"
    refs |= {ref for (ref,) in connection.execute(f"{base} AND {always}", (*eyes, *_ALWAYS))}
    if not shown:
        weighty = f"p.importance >= {0 if public else _WEIGHTY} {_BY_WEIGHT} LIMIT 60"
        refs |= {ref for (ref,) in connection.execute(f"{base} AND {weighty}", eyes)}
    if reader.project:  # what is named stands in a file that is read in every project
        names = (reader.project, *reader.also)
        own = f"p.project IN ({_marks(names)}) {_BY_WEIGHT} LIMIT 60"
        refs |= {ref for (ref,) in connection.execute(f"{base} AND {own}", (*eyes, *names))}
    named = sorted(refs.union(shown))[:_MOST]
    rows = connection.execute(
        f"SELECT {SELECTED} FROM passages p WHERE p.ref IN ({_marks(named)}) AND p.source = 'record' "  # noqa: S608
        f"AND p.live = 1 AND p.status = 'active'{scoped} ORDER BY p.at, p.ref",
        (*named, *eyes),
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
