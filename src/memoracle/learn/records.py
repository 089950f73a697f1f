"""Records by their names: as they stand, every version, where they came from.

What is forbidden looks exactly like what is not there.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Unpack

from memoracle.errors import AmbiguousReference, RefusedByPolicy, UnknownRecord
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.record import EVERYBODY, SCOPES, Draft, Record, Sensitivity, Status, newest
from memoracle.model.value import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from memoracle.learn.draft import Drafted, Fields
    from memoracle.learn.entity_index import EntityPage
    from memoracle.learn.revise import Lineage
    from memoracle.model.inbox import InboxItem
    from memoracle.model.record import Change
    from memoracle.model.report import Receipt
    from memoracle.model.search import Standing
    from memoracle.root import Root
    from memoracle.store.store import RecordPlace


_SHORTEST_REFERENCE = 4


def resolve(root: Root, reference: str) -> str:
    found = reference
    if not root.store.journal.versions(reference):
        if len(reference.removeprefix(RECORD_PREFIX)) < _SHORTEST_REFERENCE:
            raise UnknownRecord(reference)
        root.view.catch_up()
        candidates = root.view.ask(lambda: root.index.resolve(reference, 20))
        if len(candidates) > 1:
            raise AmbiguousReference(reference, candidates)
        found = next(iter(candidates), "")
    # What is forbidden looks exactly like what is not there.
    if not found or not root.reader.sees(newest(root.store.journal.versions(found))):
        raise UnknownRecord(reference)
    return found


def show(root: Root, reference: str) -> Record:
    """One record as it stands."""
    return newest(_read_history(root, "show", reference))


def history(root: Root, reference: str) -> Sequence[Record]:
    """Every version of a record, oldest first: who changed what, when and why."""
    return _read_history(root, "history", reference)


def _read_history(root: Root, verb: str, reference: str) -> Sequence[Record]:
    versions = shown_versions(root, resolve(root, reference))
    root.log_reading(verb, [(one.id, one.sensitivity.value) for one in versions])
    return versions


def why(root: Root, reference: str) -> Lineage:
    """Where a memory came from, what it replaced, and what became of it."""
    from memoracle.learn.revise import trace_lineage

    record_id = resolve(root, reference)
    return trace_lineage(record_id, lambda one: shown_versions(root, one), root.store.journal.place_of)


def entity(root: Root, name: str | None = None) -> Sequence[EntityPage]:
    """A page for every entity, the best known first; or the one that answers to a name."""
    from memoracle.learn.entity_index import entity_pages, pages_named

    root.view.catch_up()
    pages = entity_pages(seen_standing(root))
    return pages if name is None else pages_named(pages, name)


def seen_standing(root: Root) -> Sequence[Standing]:
    """The standing records that the reader of this memory may see, whatever their status; oldest first."""
    standing = root.view.ask(lambda: root.index.standing(root.decay, root.clock(), reader=root.reader.scope))
    if root.reader.sees_public_alone:
        standing = [one for one in standing if one.passage.sensitivity == Sensitivity.PUBLIC]
    return [one for one in standing if one.passage.sensitivity not in root.reader.withheld]


def shown_versions(root: Root, record_id: str) -> Sequence[Record]:
    """The versions of a record as they are handed out; none where its reader may not see it.

    Every verb that tells what record files say reads here: what the policy masks now is masked, whenever it was
    written.
    """
    versions = root.store.journal.versions(record_id)
    if not versions or not root.reader.sees(newest(versions)):
        return ()
    return [root.guard.screen(one) for one in versions]


def as_it_stands(root: Root, record_id: str) -> Record:
    versions = root.store.journal.versions(record_id)
    if not versions:
        raise UnknownRecord(record_id)
    return newest(versions)


def said_before(root: Root, turns: Sequence[str]) -> dict[str, str]:
    """Who said what before each of these turns, named by id or place, as it stands in the transcript."""
    found = root.view.ask(lambda: root.index.turns_before(turns)) if turns else {}
    return {turn: root.guard.hide(f"{earlier.who}: {earlier.text}") for turn, earlier in found.items()}


def standing_as(root: Root, status: Status, most: int) -> list[Record]:
    """The records that have this status now, as the view lists them."""
    from memoracle.model.search import Filters

    root.view.catch_up()
    wanted = Filters(statuses=(status.value,))
    found = root.view.ask(lambda: root.index.list_records(wanted, most, root.clock()))
    records = [as_it_stands(root, one.passage.ref) for one in found]
    return [one for one in records if one.status is status]


@contextmanager
def editing(root: Root, reference: str) -> Iterator[tuple[Record, str]]:
    record_id = resolve(root, reference)
    with root.store.writing():
        yield newest(root.store.journal.versions(record_id)), record_id


def receipt_of(
    record: Record,
    place: RecordPlace | None,
    *,
    created: bool,
    warnings: tuple[str, ...] = (),
    outcome: str = "accepted",
    rules: tuple[str, ...] = (),
) -> Receipt:
    from memoracle.model.report import Receipt

    return Receipt(
        id=record.id,
        version=record.version,
        created=created,
        status=record.status,
        path=place.path if place else "",
        line=place.line if place else None,
        operation=record.change.operation if place else "",
        warnings=warnings,
        outcome=outcome,
        rules=rules,
    )


# Keeping things: what is said becomes a record, once, past the guard.


def remember(root: Root, what: str | Draft | Drafted, **fields: Unpack[Fields]) -> Receipt:
    """Keep something. The same thing kept again is the same record, with `created` False."""
    from memoracle.learn.draft import make_draft

    if fields and not isinstance(what, str):
        raise TypeError(f"a draft says everything itself: {', '.join(fields)} cannot be given beside it")
    kept = remember_many(root, [make_draft(what, **fields) if isinstance(what, str) else what])[0]
    if not kept.id:
        raise RefusedByPolicy(kept.rules)
    return kept


def remember_many(root: Root, drafts: Sequence[Draft | Drafted]) -> Sequence[Receipt]:
    """Keep several things with one acknowledgement. One without an id was not kept: too many wait in quarantine."""
    from memoracle.learn import revise
    from memoracle.learn.draft import QUARANTINE_FULL, Room, admit, already_kept, is_news, keys_of
    from memoracle.learn.evidence import is_second_word
    from memoracle.learn.inbox import ask_to_confirm
    from memoracle.model.report import Receipt

    drafted = [guard(root, draft) for draft in drafts]
    asked: list[InboxItem] = []
    room = Room(drafted, partial(count_quarantined, root))
    with root.store.writing():
        change = root.change("remember")
        fresh: list[Record] = []
        known: dict[str, Record] = {}
        outcome: list[tuple[Record | None, bool]] = []

        def find(key: str) -> Record | None:
            return known.get(key) or root.store.journal.with_key(key)

        for wish in drafted:
            if wish.is_apart:
                record_id = root.ids.next(RECORD_PREFIX, change.at)
                waits, is_new = room.set_apart(wish, find, record_id=record_id, change=change)
                outcome.append((waits, is_new))
                if waits is not None and is_new:
                    fresh.append(waits)
                    known |= dict.fromkeys(waits.keys, waits)
                continue
            keys, name = keys_of(wish.draft), root.ids.next(RECORD_PREFIX, change.at)
            held = already_kept(keys, find, change.at)
            if held is None:
                record = admit(wish.draft, record_id=name, change=change, keys=keys)
                if wish.proposes:
                    asked.append(ask_to_confirm(record, wish.proposes, since=change.at))
            elif held.status is Status.ARCHIVED:
                record = revise.restore(held, change)
            elif is_news(held, wish.draft):
                record = revise.vouch(held, wish.draft, change)
            elif not wish.proposes and is_second_word(held, wish.draft, told=wish.told):
                record = revise.said_twice(held, wish.draft, change)
            else:
                outcome.append((held, False))
                continue
            fresh.append(record)
            outcome.append((record, held is None))
            known |= dict.fromkeys(record.keys or keys, record)
        places = dict(zip((r.id for r in fresh), root.store.append(fresh), strict=True)) if fresh else {}
        if asked:
            put_to_confirm(root, asked, change.at)
    if asked:
        from memoracle.learn.review import obey

        obey(root)
    return [
        receipt_of(
            record,
            places.get(record.id) or root.store.journal.place_of(record),
            created=new,
            warnings=wish.warnings,
            outcome=wish.outcome,
            rules=wish.rules,
        )
        if record is not None
        else Receipt(
            id="",
            version=0,
            created=False,
            status=Status.QUARANTINED,
            warnings=wish.warnings,
            outcome="refused",
            rules=(*wish.rules, QUARANTINE_FULL),
        )
        for (record, new), wish in zip(outcome, drafted, strict=True)
    ]


def guard(root: Root, wish: Draft | Drafted) -> Drafted:
    """A draft as it may be written: without secrets, with no more weight than its channel gives it."""
    from memoracle.learn.draft import Drafted, put_to_owner

    given = wish if isinstance(wish, Drafted) else Drafted(draft=wish)
    reader, scope = root.reader.scope, given.draft.scope
    if reader != EVERYBODY:  # in the scope of whoever this memory is open for; another's is refused
        if not scope.is_open_to(reader):
            raise RefusedByPolicy(("other-scope",))
        bound = {name: own for name in SCOPES if (own := getattr(reader, name))}
        given = replace(given, draft=replace(given.draft, scope=replace(scope, **bound)))
    guarded = root.guard.must_pass(given.draft)
    # What was guarded before is guarded again: a mask that was put then has nothing left to say now.
    was_masked = given.outcome == "masked" and guarded.outcome.value == "accepted"
    guarded_wish = replace(
        given,
        draft=guarded.draft,
        warnings=tuple(dict.fromkeys((*given.warnings, *guarded.warnings))),
        outcome=given.outcome if was_masked else guarded.outcome.value,
        rules=tuple(dict.fromkeys((*given.rules, *guarded.rules))),
    )
    return put_to_owner(guarded_wish, given.draft)


def put_to_confirm(root: Root, items: Sequence[InboxItem], now: datetime) -> None:
    """Put what an agent noted to its owner; when too much waits already, the notes stand without a question."""
    from memoracle.learn.inbox import MOST_TO_CONFIRM
    from memoracle.model.inbox import Matter
    from memoracle.store.inbox import ask, read_inbox

    waiting = sum(one.matter is Matter.CONFIRMATION for one in read_inbox(root.store).open)
    ask(root.store, items[: max(0, MOST_TO_CONFIRM - waiting)], now=now)


def count_quarantined(root: Root, session: str, channel: str) -> int:
    """How many things of a session wait in quarantine; of a channel, where no session is named."""
    from memoracle.learn.draft import MOST_QUARANTINED
    from memoracle.model.search import Filters

    root.view.catch_up()
    wanted = Filters(statuses=(Status.QUARANTINED.value,), session=session, channel=channel)
    return len(root.view.ask(lambda: root.index.list_records(wanted, MOST_QUARANTINED, root.clock())))


# Changing what is kept: nothing is overwritten, every change is a new version that `undo` reverses.


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


def reactivate(root: Root, reference: str, *, because: str = "") -> Receipt:
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
    from memoracle.learn.draft import admit, make_draft

    with editing(root, reference) as (old, _):
        root.reader.must_own(old)
        change = root.change("supersede", because)
        inherited: Fields = {
            "kind": old.kind,
            "importance": old.weight.importance,
            "sensitivity": old.sensitivity,
        }
        if fields.keys().isdisjoint(SCOPES):  # whose it is, and how secret, does not change with its words
            scope = old.scope
            inherited |= {
                "user": scope.user,
                "agent": scope.agent,
                "project": scope.project,
                "seat": scope.seat,
            }
        inherited.update(fields)
        wish = guard(root, make_draft(text, **inherited))
        if wish.is_apart:
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
