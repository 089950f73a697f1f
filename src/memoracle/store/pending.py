"""What waits for a model: `state/pending.jsonl`, one line per fragment, replaced whole under the root's lock.

A fragment waits once, however often it is added. What is beyond the limit leaves oldest first and is
counted, never silently; its turn still stands in the transcript. A line that cannot be read is carried
along as it is, and waits for a person.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import date
from typing import TypeVar

from memoracle.errors import InvalidTime
from memoracle.model.inbox import Queue, Waiting, Why
from memoracle.model.report import Ledger
from memoracle.model.value import as_fields, from_plain, replace, to_plain, value
from memoracle.store.documents import read_document, write_document
from memoracle.store.store import Store

FILE = "pending.jsonl"
MOST = 5_000
_COMPACTED = "compacted"


@value
class _Held:
    """The whole file: what waits, how many left, and lines nobody can read."""

    queue: Queue
    strange: tuple[bytes, ...] = ()


def read_pending(store: Store) -> Queue:
    """What waits, oldest first; nothing is locked."""
    return _read(store).queue


def count_pending(store: Store) -> int:
    """How many lines wait, strange ones included, without looking into them."""
    content = store.volume.read(store.state_name(FILE))
    return content.count(b"\n") - content.startswith(_line({_COMPACTED: 0})[:-2])


def add_pending(store: Store, waiting: Iterable[Waiting], *, most: int = MOST) -> Queue:
    """Let fragments wait; one that waits already keeps its place and takes the new reason and tries.

    The caller holds the lock.
    """
    held = _read(store)
    kept = {one.fragment.id: one for one in held.queue.waiting}
    for one in waiting:
        known = kept.get(one.fragment.id)
        kept[one.fragment.id] = _again(known, one) if known else one
    beyond = max(0, len(kept) - most)
    queue = Queue(waiting=tuple(kept.values())[beyond:], compacted=held.queue.compacted + beyond)
    return _write(store, held, queue)


def settle_pending(store: Store, ids: Iterable[str]) -> Queue:
    """Take fragments out, because they were decided. The caller holds the lock."""
    held, gone = _read(store), set(ids)
    rest = tuple(one for one in held.queue.waiting if one.fragment.id not in gone)
    return _write(store, held, replace(held.queue, waiting=rest))


def clear_pending(store: Store) -> int:
    """Let nothing wait any longer; how many lines there were is returned. The caller holds the lock."""
    held = _read(store)
    store.volume.remove(store.state_name(FILE))
    return len(held.queue.waiting) + len(held.strange)


def _again(known: Waiting, one: Waiting) -> Waiting:
    why = known.why if one.why is Why.NEW else one.why
    return replace(one, since=known.since, tries=max(known.tries, one.tries), why=why)


def without(content: bytes, texts: Iterable[str]) -> bytes:
    """The same lines less the fragments that say one of these texts: what is forgotten does not wait either."""
    gone = [text for text in texts if text]

    def says(raw: bytes) -> bool:
        try:
            said = str(json.loads(raw)["fragment"]["text"])
        except (ValueError, TypeError, LookupError, RecursionError):
            said = raw.decode("utf-8", "replace")
        return any(text == said or (_is_telling(text) and text in said) for text in gone)

    return b"".join(line for line in content.splitlines(keepends=True) if not says(line))


def _is_telling(text: str) -> bool:
    """Long enough that holding it means saying it; a name alone may stand in any sentence."""
    return len(text.encode("utf-8", "replace")) >= 12


def _read(store: Store) -> _Held:
    waiting: dict[str, Waiting] = {}
    strange: list[bytes] = []
    compacted = 0
    for raw in store.volume.read(store.state_name(FILE)).split(b"\n"):
        if not raw.strip():
            continue
        try:
            plain = json.loads(raw)
            if isinstance(plain, dict) and type(plain.get(_COMPACTED)) is int:
                compacted += plain[_COMPACTED]
            else:
                one = from_plain(Waiting, plain)
                waiting[one.fragment.id + one.fragment.text[:0]] = (
                    one  # both are text, or the line is strange
                )
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError, InvalidTime):
            strange.append(raw)
    return _Held(queue=Queue(waiting=tuple(waiting.values()), compacted=compacted), strange=tuple(strange))


def _write(store: Store, held: _Held, queue: Queue) -> Queue:
    if queue == held.queue:
        return queue
    lines = [_line({_COMPACTED: queue.compacted})] if queue.compacted else []
    lines += [*held.strange, *(_line(to_plain(one)) for one in queue.waiting)]
    store.volume.replace(store.state_name(FILE), b"".join(line + b"\n" for line in lines))
    return queue


def _line(plain: object) -> bytes:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


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
