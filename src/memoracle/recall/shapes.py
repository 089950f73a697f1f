"""The shape of an answer: a story in its order, a list, how often; for those five similar turns are no answer.

Such an answer needs evidence from many places, so it has more hits, spread over sessions (maximal marginal relevance,
with the session for likeness). The best stay the best: only what follows them is chosen anew.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from memoracle.model.search import Hit, Shape

PLACES = 12
"""How many hits such an answer has, unless somebody says otherwise."""
POOL = 40
"""Among how many it is chosen."""
_STAY = 5
_LIKENESS = 0.05
"""What each hit of the same session costs, as a share of what lies between the best and the last of the pool."""

_PLURAL = (
    r"(?:what|which) (?:(?:of )?(?:my|our|his|her|their|the|other|different|\w+'s) )?(?:\w+ )?\w+[^\Wius]s"
)
_WHOSE = r"(?:the|my|our|his|her|their|\w+'s)"
_SHAPES: dict[Shape, str] = {
    Shape.TIMELINE: r"\bin (?:what |which |chronological )?order\b(?! to\b)|\border in which\b|\bchronolog|\btimeline\b"
    r"|\bsequence of events\b|\bsummar(?:y|ies|i[sz]e)\b|\boverview of\b|\brecap\b"
    r"|\bhistory of (?:my|our|his|her|their)\b"
    r"|\b(?:change|progress|develop|evolve|go)d? .{0,40}\bover (?:time|the (?:year|month|week|course))"
    r"|什么顺序|先后顺序|时间线|按时间|来龙去脉|的(?:经过|历程)|总结一下|概括一下|回顾一下|梳理一下|前后怎么变|怎么一步步",
    Shape.COUNT: r"\bhow (?:often|many (?:different )?(?:times|occasions))\b|\bnumber of times\b"
    r"|几次|多少次|几回|多少回",
    Shape.LIST: r"^\W*(?:please )?(?:list|name|enumerate) (?:all|every|the|my|some)\b"
    r"|^all (?:the |my |our |of )?\w+s\b|\b(?:all|every(?:thing)?) .{0,30}\bthat\b"
    rf"|\b{_PLURAL} (?:has|have|had|did|does|do|are|were)\b|\bwhat (?:kinds|types|sorts) of\b"
    rf"|\bwhat (?:are|were) (?:all |some of )?{_WHOSE} \w+s\b"
    r"|\bhow many (?!(?:day|week|month|year|hour|minute)s)(?:different )?\w+s "
    r"(?:have|has|did|do|does) (?:i|we|he|she|they)\b"
    r"|哪些|都有(?:啥|什么|谁|哪)|有哪几|列出|列一下|都列|有几[个种位家]",
}


def shape_of(question: str) -> Shape:
    """What shape the answer to a question has.

    >>> shape_of("In which order did I visit the islands?").value, shape_of("我身上有哪些毛病").value
    ('timeline', 'list')
    """
    return next((shape for shape, pattern in _compiled().items() if pattern.search(question)), Shape.ANSWER)


@lru_cache(maxsize=1)
def _compiled() -> dict[Shape, re.Pattern[str]]:
    return {shape: re.compile(pattern, re.IGNORECASE) for shape, pattern in _SHAPES.items()}


def spread(ranked: Sequence[Hit]) -> list[Hit]:
    """The same hits; behind the best those of other sessions before more of the same."""
    chosen, left, rest = list(ranked[:_STAY]), list(ranked[_STAY:POOL]), ranked[POOL:]
    if not left:
        return list(ranked)
    scores = [hit.score for hit in ranked[:POOL]]
    cost = _LIKENESS * (max(scores) - min(scores))
    taken = Counter(map(_session, chosen))
    while left:
        best = max(left, key=lambda hit: hit.score - cost * taken[_session(hit)])
        left.remove(best)
        chosen.append(best)
        taken[_session(best)] += 1
    return [*chosen, *rest]


def _session(hit: Hit) -> str:
    return hit.passage.session or hit.passage.path
