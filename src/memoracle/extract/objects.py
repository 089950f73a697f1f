"""What a pattern caught, as it is written into a record: cut where it ends, without wrapping, never empty words."""

from __future__ import annotations

from memoracle.extract.lexicon import Lexicon, has
from memoracle.extract.pattern import compiled

LONGEST_OBJECT = 160
_ARTICLES = compiled(r"(?:an?|the|some|my|our|this thing called|that)\s+(?=\S)")


def clean(text: str, lexicon: Lexicon, *, whole: bool = False) -> str:
    """An object as it is kept: trimmed at its tail and of its wrapping; `whole` keeps its tail."""
    kept = text.strip()
    if not whole:
        for tail in lexicon.tails:
            match = compiled(tail).search(kept)
            if match and match.start() > 0:
                kept = kept[: match.start()]
    kept = _unwrapped(kept)
    if lexicon.bounded and not whole:
        article = _ARTICLES.match(kept)
        kept = kept[article.end() :] if article else kept
    return shortened(kept)


def shortened(text: str) -> str:
    """At most as long as an object may be, cut between words."""
    if len(text) <= LONGEST_OBJECT:
        return text.strip()
    return (text[:LONGEST_OBJECT].rpartition(" ")[0] or text[:LONGEST_OBJECT]).strip()


def says_nothing(text: str, lexicon: Lexicon) -> bool:
    """True for “it”, “this bug”, “that one”: words for what lies on the table now."""
    low = text.strip().lower()
    if not any(ch.isalnum() for ch in low) or low in lexicon.empty_objects:
        return True
    return bool(lexicon.empty_starts) and has(low, lexicon, lexicon.empty_starts, "start")


def _unwrapped(text: str) -> str:
    kept = text.strip(" \t\"'“”‘’「」『』《》*_`~,，.。!！?？;；:：、…–—")
    # A bracket or a hyphen at the edge belongs to the object when its other half does.
    for left, right in ("()", "（）", "[]", "<>"):
        if kept.startswith(left) and right not in kept:
            kept = kept[1:]
        if kept.endswith(right) and left not in kept:
            kept = kept[:-1]
    return kept.strip(" -")
