"""What a sentence does: it states, asks, tells the agent to do something, or only keeps company."""

from __future__ import annotations

from memoracle.extract.lexicon import Lexicon, has, lexicons_for, without_start
from memoracle.model.fragment import Label

_LONGEST_SMALL_TALK = 120
_MOST_OPENERS = 4
_ASKS = ("?", "？", "?!", "？！")


def label(text: str) -> Label:
    """What a sentence does, by its whole, its end and its beginning."""
    lexicons = lexicons_for(text)
    if is_small_talk(text):
        return Label.SMALL_TALK
    if any(_asks(text, lexicon) for lexicon in lexicons):
        return Label.QUESTION
    if any(_tells(text, lexicon) for lexicon in lexicons):
        return Label.INSTRUCTION
    return Label.STATEMENT


def is_small_talk(text: str) -> bool:
    """True when the whole of it greets, thanks or acknowledges, or has no letter at all."""
    if len(text) > _LONGEST_SMALL_TALK:
        return False
    if not any(ch.isalnum() for ch in text):
        return True
    return any(has(text, lexicon, lexicon.small_talk, "whole") for lexicon in lexicons_for(text))


def opened(text: str, lexicon: Lexicon) -> str:
    """The sentence without what opens it and says nothing: “well,”, “hi there,”, “please remember that”."""
    for _ in range(_MOST_OPENERS):
        before = text
        text = without_start(text, lexicon, lexicon.lead_ins)
        text = without_start(text, lexicon, lexicon.openers)
        if text == before:
            break
    return text


def _asks(text: str, lexicon: Lexicon) -> bool:
    bare = text.rstrip("\"'”’)）」』 ")
    if bare.endswith(_ASKS):
        return True
    body = opened(bare, lexicon)
    return has(body, lexicon, lexicon.questions, "start") or (
        not lexicon.bounded and has(bare, lexicon, lexicon.question_ends, "end")
    )


def _tells(text: str, lexicon: Lexicon) -> bool:
    return has(opened(text, lexicon), lexicon, lexicon.imperatives, "start") or has(
        text, lexicon, lexicon.imperatives, "start"
    )
