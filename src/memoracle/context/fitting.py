"""What of memory has enough to do with a prompt to be told with it. Silence is better than noise.

A question that was asked wants its best evidence; a prompt that merely came by wants what it is about. So a passage has
to share two telling words with it (three pairs of characters, in a script without spaces), or all it has, and with them
a fifth of what the prompt says. Rare words say more. Long prompts count by their rarest words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from memoracle.model.hit import Passage, Source
from memoracle.text import is_unspaced, telling_terms, terms

Frequencies = Callable[[list[str]], tuple[Mapping[str, int], int]]
"""In how many passages each term stands, and how many passages there are."""

_LEAST = 0.2
_WORDS, _PAIRS = 2, 3
_MOST_WORDS = 12
_BACKGROUND = 1000
"""In a small memory no word is common yet."""


def fitting(prompt: str, frequencies: Frequencies) -> Callable[[Passage], bool]:
    """Tells whether a passage fits a prompt."""
    asked = list(dict.fromkeys(telling_terms(prompt)))
    counts, many = frequencies(asked)
    total = max(many, _BACKGROUND)
    weights = {one: math.log(1 + (total - counts[one] + 0.5) / (counts[one] + 0.5)) for one in asked}
    whole = sum(sorted(weights.values(), reverse=True)[:_MOST_WORDS]) or 1.0
    counted = [one for one in asked if len(one) > 1 or not is_unspaced(one)]
    usual = _PAIRS if is_unspaced(prompt) else _WORDS
    needed = min(usual, len(counted))

    def fits(passage: Passage) -> bool:
        if len(counted) < usual and passage.source is Source.TURN:
            return False  # “push it” brings no talk along
        held = set(
            terms(
                f"{passage.who}\n{passage.title}\n{passage.text}\n{' '.join((*passage.tags, *passage.entities))}"
            )
        )
        shared = [one for one in asked if one in held]
        return (
            sum(one in held for one in counted) >= needed
            and sum(weights[one] for one in shared) >= _LEAST * whole
        )

    return fits
