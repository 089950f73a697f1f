"""What of a turn is worth keeping, by the tagger: beside the rules, and against them.

Rules know explicit wishes, pasted text, fiction and slots; what people say in passing, the tagger hears better. A turn
is tagged in windows of whole sentences with the turn before it, each by itself: where a reading begins depends on
flushes and kills, and what is tagged together differs in the last bits, so neither has a say in what is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from memoracle.inference.api import TaggedClaim, Utterance
from memoracle.learn.screen import ASKED, HEARD, OUTSPOKEN
from memoracle.model.claim import Fragment, Ruling
from memoracle.model.predicates import vital_kind
from memoracle.model.record import Channel
from memoracle.model.value import replace, value
from memoracle.text import is_unspaced

if TYPE_CHECKING:
    from memoracle.inference.api import Tagger

NOTHING = "the tagger finds nothing to keep"


@value
class Thresholds:
    """From which probability on something is kept; below which not even what rules propose is; what may be asked.

    Health, safety and identity, said in so many words, are kept whatever the tagger makes of them.
    """

    keep: float
    veto: float
    ask: float = 0.15


IN_TALK = Thresholds(keep=0.6, veto=0.05)
IN_PROJECTS = Thresholds(keep=0.6, veto=0.15)
OF_OTHERS = Thresholds(keep=0.8, veto=0.05)
"""Chosen on talk that the tagger had not learnt from: what the owner says, says at work, and what others say."""
_FOR_MACHINES = re.compile(r'[{\[]\s*"\w|"\s*:\s*["\[{]|</\w+>')
_SPEAKS = frozenset({Channel.OWNER, Channel.PERSON})
_LONGEST_WINDOW, _LONGEST_UNSPACED = 640, 160
_BEFORE = 300


@value
class Heard:
    """What the tagger heard in one sentence."""

    claims: tuple[TaggedClaim, ...]
    before: str
    """What was said just before it, by whom."""


def weigh(
    judged: Sequence[Fragment], tagger: Tagger, before: Mapping[str, str]
) -> tuple[list[Fragment], dict[str, Heard]]:
    """The fragments in their order as rules and tagger rule together, and what was heard in those that are kept.

    `before` holds, by the id of a turn, who said what before it.
    """
    ruled: list[Fragment] = []
    heard: dict[str, Heard] = {}
    for ref, turn in groupby(judged, lambda one: one.ref):
        said = before.get(ref, "")[-_BEFORE:]
        for window in _windows(list(turn)):
            if not any(map(_is_open, window)):
                ruled += window
                continue
            text = " ".join(one.text for one in window)
            (tagged,) = tagger.tag([Utterance(text=text, who=window[0].who, before=said)])
            limits = _limits(window[0])
            start = 0
            for one in window:
                end = start + len(one.text)
                own = tuple(claim for claim in tagged.claims if _share(claim.span, start, end))
                ruled.append(_ruled(one, tagged.keep, bool(own), limits))
                if own and tagged.keep >= limits.keep and ruled[-1].ruling is Ruling.KEEP:
                    heard[one.id] = Heard(claims=own, before=said)
                said, start = f"{said} {one.text}"[-_BEFORE:], end + 1
    return ruled, heard


def _limits(one: Fragment) -> Thresholds:
    if one.channel is Channel.PERSON:
        return OF_OTHERS
    return IN_PROJECTS if one.project else IN_TALK


def _is_open(one: Fragment) -> bool:
    """True where the tagger has a say: a person's own words that no rule has set apart or was asked to keep."""
    is_said = one.channel in _SPEAKS and not one.pasted and one.because != ASKED
    return is_said and (one.ruling is not Ruling.DROP or one.because in OUTSPOKEN)


def _ruled(one: Fragment, keep: float, is_heard: bool, limits: Thresholds) -> Fragment:
    if not _is_open(one):
        return one
    if keep >= limits.keep and is_heard and not _FOR_MACHINES.search(one.text):
        return one if one.ruling is Ruling.KEEP else replace(one, ruling=Ruling.KEEP, because=HEARD)
    least = limits.veto if one.ruling is Ruling.KEEP else limits.ask
    is_vital = one.ruling is Ruling.KEEP and vital_kind(one.text) is not None
    if one.ruling is not Ruling.DROP and keep < least and not is_vital:
        return replace(one, ruling=Ruling.DROP, because=NOTHING)
    return one


def _windows(turn: list[Fragment]) -> Iterator[list[Fragment]]:
    """Neighbouring sentences of a turn, as many as the tagger takes in at once."""
    window: list[Fragment] = []
    size = 0
    for one in turn:
        longest = _LONGEST_UNSPACED if is_unspaced(one.text) else _LONGEST_WINDOW
        if window and (size + len(one.text) > longest or one.pasted != window[0].pasted):
            yield window
            window, size = [], 0
        window.append(one)
        size += len(one.text)
    if window:
        yield window


def _share(span: tuple[int, int], start: int, end: int) -> bool:
    """True when half of the shorter of the two lies in the other."""
    shared = min(span[1], end) - max(span[0], start)
    return shared > 0 and 2 * shared >= min(span[1] - span[0], end - start)
