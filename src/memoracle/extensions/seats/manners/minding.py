"""Manners as acts: what the operator said, what is stored, what a project is for. Changes nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle import settings
from memoracle.errors import BadInput, MemoracleError
from memoracle.extensions.seats.errors import NoNorthStar
from memoracle.extensions.seats.manners.drift import Drift, DriftMeasures, check_drift
from memoracle.extensions.seats.manners.key_facts import key_facts
from memoracle.extensions.seats.manners.language import Choice, choose, usual
from memoracle.extensions.seats.manners.north_star import read_north_star
from memoracle.hosts.ingesting import find_sources
from memoracle.hosts.reading import hear
from memoracle.model.search import EvidenceSource, Filters, Passage
from memoracle.model.value import replace, value
from memoracle.recall.answers import search
from memoracle.store.layouts import resolve
from memoracle.text import telling_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.root import Root

_RECENT = 20
_KEPT = frozenset({EvidenceSource.RECORD, EvidenceSource.NOTE})


@value
class Checked:
    """One key fact of a turn: its sort, its words, and where memory says the same; nowhere when it does not."""

    kind: str
    text: str
    cite: str = ""


@value
class Advice:
    """Whether compaction may be advised now, and what would be lost."""

    advise: bool
    because: str
    facts: tuple[Checked, ...]

    @property
    def missing(self) -> tuple[Checked, ...]:
        """What memory does not hold yet."""
        return tuple(fact for fact in self.facts if not fact.cite)


def reply_language(
    root: Root, messages: Sequence[str] = (), *, transcript: str = "", current: str = ""
) -> Choice:
    """The language of a reply: that of the operator's last three messages, when they are clearly in one."""
    said = list(messages)
    if transcript:
        said = [turn.text for turn in _turns_of(root, transcript) if turn.channel == "owner"] + said
    found = choose(said, default=settings.reply_language(root.settings), current=current)
    return found if found.language else replace(found, language=usual(_owners_words(root), os.environ))


def compact_advice(root: Root, facts: Sequence[str] = (), *, turn: str = "", transcript: str = "") -> Advice:
    """Whether compaction may be advised: only when this turn's key facts are stored; otherwise what is missing."""
    wanted = [("given", fact) for fact in facts if fact.strip()]
    spoken = [*([turn] if turn else []), *(_latest(root, transcript) if transcript else ())]
    wanted += [one for text in spoken for one in key_facts(text)]
    checked = tuple(
        Checked(kind=kind, text=root.guard.hide(text), cite=_place_of(root, text))
        for kind, text in dict.fromkeys(wanted)
    )
    missing = sum(not fact.cite for fact in checked)
    if missing:
        return Advice(
            advise=False, because=f"{missing} of {len(checked)} key facts are not stored", facts=checked
        )
    because = f"all {len(checked)} key facts are stored" if checked else "this turn holds no key facts"
    return Advice(advise=True, because=because, facts=checked)


def drift(
    root: Root,
    project: str,
    *,
    language: str = "",
    scope: float | None = None,
    new_requirements: int = 0,
    blocked: float | None = None,
    time: float | None = None,
    broken_assumptions: int = 0,
    unrelated_dispatches: int = 0,
    hours_without_progress: float | None = None,
    doing: str = "",
) -> Drift:
    """Whether work has left the goal of a project's north star, by measured numbers."""
    measured = DriftMeasures(
        scope=scope,
        new_requirements=new_requirements,
        blocked=blocked,
        time=time,
        broken_assumptions=broken_assumptions,
        unrelated_dispatches=unrelated_dispatches,
        hours_without_progress=hours_without_progress,
        doing=doing,
    )
    project = root.reader.project(project)
    path = resolve(root.store.layout, "north_star", project=project)
    content = root.store.volume.read(path)
    if not content:
        raise NoNorthStar(project, path)
    star = read_north_star(root.guard.hide(content.decode("utf-8-sig", "replace")))
    return check_drift(star, measured, language=language)


def _owners_words(root: Root) -> Sequence[str]:
    """What the owner kept or said last, the newest first."""
    root.view.catch_up()
    wanted = Filters(channel="owner")
    found = root.view.ask(lambda: root.index.list_records(wanted, _RECENT, root.clock()))
    return [one.passage.text for one in found]


def _turns_of(root: Root, transcript: str) -> Sequence[Passage]:
    """The turns of a transcript, oldest first; one that is no conversation has none."""
    sources, _ = find_sources(root, transcript)
    if not sources:
        raise BadInput(f"no conversation can be read at {transcript}")
    heard = [hear(str(one.path), one.shape.value, "", hide=root.guard.hide_all) for one in sources]
    return [passage for one in heard for passage in one.passages]


def _latest(root: Root, transcript: str) -> list[str]:
    """What was said since the operator's last message, that one included."""
    turns = list(_turns_of(root, transcript))
    last = max((at for at, turn in enumerate(turns) if turn.channel == "owner"), default=0)
    return [turn.text for turn in turns[last:] if turn.channel in {"owner", "agent"}]


def _place_of(root: Root, fact: str) -> str:
    found: tuple[Passage, ...] = ()
    with suppress(MemoracleError):
        answer = search(root, fact, limit=20)
        found = tuple(hit.passage for hit in (*answer.hits, *answer.near) if hit.passage.source in _KEPT)
    return next((one.cite for one in found if is_stored(fact, [f"{one.title} {one.text}"])), "")


_NEARLY = 0.8
_EXACT = re.compile(r"\d[\d.:,/-]*\d|\d|#\d+|\b[A-Z]{2,10}-\d+\b", re.ASCII)


def is_stored(fact: str, passages: Iterable[str]) -> bool:
    """True when one of these passages says it. Every number of the fact must stand there as it is."""
    terms = set(telling_terms(fact))
    exact = set(_EXACT.findall(fact))
    if not terms:
        return True  # it says nothing that could be lost
    return any(
        len(terms & set(telling_terms(text))) >= _NEARLY * len(terms) and exact <= set(_EXACT.findall(text))
        for text in passages
    )
