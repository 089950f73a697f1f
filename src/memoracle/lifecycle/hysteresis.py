"""What one stray remark does not replace: memories that were confirmed again, or kept on purpose."""

from __future__ import annotations

from memoracle.lifecycle.evidence import confirmations
from memoracle.model.origin import Channel
from memoracle.model.record import Kind, Record

FIRM_AFTER = 2
FIRM_FROM = 0.9
_OWN_ACTS = frozenset({"remember", "edit", "pin", "restore", "supersede", "accept"})


def is_firm(record: Record) -> bool:
    """True when it takes more than one plain remark to replace it."""
    if record.kind is Kind.BELIEF:
        return False
    return (
        record.pinned
        or record.weight.importance >= FIRM_FROM
        or was_kept_on_purpose(record)
        or confirmations(record) >= FIRM_AFTER
    )


def was_kept_on_purpose(record: Record) -> bool:
    """True when the owner kept it by hand, rather than mentioning it in a conversation."""
    origin = record.origin
    if origin.channel is not Channel.OWNER:
        return False
    return record.change.verb in _OWN_ACTS or not (origin.where or origin.session)
