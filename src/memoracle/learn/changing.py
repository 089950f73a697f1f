"""Changing what is kept: nothing is overwritten, every change is a new version that `undo` reverses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from memoracle.errors import RefusedByPolicy
from memoracle.learn.records import editing, receipt_of
from memoracle.learn.remembering import guard
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.value import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memoracle.learn.draft import Fields
    from memoracle.model.record import Change, Record
    from memoracle.model.report import Receipt
    from memoracle.root import Root


def edit(
    root: Root,
    reference: str,
    *,
    text: str | None = None,
    kind: str | None = None,
    importance: float | None = None,
    confidence: float | None = None,
    entities: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
    expected: int | None = None,
    because: str = "",
) -> Receipt:
    """Put a record differently. With `expected`, only if it is still at that version."""
    from memoracle.learn import revise

    given = {
        "text": text,
        "kind": kind,
        "importance": importance,
        "confidence": confidence,
        "entities": entities,
        "tags": tags,
    }
    words = root.guard.words({name: said for name, said in given.items() if said is not None})

    def make(record: Record, change: Change) -> Record:
        root.guard.must_allow(record.origin.channel, kind or record.kind, was=record.kind)
        for said in (text or "", *(entities or ()), *(tags or ())):
            root.guard.must_be_plain(record.origin.channel, str(said))
        edited = revise.edit(record, change, **words.fields)
        if not root.reader.is_agent:
            return revise.seen(edited)
        if edited.statement != record.statement:  # nobody confirmed these words
            return replace(edited, origin=replace(edited.origin, confirmed_by=""))
        return edited

    return _revise(root, "edit", reference, expected, because, make, warnings=words.warnings)


def pin(root: Root, reference: str, *, pinned: bool = True, because: str = "") -> Receipt:
    """Keep a record in the live set however old it grows."""
    from memoracle.learn import revise

    verb = "pin" if pinned else "unpin"

    def make(record: Record, change: Change) -> Record:
        made = revise.pin(record, change, pinned=pinned)
        return revise.seen(made) if pinned and not root.reader.is_agent else made

    return _revise(root, verb, reference, None, because, make)


def archive(root: Root, reference: str, *, because: str = "") -> Receipt:
    """Take a record out of default answers; nothing is lost."""
    from memoracle.learn import revise

    return _revise(root, "archive", reference, None, because, revise.archive)


def restore(root: Root, reference: str, *, because: str = "") -> Receipt:
    """Bring back what was archived, superseded or retracted."""
    from memoracle.learn import revise

    return _revise(root, "restore", reference, None, because, revise.restore)


def supersede(
    root: Root,
    reference: str,
    text: str,
    *,
    expected: int | None = None,
    because: str = "",
    **fields: Unpack[Fields],
) -> Receipt:
    """Put a new record in place of an old one; both stay in the history. `expected` as in `edit`."""
    from memoracle.learn import revise
    from memoracle.learn.admission import admit
    from memoracle.learn.draft import make_draft

    with editing(root, reference) as (old, _):
        root.reader.must_own(old)
        change = root.change("supersede", because)
        inherited: Fields = {"kind": old.kind, "importance": old.weight.importance}
        inherited.update(fields)
        wish = guard(root, make_draft(text, **inherited))
        if wish.outcome == "quarantined":
            # What waits for its owner takes nobody's place.
            raise RefusedByPolicy(wish.rules)
        new = admit(wish.draft, record_id=root.ids.next(RECORD_PREFIX, change.at), change=change)
        successor, ended = revise.supersede(old, new, change)
        wanted = old.version if expected is None else expected
        place = root.store.append([successor, ended], expected={old.id: wanted})[0]
    told = (*wish.warnings, *root.guard.warnings(because))
    return receipt_of(successor, place, created=True, warnings=told, outcome=wish.outcome, rules=wish.rules)


def undo(root: Root, operation: str | None = None) -> Sequence[Receipt]:
    """Reverse one act, the last one unless another is named. Erased is erased."""
    root.reader.must_see_all()
    from memoracle.learn.revise import last_operation, undo
    from memoracle.store.notes import take_back

    with root.store.writing():
        versions = [record for _, record in root.store.journal.all_versions()]
        chosen = operation or last_operation(versions)
        touched = {record.id for record in versions if record.change.operation == chosen}
        notes = take_back(root.store, chosen)
        if notes and not touched:
            return []
        histories = root.store.journal.histories(touched)
        reversed_ = undo(chosen, histories, root.change("undo", undoes=chosen))
        places = root.store.append(reversed_)
    return [receipt_of(record, place, created=False) for record, place in zip(reversed_, places, strict=True)]


def _revise(
    root: Root,
    verb: str,
    reference: str,
    expected: int | None,
    because: str,
    make: Callable[[Record, Change], Record],
    *,
    warnings: tuple[str, ...] = (),
) -> Receipt:
    with editing(root, reference) as (record, record_id):
        wanted = record.version if expected is None else expected
        revised = make(record, root.change(verb, because))
        place = root.store.append([revised], expected={record_id: wanted})[0]
    told = (*warnings, *root.guard.warnings(because))
    return receipt_of(revised, place, created=False, warnings=told)
