"""Which earlier record a sentence may have changed: the owner is asked, nothing is decided.

Rules know when a slot has a new value. Of everything else a small model says that it may be news on the same matter;
whether the old one no longer holds, it knows too rarely to end a record by itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memoracle.inference.api import Utterance
from memoracle.learn.evidence import said_at
from memoracle.learn.reconciliation import ask_about
from memoracle.learn.rules import PROJECT
from memoracle.model.inbox import InboxItem, Matter
from memoracle.model.predicates import OWNER
from memoracle.model.record import Channel, Kind, Record, Status
from memoracle.model.search import Filters
from memoracle.store.inbox import read_inbox

if TYPE_CHECKING:
    from memoracle.inference.api import Reranker, Vectors
    from memoracle.learn.unit_of_work import UnitOfWork

MOST_ASKED, MOST_OPEN = 5, 12
"""Questions of one run, the likeliest, and those that wait at once: more would be answered by nobody."""
_NEAREST, _SPARE = 4, 20
_RARE, _SURE = 8, 0.7
"""One statement in so many changes a given one; from so much on it is worth a question, however many there are."""
_RECORDS = Filters(kinds=tuple(kind.value for kind in Kind if kind is not Kind.SUMMARY))
BECAUSE = "it was said later, on what seems to be the same matter"


def ask_of_changes(unit: UnitOfWork, made: Sequence[Record], now: datetime) -> list[InboxItem]:
    """Questions about records that were just made and may stand in the place of older ones."""
    waiting = sum(one.because == BECAUSE for one in read_inbox(unit.root.store).open)
    most = min(MOST_ASKED, MOST_OPEN - waiting)
    heard = [one for one in made if one.version == 1 and _counts(one)] if most > 0 else []
    model, reranker = (unit.root.view.embedder(), unit.root.open_reranker()) if heard else (None, None)
    if model is None or reranker is None:
        return []
    known = [one for one in unit.records.active() if _counts(one)]
    vectors = model.embed([one.text for one in heard])
    likely: list[tuple[float, Record, Record]] = []
    for new, vector in zip(heard, vectors, strict=True):
        before = {one.id: one for one in (*known, *heard) if _may_be_changed(one, new)}
        near = list(before.values())
        if len(before) > _NEAREST:
            found = _near(unit, model.name, vector, now)
            found |= dict(zip((one.id for one in heard), (vectors @ vector).tolist(), strict=True))
            ranked = sorted((ref for ref in found if ref in before), key=lambda ref: (-found[ref], ref))
            near = [before[ref] for ref in ranked[:_NEAREST]]
        least = min(_SURE, len(before) / (len(before) + _RARE))
        shares = _shares(near, new, reranker)
        likely += [(share, old, new) for old, share in zip(near, shares, strict=True) if share >= least]
    best: dict[str, InboxItem] = {}
    for _, old, new in sorted(likely, key=lambda one: (-one[0], one[1].id, one[2].id)):
        if len(best) < most:
            best.setdefault(new.id, ask_about(Matter.CHANGE, old, new, because=BECAUSE, since=now))
    return list(best.values())


def _counts(record: Record) -> bool:
    """True for what the owner said and what stands."""
    is_said = record.origin.channel is Channel.OWNER and record.kind is not Kind.SUMMARY
    return is_said and record.status is Status.ACTIVE


def _may_be_changed(old: Record, new: Record) -> bool:
    """True for something else that was said before, in the same scope, of nobody else; of one slot rules know more."""
    is_other = old.text != new.text and (
        not old.statement.predicate or old.statement.predicate != new.statement.predicate
    )
    whose = {one.statement.subject for one in (old, new)} - {"", OWNER, PROJECT, new.scope.project}
    is_theirs = not whose or old.statement.subject == new.statement.subject
    return old.scope == new.scope and said_at(old) < said_at(new) and is_other and is_theirs


def _near(unit: UnitOfWork, space: str, vector: Vectors, now: datetime) -> dict[str, float]:
    """The standing records that lie nearest, and how near they lie."""
    import numpy as np

    index = unit.root.index
    arrays = index.ranking()
    if space not in arrays.spaces():
        return {}
    near, _ = arrays.nearness(space, vector)
    rows = np.flatnonzero(arrays.allowed(_RECORDS, now))
    rows = rows[np.argsort(-near[rows], kind="stable")[:_SPARE]]
    found = index.fetch(rows.tolist(), _RECORDS, now)
    return {one.passage.ref: float(near[row]) for row, one in found.items()}


def _shares(old: Sequence[Record], new: Record, reranker: Reranker) -> list[float]:
    said = Utterance(text=new.text, who="user")
    logits = reranker.changes([(Utterance(text=one.text, who="user"), said) for one in old]) if old else []
    return [1 / (1 + math.exp(-logit)) for logit in logits]
