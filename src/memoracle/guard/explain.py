"""Policy explains itself: what would happen to a text, by which rule; what is in force, and where it comes from."""

from __future__ import annotations

from collections.abc import Sequence

from memoracle.guard.hidden import find_hidden, find_injected
from memoracle.guard.modes import CHOICES, Blocklist, Policy
from memoracle.guard.rule import Sighting
from memoracle.guard.screening import Masking, ScreeningOutcome, guard
from memoracle.model.record import TRUST, Channel, Draft, Kind, Origin, Statement
from memoracle.model.value import value


@value
class Sight:
    """What was seen: its type, the rule, and in which line; never the words."""

    type: str
    rule: str
    line: int


@value
class PolicyVerdict:
    """What would happen to a text that came through one channel."""

    channel: str
    outcome: str
    rules: tuple[str, ...]
    kind: str
    """As what it would be kept."""
    text: str
    """As it would be written; empty when it would not be."""
    seen: tuple[Sight, ...] = ()


@value
class _ExplainedPart:
    """One part of the policy: what is done with a class, what could be, and who says so."""

    name: str
    stance: str
    choices: tuple[str, ...]
    source: str


@value
class InForce:
    """The policy of a root. `problem` says why nothing is written at present."""

    parts: tuple[_ExplainedPart, ...]
    phrases: int
    privacy_list: str
    listed: int
    problem: str = ""
    lost: int = 0
    """Lines that the privacy list had once; it only grows, so somebody took them out."""


def explain(
    text: str, masking: Masking, policy: Policy, channels: Sequence[Channel], *, kind: Kind = Kind.FACT
) -> list[PolicyVerdict]:
    """What would happen to a text, channel by channel. Nothing is written."""
    masked, hidden = masking.text(text).found, find_hidden(text)
    verdicts = []
    for channel in channels:
        draft = Draft(
            statement=Statement(text=text), kind=kind, origin=Origin(channel=channel, trust=TRUST[channel])
        )
        guarded = guard(draft, masking, policy)
        found = list(masked)
        if channel is not Channel.SYSTEM:
            trusted, fellow = channel is Channel.OWNER, channel is Channel.AGENT
            found += [*hidden, *find_injected(text, trusted=trusted, fellow=fellow)]
        verdicts.append(
            PolicyVerdict(
                channel=channel.value,
                outcome=guarded.outcome.value,
                rules=guarded.rules,
                kind=guarded.draft.kind.value,
                text="" if guarded.outcome is ScreeningOutcome.REFUSED else guarded.draft.statement.text,
                seen=sights(text, found),
            )
        )
    return verdicts


def in_force(policy: Policy, blocklist: Blocklist, *, path: str, lost: int = 0) -> InForce:
    """The policy as it stands."""
    parts = tuple(
        _ExplainedPart(
            name=name,
            stance=str(policy.choice(name)),
            choices=tuple(map(str, choices)),
            source=policy.sources.get(name, "built in"),
        )
        for name, choices in CHOICES.items()
    )
    return InForce(
        parts=parts,
        phrases=len(policy.never),
        privacy_list=path,
        listed=sum(one.rule.startswith("privacy-list") for one in blocklist.entries),
        problem=policy.broken or blocklist.problem,
        lost=lost,
    )


def sights(text: str, found: Sequence[Sighting]) -> tuple[Sight, ...]:
    """Sightings by line, without their places in it."""
    return tuple(
        dict.fromkeys(
            Sight(type=one.type, rule=one.rule, line=text.count("\n", 0, one.start) + 1) for one in found
        )
    )
