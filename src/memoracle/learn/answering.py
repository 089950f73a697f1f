"""Questions to the owner: the inbox, its answers, and the weekly review."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from memoracle.errors import AlreadyRunning, UnknownRecord
from memoracle.learn.forget import forget, withdraw
from memoracle.learn.inbox import is_moot
from memoracle.learn.records import as_it_stands, receipt_of
from memoracle.learn.review import NOTHING, Page, Review, candidates
from memoracle.learn.run import consolidation_of
from memoracle.model.inbox import ONE_BY_ONE, Item, Matter, Sentence
from memoracle.model.record import Record, newest
from memoracle.model.search import Filters
from memoracle.model.value import replace
from memoracle.store.buffer import read_buffer
from memoracle.store.daily import owners_days
from memoracle.store.inbox import ask, read_inbox
from memoracle.times import day_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.model.report import Plan, Receipt, Step
    from memoracle.root import Root

_MOST_APART = 1000
_WEEKLY = ("digest", "retain", "hot")


def inbox(root: Root) -> Sequence[Item]:
    """The questions that wait for their owner, oldest first; then what waits in quarantine."""
    root.reader.must_see_all()
    find = partial(as_it_stands, root)
    asked = [item for item in read_inbox(root.store).open if not is_moot(item, find)]
    return list(_with_sentences(root, (*asked, *_apart(root))))


def plan_answer(root: Root, references: Sequence[str], *, yes: bool) -> Plan:
    """What accepting these questions, or turning them down, would do."""
    from memoracle.learn import inbox as questions

    return questions.plan_answer(
        inbox(root), references, partial(as_it_stands, root), root.change("accept"), yes=yes
    )


def accept(root: Root, references: Sequence[str], *, because: str = "") -> Sequence[Receipt]:
    """Make what was proposed true, as one act that `undo` reverses."""
    return _answer(root, references, because, yes=True)


def reject(root: Root, references: Sequence[str], *, because: str = "") -> Sequence[Receipt]:
    """Turn proposals down; they are not asked again."""
    return _answer(root, references, because, yes=False)


def review(root: Root, *, accept: Sequence[str] = (), dry_run: bool = False) -> Review:
    """Do the week's upkeep and show what waits for an answer; `accept` makes proposals true, `all` every one."""
    root.reader.must_see_all()
    found = hold_review(root, accept=accept, dry_run=dry_run)
    return replace(found, items=_with_sentences(root, found.items))


def hold_review(root: Root, *, accept: Sequence[str] = (), dry_run: bool = False) -> Review:
    """The same, as upkeep does it: whoever it runs for, nobody is shown what it found."""
    if not accept:
        return _ask_and_tidy(root, dry_run=dry_run)
    chosen = _answerable(root) if [*accept] == ["all"] else accept
    if dry_run:
        return _answered(root, (), plan_answer(root, chosen, yes=True).steps)
    if chosen:
        _answer(root, chosen, "", yes=True)
    return _answered(root, chosen)


def _with_sentences(root: Root, items: Sequence[Item]) -> tuple[Item, ...]:
    """Questions as whoever is asked should see them."""
    return tuple(replace(item, sentences=_judged(root, item)) for item in items)


def _judged(root: Root, item: Item) -> tuple[Sentence, ...]:
    """The sentences a question is about, whose they are and where they came from."""
    found = []
    for reference in item.about:
        try:
            record = root.guard.screen(as_it_stands(root, reference))
        except (UnknownRecord, LookupError):
            continue  # a line of a note: the proposal holds its words
        origin = record.origin
        found.append(
            Sentence(
                id=record.id,
                text=record.text,
                kind=record.kind.value,
                whose=f"{origin.channel.value}{f' ({origin.who})' if origin.who else ''}",
                where=origin.where or (f"session {origin.session}" if origin.session else ""),
                at=origin.observed or record.created,
            )
        )
    return tuple(found)


def _apart(root: Root) -> list[Item]:
    """What waits in quarantine, as questions."""
    from memoracle.learn.admission import question_about
    from memoracle.model.record import Status

    root.view.catch_up()
    wanted = Filters(statuses=(Status.QUARANTINED.value,))
    found = root.view.ask(lambda: root.index.list_records(wanted, _MOST_APART, root.clock()))
    records = [as_it_stands(root, one.passage.ref) for one in reversed(found)]
    return [question_about(one) for one in records if one.status is Status.QUARANTINED]


def _answer(root: Root, references: Sequence[str], because: str, *, yes: bool) -> Sequence[Receipt]:
    from memoracle.learn.inbox import answer_all, choose
    from memoracle.store.inbox import InboxAnswer, answer

    with root.store.writing():
        chosen = choose(inbox(root), references)
        change = root.change("accept" if yes else "reject", because)
        versions = answer_all(chosen, partial(as_it_stands, root), change, yes=yes)
        places = root.store.append(versions) if versions else []
        if any(item.matter is Matter.ADOPTION for item in chosen):
            from memoracle.store import adopted

            adopted.answer(root.store, yes=yes, now=change.at)
        # The records first: should this be cut off here, a question whose records moved on is moot.
        given = InboxAnswer.ACCEPTED if yes else InboxAnswer.REJECTED
        answer(root.store, [item.id for item in chosen], given, now=change.at)
    if not yes and (doomed := [item.about[0] for item in chosen if item.matter is Matter.QUARANTINE]):
        forget(root, doomed, because=because)
    if yes and (wished := [item.about[0] for item in chosen if item.matter is Matter.WITHDRAWAL]):
        withdraw(root, wished, because=because)
    return [
        receipt_of(record, place, created=record.version == 1)
        for record, place in zip(versions, places, strict=True)
    ]


def _weekly(root: Root, dry_run: bool) -> Sequence[Step]:
    """The upkeep of a review; one that runs elsewhere does the same work."""
    consolidation = consolidation_of(root, None)
    with suppress(AlreadyRunning):
        if dry_run:
            phases = [one for one in consolidation.plan().phases if one.name in _WEEKLY]
        else:
            phases = [one for name in _WEEKLY for one in consolidation.run_phase(name).phases]
        return [step for phase in phases for step in phase.steps]
    return []


def _ask_and_tidy(root: Root, *, dry_run: bool) -> Review:
    """Ask what the last seven days suggest, do the upkeep, and show every question that waits."""
    pages = [Page(path=path, day=day, lines=lines) for path, day, lines in owners_days(root.store)]
    buffer = read_buffer(root.store)
    pages.append(Page(path=buffer.path, day=day_in(root.zone, root.clock()), lines=buffer.entries))
    records = list(_records(root).values())
    found = candidates(records, pages, now=root.clock(), zone=root.zone)
    if dry_run:
        known = {entry.item.id for entry in read_inbox(root.store).entries}
        new = [item for item in found if item.id not in known]
        steps = tuple(_weekly(root, dry_run))
        return Review(message=_message(new, steps), items=(*read_inbox(root.store).open, *new), steps=steps)
    with root.store.writing():
        new = ask(root.store, found, now=root.clock())
    steps = tuple(_weekly(root, dry_run))  # the hot file says how many questions wait
    return Review(message=_message(new, steps), items=read_inbox(root.store).open, steps=steps)


def _answerable(root: Root) -> list[str]:
    """The ids of all questions whose records still stand; whether to tend what was adopted is asked by itself."""
    records = _records(root)

    def find(record_id: str) -> Record:
        if record_id not in records:
            raise UnknownRecord(record_id)
        return records[record_id]

    return [
        item.id
        for item in read_inbox(root.store).open
        if item.matter not in ONE_BY_ONE and not is_moot(item, find)
    ]


def _answered(root: Root, ids: Sequence[str], steps: Sequence[Step] = ()) -> Review:
    """What is left after these were accepted."""
    left = read_inbox(root.store).open
    message = f"{len(ids)} accepted, {len(left)} left"
    return Review(message=message, items=left, steps=tuple(steps), accepted=tuple(ids))


def _records(root: Root) -> dict[str, Record]:
    versions: dict[str, list[Record]] = {}
    for _, record in root.store.journal.all_versions():
        versions.setdefault(record.id, []).append(record)
    return {record_id: newest(held) for record_id, held in sorted(versions.items())}


def _message(new: Sequence[Item], steps: Sequence[Step]) -> str:
    if not new and not steps:
        return NOTHING
    return f"{len(new)} new question{'s' * (len(new) != 1)}, {len(steps)} change{'s' * (len(steps) != 1)}"
