"""Whose word a call carries, and what it may change.

An agent speaks for itself, whatever it says of itself: that the owner asked for something is the agent's word too. What
it says never takes the name of what the owner said, and never the place of a preference, a rule, an identity, or of
what must not fade. The owner confirms in the inbox, at the command line or in their own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoracle.errors import RefusedByPolicy
from memoracle.interfaces.mcp.tool import Caller
from memoracle.model.origin import TRUST, Channel
from memoracle.model.record import Record
from memoracle.policy.origins import OWNERS_ONLY

_OWN_WORDS = frozenset({"text", "kind", "importance", "confidence"})


def must_be_allowed(record: Record, given: Mapping[str, Any], caller: Caller, *, replaces: bool) -> None:
    """Refuse a change that would put a lesser word in the place, or under the name, of a greater one.

    An edit leaves a record under the name of whoever said it first; labels are all that others may change there. Where
    agents read what strangers wrote, nothing but an agent's own is changed.
    """
    if TRUST[Channel.AGENT] >= TRUST[record.origin.channel]:
        return
    is_guarded = caller.agent_only or record.kind in OWNERS_ONLY or record.is_everlasting
    if is_guarded if replaces else not _OWN_WORDS.isdisjoint(given):
        raise RefusedByPolicy(("owner-only",))
