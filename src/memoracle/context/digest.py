"""The digest of a day: what was learned, decided, preferred and left to do, each line naming its record.

Pure. A day is the owner's day on which the words were said, whenever they were read. It is digested
again whenever the records of that day have changed, so nothing said late at night or read late is missed.
Ageing changes no digest: what was learned on a day stays learned on it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, tzinfo
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from memoracle.context.choose import stands_alone
from memoracle.context.hot import as_noted, is_chinese
from memoracle.guard.guard import is_vouched_for
from memoracle.model.ids import content_key
from memoracle.model.predicates import under_name, unnamed
from memoracle.model.record import OUTSIDE, TRUST, Channel, Kind, Sensitivity, Status
from memoracle.model.report import Done, Step
from memoracle.model.search import Passage, Standing, cited, on_one_line
from memoracle.registry import point
from memoracle.store.daily import fresh_daily, place_of_day
from memoracle.store.generated import put_block
from memoracle.store.run_log import critical_on
from memoracle.store.volume import read_document, write_document
from memoracle.times import day_in

if TYPE_CHECKING:
    from memoracle.store.store import Store

SECTIONS = ("Facts Learned", "Decisions Made", "Preferences Noted", "Action Items")
_CHINESE = ("新知", "决定", "偏好", "待办")
NAME = "digest"

_SECTION_OF = {
    Kind.DECISION: "Decisions Made",
    Kind.PREFERENCE: "Preferences Noted",
    Kind.RULE: "Preferences Noted",
    Kind.TASK: "Action Items",
    Kind.PLAN: "Action Items",
}
_LEFT_OUT = frozenset({Status.QUARANTINED, Status.RETRACTED, Status.WITHDRAWN, Status.FORGOTTEN})
_LONGEST = 120


def by_day(
    standing: Iterable[Standing], zone: tzinfo, pages: Sequence[Passage] = ()
) -> dict[date, list[Passage]]:
    """The records that belong into digests and pages of seats, by the owner's day, in the order they were said."""
    days: dict[date, list[Passage]] = {}
    for passage in (*(one.passage for one in standing if _belongs(one.passage)), *pages):
        if passage.at is not None:
            days.setdefault(day_in(zone, passage.at), []).append(passage)
    for held in days.values():
        held.sort(key=lambda passage: (passage.at, passage.ref))
    return dict(sorted(days.items()))


def days_to_digest(
    days: Mapping[date, Sequence[Passage]],
    digested: Mapping[str, str],
    broken: Mapping[str, str] = MappingProxyType({}),
) -> dict[date, Sequence[Passage]]:
    """The days whose records are not what was digested; `digested` holds what each day's digest was made from.

    `broken` names the days on which upkeep found something critical.
    """
    every = {**{date.fromisoformat(day): () for day in broken if _is_day(day)}, **days}
    due: dict[date, Sequence[Passage]] = {
        day: held
        for day, held in every.items()
        if digested.get(day.isoformat()) != made_from(held, broken.get(day.isoformat(), ""))
    }
    known = {day.isoformat() for day in every}
    # A day that has lost its last record still shows it: its words may have been erased.
    due |= {date.fromisoformat(day): () for day in digested if day not in known}
    return dict(sorted(due.items()))


def made_from(passages: Sequence[Passage], broken: str = "") -> str:
    """What identifies the content of a digest."""
    shown = [(one.ref, one.kind, one.text, one.where, *_sureness(one)) for one in passages]
    return content_key(*(part for one in shown for part in one), *filter(None, [broken]))


def compose_digest(passages: Sequence[Passage], broken: str = "") -> str:
    """The four sections; one in which nothing happened says so. What was found broken on the day stands before them."""
    lines: dict[str, list[str]] = {section: [] for section in SECTIONS}
    told: set[str] = set()
    for passage in passages:
        if passage.text in told:  # a sentence that gave two records is told once
            continue
        told.add(passage.text)
        lines[_SECTION_OF.get(Kind(passage.kind), SECTIONS[0])].append(_line(passage))
    zh = is_chinese([one.text for one in passages])
    titles, none = (_CHINESE, "- 无") if zh else (SECTIONS, "- none")
    danger = [f"> Memory was damaged or in danger on this day: {broken}."] * bool(broken)
    return "\n\n".join(
        [
            *danger,
            *(
                f"## {title}\n" + "\n".join(lines[section] or [none])
                for title, section in zip(titles, SECTIONS, strict=True)
            ),
        ]
    )


def _belongs(passage: Passage) -> bool:
    return (
        passage.status not in _LEFT_OUT
        and passage.kind != Kind.SUMMARY
        and passage.channel not in OUTSIDE
        and stands_alone(passage)
        and passage.trust >= TRUST[Channel.AGENT]
        and is_vouched_for(passage)
        and passage.sensitivity != Sensitivity.SECRET
    )


def _line(passage: Passage) -> str:
    said = under_name(passage.text, unnamed(passage, passage.text))
    says = as_noted(passage, on_one_line(said, tokens=_LONGEST))
    says += f" (project {passage.project})" if passage.project else ""
    says += "".join(_sureness(passage))
    source = f" (from {on_one_line(passage.where, tokens=60)})" if passage.where else ""
    return cited(f"- {says}{source}", passage.ref)


def _sureness(passage: Passage) -> tuple[str, ...]:
    """How sure memory is of what it only believes, as the digest shows it."""
    return (f" ({passage.confidence:.0%} sure)",) if passage.kind == Kind.BELIEF else ()


# Digests on disk: a generated block in the daily note of each day that needs one.

_FILE = "digests.json"


def publish_digests(
    store: Store,
    standing: Sequence[Standing],
    *,
    zone: tzinfo,
    only: date | None = None,
    dry_run: bool = False,
    meanwhile: Callable[[], None] = lambda: None,
) -> Done:
    """Bring the digests of all days that need it up to date, or of one day whether it needs it or not."""
    adopted = None if only else store.adopted()
    # The days before a directory was adopted were told by the program that kept it then, or by nobody.
    first = day_in(zone, adopted.at) if adopted else date.min
    every: Sequence[Passage] = (point("day_pages") or _none)(store)
    days = {day: found for day, found in by_day(standing, zone, every).items() if day >= first}
    digested = _digested(store)
    critical = critical_on(store)
    due = {only: days.get(only, ())} if only else days_to_digest(days, digested, critical)
    steps, findings = [], []
    noted: dict[str, str] = {}
    for day, passages in due.items():
        broken = critical.get(day.isoformat(), "")
        put = put_block(
            store.volume,
            place_of_day(store, day),
            NAME,
            partial(_composed, passages, broken),
            fresh=fresh_daily(store.layout_name, day),
            dry_run=dry_run,
            meanwhile=meanwhile,
        )
        if put.finding:
            findings.append(put.finding)
            continue
        noted[day.isoformat()] = made_from(passages, broken) if passages or broken else ""
        if put.changed:
            because = (
                f"{len(passages)} records of {day}" if passages or broken else f"nothing of {day} is left"
            )
            steps.append(Step(act="digest", target=put.path, because=because))
    if noted and not dry_run:
        kept = {day: key for day, key in {**digested, **noted}.items() if key}
        if kept != digested:
            write_document(store.volume, store.state_name(_FILE), dict(sorted(kept.items())))
    return Done(steps=tuple(steps), findings=tuple(findings))


def undo_digests(store: Store, paths: Collection[str]) -> None:
    """Have the digests in these notes made anew: lines were taken out of them."""
    digested = _digested(store)
    kept = {
        day: "" if place_of_day(store, date.fromisoformat(day)) in paths else key
        for day, key in digested.items()
    }
    if kept != digested:
        write_document(store.volume, store.state_name(_FILE), kept)


def _none(_store: Store) -> Sequence[Passage]:
    return ()


def _composed(passages: Sequence[Passage], broken: str, _before: str, _owners: str) -> str:
    return compose_digest(passages, broken) if passages or broken else ""


def _digested(store: Store) -> Mapping[str, str]:
    held = read_document(store.volume, store.state_name(_FILE))
    return {day: key for day, key in held.items() if isinstance(key, str) and _is_day(day)}


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
