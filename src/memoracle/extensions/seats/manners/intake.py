"""Whether a request must be clarified first, and the one question to ask: a card with two to four options. Pure."""

from __future__ import annotations

import re

from memoracle.extensions.seats.manners import requests
from memoracle.extensions.seats.manners.language import CHINESE, choose
from memoracle.model.value import value

_SHORT_WORDS, _SHORT_LETTERS = 3, 7
_END = 4_000
_HAN = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
# What is asked about first: what cannot be taken back, then what costs most, then what is unclear.
_ORDER = ("irreversible", "costly", "cross-layer", "ambiguous", "vague", "think-along")


@value
class Option:
    """One answer that can be picked by its letter."""

    id: str
    label: str


@value
class Card:
    """One question with two to four answers."""

    question: str
    options: tuple[Option, ...]


@value
class Intake:
    """Whether to clarify first, for which reasons, and the card to show. Told to just do it, none is shown."""

    needed: bool
    reasons: tuple[str, ...]
    stopped: bool = False
    card: Card | None = None


def assess(request: str, *, asked: int = 0, language: str = "") -> Intake:
    """What a request needs before work begins; `asked` is how many questions this turn has held already."""
    if len(request) > 2 * _END:
        request = (
            f"{request[:_END]}\n{request[-_END:]}"  # what is wanted stands at the beginning or at the end
        )
    if requests.NOTHING.fullmatch(request):
        return Intake(needed=False, reasons=())
    found = _reasons(request)
    reasons = tuple(reason for reason in _ORDER if reason in found)
    if requests.STOP.search(request):
        return Intake(needed=False, reasons=reasons, stopped=True)
    if not reasons:
        return Intake(needed=False, reasons=())
    spoken = language or choose([request]).language
    return Intake(needed=True, reasons=reasons, card=None if asked else _card(reasons[0], spoken))


def _reasons(request: str) -> set[str]:
    anchored = requests.ANCHOR.search(request) is not None
    found = {
        "think-along": bool(requests.THINK.search(request)),
        "irreversible": bool(requests.IRREVERSIBLE.search(request)),
        "costly": bool(requests.COSTLY.search(request)),
        "cross-layer": sum(bool(layer.search(request)) for layer in requests.LAYERS.values()) > 1,
        "ambiguous": bool(requests.AMBIGUOUS.search(request)),
        "vague": not anchored and (bool(requests.VAGUE.search(request)) or _is_short(request)),
    }
    return {reason for reason, holds in found.items() if holds}


def _is_short(request: str) -> bool:
    """A word or two that could mean anything."""
    han, words = len(_HAN.findall(request)), len(_WORD.findall(request))
    return (
        han + words > 0
        and han <= _SHORT_LETTERS
        and words <= _SHORT_WORDS
        and (not han or words < 2 or han < 4)
    )


def _card(reason: str, language: str) -> Card:
    question, labels = (_CHINESE if language == CHINESE else _ENGLISH)[reason]
    return Card(
        question=question,
        options=tuple(Option(id=letter, label=label) for letter, label in zip("ABCD", labels, strict=False)),
    )


_ENGLISH = {
    "irreversible": (
        "This cannot be taken back. How shall it be done?",
        (
            "Show what would change first, then decide",
            "Do it on a copy or a branch",
            "Do it now, a backup is there",
            "Leave it",
        ),
    ),
    "costly": (
        "This is a lot of work. How far shall it go?",
        ("The smallest part that is useful by itself", "A plan with steps to approve one by one", "All of it, as said"),
    ),
    "cross-layer": (
        "This touches several layers. Where shall it begin?",
        ("The contract between them first", "One layer from end to end, thin", "All layers in one change"),
    ),
    "ambiguous": (
        "It can be read in more than one way. Which one is meant?",
        ("The first way", "The second way", "Both, the first one first", "Decide for me and say why"),
    ),
    "vague": (
        "How will you see that it is done?",
        ("A number gets better: name it", "A certain thing works: name it", "You judge by looking at a first draft"),
    ),
    "think-along": (
        "What shall the thinking lead to?",
        ("Two or three ways with their prices", "One recommendation with reasons", "Questions that sharpen the goal"),
    ),
}  # fmt: skip
_CHINESE = {
    "irreversible": (
        "这一步无法撤回，怎么做？",
        ("先列出会改什么，再定", "在副本或分支上做", "现在就做，已有备份", "先不做"),
    ),
    "costly": (
        "工作量较大，做到哪一步？",
        ("先做单独就有用的最小部分", "先出分步计划，逐步确认", "按说的全部做"),
    ),
    "cross-layer": (
        "涉及多个层面，从哪里开始？",
        ("先定层间的约定", "先打通一条最薄的完整链路", "所有层一次改完"),
    ),
    "ambiguous": (
        "有不止一种理解，是哪一种？",
        ("第一种", "第二种", "都要，先做第一种", "你来定，并说明理由"),
    ),
    "vague": ("怎样算做好了？", ("某个数字变好：请说是哪个", "某件事能用：请说是哪件", "先出一版，看了再说")),
    "think-along": ("想到什么程度？", ("两三种做法和各自代价", "一个建议和理由", "先提几个问题把目标想清楚")),
}
