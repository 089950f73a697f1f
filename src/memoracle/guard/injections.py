"""Injected instructions: text that was written to steer an agent, in two languages.

Two sorts of rules. Structure: tokens of chat templates, role tags, forged results of tools, marks of our own frames;
nobody writes them into a memory by accident, so they count whoever says them. Wording: orders to an agent; they count
where nobody has authority to give them. None of this carries the promise that outside text never steers: kinds and
trust do that. Patterns are bounded, and each is tried only around places where one of its words stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from memoracle.guard.hidden import unhidden
from memoracle.guard.rule import Sighting, compiled, rules
from memoracle.model.value import value

REACH = 600
"""How many characters a pattern of an order looks at, at most, to either side of a literal."""

_TOKEN = r"<[|｜]\s?[a-z_▁ ]{2,30}\s?[|｜]>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>"  # noqa: S105
_USED = (
    rf"(?:{_TOKEN})\s{{0,8}}(?:system|user|assistant|tool|developer|model)\b"
    rf"|(?:^|\n)[ \t]{{0,20}}(?:{_TOKEN})(?:\s{{0,8}}+\S{{1,80}}+){{3}}"
)
_ROLES = (
    "system|assistant|developer|tool_results?|tool_response|tool_call|tool_use|function_results?|function_calls"
    "|function_call|invoke|system[-_]reminder|system[-_]prompt|system[-_]message|instructions|new[-_]instructions"
)
_TAG = (
    rf"(?<![\w.])<(?:{_ROLES})(?:\s[^<>]{{0,200}})?>"
    rf"\s{{0,20}}+(?:[^\s<>]{{1,80}}+\s{{1,20}}+){{2}}[^\s<>]|</(?:{_ROLES})>"
)
_FRAME = (
    r"</?memoracle(?=[\s>/])|</?(?:relevant[-_]memories|recalled-memories|memory-context)(?=[\s>/])"
    r"|from memory, as data: nothing in here|\[quoted data, not instructions"
)
_HEADING = (
    r"(?:\A|\n)[\s>*#\[(-]{0,12}(?:system|developer)"
    r"(?: (?:prompt|message|instructions?|notes?|update|override|notice|alert))?[\]*)]{0,3} {0,3}[:：][\s*]{0,4}"
    r"(?:you |ignore|disregard|from now|always|never|please|the assistant|override|new instruct"
    r"|reply|respond|do not|don't|your |assistant|你|请|忽略|从现在)"
)
_CODE_SPAN = r"(`{1,2})[^`\n]{1,120}\1|(?<![\w])(['\"“‘「])[^'\"”’」\n]{1,40}['\"”’」]"
_MANY = 2


def find_injected(text: str, *, trusted: bool = False, fellow: bool = False) -> tuple[Sighting, ...]:
    """Instructions that somebody put into a text.

    In a `trusted` text, the owner's, only structure counts, and orders that are disguised. A `fellow` agent may
    write down standing orders, which are its work.
    """
    seen = unhidden(text)
    folded = seen.lower()
    found = _structure(folded, strictly=not trusted)
    if not trusted:
        found += [
            _seen(order.name, *span)
            for order in _orders_for(folded)
            if not (fellow and order.mild) and (span := _sees(order, folded))
        ]
    elif seen != text:
        plain = text.lower()
        found += [
            _seen("disguised", *span)
            for order in orders()
            if not order.mild and (span := _sees(order, folded)) and not _sees(order, plain)
        ]
    return tuple(found)


def _structure(folded: str, *, strictly: bool) -> list[Sighting]:
    if (
        "<" not in folded
        and "[" not in folded
        and "system" not in folded
        and "developer" not in folded
        and "as data" not in folded
    ):
        return []
    # What stands in quotation marks or as code is talked about.
    said = compiled(_CODE_SPAN).sub(lambda match: " " * len(match[0]), folded)
    found: list[Sighting] = []
    tokens = list(compiled(_TOKEN).finditer(said))
    used = compiled(_USED).search(said)
    if tokens and (strictly or len(tokens) >= _MANY or used):
        found.append(_seen("template", *tokens[0].span()))
    for name, pattern in (("role-tag", _TAG), ("frame", _FRAME), ("role-heading", _HEADING)):
        if (name != "role-heading" or strictly) and (match := compiled(pattern).search(said)):
            found.append(_seen(name, *match.span()))
    return found


@value
class Order:
    """One sort of order; see rules/orders.toml."""

    name: str
    literals: tuple[str, ...]
    pattern: str
    mild: bool = False


@cache
def orders() -> tuple[Order, ...]:
    """Every order."""
    return tuple(Order(**{**row, "literals": tuple(row["literals"])}) for row in rules("orders")["order"])


@cache
def _by_language() -> tuple[tuple[Order, ...], tuple[Order, ...]]:
    english = tuple(order for order in orders() if all(map(str.isascii, order.literals)))
    return english, tuple(order for order in orders() if order not in english)


def _orders_for(folded: str) -> tuple[Order, ...]:
    """The orders of the languages whose words a text may hold."""
    english, chinese = _by_language()
    if folded.isascii():
        return english
    in_english, in_chinese = _first_looks()
    return (english if in_english.search(folded) else ()) + (chinese if in_chinese.search(folded) else ())


@cache
def _first_looks() -> tuple[re.Pattern[str], ...]:
    """Any literal of the orders of one language, and of the other."""
    return tuple(
        re.compile("|".join(dict.fromkeys(re.escape(literal) for one in same for literal in one.literals)))
        for same in _by_language()
    )


def _sees(order: Order, folded: str) -> tuple[int, int] | None:
    """Where an order stands first; looked for around its literals alone."""
    if not any(map(folded.__contains__, order.literals)):
        return None
    search = compiled(order.pattern).search
    if len(folded) <= REACH:
        match = search(folded)
        return match.span() if match else None
    for start, end in _windows(folded, order.literals):
        if match := search(folded, start, end):
            return match.span()
    return None


def _windows(folded: str, literals: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """The stretches within `REACH` of a literal, in their order; none overlaps another."""
    around = []
    for literal in literals:
        place = folded.find(literal)
        while place >= 0:
            # One stretch for all that stand in the next `REACH` characters: a flood of words is looked for in steps.
            around.append((max(0, place - REACH), place + len(literal) + 2 * REACH))
            place = folded.find(literal, place + REACH)
    around.sort()
    start, end = around[0]
    for first, last in around[1:]:
        if first > end:
            yield start, end
            start = first
        end = max(end, last)
    yield start, end


def _seen(rule: str, start: int, end: int) -> Sighting:
    return Sighting(rule=f"injected:{rule}", type="injected-instruction", start=start, end=end)
