"""Provider tokens as rules: the table of prefixes, and the shapes that no prefix alone describes."""

from __future__ import annotations

import re

from memoracle.policy.prefixes import PREFIXES
from memoracle.policy.rule import Rule, Span
from memoracle.policy.shapes import EDGE, SHAPES
from memoracle.policy.values import is_filler, is_of_words, is_random

_DIGESTS = frozenset(f"sha{bits}{sign}" for bits in (256, 384, 512) for sign in "=:-")

_SOLID = 18  # longer than words that follow a prefix in a name


def token_rules() -> tuple[Rule, ...]:
    """Every rule about tokens, the most telling first."""
    rows = sorted(PREFIXES, key=lambda row: -len(row[1]))
    return (*(_prefixed(*row) for row in rows), *SHAPES)


def _prefixed(name: str, prefix: str, letters: str, least: int) -> Rule:
    # A prefix that is long or holds a sign of its own is telling wherever it stands.
    edge = "" if len(prefix) >= 5 and not prefix.isalnum() else EDGE
    pattern = rf"{edge}{re.escape(prefix)}([{letters}]{{{least},}}+)"
    return Rule(name=f"{name}:{prefix}", type=name, pattern=pattern, literals=(prefix,), check=_is_token)


def _is_token(text: str, match: re.Match[str]) -> Span | None:
    """All of the match, unless what follows the prefix is a filler or words, or it is the digest of a file."""
    body = match[1]
    if is_filler(match[0]) or text[max(0, match.start() - 7) : match.start()] in _DIGESTS:
        return None
    if not any(map(str.islower, body)) or is_random(body):
        return match.span()
    is_telling = match.start(1) - match.start() >= 5 or len(body) >= 16
    is_solid = len(max(re.split(r"[^A-Za-z0-9]", body), key=len)) >= _SOLID
    is_own = len(match[0]) - len(body) >= len("gldt-") and not body.islower()
    return match.span() if is_telling and (is_solid or is_own or not is_of_words(body)) else None
