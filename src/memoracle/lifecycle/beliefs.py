"""What memory holds without being sure: beliefs gain and lose confidence, become facts, or are put away.

A confirmation from another session adds 0.15, a contradiction takes 0.25; a session counts once. From 0.85 on, with
two independent confirmations, a belief becomes what its predicate says; so it does when the owner plainly
says it. Below 0.2 it is archived, never erased.
"""

from __future__ import annotations

from memoracle.lifecycle.evidence import (
    AGAINST,
    FOR,
    confirmations,
    sessions_against,
    sessions_for,
    with_source,
)
from memoracle.model.predicates import predicate_named
from memoracle.model.record import Kind, Record, Status, content_key_of
from memoracle.model.value import replace

GAIN = 0.15
LOSS = 0.25
PROMOTED_FROM = 0.85
CONFIRMATIONS = 2
RETIRED_BELOW = 0.2
ASIDE = 0.5
"""How sure memory is of a remark that it did not let replace something firmer."""


def confirm_belief(record: Record, session: str) -> Record:
    """The belief after a session said it again; the same one when that session was counted."""
    if session in sessions_for(record):
        return record
    surer = _with_confidence(with_source(record, FOR + session), record.weight.confidence + GAIN)
    is_back = surer.status is Status.ARCHIVED and surer.weight.confidence >= RETIRED_BELOW
    return replace(surer, status=Status.ACTIVE) if is_back else surer


def contradict_belief(record: Record, session: str) -> Record:
    """The belief after a session contradicted it; archived when hardly anything is left."""
    if session in sessions_against(record):
        return record
    weaker = _with_confidence(with_source(record, AGAINST + session), record.weight.confidence - LOSS)
    is_spent = weaker.status is Status.ACTIVE and weaker.weight.confidence < RETIRED_BELOW
    return replace(weaker, status=Status.ARCHIVED) if is_spent else weaker


def may_be_promoted(record: Record) -> bool:
    """True when enough independent sessions have made a belief sure."""
    return record.weight.confidence >= PROMOTED_FROM and confirmations(record) >= CONFIRMATIONS


def promote(record: Record, *, confidence: float | None = None) -> Record:
    """The belief as what its predicate says; somebody's own words become a fact."""
    kind = kind_of(record)
    content = content_key_of(kind, record.statement, record.scope)
    keys = (content, *(key for key in record.keys if not key.startswith("c_")))
    sure = record.weight.confidence if confidence is None else confidence
    return _with_confidence(replace(record, kind=kind, keys=keys, status=Status.ACTIVE), sure)


def kind_of(record: Record) -> Kind:
    """What a record is once memory is sure of it: no more than its channel may say."""
    from memoracle.policy.origins import may_become

    known = predicate_named(record.statement.predicate)
    return known.kind if known and may_become(record.origin.channel, known.kind) else Kind.FACT


def _with_confidence(record: Record, confidence: float) -> Record:
    inside = round(min(1.0, max(0.0, confidence)), 6)
    return replace(record, weight=replace(record.weight, confidence=inside))
