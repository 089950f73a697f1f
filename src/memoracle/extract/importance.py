"""How much a claim matters: what its predicate is worth, moved by the strongest signal (S2.030–033).

The seed added all signals up; the strongest one decides here, and the result stays between 0 and 1.
"""

from __future__ import annotations

from memoracle.extract.lexicon import has, lexicons_for
from memoracle.model.predicates import PREDICATES, predicate_named

STATUS_CHANGE = 0.8
TEMPORARY = 0.2
REMEMBER, IMPORTANT, REPEATED, ASIDE = 0.5, 0.3, 0.2, -0.2


def intrinsic(predicate: str) -> float:
    """What a predicate is worth by itself."""
    return (predicate_named(predicate) or PREDICATES["noted"]).importance


def signal(text: str, *, repeated: bool = False) -> float:
    """The strongest signal in the words; an aside only counts when nothing speaks for keeping."""
    found = []
    for lexicon in lexicons_for(text):
        if has(text, lexicon, lexicon.remember):
            found.append(REMEMBER)
        if has(text, lexicon, lexicon.important):
            found.append(IMPORTANT)
        if has(text, lexicon, lexicon.aside):
            found.append(ASIDE)
    if repeated:
        found.append(REPEATED)
    return max(found, key=abs, default=0.0)


def importance(predicate: str, text: str, *, base: float | None = None, repeated: bool = False) -> float:
    """Between 0 and 1: the predicate's worth, or `base`, and the strongest signal."""
    worth = intrinsic(predicate) if base is None else base
    if worth >= 1.0:
        return 1.0  # an allergy mentioned by the way is no smaller for it
    return round(min(1.0, max(0.0, worth + signal(text, repeated=repeated))), 3)
