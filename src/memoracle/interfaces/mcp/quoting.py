"""Words from outside as an agent may see them: see recall/quoted.py."""

from __future__ import annotations

from memoracle.model.origin import QUOTED
from memoracle.recall import quoted


def is_outside(channel: str) -> bool:
    """True for what came from a tool or from outside."""
    return channel in QUOTED


def as_data(text: str, channel: str) -> str:
    """The words as an agent may see them."""
    return quoted.as_data(text) if is_outside(channel) else text
