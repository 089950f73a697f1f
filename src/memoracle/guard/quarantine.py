"""Quarantine: a draft waits for its owner: hidden text, injected instructions, or a channel that is quarantined whole.

An owner's plain words are never suspicious; what a person pastes is, when it holds hidden text or the tokens and
frames of a conversation with a model. Memoracle's own words are not looked at.
"""

from __future__ import annotations

from memoracle.guard.hidden import find_hidden
from memoracle.guard.injections import find_injected
from memoracle.guard.modes import Policy, PolicyMode
from memoracle.model.record import Channel, Draft
from memoracle.model.value import value


@value
class Grounds:
    """The rules that put something into quarantine, and the classes of the policy they belong to."""

    rules: tuple[str, ...]
    classes: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.rules)


_NOTHING = Grounds(rules=(), classes=())


def grounds_for_quarantine(draft: Draft, policy: Policy) -> Grounds:
    """What is wrong with the words of a draft; nothing with most."""
    channel = draft.origin.channel
    rules = suspicions("\n".join(_words(draft)), channel)
    if not rules and not policy.modes:
        return _NOTHING
    classes = {one.partition(":")[0] for one in rules}
    if policy.mode(f"channel.{channel.value}") is PolicyMode.QUARANTINE:
        rules = (*rules, f"channel:{channel.value}")
        classes.add(f"channel.{channel.value}")
    return Grounds(rules=rules, classes=tuple(sorted(classes)))


def suspicions(text: str, channel: Channel) -> tuple[str, ...]:
    """The rules about hidden text and injected instructions that a text of this channel meets."""
    if channel is Channel.SYSTEM:
        return ()
    trusted, fellow = channel is Channel.OWNER, channel is Channel.AGENT
    found = (*find_hidden(text), *find_injected(text, trusted=trusted, fellow=fellow))
    return tuple(dict.fromkeys(one.rule for one in found)) if found else ()


def is_pasted(text: str) -> bool:
    """True for a paragraph that is not its speaker's own: hidden text, parts of another conversation, foreign orders.

    People tell their agent to remember things and what to do from now on; nobody tells it to conceal something from
    its owner, or to wait for the owner's next visit.
    """
    return any(rule not in _OWNERS_ORDERS for rule in suspicions(text, Channel.TOOL))


_OWNERS_ORDERS = frozenset(
    f"injected:{name}" for name in ("memory-order", "standing-order", "steering", "override", "persona")
)
"""What owners say themselves: these alone make no paragraph a pasted one."""


def _words(draft: Draft) -> tuple[str, ...]:
    said = draft.statement
    every = (
        said.text,
        said.subject,
        said.predicate,
        said.object,
        said.key,
        said.value,
        *draft.entities,
        *draft.tags,
    )
    return tuple(dict.fromkeys(filter(None, every)))
