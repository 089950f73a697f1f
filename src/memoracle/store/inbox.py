"""Questions for the owner, as they wait, and their standing answers: `state/inbox.json`. No question is asked twice.

Replaced as a whole; a file that cannot be read is set aside as `inbox.json.damaged` and begun anew.
The caller holds the lock when it writes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from memoracle.errors import InvalidTime
from memoracle.model.inbox import InboxItem, Matter, Queue, Waiting, Why
from memoracle.model.report import Ledger
from memoracle.model.value import as_fields, field, from_plain, replace, to_plain, value
from memoracle.store.volume import json_line, parsed_lines, read_document, write_document
from memoracle.times import read_time, write_time

if TYPE_CHECKING:
    from memoracle.store.store import Store

INBOX = "inbox.json"
_SCHEMA = 1
_STORED = ("id", "matter", "about", "proposal", "because", "since")


class InboxAnswer(StrEnum):
    """Where a question stands."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    CLOSED = "closed"
    """Settled by what was said later."""


@value
class _InboxEntry:
    """A question, and what became of it."""

    item: InboxItem
    answer: InboxAnswer = InboxAnswer.OPEN
    settled: datetime | None = None


@value
class _Inbox:
    """Every question that was ever asked, oldest first."""

    entries: tuple[_InboxEntry, ...] = ()
    rules: Mapping[str, bool] = field(default_factory=dict)
    """The owner's standing answers, by what they are named by."""

    @property
    def open(self) -> tuple[InboxItem, ...]:
        """The questions that wait."""
        return tuple(entry.item for entry in self.entries if entry.answer is InboxAnswer.OPEN)


def read_inbox(store: Store) -> _Inbox:
    """The questions of a memory; a file that cannot be read holds none."""
    return _inbox(store.volume.read(store.state_name(INBOX))) or _Inbox()


def ask(
    store: Store, items: Iterable[InboxItem], *, closed: Sequence[str] = (), now: datetime
) -> list[InboxItem]:
    """Add what was not asked before, and close what has been answered otherwise; the new questions."""
    entries = {entry.item.id: entry for entry in read_inbox(store).entries}
    after = dict(entries)
    for item in items:
        held = after.setdefault(item.id, _InboxEntry(item=item))
        if item.matter is Matter.ADOPTION and held.answer is InboxAnswer.OPEN:
            after[item.id] = _InboxEntry(
                item=replace(item, since=held.item.since)
            )  # the same question, today's numbers
    _close(after, dict.fromkeys(closed, now))
    if after != entries:
        _write_inbox(store, after.values())
    return [after[one].item for one in after if one not in entries]


def answer(store: Store, ids: Sequence[str], how: InboxAnswer, *, now: datetime) -> None:
    """Note how questions were answered."""
    entries = read_inbox(store).entries
    _write_inbox(
        store, [replace(one, answer=how, settled=now) if one.item.id in ids else one for one in entries]
    )


def set_rule(store: Store, name: str, yes: bool | None) -> bool:
    """Answer questions of this name so from now on, or, for None, no longer; True when that is a change."""
    held = read_inbox(store)
    rules = {one: given for one, given in held.rules.items() if one != name}
    rules |= {} if yes is None else {name: yes}
    if rules != held.rules:
        _write_inbox(store, held.entries, rules)
    return rules != held.rules


def retold(
    store: Store,
    *,
    asked: Sequence[InboxItem],
    closed: Mapping[str, datetime],
    times: frozenset[datetime],
    gone: frozenset[str],
) -> None:
    """The questions as they would be had the runs of these `times` gone otherwise; people's answers stay."""
    entries = read_inbox(store).entries
    again = {item.id: item for item in asked}
    after: dict[str, _InboxEntry] = {}
    for entry in entries:
        item = entry.item
        by_a_run = item.matter in {Matter.CHANGE, Matter.CONTRADICTION} and item.since in times
        if gone.intersection(item.about) or (by_a_run and item.id not in again):
            continue
        reopened = entry.answer is InboxAnswer.CLOSED and entry.settled in times
        kept = replace(entry, answer=InboxAnswer.OPEN, settled=None) if reopened else entry
        after[item.id] = replace(kept, item=again[item.id]) if by_a_run else kept
    for item in asked:
        after.setdefault(item.id, _InboxEntry(item=item))
    _close(after, closed)
    if tuple(after.values()) != entries:
        _write_inbox(store, after.values())


def _close(entries: dict[str, _InboxEntry], closed: Mapping[str, datetime]) -> None:
    for question, when in closed.items():
        if question in entries and entries[question].answer is InboxAnswer.OPEN:
            entries[question] = replace(entries[question], answer=InboxAnswer.CLOSED, settled=when)


def without_questions(content: bytes, record_ids: frozenset[str]) -> bytes:
    """The same questions less those about these records: the words of a record stand in its questions."""
    held = _inbox(content)
    if held is None:
        return b"" if any(one.encode() in content for one in record_ids) else content
    kept = [entry for entry in held.entries if not record_ids.intersection(entry.item.about)]
    return content if len(kept) == len(held.entries) else _written(kept, held.rules)


def _write_inbox(
    store: Store, entries: Iterable[_InboxEntry], rules: Mapping[str, bool] | None = None
) -> None:
    name = store.state_name(INBOX)
    content = store.volume.read(name)
    if (held := _inbox(content)) is None:
        store.volume.replace(f"{name}.damaged", content)
    stand = held.rules if held and rules is None else rules or {}
    store.volume.replace(name, _written(entries, stand))


def _written(entries: Iterable[_InboxEntry], rules: Mapping[str, bool]) -> bytes:
    rows = []
    for entry in entries:
        row = {name: to_plain(getattr(entry.item, name)) for name in _STORED} | {"answer": entry.answer.value}
        rows.append(row | ({"settled": write_time(entry.settled)} if entry.settled else {}))
    document = {"schema": _SCHEMA, "items": rows} | ({"rules": dict(rules)} if rules else {})
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def _inbox(content: bytes) -> _Inbox | None:
    """What a file holds; None when it cannot be read."""
    try:
        held = json.loads(content or b'{"items": []}')
        rules = {str(name): yes for name, yes in held.get("rules", {}).items() if isinstance(yes, bool)}
        return _Inbox(entries=tuple(map(_entry, held["items"])), rules=rules)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, InvalidTime):
        return None


def _entry(row: dict[str, Any]) -> _InboxEntry:
    item = from_plain(InboxItem, {name: row[name] for name in _STORED})
    settled = row.get("settled")
    return _InboxEntry(
        item=item, answer=InboxAnswer(row["answer"]), settled=read_time(settled) if settled else None
    )


# What waits for a model: `state/pending.jsonl`, one line per fragment, replaced whole under the root's lock.
#
# A fragment waits once, however often it is added. What is beyond the limit leaves oldest first and is
# counted, never silently; its turn still stands in the transcript. A line that cannot be read is carried
# along as it is, and waits for a person.

PENDING = "pending.jsonl"
MOST = 1_000
_COMPACTED = "compacted"


def read_pending(store: Store) -> Queue:
    """What waits, oldest first; nothing is locked."""
    return _read_queue(store)[0]


def count_pending(store: Store) -> int:
    """How many lines wait, strange ones included, without looking into them."""
    content = store.volume.read(store.state_name(PENDING))
    return content.count(b"\n") - content.startswith(json_line({_COMPACTED: 0})[:-3])


def add_pending(store: Store, waiting: Iterable[Waiting], *, most: int = MOST) -> Queue:
    """Let fragments wait; one that waits already keeps its place and takes the new reason and tries.

    The caller holds the lock.
    """
    held, strange = _read_queue(store)
    kept = {one.fragment.id: one for one in held.waiting}
    for one in waiting:
        known = kept.get(one.fragment.id)
        if known:
            why = known.why if one.why is Why.NEW else one.why
            one = replace(one, since=known.since, tries=max(known.tries, one.tries), why=why)  # noqa: PLW2901
        kept[one.fragment.id] = one
    beyond = max(0, len(kept) - most)
    queue = Queue(waiting=tuple(kept.values())[beyond:], compacted=held.compacted + beyond)
    return _write_queue(store, held, queue, strange)


def settle_pending(store: Store, ids: Iterable[str]) -> Queue:
    """Take fragments out, because they were decided. The caller holds the lock."""
    (held, strange), gone = _read_queue(store), set(ids)
    rest = tuple(one for one in held.waiting if one.fragment.id not in gone)
    return _write_queue(store, held, replace(held, waiting=rest), strange)


def clear_pending(store: Store) -> int:
    """Let nothing wait any longer; how many lines there were is returned. The caller holds the lock."""
    held, strange = _read_queue(store)
    store.volume.remove(store.state_name(PENDING))
    return len(held.waiting) + len(strange)


def without_fragments(content: bytes, texts: Iterable[str]) -> bytes:
    """The same lines less the fragments that say one of these texts: what is forgotten does not wait either."""
    gone = list(texts)

    def says(raw: bytes) -> bool:
        try:
            said = str(json.loads(raw)["fragment"]["text"])
        except (ValueError, TypeError, LookupError, RecursionError):
            said = raw.decode("utf-8", "replace")
        return says_one_of([said], gone)

    return b"".join(line for line in content.splitlines(keepends=True) if not says(line))


def says_one_of(words: Sequence[str], texts: Iterable[str]) -> bool:
    """True when one of these words is such a text, or the first holds one: where it is long enough to tell.

    A name alone may stand in any sentence.
    """
    return any(
        text in words or (len(text.encode("utf-8", "replace")) >= 12 and text in words[0])
        for text in texts
        if text
    )


def _read_queue(store: Store) -> tuple[Queue, list[bytes]]:
    """What waits and how many left, and the lines that nobody can read."""
    waiting: dict[str, Waiting] = {}
    strange: list[bytes] = []
    compacted = 0
    for raw, one in parsed_lines(store.volume.read(store.state_name(PENDING)), _waiting):
        if one is None:
            strange.append(raw)
        elif isinstance(one, int):
            compacted += one
        else:
            waiting[one.fragment.id] = one
    return Queue(waiting=tuple(waiting.values()), compacted=compacted), strange


def _waiting(plain: Any) -> Waiting | int:
    """What waits, or how many left."""
    if isinstance(plain, dict) and type(plain.get(_COMPACTED)) is int:
        return int(plain[_COMPACTED])
    one = from_plain(Waiting, plain)
    if not isinstance(one.fragment.id, str) or not isinstance(one.fragment.text, str):
        raise TypeError("an id and a text are words")
    return one


def _write_queue(store: Store, held: Queue, queue: Queue, strange: Sequence[bytes]) -> Queue:
    if queue == held:
        return queue
    lines = [json_line({_COMPACTED: queue.compacted})] if queue.compacted else []
    lines += [*(raw + b"\n" for raw in strange), *(json_line(to_plain(one)) for one in queue.waiting)]
    store.volume.replace(store.state_name(PENDING), b"".join(lines))
    return queue


# Today's ledger on disk: `state/ledger.json`, replaced whole under the root's lock.
#
# Two processes change it one after the other, so together they cannot spend more than the budget. An absent or
# unreadable ledger is an empty one: the file is this machine's own, and only a day old.

LEDGER = "ledger.json"
_Told = TypeVar("_Told")


def read_ledger(store: Store) -> Ledger:
    """The ledger as it was written last; nothing is locked."""
    held = read_document(store.volume, store.state_name(LEDGER))
    numbers = {name: held.get(name) for name in ("spent", "reserved", "calls", "failures")}
    try:
        day = date.fromisoformat(held["day"]).isoformat()
        if all(type(number) is int and number >= 0 for number in numbers.values()):
            return Ledger(day=day, **{name: int(number or 0) for name, number in numbers.items()})
    except (ValueError, TypeError, LookupError):
        pass
    return Ledger()


def change_ledger(store: Store, change: Callable[[Ledger], tuple[Ledger, _Told]]) -> _Told:
    """Put another ledger in the place of the one that stands, durably; what `change` tells is returned."""
    with store.writing():
        before = read_ledger(store)
        after, told = change(before)
        if after != before:
            write_document(store.volume, store.state_name(LEDGER), as_fields(after))
    return told
