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

from memoracle.model.value import field, value


class PolicyMode(StrEnum):
    """What is done with something: stored as it is, stored masked, set apart for its owner, or never stored."""

    ALLOW = "allow"
    MASK = "mask"
    QUARANTINE = "quarantine"
    NEVER = "never-store"


_SAME = {"off": "allow", "refuse": "never-store"}

PERSONAL = ("phone", "mail", "id-cn", "id-us", "card", "iban")
_APART = (PolicyMode.QUARANTINE, PolicyMode.NEVER)

# As `Channel` and `Sensitivity` name them: a hook reads its settings, and pays for no record.
_CHANNELS = ("owner", "agent", "person", "tool", "document", "external", "system")
_SENSITIVITIES = ("public", "private", "secret")

CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "secret": (PolicyMode.MASK, PolicyMode.NEVER),
        **dict.fromkeys(PERSONAL, (PolicyMode.ALLOW, PolicyMode.MASK, PolicyMode.NEVER)),
        "hidden": _APART,
        "injected": _APART,
        **{f"channel.{one}": (PolicyMode.ALLOW, *_APART) for one in _CHANNELS},
        **{f"sensitivity.{one}": (PolicyMode.ALLOW, PolicyMode.NEVER) for one in _SENSITIVITIES},
        # Whom records of a sensitivity are handed to: agents as well, or their owner alone.
        **dict.fromkeys(("show.private", "show.secret"), ("agents", "owner")),
        # `required`: without a readable `machine/privacy.md` nothing is written or sent.
        "privacy_list": ("auto", "required"),
    }
)
"""Every part of the policy, and what it may be; the first is built in, and nothing below it exists."""

_MOST_PHRASES, _SHORTEST, _LONGEST = 1000, 2, 200
_PREFIX = "MEMORACLE_POLICY_"


@value
class Policy:
    """The policy of a root. `sources` says for each part that is not built in where it comes from."""

    modes: Mapping[str, str] = field(default_factory=dict)
    never: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    broken: str = ""

    def choice(self, name: str) -> str:
        """What was chosen for a part."""
        return self.modes.get(name, CHOICES[name][0])

    def mode(self, name: str) -> PolicyMode:
        """What is done with a class of text."""
        return PolicyMode(self.choice(name))

    def forbids(self, found: str) -> str:
        """The class that keeps what holds something of this type out of the files altogether; empty for none."""
        name = found if found in PERSONAL else "secret"
        return found if found == "blocked" else name if self.mode(name) is PolicyMode.NEVER else ""


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
    modes: dict[str, str] = {}
    sources: dict[str, str] = {}
    never: tuple[str, ...] = ()
    try:
        for name, given, source in (*_in_table(table, where), *_in_variables(environment)):
            if name == "never":
                never = (*never, *_phrases(given, source))
            else:
                modes[name] = _chosen(name, given, source)
            sources[name] = source
    except _Wrong as problem:
        return Policy(broken=str(problem))
    return Policy(
        modes=MappingProxyType(modes), never=tuple(dict.fromkeys(never)), sources=MappingProxyType(sources)
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
    known = {_PREFIX + name.upper().replace(".", "_").replace("-", "_"): name for name in (*CHOICES, "never")}
    for variable in sorted(environment):
        if variable.startswith(_PREFIX):
            if variable not in known:
                raise _Wrong(f"no part of the policy is called {variable}")
            given = environment[variable]
            is_list = known[variable] == "never"
            yield known[variable], [one for one in given.split("\n") if one] if is_list else given, variable


def _chosen(name: str, given: object, source: str) -> str:
    if name not in CHOICES:
        raise _Wrong(f"no part of the policy is called `{name}` ({source})")
    said = _SAME.get(given, given) if isinstance(given, str) else ""
    if said not in CHOICES[name]:
        raise _Wrong(f"`{name}` is none of {', '.join(CHOICES[name])} ({source})")
    return said


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
