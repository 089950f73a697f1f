"""Keeping things: what is said becomes a record, once, past the guard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from memoracle.errors import RefusedByPolicy
from memoracle.learn.records import receipt_of
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.record import EVERYBODY, SCOPES, Draft, Record, Status
from memoracle.model.value import replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memoracle.learn.draft import Drafted, Fields
    from memoracle.model.inbox import Item
    from memoracle.model.report import Receipt
    from memoracle.root import Root


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
    from memoracle.learn.admission import Room, admit, already_kept, is_news, keys_of, not_kept
    from memoracle.learn.evidence import is_second_word
    from memoracle.learn.inbox import ask_to_confirm

    drafted = [guard(root, draft) for draft in drafts]
    asked: list[Item] = []
    room = Room(drafted, lambda session, channel: _count_apart(root, session, channel))
    with root.store.writing():
        change = root.change("remember")
        fresh: list[Record] = []
        known: dict[str, Record] = {}
        outcome: list[tuple[Record | None, bool]] = []

        def find(key: str) -> Record | None:
            return known.get(key) or root.store.journal.with_key(key)

        for wish in drafted:
            if room.is_apart(wish):
                waits, is_new = room.set_apart(
                    wish, find, record_id=root.ids.next(RECORD_PREFIX, change.at), change=change
                )
                outcome.append((waits, is_new))
                if waits is not None and is_new:
                    fresh.append(waits)
                    known |= dict.fromkeys(waits.keys, waits)
                continue
            held = already_kept(wish.draft, find, change.at)
            if held is None:
                record = admit(wish.draft, record_id=root.ids.next(RECORD_PREFIX, change.at), change=change)
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
            known |= dict.fromkeys(record.keys or keys_of(wish.draft), record)
        places = dict(zip((r.id for r in fresh), root.store.append(fresh), strict=True)) if fresh else {}
        if asked:
            _ask_to_confirm(root, asked, change.at)
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
        else not_kept(wish)
        for (record, new), wish in zip(outcome, drafted, strict=True)
    ]


def guard(root: Root, wish: Draft | Drafted) -> Drafted:
    """A draft as it may be written: without secrets, with no more weight than its channel gives it."""
    from memoracle.learn.draft import Drafted, put_to_owner

    given = wish if isinstance(wish, Drafted) else Drafted(draft=wish)
    given = replace(given, draft=_of_its_reader(root, given.draft))
    guarded = root.guard.must_pass(given.draft)
    # What was guarded before is guarded again: a mask that was put then has nothing left to say now.
    was_masked = given.outcome == "masked" and guarded.outcome.value == "accepted"
    guarded_wish = Drafted(
        draft=guarded.draft,
        warnings=tuple(dict.fromkeys((*given.warnings, *guarded.warnings))),
        outcome=given.outcome if was_masked else guarded.outcome.value,
        rules=tuple(dict.fromkeys((*given.rules, *guarded.rules))),
        told=given.told,
        proposes=given.proposes,
    )
    return put_to_owner(guarded_wish, given.draft)


def _ask_to_confirm(root: Root, items: Sequence[Item], now: datetime) -> None:
    """Put what an agent noted to its owner; when too much waits already, the notes stand without a question."""
    from memoracle.learn.inbox import MOST_TO_CONFIRM
    from memoracle.model.inbox import Matter
    from memoracle.store.inbox import ask, read_inbox

    waiting = sum(one.matter is Matter.CONFIRMATION for one in read_inbox(root.store).open)
    ask(root.store, items[: max(0, MOST_TO_CONFIRM - waiting)], now=now)


def _count_apart(root: Root, session: str, channel: str) -> int:
    """How many things of a session wait in quarantine; of a channel, where no session is named."""
    from memoracle.learn.admission import MOST
    from memoracle.model.search import Filters

    root.view.catch_up()
    wanted = Filters(statuses=(Status.QUARANTINED.value,), session=session, channel=channel)
    return len(root.view.ask(lambda: root.index.list_records(wanted, MOST, root.clock())))


def _of_its_reader(root: Root, draft: Draft) -> Draft:
    """A draft in the scope of whoever this memory is open for; another's scope is refused."""
    if root.reader.scope == EVERYBODY:
        return draft
    if not draft.scope.is_open_to(root.reader.scope):
        raise RefusedByPolicy(("other-scope",))
    bound = {name: eyes for name in SCOPES if (eyes := getattr(root.reader.scope, name))}
    return replace(draft, scope=replace(draft.scope, **bound))
