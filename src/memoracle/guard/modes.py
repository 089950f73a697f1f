"""Policy as data: what is done with each class of text, and where each part of that comes from.

Built-in modes are the floor: a settings file may have come with a clone, so nothing it says, and nothing a variable
says, lets secrets, hidden text or injected instructions through. A policy that cannot be read is `broken`: then
nothing is written until it is mended, and reading goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from memoracle.model.record import BY_OWNER, BY_SESSION, QUOTED, TRUST, Channel, Draft, Kind
from memoracle.model.search import EvidenceSource, Passage
from memoracle.model.value import field, replace, value


class PolicyMode(StrEnum):
    """What is done with something: stored as it is, stored masked, set apart for its owner, or never stored."""

    ALLOW = "allow"
    MASK = "mask"
    QUARANTINE = "quarantine"
    NEVER = "never-store"


_SAME = {"off": PolicyMode.ALLOW, "refuse": PolicyMode.NEVER}
_ORDER = (PolicyMode.ALLOW, PolicyMode.MASK, PolicyMode.QUARANTINE, PolicyMode.NEVER)

PERSONAL = ("phone", "mail", "id-cn", "id-us", "card", "iban")
CHANNELS = ("owner", "agent", "person", "tool", "document", "external", "system")
LEVELS = ("public", "private", "secret")
_MASKING = (PolicyMode.ALLOW, PolicyMode.MASK, PolicyMode.NEVER)
_APART = (PolicyMode.QUARANTINE, PolicyMode.NEVER)

CHOICES: Mapping[str, tuple[PolicyMode, ...]] = MappingProxyType(
    {
        "secret": (PolicyMode.MASK, PolicyMode.NEVER),
        **dict.fromkeys(PERSONAL, _MASKING),
        "hidden": _APART,
        "injected": _APART,
        **{f"channel.{name}": (PolicyMode.ALLOW, *_APART) for name in CHANNELS},
        **{f"sensitivity.{name}": (PolicyMode.ALLOW, PolicyMode.NEVER) for name in LEVELS},
    }
)
"""Every class, and the modes it may have; the first is built in, and none below it exists."""

SHOWN = ("show.private", "show.secret")
AUDIENCES = ("agents", "owner")
"""Whom records of a sensitivity are handed to: agents as well, or their owner alone."""
_LISTS = ("auto", "required")
_MOST_PHRASES, _SHORTEST, _LONGEST = 1000, 2, 200
_PREFIX = "MEMORACLE_POLICY_"


@value
class Policy:
    """The policy of a root. `sources` says for each part that is not built in where it comes from."""

    modes: Mapping[str, PolicyMode] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)
    never: tuple[str, ...] = ()
    privacy_list: str = "auto"
    """`required`: without a readable `machine/privacy.md` nothing is written or sent."""
    sources: Mapping[str, str] = field(default_factory=dict)
    broken: str = ""

    def mode(self, name: str) -> PolicyMode:
        """What is done with a class."""
        return self.modes.get(name, CHOICES[name][0])

    def withheld(self) -> tuple[str, ...]:
        """The sensitivities that no agent is handed; all that is not public while nobody knows."""
        if self.broken:
            return tuple(name.removeprefix("show.") for name in SHOWN)
        return tuple(name.removeprefix("show.") for name in SHOWN if self.shown.get(name) == "owner")

    def strictest(self, *names: str) -> PolicyMode:
        """The strictest of several."""
        return max((self.mode(name) for name in names), key=_ORDER.index)


@value
class Blocked:
    """One thing that its owner blocked: its rule, and the phrase as it is compared, or the pattern."""

    rule: str
    phrase: str = ""
    pattern: str = ""


@value
class Blocklist:
    """Everything that is blocked. With a `problem` nobody knows what, so nothing passes."""

    entries: tuple[Blocked, ...] = ()
    problem: str = ""

    @property
    def lines(self) -> list[str]:
        """What the owner's own file blocks, as it was written."""
        return [one.phrase or one.pattern for one in self.entries if one.rule.startswith("privacy-list")]


class _Wrong(Exception):
    """What is wrong with a policy, as a sentence."""


def read_policy(table: object, environment: Mapping[str, str], *, where: str) -> Policy:
    """The policy of a settings file and of the variables over it; `broken` when one of them makes no sense."""
    modes: dict[str, PolicyMode] = {}
    shown: dict[str, str] = {}
    sources: dict[str, str] = {}
    never: tuple[str, ...] = ()
    privacy_list = "auto"
    try:
        for name, given, source in (*_in_table(table, where), *_in_variables(environment)):
            if name == "never":
                never = (*never, *_phrases(given, source))
            elif name == "privacy_list":
                privacy_list = _chosen(name, given, _LISTS, source)
            elif name in SHOWN:
                shown[name] = _chosen(name, given, AUDIENCES, source)
            else:
                modes[name] = _mode(name, given, source)
            sources[name] = source
    except _Wrong as problem:
        return Policy(broken=str(problem))
    return Policy(
        modes=MappingProxyType(modes),
        shown=MappingProxyType(shown),
        never=tuple(dict.fromkeys(never)),
        privacy_list=privacy_list,
        sources=MappingProxyType(sources),
    )


def _in_table(table: object, where: str) -> Iterator[tuple[str, Any, str]]:
    if not isinstance(table, Mapping):
        raise _Wrong(f"`policy` in {where} is not a table")
    for name, given in table.items():
        if name in {"channel", "sensitivity", "show"}:
            if not isinstance(given, Mapping):
                raise _Wrong(f"`policy.{name}` in {where} is not a table")
            yield from ((f"{name}.{part}", one, where) for part, one in given.items())
        else:
            yield name, given, where


def _in_variables(environment: Mapping[str, str]) -> Iterator[tuple[str, Any, str]]:
    known = {_PREFIX + name.upper().replace(".", "_").replace("-", "_"): name for name in (*CHOICES, *SHOWN)}
    known |= {f"{_PREFIX}NEVER": "never", f"{_PREFIX}PRIVACY_LIST": "privacy_list"}
    for variable in sorted(environment):
        if variable.startswith(_PREFIX):
            if variable not in known:
                raise _Wrong(f"no part of the policy is called {variable}")
            given = environment[variable]
            is_list = known[variable] == "never"
            yield known[variable], [one for one in given.split("\n") if one] if is_list else given, variable


def _mode(name: str, given: object, source: str) -> PolicyMode:
    if name not in CHOICES:
        raise _Wrong(f"no part of the policy is called `{name}` ({source})")
    wanted = {one.value: one for one in CHOICES[name]}
    words = wanted | {word: one for word, one in _SAME.items() if one in CHOICES[name]}
    if not isinstance(given, str) or given not in words:
        raise _Wrong(f"`{name}` is none of {', '.join(wanted)} ({source})")
    return words[given]


def _chosen(name: str, given: object, choices: tuple[str, ...], source: str) -> str:
    if not isinstance(given, str) or given not in choices:
        raise _Wrong(f"`{name}` is none of {', '.join(choices)} ({source})")
    return given


def _phrases(given: object, source: str) -> tuple[str, ...]:
    if not isinstance(given, list) or len(given) > _MOST_PHRASES:
        raise _Wrong(f"`never` is not a list of at most {_MOST_PHRASES} phrases ({source})")
    for one in given:
        # Not repeated here: these are what their owner wants to see nowhere.
        if not isinstance(one, str) or not _SHORTEST <= len(one.strip()) <= _LONGEST:
            raise _Wrong(
                f"a phrase of `never` is not text of {_SHORTEST} to {_LONGEST} characters ({source})"
            )
    return tuple(one.strip() for one in given)


# What a channel may say. Only the owner's own words become a preference, a rule or an identity.

OWNERS_ONLY = frozenset({Kind.PREFERENCE, Kind.RULE, Kind.IDENTITY})
"""Kinds that only the owner, or Memoracle itself, can give to something."""

STEERING = OWNERS_ONLY | {
    Kind.SAFETY,
    Kind.HEALTH,
    Kind.PROCEDURE,
    Kind.DECISION,
    Kind.LESSON,
    Kind.TASK,
    Kind.PLAN,
}
"""Kinds that say what to do, or never fade: nothing from outside, and nothing another person says, has them."""


@value
class _OriginStanding:
    """A draft with no more weight than its channel gives it."""

    draft: Draft
    rules: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def may_become(channel: Channel, kind: str) -> bool:
    """True when something that came through this channel may be of this kind."""
    if channel in {Channel.OWNER, Channel.SYSTEM}:
        return True
    return kind not in (STEERING if channel in QUOTED else OWNERS_ONLY)


def stand(draft: Draft) -> _OriginStanding:
    """What its channel allows of a draft."""
    channel = draft.origin.channel
    if channel in {Channel.OWNER, Channel.SYSTEM}:
        return _OriginStanding(draft=draft)
    outside = channel in QUOTED
    rules: list[str] = []
    warnings: list[str] = []
    if draft.origin.trust > TRUST[channel]:
        draft = replace(draft, origin=replace(draft.origin, trust=TRUST[channel]))
        rules.append("trust-of-channel")
    if draft.origin.confirmed_by:  # nobody brings along that it was confirmed
        draft = replace(draft, origin=replace(draft.origin, confirmed_by=""))
    if not may_become(channel, draft.kind):
        warnings.append(f"kept as a fact: the {channel} channel cannot give a {draft.kind}")
        rules.append("outside-kind" if outside else "owner-only")
        draft = replace(draft, kind=Kind.FACT)
    if outside and draft.pinned:
        warnings.append(f"not pinned: the {channel} channel cannot pin")
        rules.append("outside-pin")
        draft = replace(draft, pinned=False)
    return _OriginStanding(draft=draft, rules=tuple(rules), warnings=tuple(warnings))


def is_vouched_for(passage: Passage) -> bool:
    """True for what an agent may be told unasked: not its own kind's word alone.

    An agent's record needs the owner, who may have pinned it, or a second session that said the same by itself. The
    latter never vouches for what only the owner can say, nor for what reads like an order, however often it is said.
    """
    if passage.source is not EvidenceSource.RECORD or passage.channel != Channel.AGENT:
        return True
    if passage.pinned or passage.confirmed_by == BY_OWNER:
        return True
    if passage.confirmed_by != BY_SESSION:
        return False
    from memoracle.guard.screening import suspicions
    from memoracle.model.predicates import owners_kind

    return owners_kind(passage.text) is None and not suspicions(passage.text, Channel.EXTERNAL)
