"""Whose word a call carries, and what it may change.

An agent speaks for itself unless the client states that the owner asked for it. What an agent says never takes the
name of what the owner said, and never the place of a preference, a rule, an identity, or of what must not fade.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoracle.errors import RefusedByPolicy
from memoracle.interfaces.mcp.tool import Caller
from memoracle.model.origin import TRUST, Channel
from memoracle.model.record import Record
from memoracle.policy.origins import OWNERS_ONLY

ASKED = "askedByOwner"
_OWN_WORDS = frozenset({"text", "kind", "importance", "confidence"})
_NOT_BELIEVED = "kept as the agent's own: this server takes nobody's word for the owner's"


def channel_of(given: Mapping[str, Any], caller: Caller) -> Channel:
    """The channel a call speaks through."""
    return Channel.OWNER if given.get(ASKED) and not caller.agent_only else Channel.AGENT


def warnings_of(given: Mapping[str, Any], caller: Caller) -> tuple[str, ...]:
    """What a receipt says when a statement about the owner was not believed."""
    return (_NOT_BELIEVED,) if given.get(ASKED) and caller.agent_only else ()


def must_be_allowed(channel: Channel, record: Record, given: Mapping[str, Any], *, replaces: bool) -> None:
    """Refuse a change that would put a lesser word in the place, or under the name, of a greater one.

    An edit leaves a record under the name of whoever said it first; labels are all that others may change there.
    """
    if TRUST[channel] >= TRUST[record.origin.channel]:
        return
    is_guarded = record.kind in OWNERS_ONLY or record.is_everlasting
    if is_guarded if replaces else not _OWN_WORDS.isdisjoint(given):
        raise RefusedByPolicy(("owner-only",))
