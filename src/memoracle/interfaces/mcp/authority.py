"""Whose word a call carries, and what it may change.

An agent speaks for itself, whatever it says of itself: that the owner asked for something is the agent's word too. What
it says never takes the name of what the owner said, and never the place of a preference, a rule, an identity, or of
what must not fade. The owner confirms in the inbox, at the command line or in their own words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoracle.clock import write_time
from memoracle.errors import RefusedByPolicy
from memoracle.interfaces.mcp.tool import Caller
from memoracle.model.origin import TRUST, Channel
from memoracle.model.plan import Step
from memoracle.model.record import Record
from memoracle.model.value import value
from memoracle.policy.origins import OWNERS_ONLY

if TYPE_CHECKING:
    from memoracle.memory import Memory

_OWN_WORDS = frozenset({"text", "kind", "importance", "confidence"})


def must_be_allowed(record: Record, given: Mapping[str, Any], caller: Caller, *, replaces: bool) -> None:
    """Refuse a change that would put a lesser word in the place, or under the name, of a greater one.

    An edit leaves a record under the name of whoever said it first; labels are all that others may change there. Where
    agents read what strangers wrote, nothing but an agent's own is changed.
    """
    if TRUST[Channel.AGENT] >= TRUST[record.origin.channel]:
        return
    is_guarded = caller.agent_only or _is_guarded(record)
    if is_guarded if replaces else not _OWN_WORDS.isdisjoint(given):
        raise RefusedByPolicy(("owner-only",))


@value
class Leaving:
    """What an agent would have out of memory: what goes, what is put to the owner, and the plan that says so."""

    ids: tuple[str, ...]
    proposed: tuple[str, ...]
    steps: tuple[Step, ...]


def leaving(memory: Memory, references: Sequence[str], caller: Caller) -> Leaving:
    """Which of these records an agent may withdraw; raise for what it may not even propose.

    What steers the owner's agents or must not fade is proposed to the owner. Where agents read what strangers wrote,
    an agent withdraws nothing but what it noted itself.
    """
    steps = memory.plan_withdraw(references).steps
    records = [memory.show(reference) for reference in references]
    if caller.agent_only and not all(_is_own(one, caller) for one in records):
        raise RefusedByPolicy(("owner-only",))
    proposed = {one.id for one in records if _is_guarded(one)}
    ids = tuple(one.id for one in records if one.id not in proposed)
    kept = steps if not proposed else memory.plan_withdraw(ids).steps if ids else ()
    asked = tuple(Step(act="propose", target=one, because="only its owner can") for one in sorted(proposed))
    return Leaving(ids=ids, proposed=tuple(sorted(proposed)), steps=(*kept, *asked))


def let_go(memory: Memory, leaves: Leaving, caller: Caller, *, because: str) -> dict[str, Any]:
    """Withdraw and propose; what came of it, in words that say how it is taken back."""
    said: list[str] = []
    document: dict[str, Any] = {"withdrawn": [], "proposed": list(leaves.proposed)}
    if leaves.ids:
        done = memory.withdraw(leaves.ids, because=because)
        until = write_time(done.until)
        document |= {"withdrawn": list(done.ids), "until": until, "operation": done.operation}
        said.append(
            f"withdrawn; `memoracle undo` within 30 days brings it back, after {until[:10]} it is erased for good"
        )
    if leaves.proposed:
        memory.propose_withdrawal(leaves.proposed, by=caller.name, because=because)
        said.append("what only the owner can withdraw is unchanged and waits in their `memoracle inbox`")
    return document | {"message": "; ".join(said)}


def _is_guarded(record: Record) -> bool:
    is_owners = TRUST[record.origin.channel] > TRUST[Channel.AGENT]
    return (is_owners and (record.kind in OWNERS_ONLY or record.is_everlasting)) or record.pinned


def _is_own(record: Record, caller: Caller) -> bool:
    return record.origin.channel is Channel.AGENT and record.origin.who == caller.name and not record.pinned
