"""The weekly review: what happened lately that may deserve a lasting place. It proposes; the owner decides.

Pure: notes and records in, questions out. What is called a lesson, lessons seen three times, friction met twice,
decisions that stand in a daily note alone, beliefs near their promotion and preferences that came up again become
candidates. The same candidate has the same id.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta, tzinfo
from functools import partial
from typing import TYPE_CHECKING

from memoracle.errors import AlreadyRunning, CannotChange, MemoracleError, UnknownQuestion, UnknownRecord
from memoracle.learn.draft import question, question_about
from memoracle.learn.evidence import PROMOTED_FROM, confirmations, kind_of
from memoracle.learn.inbox import PINNED, answer_all, choose, diff_of, is_moot, may_always, new_words, rule_of
from memoracle.learn.record_sets import StoredRecordSet
from memoracle.learn.records import as_it_stands, receipt_of, said_before, standing_as
from memoracle.model.inbox import ONE_BY_ONE, InboxItem, Matter, Sentence
from memoracle.model.record import Kind, Record, Status, newest
from memoracle.model.report import Done, Plan, Step
from memoracle.model.value import replace, value
from memoracle.registry import point
from memoracle.store.chunks import split_lines
from memoracle.store.daily import owners_days, read_buffer
from memoracle.store.inbox import ask, read_inbox
from memoracle.store.layouts import NoteRole
from memoracle.store.notes import read_text
from memoracle.store.run_log import critical_now
from memoracle.text import normalise, shorten, telling_terms
from memoracle.times import day_in

if TYPE_CHECKING:
    from memoracle.model.report import Receipt
    from memoracle.root import Root


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
_CALLED = re.compile(
    r"\s{0,8}(?:[-*+][ \t]+)?(?:\*\*)?"
    r"(?:(?P<lesson>lessons? learned|lesson|教训|经验)|decision|decided|决定|决策)(?:\*\*)?\s?[:：]\s?(?:\*\*)?(.*)",
    re.IGNORECASE,
)
"""A line that says itself what it is."""
_FRICTION = re.compile(r"(?P<before>.*?)#friction\b\s?[:：]?(?P<after>.*)", re.IGNORECASE)
_LEAD = re.compile(r"\s{0,8}(?:[-*+][ \t]+)?")
_WAITING = frozenset(
    {"wait", "waited", "waiting", "minute", "minutes", "min", "hour", "hours", "again", "分钟", "小时"}
)
_NAMED = re.compile(r"`[^`\s]{6,80}`\s*$|\bmem_[0-9A-Z]{8}|\[\[")
_NOTHING_SAID = frozenset({"", "none", "none noted", "n/a", "-", "无", "没有", "nothing"})
_EDGES = " \t.,;:!?。，；：！？—-*_\"'“”‘’"


@value
class ReviewPage:
    """A daily note: its place, its day, and its owner's lines with their numbers."""

    path: str
    day: date
    lines: tuple[tuple[int, str], ...]


@value
class _Noted:
    """Something that a line of a daily note says."""

    kind: Kind
    text: str
    place: str
    day: date
    friction: bool = False
    """It tells of time that was lost."""
    called: bool = False
    """The line itself says that it is one."""

    @property
    def key(self) -> str:
        """What two lines that say the same share."""
        return _key(self.text)


@value
class Review:
    """What a review did and asks: `items` are all questions that wait. `message` says how it ended."""

    message: str
    items: tuple[InboxItem, ...] = ()
    steps: tuple[Step, ...] = ()
    accepted: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    """What lies and needs no answer here: tasks that nobody has seen."""
    left: tuple[str, ...] = ()
    """What is a person's to do."""


def candidates(
    records: Sequence[Record],
    pages: Iterable[ReviewPage],
    *,
    now: datetime,
    zone: tzinfo,
    at_home: Collection[str] = (),
) -> list[InboxItem]:
    """What the last seven days suggest, in a steady order. `records` are the standing ones.

    `at_home` is what notes of homes say already, in the words two lines that say the same share.
    """
    since = day_in(zone, now) - timedelta(days=DAYS)
    noted = [one for page in pages for one in noted_in(page)]
    homes = {_key(record.text): record for record in records if record.status is not Status.FORGOTTEN}
    found: list[InboxItem] = []
    for key, lines in _grouped(noted, Kind.LESSON).items():
        home = homes.get(key)
        if key in at_home or any(line.key in at_home for line in lines):
            continue
        seen = len(lines) + (home is not None)
        enough = FRICTION_SEEN if any(line.friction for line in lines) else LESSON_SEEN
        if home is None and any(line.called for line in lines):
            enough = 1
        if seen >= enough and lines[-1].day >= since and not (home and home.pinned):
            because = (
                f"seen {seen} times, last on {lines[-1].day}" if seen > 1 else "its note calls it a lesson"
            )
            about = _about_record(home, PINNED, because, now) if home else _about_line(lines[0], because, now)
            found.append(about)
    for key, lines in _grouped(noted, Kind.DECISION).items():
        if key not in homes and key not in at_home and lines[-1].day >= since:
            found.append(_about_line(lines[0], "it stands in a daily note and nowhere else", now))
    active = [one for one in records if one.status is Status.ACTIVE]
    for record in active:
        confidence = record.weight.confidence
        if record.kind is Kind.BELIEF and NEARLY <= confidence < PROMOTED_FROM:
            because = f"memory is {confidence:.0%} sure of it"
            found.append(_about_record(record, kind_of(record).value, because, now))
    for record in active:
        again = confirmations(record) if record.kind is Kind.PREFERENCE else 0
        if not record.pinned and again >= PREFERENCE_SEEN - 1:
            found.append(_about_record(record, PINNED, f"said in {again + 1} conversations", now))
    for key, lines in _grouped(noted, Kind.PREFERENCE).items():
        days = {line.day for line in lines}
        is_new = key not in homes and key not in at_home
        if is_new and len(days) >= PREFERENCE_SEEN and lines[-1].day >= since:
            found.append(_about_line(lines[0], f"noted on {len(days)} days", now))
    return found


def noted_in(page: ReviewPage) -> Iterator[_Noted]:
    """What a page states: decisions, lessons and preferences under such a heading, closing and friction lines."""
    kind: Kind | None = None
    for number, line in page.lines:
        if heading := _HEADING.fullmatch(line):
            title = normalise(heading[1])
            kind = next(
                (one for one, words in _SPEAKING.items() if any(word in title for word in words)), None
            )
            continue
        place = f"{page.path}#L{number}"
        if friction := _FRICTION.fullmatch(line):
            before, after = (
                _LEAD.sub("", friction["before"], count=1).strip(_EDGES),
                friction["after"].strip(),
            )
            if said := ": ".join(filter(None, (before, after))):
                yield _Noted(kind=Kind.LESSON, text=said, place=place, day=page.day, friction=True)
            continue
        if (called := _CALLED.fullmatch(line)) and not line.startswith(tuple(_CLOSING)):
            what = Kind.LESSON if called["lesson"] else Kind.DECISION
            if _key(called[2]) not in _NOTHING_SAID and not _NAMED.search(called[2]):
                yield _Noted(kind=what, text=called[2].strip(), place=place, day=page.day, called=True)
            continue
        closing = next((name for name in _CLOSING if line.startswith(name)), "")
        bullet = _BULLET.fullmatch(line) if kind and not closing else None
        said = line.removeprefix(closing).strip() if closing else bullet[1].strip() if bullet else ""
        speaks = _CLOSING[closing] if closing else kind
        # A line that names a record, or links to a note, has its home there.
        if speaks and _key(said) not in _NOTHING_SAID and not _NAMED.search(said):
            yield _Noted(kind=speaks, text=said, place=place, day=page.day)


def _grouped(noted: Iterable[_Noted], kind: Kind) -> dict[str, list[_Noted]]:
    found: dict[str, list[_Noted]] = {}
    for one in sorted(noted, key=lambda one: (one.day, one.place)):
        if one.kind is kind:
            key = one.key
            if one.friction:  # told in other words each time: what was waited for makes it the same
                key = next((held for held, lines in found.items() if _same_friction(lines[0], one)), key)
            found.setdefault(key, []).append(one)
    return found


def _same_friction(one: _Noted, other: _Noted) -> bool:
    """True for two lines that share most of what the shorter one says, however long it took each time."""
    own, theirs = (
        {term for term in telling_terms(said.text) if not term.isdecimal()} - _WAITING
        for said in (one, other)
    )
    shared = len(own & theirs)
    return (
        one.friction
        and shared >= min(2, len(own), len(theirs))
        and 2 * shared >= min(len(own), len(theirs)) > 0
    )


def _about_record(record: Record, proposal: str, because: str, now: datetime) -> InboxItem:
    named_by = (record.id, proposal)
    return question(Matter.PROMOTION, (record.id,), proposal, because, now, named_by)


def _about_line(noted: _Noted, because: str, now: datetime) -> InboxItem:
    # The words make the id, not the place: a note that grows does not ask again.
    named_by, proposal = (noted.kind.value, noted.key), f"{noted.kind.value}: {noted.text}"
    return question(Matter.PROMOTION, (noted.place,), proposal, because, now, named_by)


def _key(text: str) -> str:
    return " ".join(normalise(text).split()).strip(_EDGES)


_CITED = re.compile(r"\s?[(（]\[\[[^\]]{1,200}\]\][)）]\s*$")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\s?[:：]\s*")


def _at_home(root: Root) -> frozenset[str]:
    """What the semantic and procedural notes say, line by line, without its day and where it came from."""
    found = set()
    for path in root.store.notes.files(NoteRole.SEMANTIC, NoteRole.PROCEDURAL):
        with suppress(MemoracleError):  # `check` names it
            for line in split_lines(read_text(root.store.volume, path)[0]):
                found.add(_key(_DAY.sub("", _CITED.sub("", _LEAD.sub("", line, count=1)), count=1)))
    return frozenset(found) - _NOTHING_SAID


# Questions to the owner: the inbox, its answers, and the weekly review.

_MOST_APART = 1000
_SHOWN = 160
_WEEKLY = ("digest", "retain", "hot")


def inbox(root: Root) -> Sequence[InboxItem]:
    """The questions that wait for their owner, oldest first; then what waits in quarantine."""
    root.reader.must_see_all()
    return _waiting(root)


def _waiting(root: Root) -> list[InboxItem]:
    find = partial(as_it_stands, root)
    asked = [item for item in read_inbox(root.store).open if not is_moot(item, find)]
    quarantined = reversed(standing_as(root, Status.QUARANTINED, _MOST_APART))
    return list(_with_sentences(root, (*asked, *map(question_about, quarantined))))


def plan_answer(root: Root, references: Sequence[str], *, yes: bool) -> Plan:
    """What accepting these questions, or turning them down, would do."""
    chosen, act = choose(inbox(root), references), "accept" if yes else "reject"
    answer_all(chosen, partial(as_it_stands, root), root.change("accept"), yes=yes)
    steps = [Step(act=act, target=item.id, because=item.proposal) for item in chosen]
    return Plan(verb=act, steps=tuple(steps))


def accept(root: Root, references: Sequence[str], *, because: str = "") -> Sequence[Receipt]:
    """Make what was proposed true, as one act that `undo` reverses."""
    root.reader.must_see_all()
    return _answer(root, references, because, yes=True)


def reject(root: Root, references: Sequence[str], *, because: str = "") -> Sequence[Receipt]:
    """Turn proposals down; they are not asked again."""
    root.reader.must_see_all()
    return _answer(root, references, because, yes=False)


def review(root: Root, *, accept: Sequence[str] = (), dry_run: bool = False) -> Review:
    """Do the week's upkeep and show what waits for an answer; `accept` makes proposals true, `all` every one."""
    if root.reader.is_one_of_several:
        found = _review_of_one(root, accept=accept)
    else:
        found = hold_review(root, accept=accept, dry_run=dry_run)
    lying = point("handoff_notices")
    notices = tuple(lying(root)) if lying and not accept else ()
    message = f"{len(notices)} tasks lie" if notices and found.message == NOTHING else found.message
    return replace(found, message=message, items=_with_sentences(root, found.items), notices=notices)


def _review_of_one(root: Root, *, accept: Sequence[str]) -> Review:
    """What one reader among several is asked: about what this reader sees. Answers and upkeep are the owner's."""
    if root.reader.sees_public_alone or accept:
        root.reader.must_see_all()
    own = [
        item
        for item in read_inbox(root.store).open
        if item.about and all(_is_seen(root, one) for one in item.about)
    ]
    return Review(message=f"{len(own)} questions" if own else NOTHING, items=tuple(own))


def _is_seen(root: Root, reference: str) -> bool:
    versions = root.store.journal.versions(reference)
    return bool(versions) and root.reader.sees(newest(versions))


def hold_review(root: Root, *, accept: Sequence[str] = (), dry_run: bool = False) -> Review:
    """The same, as upkeep does it: whoever it runs for, nobody is shown what it found."""
    if accept:
        find = StoredRecordSet(root.store).standing
        every = [item for item in read_inbox(root.store).open if item.matter not in ONE_BY_ONE]
        # Of all, those whose records still stand; whether to tend what was adopted is asked by itself.
        chosen = [item.id for item in every if not is_moot(item, find)] if [*accept] == ["all"] else accept
        steps = plan_answer(root, chosen, yes=True).steps if dry_run else ()
        done = () if dry_run else tuple(chosen)
        if done:
            _answer(root, done, "", yes=True)
        left = read_inbox(root.store).open
        message = f"{len(done)} accepted, {len(left)} left"
        return Review(message=message, items=left, steps=steps, accepted=done)
    pages = [ReviewPage(path=path, day=day, lines=lines) for path, day, lines in owners_days(root.store)]
    buffer = read_buffer(root.store)
    pages.append(ReviewPage(path=buffer.path, day=day_in(root.zone, root.clock()), lines=buffer.entries))
    records = sorted(StoredRecordSet(root.store).every(), key=lambda one: one.id)
    new = candidates(records, pages, now=root.clock(), zone=root.zone, at_home=_at_home(root))
    if dry_run:
        known = {entry.item.id for entry in read_inbox(root.store).entries}
        new = [item for item in new if item.id not in known]
    else:
        with root.store.writing():
            new = ask(root.store, new, now=root.clock())
        obey(root)
    week = point("tend_notes")
    tended = week(root, weekly=True, dry_run=dry_run) if week else Done()
    steps = (*tended.steps, *_weekly(root, dry_run))  # the hot file says how many questions wait
    if commit := point("commit_changes"):
        kept = commit(root, dry_run=dry_run)
        steps, tended = (*steps, *kept.steps), replace(tended, findings=(*tended.findings, *kept.findings))
    items = (*read_inbox(root.store).open, *(new if dry_run else ()))
    message = "Nothing new" if items else NOTHING
    if new or steps:
        message = (
            f"{len(new)} new question{'s' * (len(new) != 1)}, {len(steps)} change{'s' * (len(steps) != 1)}"
        )
    if broken := critical_now(root.store):
        message += f"; critical: {broken} (`memoracle health`)"
    message += f"; {len(items)} wait{'s' * (len(items) == 1)} for you" if items else ""
    todo = tuple(f"{it.place}: {it.message}{f' ({it.hint})' if it.hint else ''}" for it in tended.findings)
    return Review(message=message, items=items, steps=steps, left=todo)


def _with_sentences(root: Root, items: Sequence[InboxItem]) -> tuple[InboxItem, ...]:
    """Questions as whoever is asked should see them: the sentences, whose and after what, and what a yes changes."""
    held: dict[str, Record] = {}
    for reference in dict.fromkeys(one for item in items for one in item.about):
        with suppress(UnknownRecord, LookupError):  # a line of a note: the proposal holds its words
            held[reference] = root.guard.screen(as_it_stands(root, reference))
    before = said_before(root, [one.origin.where for one in held.values() if "#L" in one.origin.where])

    def judged(record: Record) -> Sentence:
        origin = record.origin
        return Sentence(
            id=record.id,
            text=record.text,
            kind=record.kind.value,
            whose=f"{origin.channel.value}{f' ({origin.who})' if origin.who else ''}",
            where=origin.where or (f"session {origin.session}" if origin.session else ""),
            at=origin.observed or record.created,
            before=shorten(before.get(origin.where, ""), _SHOWN),
        )

    return tuple(
        replace(
            item,
            sentences=tuple(judged(held[one]) for one in item.about if one in held),
            diff=diff_of(item, held),
            rule=rule_of(item, held),
        )
        for item in items
    )


def always(root: Root, reference: str, *, yes: bool) -> None:
    """Answer a question, and from now on all like it, in this way; `drop_rule` ends that."""
    (item,) = choose(inbox(root), [reference])
    if not may_always(item, yes=yes):
        raise CannotChange(item.id, "always answer", "such a question needs an answer of its own each time")
    _rule(root, item.rule, yes)
    obey(root)


def drop_rule(root: Root, name: str) -> None:
    """Have a standing answer no longer; what it answered stays as it is."""
    if not _rule(root, name, None):
        raise UnknownQuestion(name)


def _rule(root: Root, name: str, yes: bool | None) -> bool:
    from memoracle.store.inbox import set_rule

    with root.store.writing():
        is_changed = set_rule(root.store, name, yes)
    root.log("drop-rule" if yes is None else "rule", about=[name] if is_changed else [])
    return is_changed


def obey(root: Root) -> None:
    """Answer the questions that their owner has a standing answer to, as the owner does it."""
    if not (rules := read_inbox(root.store).rules):
        return
    for item in _waiting(root):
        yes = rules.get(item.rule)
        if yes is not None and may_always(item, yes=yes):
            with suppress(CannotChange, UnknownQuestion):  # an answer before this one settled it
                _answer(root, [item.id], f"the standing answer {item.rule}", yes=yes)


def _answer(root: Root, references: Sequence[str], because: str, *, yes: bool) -> Sequence[Receipt]:
    from memoracle.store.inbox import InboxAnswer, answer

    with root.store.writing():
        chosen = choose(_waiting(root), references)
        change = root.change("accept" if yes else "reject", because)
        versions = answer_all(chosen, partial(as_it_stands, root), change, yes=yes)
        places = root.store.append(versions) if versions else []
        if yes and (bring_home := point("bring_home")):
            bring_home(root, [words for one in chosen if (words := _words_of(one))], change.operation)
        if any(item.matter is Matter.ADOPTION for item in chosen):
            from memoracle.store import adopted

            adopted.answer(root.store, yes=yes, now=change.at)
        # The records first: should this be cut off here, a question whose records moved on is moot.
        given = InboxAnswer.ACCEPTED if yes else InboxAnswer.REJECTED
        answer(root.store, [item.id for item in chosen], given, now=change.at)
    from memoracle.learn.forget import forget, withdraw

    if not yes and (doomed := [item.about[0] for item in chosen if item.matter is Matter.QUARANTINE]):
        forget(root, doomed, because=because)
    if yes and (wished := [item.about[0] for item in chosen if item.matter is Matter.WITHDRAWAL]):
        withdraw(root, wished, because=because)
    return [
        receipt_of(record, place, created=record.version == 1)
        for record, place in zip(versions, places, strict=True)
    ]


def _words_of(item: InboxItem) -> tuple[str, str, str] | None:
    """Kind, words and place of what stands in a note and is to be kept."""
    words = new_words(item)
    return (*words, item.about[0]) if words else None


def _weekly(root: Root, dry_run: bool) -> Sequence[Step]:
    """The upkeep of a review; one that runs elsewhere does the same work."""
    from memoracle.learn.run import Consolidation

    consolidation = Consolidation(root)
    with suppress(AlreadyRunning):
        if dry_run:
            phases = [one for one in consolidation.plan().phases if one.name in _WEEKLY]
        else:
            phases = [one for name in _WEEKLY for one in consolidation.run_phase(name).phases]
        return [step for phase in phases for step in phase.steps]
    return []
