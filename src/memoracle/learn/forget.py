"""Forgetting: withdrawing can be undone for thirty days, erasing cannot; a selection takes out all that came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoracle.errors import CannotChange, UnknownRecord
from memoracle.learn.record_sets import StoredRecordSet
from memoracle.learn.records import as_it_stands, receipt_of, resolve, standing_as
from memoracle.model.record import Record, Status, newest
from memoracle.model.report import Erased, Plan, Receipt, Step, Withdrawn
from memoracle.model.search import Filters
from memoracle.model.value import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoracle.learn.forgetting import Outlook
    from memoracle.model.search import Selection
    from memoracle.root import Root
    from memoracle.store.daily import NoteLines

_MOST_WITHDRAWN = 1_000_000


def plan_withdraw(root: Root, references: Sequence[str]) -> Plan:
    """What `withdraw` would take out of memory."""
    records, made = _leaving(root, references)
    reasons = [(one, "it says") for one in records] + [(one, "derived from it:") for one in made]
    steps = [Step(act="withdraw", target=one.id, because=f"{why} `{one.text[:60]}`") for one, why in reasons]
    return Plan(verb="forget", steps=tuple(steps))


def withdraw(root: Root, references: Sequence[str], *, because: str = "") -> Withdrawn:
    """Take records out of every answer and every generated file, whole for thirty days: `undo` brings them back.

    What memory made of them goes along. Their lines stay in the record files until then; upkeep erases them after.
    """
    from memoracle.learn.revise import withdraw
    from memoracle.model.record import KEPT_WITHDRAWN
    from memoracle.store.erase import retract

    with root.store.writing():
        change = root.change("forget", because)
        records, made = _leaving(root, references)
        gone = [withdraw(one, change) for one in records]
        root.store.append([*gone, *(withdraw(one, change, again=True) for one in made)])
        ids = tuple(one.id for one in (*records, *made))
        retract(root.store, ids)
    return Withdrawn(ids=ids, operation=change.operation, until=change.at + KEPT_WITHDRAWN)


def propose_withdrawal(root: Root, references: Sequence[str], *, by: str, because: str = "") -> Sequence[str]:
    """Ask the owner whether these shall leave memory, as an agent wishes; the ids of the questions."""
    from memoracle.learn.inbox import ask_to_withdraw
    from memoracle.learn.review import obey
    from memoracle.store.inbox import ask

    because = root.guard.hide(because)
    with root.store.writing():
        now, (records, _) = root.clock(), _leaving(root, references)
        asked = [ask_to_withdraw(one, by=by, because=because, since=now) for one in records]
        ask(root.store, asked, now=now)
    obey(root)
    return [one.id for one in asked]


def trash(root: Root) -> Sequence[Record]:
    """What was withdrawn and can be brought back, the latest first."""
    root.reader.must_see_all()
    held = map(root.guard.screen, standing_as(root, Status.WITHDRAWN, _MOST_WITHDRAWN))
    return sorted(held, key=lambda one: (one.change.at, one.id), reverse=True)


def take_back(root: Root, references: Sequence[str], *, because: str = "") -> Sequence[Receipt]:
    """Bring back what was withdrawn, each record exactly as it was."""
    from memoracle.learn.revise import undo

    with root.store.writing():
        fresh: list[Record] = []
        for record_id in dict.fromkeys(resolve(root, reference) for reference in references):
            held = as_it_stands(root, record_id)
            if held.status is not Status.WITHDRAWN:
                raise CannotChange(record_id, "bring back", "it was not withdrawn")
            undone = held.change.operation
            change = root.change("undo", because, undoes=undone)
            fresh += undo(undone, root.store.journal.histories({record_id}), change)
        places = root.store.append(fresh)
    return [receipt_of(one, place, created=False) for one, place in zip(fresh, places, strict=True)]


def plan_forget(
    root: Root,
    references: Sequence[str] = (),
    *,
    filters: Filters | None = None,
    selection: Selection | None = None,
) -> Plan:
    """What `forget` would erase, and all that hangs on it."""
    chosen = _selected(root, filters, selection)
    if chosen and not references:
        from memoracle.learn.forgetting import foresee

        return foresee(root, chosen).plan
    cited, references = _cited_lines(root, references)
    records = _doomed(root, references, chosen)
    reasons = [(one, f"version 1 to {one.version} of") for one in records]
    reasons += [(one, "derived from it:") for one in _made_of(root, records)]
    steps = [Step(act="erase", target=one.id, because=f"{why} `{one.text[:60]}`") for one, why in reasons]
    steps += [Step(act="erase lines", target=one.cite, because="of a note") for one in cited]
    return Plan(verb="forget", steps=tuple(steps))


def forget(
    root: Root,
    references: Sequence[str] = (),
    *,
    filters: Filters | None = None,
    selection: Selection | None = None,
    foreseen: Outlook | None = None,
    because: str = "",
) -> Erased:
    """Erase records everywhere: every version, the archive, the receipts, the view.

    A selection without ids takes out what came of it as well: memory is then as if it had never heard it. What was
    `foreseen` holds, unless something changed since.
    """
    from memoracle.store.daily import take_out
    from memoracle.store.erase import erase, tombstone

    chosen = _selected(root, filters, selection)
    if chosen and not references:
        from memoracle.learn.forgetting import forget_selection

        erased = forget_selection(root, chosen, root.change("forget", because), foreseen)
        if erased.turns or erased.rewritten:
            about = [name for name in ("session", "channel", "path", "since") if getattr(chosen, name)]
            root.log("forget", operation=erased.operation, about=about)
        return erased
    cited, references = _cited_lines(root, references)
    records = _doomed(root, references, chosen)
    with root.store.writing():
        change = root.change("forget", because)
        lines = sum(len(take_out(root.store, one)) for one in reversed(cited))
        made = _made_of(root, records)
        stones = [tombstone(record, change) for record in records]
        erasure = erase(root.store, [*stones, *(tombstone(one, change, again=True) for one in made)])
        if made:  # summaries of what is left, in place of those that were erased
            from memoracle.learn.summaries import plan_summaries

            left, again = StoredRecordSet(root.store), replace(change, verb="consolidate", because="")
            planned = plan_summaries(left.active(), left.find, again, least=root.settings.summary_trigger)
            if planned.versions:
                root.store.append(planned.versions)
    ids = tuple(record.id for record in (*records, *made))
    root.view.forget(ids)
    return Erased(
        ids=ids,
        operation=change.operation,
        lines=lines + sum(erasure.removed.values()),
        remaining=erasure.remaining,
    )


def expired(root: Root) -> Plan:
    """What is past the time that its owner set for its sensitivity; nothing is written."""
    from memoracle.learn.revise import past_retention

    root.reader.must_see_all()
    records = StoredRecordSet(root.store).every()
    return Plan(verb="forget", steps=tuple(past_retention(records, root.settings, root.clock())))


def _doomed(root: Root, references: Sequence[str], selection: Selection | None) -> Sequence[Record]:
    """The records of these names that can still be erased; with a selection, only those that fit it too."""
    ids = [resolve(root, reference) for reference in references]
    records = [newest(root.store.journal.versions(record_id)) for record_id in dict.fromkeys(ids)]
    gone = [record.id for record in records if record.status is Status.FORGOTTEN]
    if gone and len(gone) == len(records):
        raise UnknownRecord(gone[0])
    for record in records:
        root.reader.must_own(record)
    return [
        record
        for record in records
        if record.status is not Status.FORGOTTEN
        and (not selection or selection.fits_origin(record.origin, record.origin.observed or record.created))
    ]


def _leaving(root: Root, references: Sequence[str]) -> tuple[Sequence[Record], Sequence[Record]]:
    """The records of these names that stand, and what was made of them; what is gone or set apart is not there."""
    records = _doomed(root, references, None)
    for one in records:
        if one.status in {Status.WITHDRAWN, Status.QUARANTINED}:
            raise UnknownRecord(one.id)
    return records, [one for one in _made_of(root, records) if one.status is not Status.WITHDRAWN]


def _cited_lines(root: Root, references: Sequence[str]) -> tuple[Sequence[NoteLines], Sequence[str]]:
    """Lines of notes among what is named, in the order they stand, and the rest of it."""
    from memoracle.store.daily import note_lines

    found = {reference: note_lines(root.store, reference) for reference in references}
    cited = sorted((one for one in found.values() if one), key=lambda one: (one.path, one.first))
    if cited:
        root.reader.must_see_all()
    return cited, [reference for reference, one in found.items() if one is None]


def _made_of(root: Root, records: Sequence[Record]) -> list[Record]:
    """The summaries whose words come from these records."""
    from memoracle.learn.revise import made_of

    versions = (record for _, record in root.store.journal.all_versions())
    return made_of(versions, [one.id for one in records])


def _selected(root: Root, filters: Filters | None, selection: Selection | None) -> Selection | None:
    """What is selected by where it came from; filters are such a selection too."""
    if not selection and filters is not None:
        from memoracle.model.search import selection_of

        selection = selection_of(
            session=filters.session, origin=filters.channel, since=filters.since, now=root.clock()
        )
    if selection:
        root.reader.must_see_all()
    return selection
