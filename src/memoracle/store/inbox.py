"""Questions for the owner, as they wait: `state/inbox.json`. What was answered is never asked again.

Replaced as a whole; a file that cannot be read is set aside as `inbox.json.damaged` and begun anew.
The caller holds the lock when it writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memoracle.errors import InvalidTime
from memoracle.model.inbox import Item, Matter
from memoracle.model.value import replace, value
from memoracle.times import read_time, write_time

if TYPE_CHECKING:
    from memoracle.store.store import Store

FILE = "inbox.json"
_SCHEMA = 1


class InboxAnswer(StrEnum):
    """Where a question stands."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    CLOSED = "closed"
    """Settled by what was said later."""


@value
class InboxEntry:
    """A question, and what became of it."""

    item: Item
    answer: InboxAnswer = InboxAnswer.OPEN
    settled: datetime | None = None


@value
class Inbox:
    """Every question that was ever asked, oldest first."""

    entries: tuple[InboxEntry, ...] = ()

    @property
    def open(self) -> tuple[Item, ...]:
        """The questions that wait."""
        return tuple(entry.item for entry in self.entries if entry.answer is InboxAnswer.OPEN)


def read_inbox(store: Store) -> Inbox:
    """The questions of a memory; a file that cannot be read holds none."""
    return Inbox(entries=tuple(_entries(store.volume.read(store.state_name(FILE))) or ()))


def ask(store: Store, items: Iterable[Item], *, closed: Sequence[str] = (), now: datetime) -> list[Item]:
    """Add what was not asked before, and close what has been answered otherwise; the new questions."""
    entries = {entry.item.id: entry for entry in read_inbox(store).entries}
    after = dict(entries)
    for item in items:
        held = after.setdefault(item.id, InboxEntry(item=item))
        if item.matter is Matter.ADOPTION and held.answer is InboxAnswer.OPEN:
            after[item.id] = InboxEntry(
                item=replace(item, since=held.item.since)
            )  # the same question, today's numbers
    for one in closed:
        if one in after and after[one].answer is InboxAnswer.OPEN:
            after[one] = replace(after[one], answer=InboxAnswer.CLOSED, settled=now)
    if after != entries:
        _write(store, after.values())
    return [after[one].item for one in after if one not in entries]


def answer(store: Store, ids: Sequence[str], how: InboxAnswer, *, now: datetime) -> None:
    """Note how questions were answered."""
    entries = read_inbox(store).entries
    _write(store, [replace(one, answer=how, settled=now) if one.item.id in ids else one for one in entries])


def retold(
    store: Store,
    *,
    asked: Sequence[Item],
    closed: Mapping[str, datetime],
    times: frozenset[datetime],
    gone: frozenset[str],
) -> None:
    """The questions as they would be had the runs of these `times` gone otherwise; people's answers stay."""
    entries = read_inbox(store).entries
    again = {item.id: item for item in asked}
    after: dict[str, InboxEntry] = {}
    for entry in entries:
        item = entry.item
        by_a_run = item.matter in {Matter.CHANGE, Matter.CONTRADICTION} and item.since in times
        if gone.intersection(item.about) or (by_a_run and item.id not in again):
            continue
        reopened = entry.answer is InboxAnswer.CLOSED and entry.settled in times
        kept = replace(entry, answer=InboxAnswer.OPEN, settled=None) if reopened else entry
        after[item.id] = replace(kept, item=again[item.id]) if by_a_run else kept
    for item in asked:
        after.setdefault(item.id, InboxEntry(item=item))
    for question, when in closed.items():
        if question in after and after[question].answer is InboxAnswer.OPEN:
            after[question] = replace(after[question], answer=InboxAnswer.CLOSED, settled=when)
    if tuple(after.values()) != entries:
        _write(store, after.values())


def without(content: bytes, record_ids: frozenset[str]) -> bytes:
    """The same questions less those about these records: the words of a record stand in its questions."""
    entries = _entries(content)
    if entries is None:
        return b"" if any(one.encode() in content for one in record_ids) else content
    kept = [entry for entry in entries if not record_ids.intersection(entry.item.about)]
    return content if len(kept) == len(entries) else _written(kept)


def _write(store: Store, entries: Iterable[InboxEntry]) -> None:
    name = store.state_name(FILE)
    held = store.volume.read(name)
    if _entries(held) is None:
        store.volume.replace(f"{name}.damaged", held)
    store.volume.replace(name, _written(entries))


def _written(entries: Iterable[InboxEntry]) -> bytes:
    rows = [_row(entry) for entry in entries]
    return json.dumps({"schema": _SCHEMA, "items": rows}, ensure_ascii=False, indent=1).encode() + b"\n"


def _entries(content: bytes) -> list[InboxEntry] | None:
    """The questions in a file; None when it cannot be read."""
    try:
        return [_entry(one) for one in json.loads(content or b'{"items": []}')["items"]]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, InvalidTime):
        return None


def _row(entry: InboxEntry) -> dict[str, Any]:
    item = entry.item
    row: dict[str, Any] = {
        "id": item.id,
        "matter": item.matter.value,
        "about": list(item.about),
        "proposal": item.proposal,
        "because": item.because,
        "since": write_time(item.since),
        "answer": entry.answer.value,
    }
    return row | ({"settled": write_time(entry.settled)} if entry.settled else {})


def _entry(row: dict[str, Any]) -> InboxEntry:
    item = Item(
        id=str(row["id"]),
        matter=Matter(row["matter"]),
        about=tuple(map(str, row["about"])),
        proposal=str(row["proposal"]),
        because=str(row["because"]),
        since=read_time(row["since"]),
    )
    settled = row.get("settled")
    return InboxEntry(
        item=item, answer=InboxAnswer(row["answer"]), settled=read_time(settled) if settled else None
    )
