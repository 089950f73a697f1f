"""What the verbs about manners share: reading messages, printing a card."""

from __future__ import annotations

import json
from collections.abc import Iterator

from memoracle.errors import BadInput
from memoracle.manners.intake import Card


def messages_in(text: str) -> list[str]:
    """A JSON list of texts or of `{"text": …}`, or a message per line."""
    if not text.lstrip().startswith("["):
        return [line for line in text.splitlines() if line.strip()]
    try:
        held = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"stdin is not JSON: {problem}") from None
    said = [one.get("text") or one.get("content") if isinstance(one, dict) else one for one in held]
    if not all(isinstance(one, str) for one in said):
        raise BadInput("stdin is not a list of messages")
    return [str(one) for one in said]


def card_lines(card: Card) -> Iterator[str]:
    """A card for a person."""
    yield card.question
    yield from (f"  {option.id}  {option.label}" for option in card.options)
