"""Whether words stand in a fragment. A model may choose among what was said; it may add nothing.

Words meet as index terms: case, width and endings do not matter, and Chinese counts by pairs of
characters, so that order matters too. Pure.
"""

from __future__ import annotations

import re

from memoracle.text import normalise, telling_terms, terms

_NEGATIONS = re.compile(
    r"\b(?:not|no|never|nor|neither|without|cannot|none|nobody|hardly|stopped|quit|"
    r"isn|aren|wasn|weren|don|doesn|didn|won|wouldn|can|couldn|shouldn|hasn|haven|hadn)(?:['’]t)?\b"
    r"|不(?!仅|但|错|管|断|久|同|少|過(?!敏)|过(?!敏))|没(?!错|关系|问题)|[沒勿]|未(?!来|來|必)"
    r"|无(?!锡|论|线|人机)|無(?!論|線)|(?<![特区區分告性级級识識个個类類])[别別](?!人|墅|的|名)"
)
_PLAIN = {"can", "won", "don"}
"""Words that deny only with `'t` behind them."""


def stands_in(words: str, said: str, *, beside: str = "") -> bool:
    """Whether every telling word of `words` occurs in what was said, or in `beside`."""
    return set(telling_terms(words)) <= {*terms(said), *terms(beside)}


def is_negated(text: str) -> bool:
    """Whether a sentence denies something, anywhere in it."""
    return any(found[0] not in _PLAIN for found in _NEGATIONS.finditer(normalise(text)))
