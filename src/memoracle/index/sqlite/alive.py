"""How alive every standing record is: one pass over the records and their uses."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from itertools import groupby

from memoracle.clock import read_time
from memoracle.index.sqlite.rows import SELECTED, found
from memoracle.model.activation import Anchor, Law, activation, reinforce
from memoracle.model.standing import Standing


def standing(connection: sqlite3.Connection, law: Law, now: datetime) -> list[Standing]:
    """Every standing record, whatever its status, with its activation; oldest first."""
    uses = {
        ref: [read_time(at) for _, at in group]
        for ref, group in groupby(
            connection.execute("SELECT ref, at FROM uses ORDER BY ref, at"), key=lambda row: row[0]
        )
    }
    rows = connection.execute(
        f"SELECT {SELECTED} FROM passages p WHERE p.source = 'record' AND p.live = 1 "  # noqa: S608
        "AND p.status NOT IN ('retracted', 'forgotten') ORDER BY p.at, p.ref"
    )
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
