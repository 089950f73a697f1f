"""Records that somebody typed, as claims: their words get a slot, so that they meet what else is known.

Whoever types something to be kept means it: such a claim replaces what it contradicts. What it is and how much it
matters stays as it was typed, unless nobody said so. What another program wrote into its own file is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from memoracle.lifecycle.evidence import said_at
from memoracle.model.claim import Claim, Stance
from memoracle.model.origin import Channel
from memoracle.model.predicates import NO_LONGER
from memoracle.model.record import Draft, Kind, Record, Status, Weight, content_key_of, is_foreign
from memoracle.model.value import replace

Reader = Callable[[str, datetime], Claim | None]
_OURS = "consolidate"
_MADE = frozenset({Kind.BELIEF, Kind.SUMMARY})
_UNSAID = Weight()


def typed_claims(records: Iterable[Record], read: Reader, *, since: datetime | None) -> list[Claim]:
    """The claims of active records that their owner wrote or changed since then."""
    return [
        claim
        for record in records
        if record.status is Status.ACTIVE
        and record.origin.channel is Channel.OWNER
        and record.kind not in _MADE
        and record.change.verb != _OURS
        and not is_foreign(record)
        and (since is None or record.change.at >= since)
        and (claim := _claim(record, read))
    ]


def _claim(record: Record, read: Reader) -> Claim | None:
    said = record.statement
    name = f"typed:{record.id}:{content_key_of(record.kind, said, record.scope)}"
    own = Draft(
        statement=said,
        kind=record.kind,
        entities=record.entities,
        tags=record.tags,
        weight=replace(record.weight, anchor=None),
        origin=replace(record.origin, observed=said_at(record)),
        scope=record.scope,
        validity=record.validity,
        idempotency=name,
    )
    if (said.subject and said.predicate) or said.key:
        ended = said.predicate.startswith(NO_LONGER)
        return Claim(draft=own, stance=Stance.DENY if ended else Stance.CORRECT, record=record.id)
    found = read(record.text, said_at(record))
    if found is None:
        return None
    meant = found.draft
    was_told = own.kind is not Kind.FACT
    kind = own.kind if was_told or meant.kind is Kind.BELIEF else meant.kind
    unsaid = own.weight.importance == _UNSAID.importance
    importance = meant.weight.importance if unsaid else own.weight.importance
    draft = replace(
        own,
        kind=kind,
        statement=replace(meant.statement, text=said.text),
        entities=tuple(dict.fromkeys((*own.entities, *meant.entities))),
        weight=replace(own.weight, importance=importance),
        validity=own.validity
        if own.validity.expires
        else replace(own.validity, expires=meant.validity.expires),
    )
    stance = found.stance if found.stance is Stance.DENY else Stance.CORRECT
    return Claim(draft=draft, stance=stance, because=found.because, record=record.id)
