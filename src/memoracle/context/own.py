"""What of a passage may be told unasked: records, and words that their owner wrote or said themselves.

Whose words they are is told by where they stand, not by what they say: an assistant's turn and another person's are
nobody's here, a pasted part of the owner's turn is left out, and so is what a note quotes or fences. Then, as a side
figure, whatever reads like an injected order. All of it is still found when somebody asks. Never changes a text.
"""

from __future__ import annotations

import re

from memoracle.model.hit import Passage, Source
from memoracle.model.origin import QUOTED, Channel

_MARKUP = re.compile(
    r"\s*(?:#{1,6}(?:\s.*)?|#tags\s*[:：].*|(?:[-*+]\s+)?(?:\[[ xX]?\]\s*)?(?:\d{1,3}[.)])?\s*)"
)
_EMBEDDED = re.compile(
    r"<!--.*?-->|!\[\[[^\]]*\]\]|!\[[^\]]*\]\([^)]*\)|\{\{.*?\}\}|<%.*?%>|</?[a-zA-Z][^>]*>"
)


def own_words(passage: Passage) -> str:
    """The words of a passage that may be told unasked; empty when there are none."""
    if passage.source is Source.RECORD:
        return passage.text  # whose word it is, and who vouches for it, was looked at before
    if passage.source is Source.NOTE and passage.channel in QUOTED:
        return ""
    if passage.source is Source.NOTE:
        return "\n\n".join(part for part in _written(passage.text) if not reads_like_an_order(part))
    if passage.source is Source.TURN and passage.channel == Channel.OWNER:
        return _said(passage.text)
    return ""


def as_noted(passage: Passage, says: str) -> str:
    """Words as they are told unasked: an agent's are marked as what they are."""
    is_agents = passage.source is Source.RECORD and passage.channel == Channel.AGENT
    return f"an agent noted: {says}" if is_agents else says


def reads_like_an_order(text: str, *, to_a_fellow: bool = False) -> bool:
    """True for what the rules about hidden text and injected instructions see in a text from outside."""
    from memoracle.policy.quarantine import suspicions

    return bool(suspicions(text, Channel.AGENT if to_a_fellow else Channel.EXTERNAL))


def says_nothing(line: str) -> bool:
    """True for a heading, a rule, a comment, an embedded picture, an empty item or field of a template."""
    return bool(_MARKUP.fullmatch(line)) or not any(ch.isalnum() for ch in _EMBEDDED.sub("", line))


def _written(text: str) -> list[str]:
    from memoracle.extract.fences import lines_of_others

    lines = text.split("\n")
    gone = lines_of_others(lines)
    kept = "\n".join("" if at in gone or says_nothing(line) else line for at, line in enumerate(lines))
    return [part.strip("\n") for part in re.split(r"\n[ \t]*\n", kept) if part.strip()]


def _said(text: str) -> str:
    from memoracle.extract.passages import paragraphs
    from memoracle.extract.pasting import without_quotations

    together = ["\n".join(map(without_quotations, lines)) for lines in paragraphs(text)]
    pasted = [reads_like_an_order(one) for one in together]
    # Behind a paragraph that somebody else wrote the rest is theirs as well, as far as anybody can tell.
    first = together[:1] if any(pasted) else together
    return "\n\n".join(one for one, is_pasted in zip(first, pasted, strict=False) if not is_pasted)
