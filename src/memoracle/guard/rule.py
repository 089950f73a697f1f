"""The words of masking: a rule, what it saw, a text without its secrets; and where the rules come from.

Rules are data, in `rules/*.toml`. A pattern in code is compiled when it is first used: most texts need few of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from memoracle.model.value import value
from memoracle.tables import table

Span = tuple[int, int]
Found = tuple[int, int, str, str]
"""Where something stands, by which rule, of which type."""
Check = Callable[[str, re.Match[str]], Span | None]
"""Where exactly the secret stands, given the text and a match; None when it is none after all."""

FOLDER = os.path.join(os.path.dirname(__file__), "rules")
CHECKS: dict[str, Check] = {}
"""Every check that a rule can name."""


@value
class Rule:
    """How one sort of secret looks.

    `literals` are the prefilter: without one of them in the text the pattern is not tried. A `folded`
    rule sees the text in lower case, which has the same length. A pattern without a check means its
    first group, or all of it.
    """

    name: str
    type: str
    pattern: str
    literals: tuple[str, ...]
    check: Check | None = None
    folded: bool = False


@value
class Sighting:
    """One secret was seen: by which rule, of which type, where in the text. Never its value."""

    rule: str
    type: str
    start: int
    end: int
    fingerprint: str = ""


@value
class Masked:
    """A text without its secrets, and what stood there."""

    text: str
    found: tuple[Sighting, ...] = ()

    @property
    def types(self) -> tuple[str, ...]:
        """The types that were found, each once, in alphabetical order."""
        return tuple(sorted({sighting.type for sighting in self.found}))


class Pattern:
    """A regular expression that is compiled when it is first asked for something."""

    search: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    findall: Callable[..., list[str]]
    sub: Callable[..., str]
    split: Callable[..., list[str]]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in Pattern.__annotations__:
            raise AttributeError(name)
        made = re.compile(self.pattern, self._flags)
        for one in Pattern.__annotations__:
            setattr(self, one, getattr(made, one))
        return getattr(self, name)


compiled = cache(re.compile)
"""A pattern that a table holds, compiled once."""


def rules(name: str) -> dict[str, Any]:
    """One table of rules."""
    return table(os.path.join(FOLDER, f"{name}.toml"))


@cache
def words(name: str) -> frozenset[str]:
    """One list of `rules/words.toml`."""
    return frozenset(rules("words")[name].split())


def check(function: Check) -> Check:
    """Mark a function as a check that rules can name."""
    CHECKS[function.__name__] = function
    return function
