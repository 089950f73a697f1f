"""The words of masking: a rule, what it saw, and a text without its secrets."""

from __future__ import annotations

import re
from collections.abc import Callable

from memoracle.model.value import value

Span = tuple[int, int]
Check = Callable[[str, re.Match[str]], Span | None]
"""Where exactly the secret stands, given the text and a match; None when it is none after all."""


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
    fingerprint: str


@value
class Masked:
    """A text without its secrets, and what stood there."""

    text: str
    found: tuple[Sighting, ...] = ()

    @property
    def types(self) -> tuple[str, ...]:
        """The types that were found, each once, in alphabetical order."""
        return tuple(sorted({sighting.type for sighting in self.found}))
