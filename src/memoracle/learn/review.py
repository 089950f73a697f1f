"""The weekly review: what happened lately that may deserve a lasting place. It proposes; the owner decides.

Pure: notes and records in, questions out. Lessons seen three times, friction met twice, decisions that stand in a
daily note alone, beliefs near their promotion and preferences that came up again become candidates. The same
candidate has the same id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta, tzinfo

from memoracle.learn.evidence import PROMOTED_FROM, confirmations, kind_of
from memoracle.learn.inbox import PINNED, question_id
from memoracle.model.inbox import Item, Matter
from memoracle.model.record import Kind, Record, Status
from memoracle.model.report import Step
from memoracle.model.value import value
from memoracle.text import normalise
from memoracle.times import day_in

NOTHING = "No meaningful changes"
DAYS = 7
LESSON_SEEN = 3
FRICTION_SEEN = 2
PREFERENCE_SEEN = 2
NEARLY = 0.7

_SPEAKING = {
    Kind.DECISION: ("decision", "decided", "决定", "决策"),
    Kind.LESSON: ("lesson", "learned", "learning", "signal", "教训", "经验", "学到"),
    Kind.PREFERENCE: ("preference", "偏好", "喜好"),
}
_CLOSING = {
    **dict.fromkeys(("Decisions:", "决定：", "决定:", "决策：", "决策:"), Kind.DECISION),
    **dict.fromkeys(("Signal:", "信号：", "信号:", "收获：", "收获:", "心得：", "心得:"), Kind.LESSON),
}
_BULLET = re.compile(r"\s{0,8}(?:[-*+]|\d{1,3}[.)])[ \t]+(\S.*)")
_HEADING = re.compile(r"#{1,6}[ \t]+(.*)")
_FRICTION = re.compile(r"\s{0,8}(?:[-*+][ \t]+)?#friction\s?[:：](.*)", re.IGNORECASE)
_NAMED = re.compile(r"`[^`\s]{6,80}`\s*$|\bmem_[0-9A-Z]{8}|\[\[")
_NOTHING_SAID = frozenset({"", "none", "n/a", "-", "无", "没有", "nothing"})
_EDGES = " \t.,;:!?。，；：！？—-*_\"'“”‘’"


@value
class Page:
    """A daily note: its place, its day, and its owner's lines with their numbers."""

    path: str
    day: date
    lines: tuple[tuple[int, str], ...]


@value
class Noted:
    """Something that a line of a daily note says."""

    kind: Kind
    text: str
    place: str
    day: date
    friction: bool = False
    """It tells of time that was lost."""

    @property
    def key(self) -> str:
        """What two lines that say the same share."""
        return _key(self.text)


@value
class Review:
    """What a review did and asks: `items` are all questions that wait. `message` says how it ended."""

    message: str
    items: tuple[Item, ...] = ()
    steps: tuple[Step, ...] = ()
    accepted: tuple[str, ...] = ()


def candidates(
    records: Sequence[Record], pages: Iterable[Page], *, now: datetime, zone: tzinfo
) -> list[Item]:
    """What the last seven days suggest, in a steady order. `records` are the standing ones."""
    since = day_in(zone, now) - timedelta(days=DAYS)
    noted = [one for page in pages for one in noted_in(page)]
    homes = {_key(record.text): record for record in records if record.status is not Status.FORGOTTEN}
    return [
        *_lessons(noted, homes, since, now),
        *_decisions(noted, homes, since, now),
        *_beliefs(records, now),
        *_preferences(records, noted, homes, since, now),
    ]


def noted_in(page: Page) -> Iterator[Noted]:
    """What a page states: decisions, lessons and preferences under such a heading, closing and friction lines."""
    kind: Kind | None = None
    for number, line in page.lines:
        if heading := _HEADING.fullmatch(line):
            title = normalise(heading[1])
            kind = next(
                (one for one, words in _SPEAKING.items() if any(word in title for word in words)), None
            )
            continue
        if friction := _FRICTION.fullmatch(line):
            if said := friction[1].strip():
                yield Noted(
                    kind=Kind.LESSON, text=said, place=f"{page.path}#L{number}", day=page.day, friction=True
                )
            continue
        closing = next((name for name in _CLOSING if line.startswith(name)), "")
        bullet = _BULLET.fullmatch(line) if kind and not closing else None
        said = line.removeprefix(closing).strip() if closing else bullet[1].strip() if bullet else ""
        speaks = _CLOSING[closing] if closing else kind
        # A line that names a record, or links to a note, has its home there.
        if speaks and _key(said) not in _NOTHING_SAID and not _NAMED.search(said):
            yield Noted(kind=speaks, text=said, place=f"{page.path}#L{number}", day=page.day)


def _lessons(noted: list[Noted], homes: dict[str, Record], since: date, now: datetime) -> Iterator[Item]:
    for key, lines in _grouped(noted, Kind.LESSON).items():
        home = homes.get(key)
        seen = len(lines) + (home is not None)
        enough = FRICTION_SEEN if any(line.friction for line in lines) else LESSON_SEEN
        if seen >= enough and lines[-1].day >= since and not (home and home.pinned):
            because = f"seen {seen} times, last on {lines[-1].day}"
            yield _about_record(home, PINNED, because, now) if home else _about_line(lines[0], because, now)


def _decisions(noted: list[Noted], homes: dict[str, Record], since: date, now: datetime) -> Iterator[Item]:
    for key, lines in _grouped(noted, Kind.DECISION).items():
        if key not in homes and lines[-1].day >= since:
            yield _about_line(lines[0], "it stands in a daily note and nowhere else", now)


def _beliefs(records: Sequence[Record], now: datetime) -> Iterator[Item]:
    for record in records:
        confidence = record.weight.confidence
        if (
            record.kind is Kind.BELIEF
            and record.status is Status.ACTIVE
            and NEARLY <= confidence < PROMOTED_FROM
        ):
            because = f"memory is {confidence:.0%} sure of it"
            yield _about_record(record, kind_of(record).value, because, now)


def _preferences(
    records: Sequence[Record], noted: list[Noted], homes: dict[str, Record], since: date, now: datetime
) -> Iterator[Item]:
    for record in records:
        again = confirmations(record) if record.kind is Kind.PREFERENCE else 0
        if record.status is Status.ACTIVE and not record.pinned and again >= PREFERENCE_SEEN - 1:
            yield _about_record(record, PINNED, f"said in {again + 1} conversations", now)
    for key, lines in _grouped(noted, Kind.PREFERENCE).items():
        days = {line.day for line in lines}
        if key not in homes and len(days) >= PREFERENCE_SEEN and lines[-1].day >= since:
            yield _about_line(lines[0], f"noted on {len(days)} days", now)


def _grouped(noted: Iterable[Noted], kind: Kind) -> dict[str, list[Noted]]:
    found: dict[str, list[Noted]] = {}
    for one in sorted(noted, key=lambda one: (one.day, one.place)):
        if one.kind is kind:
            found.setdefault(one.key, []).append(one)
    return found


def _about_record(record: Record, proposal: str, because: str, now: datetime) -> Item:
    return Item(
        id=question_id(Matter.PROMOTION, (record.id, proposal)),
        matter=Matter.PROMOTION,
        about=(record.id,),
        proposal=proposal,
        because=because,
        since=now,
    )


def _about_line(noted: Noted, because: str, now: datetime) -> Item:
    # The words make the id, not the place: a note that grows does not ask again.
    return Item(
        id=question_id(Matter.PROMOTION, (noted.kind.value, noted.key)),
        matter=Matter.PROMOTION,
        about=(noted.place,),
        proposal=f"{noted.kind.value}: {noted.text}",
        because=because,
        since=now,
    )


def _key(text: str) -> str:
    return " ".join(normalise(text).split()).strip(_EDGES)
