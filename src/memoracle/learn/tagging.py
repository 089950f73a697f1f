"""What of a turn is worth keeping, by the tagger: beside the rules, and against them.

Rules know explicit wishes, pasted text, fiction and slots; what people say in passing, the tagger hears better. A turn
is tagged in windows of whole sentences with the turn before it, each by itself: where a reading begins depends on
flushes and kills, and what is tagged together differs in the last bits, so neither has a say in what is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from memoracle.inference.api import TaggedClaim, Utterance
from memoracle.learn.rules import has, lexicons_for
from memoracle.learn.screen import A_QUESTION, ASKED, CLEAR, HEARD, OUTSPOKEN
from memoracle.learn.times import resolve
from memoracle.model.claim import Fragment, Ruling
from memoracle.model.predicates import vital_kind
from memoracle.model.record import Channel
from memoracle.model.value import replace, value
from memoracle.text import is_unspaced

if TYPE_CHECKING:
    from memoracle.inference.api import Tagged, Tagger

NOTHING = "the tagger finds nothing to keep"


@value
class Thresholds:
    """From which probability on something is kept; below which not even what rules propose is; what may be asked.

    What a rule reads of health, safety and identity, and of a day to come, is kept whatever the tagger makes of it.
    """

    keep: float
    veto: float
    ask: float = 0.15


IN_TALK = Thresholds(keep=0.6, veto=0.15)
IN_PROJECTS = Thresholds(keep=0.65, veto=0.15)
OF_OTHERS = Thresholds(keep=0.75, veto=0.15)
"""Chosen on talk that the tagger had not learnt from: what the owner says, says at work, and what others say."""
_FOR_MACHINES = re.compile(r'[{\[]\s*"\w|"\s*:\s*["\[{]|</\w+>')
_SPEAKS = frozenset({Channel.OWNER, Channel.PERSON})
_LONGEST_WINDOW, _LONGEST_UNSPACED = 640, 160
_BEFORE = 300
_LONGEST_TOGETHER, _A_FEW_WORDS = 240, 36
"""In bytes: how long sentences that are kept as one may be, and what hardly says anything alone."""
_WITH_A_DAY = 0.15
"""How much less will do where the owner names a day to come."""
_HELPS = 0.1
"""How much likelier it has to be understood with a neighbour for that to be kept with it."""


@value
class Heard:
    """What the tagger heard in a sentence, or in neighbouring ones."""

    claims: tuple[TaggedClaim, ...]
    said: tuple[str, ...]
    """The sentence that each of the claims stands in."""
    before: str
    """What was said just before it, by whom."""
    text: str = ""
    """The sentences in which it stands, where that is not the one sentence alone."""
    clear: float = 1.0
    """How likely it is understood by who reads only that."""
    kinds: Mapping[str, float] | None = None
    """What these sentences are taken for by who reads only them, and how likely; None where nobody looked."""


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
            start, found, first = 0, {}, len(ruled)
            for one in window:
                end = start + len(one.text)
                own = tuple(claim for claim in tagged.claims if _share(claim.span, start, end))
                ruled.append(_ruled(one, tagged.keep, bool(own), limits))
                is_heard = tagged.keep >= limits.keep or ruled[-1].because == HEARD
                if own and is_heard and ruled[-1].ruling is Ruling.KEEP:
                    found[one.id] = Heard(claims=own, said=(one.text,) * len(own), before=said)
                said, start = f"{said} {one.text}"[-_BEFORE:], end + 1
            heard |= _together(ruled[first:], found, tagger)
    return ruled, heard


def _together(window: Sequence[Fragment], heard: Mapping[str, Heard], tagger: Tagger) -> dict[str, Heard]:
    """What was heard in neighbouring sentences that no rule knows, as one; with what stands beside it if that helps.

    “Changed Monday. Six to two now.” are two sentences and one thing to know.
    """
    found = dict(heard)
    alone = {one.id for one in window if one.because == HEARD and one.id in heard}
    for is_alone, run in groupby(enumerate(window), lambda pair: pair[1].id in alone):
        for begin, end in _runs(window, [place for place, _ in run]) if is_alone else ():
            group = window[begin:end]
            own = [
                one.id for one in group if one.id in alone
            ]  # a neighbour that a rule has read stays what it is
            for name in own:
                found.pop(name, None)
            text, alone_read = _clearest(window, begin, end, heard, tagger)
            found[own[0]] = Heard(
                claims=tuple(claim for name in own for claim in heard[name].claims),
                said=tuple(sentence for name in own for sentence in heard[name].said),
                before=heard[own[0]].before,
                text=text,
                clear=round(alone_read.alone, 2),
                kinds=_likeliest(alone_read.claims),
            )
    return found


def _likeliest(claims: Sequence[TaggedClaim]) -> dict[str, float]:
    """How likely the likeliest of each kind is."""
    return {
        one.kind.label: one.kind.probability for one in sorted(claims, key=lambda one: one.kind.probability)
    }


def _clearest(
    window: Sequence[Fragment], begin: int, end: int, heard: Mapping[str, Heard], tagger: Tagger
) -> tuple[str, Tagged]:
    """These sentences as they read alone, with a neighbour that is not kept itself where that helps to understand."""

    def text_of(first: int, last: int) -> str:
        joint = "" if is_unspaced(window[begin].text) else " "
        return joint.join(one.text.strip() for one in window[first:last])

    def may_help(place: int) -> bool:
        return 0 <= place < len(window) and window[place].id not in heard and _may_join(window[place])

    text = text_of(begin, end)
    (best,) = tagger.tag([Utterance(text=text)])
    if round(best.alone, 2) >= CLEAR:
        return text, best
    starts = [begin, begin - 1] if may_help(begin - 1) else [begin]
    ends = [end, end + 1] if may_help(end) else [end]
    for wider in (text_of(first, last) for first in starts for last in ends):
        if len(wider.encode()) > _LONGEST_TOGETHER:
            continue
        (read,) = tagger.tag([Utterance(text=wider)])
        if round(read.alone, 2) >= round(best.alone, 2) + _HELPS:
            text, best = wider, read
    return text, best


def _runs(window: Sequence[Fragment], places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The sentences at these places in runs that are not too long; too short ones with a neighbour."""

    def size(begin: int, end: int) -> int:
        return sum(len(one.text.encode()) for one in window[begin:end])

    begin = places[0]
    for place in places:
        if size(begin, place + 1) > _LONGEST_TOGETHER and place > begin:
            yield begin, place
            begin = place
    end = places[-1] + 1
    if size(begin, end) < _A_FEW_WORDS:
        if begin > 0 and _may_join(window[begin - 1]) and size(begin - 1, end) <= _LONGEST_TOGETHER:
            begin -= 1
        elif end < len(window) and _may_join(window[end]) and size(begin, end + 1) <= _LONGEST_TOGETHER:
            end += 1
    yield begin, end


def _may_join(one: Fragment) -> bool:
    """True for the speaker's own words that tell: nothing that rules have set apart stands in for them."""
    is_plain = (
        one.ruling is not Ruling.DROP or one.because == NOTHING or one.because in OUTSPOKEN - {A_QUESTION}
    )
    return is_plain and not one.pasted


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
    is_kept = keep >= limits.keep or (keep >= limits.keep - _WITH_A_DAY and _names_a_day(one))
    if is_kept and is_heard and not _FOR_MACHINES.search(one.text):
        return one if one.ruling is Ruling.KEEP else replace(one, ruling=Ruling.KEEP, because=HEARD)
    is_rules = one.ruling is Ruling.KEEP
    if one.ruling is Ruling.DROP or keep >= (limits.veto if is_rules else limits.ask):
        return one
    if is_rules and (vital_kind(one.text) or _names_a_day(one) or _is_aside(one.text)):
        return one
    return replace(one, ruling=Ruling.DROP, because=NOTHING)


def _is_aside(text: str) -> bool:
    """“By the way”: it is told on purpose, however small."""
    return any(has(text, lexicon, lexicon.aside) for lexicon in lexicons_for(text))


def _names_a_day(one: Fragment) -> bool:
    """True where a day to come is named, or an hour of this one by an appointment: a plan or an appointment."""
    span = resolve(one.text, one.at, UTC) if one.at and one.channel is Channel.OWNER else None
    ahead = timedelta(0) if one.because.startswith("schedule.") else timedelta(hours=12)
    return span is not None and one.at is not None and span.last > one.at + ahead


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
