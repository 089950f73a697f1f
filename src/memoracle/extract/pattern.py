"""What a pattern is: one way to say one thing, with sentences that show it.

A pattern is data. Its examples and counterexamples stand in its own row, and one test runs them all.
The expression is matched at the beginning of a clause, whatever its case, after openers (“well,”,
“by the way,”, “please remember that”) have been taken off. Expressions are compiled at their first use.

Rules for expressions, so that a line of a megabyte costs a line of a megabyte:
no quantifier inside a quantified group may match what the outer one repeats, and every run is bounded.
Write `(?-i:[A-Z])` where a capital letter is meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from memoracle.model.claim import Stance
from memoracle.model.value import value

_GROUP = re.compile(r"\(\?P<([a-z]+)>")

PROJECT = "project"
"""As a pattern's subject: what “we” and “our project” mean, the project of the conversation."""


@value
class Pattern:
    """One way to say one thing.

    Named groups: `object` is what is said; `subject` is who it is said of, if it is not the speaker;
    `role` is a word of `Lexicon.kin` that gives the predicate when `predicate` is empty; `about` names
    what an object belongs to (“my favourite **colour** is blue”), and stands before it: “colour: blue”.
    """

    name: str
    """`family.what`, such as `work.employer`; claims and tests name it."""
    predicate: str
    regex: str
    stance: Stance = Stance.ASSERT
    subject: str = ""
    """Empty: the group `subject`, or else the speaker. `PROJECT`: the project of the conversation."""
    object: str = ""
    """What is said when the expression has no group for it: “I'm married” is `married`."""
    objects: Mapping[str, str] | None = None
    """Words of the group `object`, in lower case, and what they mean: `hitched` is `married`."""
    importance: float | None = None
    """When this way of saying it matters more than the predicate: a status change is 0.8."""
    confidence: float = 1.0
    whole: bool = False
    """The object is a sentence of its own and keeps its tail: a rule, a lesson, a decision."""
    weak: bool = False
    """Fits only when no other pattern did, and never in a sentence with a name as its subject."""
    any_where: bool = False
    """Searched in the whole clause, not only at its beginning. For wordings that mean one thing anywhere."""
    first: bool = False
    """Only at the very beginning of a sentence, not of a later clause, unless “please” opens that."""
    label_free: bool = False
    """Fits instructions as well as statements: “always answer in German”, “never touch main”."""
    examples: tuple[tuple[str, str], ...] = ()
    """Sentences, each with the object it gives. `subject | object` when the subject is not the speaker."""
    counterexamples: tuple[str, ...] = ()
    """Sentences that look alike and give nothing with this pattern."""


@lru_cache(maxsize=2000)
def compiled(expression: str) -> re.Pattern[str]:
    """The expression, compiled once. A group may be named more than once: see `caught`."""
    times: dict[str, int] = {}

    def numbered(group: re.Match[str]) -> str:
        times[group[1]] = times.get(group[1], 0) + 1
        return f"(?P<{group[1]}{times[group[1]] if times[group[1]] > 1 else ''}>"

    return re.compile(_GROUP.sub(numbered, expression), re.IGNORECASE)


def caught(match: re.Match[str], name: str) -> str | None:
    """What a group of that name caught; of several alternatives, the one that fits."""
    return next(
        (text for group, text in match.groupdict().items() if text and group.rstrip("0123456789") == name),
        None,
    )
