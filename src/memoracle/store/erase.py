"""The one operation that removes bytes.

The tombstone is written first: from then on the record is gone for every reader. Then
`state/erasing.json` names the ids (never the words), and only then bytes are taken out, the
truth itself last. The caller throws the view's copy away and calls `finish`. A kill anywhere
leaves work that `check` sees and `repair` completes, never a record that half exists.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError
from memoracle.model.ids import RECORD_PREFIX, derived_id, file_digest
from memoracle.model.record import AGAIN, Change, Kind, Record, Statement, Status, Weight, newest
from memoracle.model.search import cited_in, short_id
from memoracle.model.value import replace, value
from memoracle.store import inbox, journal, run_log
from memoracle.store import loading as usage
from memoracle.store.generated import strike
from memoracle.store.journal import find_lines
from memoracle.store.line import DamagedLine, decode, readable
from memoracle.store.projected import projected_paths
from memoracle.store.volume import PACKED, Volume, content_of, pack, unpack
from memoracle.text import telling_terms

if TYPE_CHECKING:
    from memoracle.store.store import Store

Numbers = dict[str, dict[str, set[int]]]

Keep = Callable[[bytes], list[bytes]]
_SHORTEST_TEXT = 4
_MARKER = "erasing.json"
_COUNTED = re.compile(rb'"writer":"(w_[0-9A-Z]{26})","sequence":(\d{1,15})\}')


@value
class _Erasure:
    """Lines removed per file, and files that were left alone although they still hold the words."""

    removed: Mapping[str, int]
    remaining: tuple[str, ...]


def tombstone(record: Record, change: Change, *, again: bool = False) -> Record:
    """What is left of an erased record: its id, and that it is gone."""
    extra = {AGAIN: True} if again else {}
    return _empty(record.id, record.version + 1, record.kind, change, record.created, extra)


def _empty(
    record_id: str, version: int, kind: Kind, change: Change, created: datetime, extra: dict[str, Any]
) -> Record:
    return Record(
        id=record_id,
        version=version,
        kind=kind,
        statement=Statement(text=""),
        change=change,
        created=created,
        status=Status.FORGOTTEN,
        weight=Weight(importance=0.0, confidence=0.0),
        extra=extra,
    )


def erase(store: Store, tombstones: Sequence[Record], *, spared: Collection[str] = ()) -> _Erasure:
    """Write the tombstones, then take every byte of what they stand for out of the files.

    `spared` are texts that others rightly say too. The caller holds the lock, then throws the view's copy
    away and calls `finish`.
    """
    return _erase(store, {stone.id: stone for stone in tombstones}, spared=spared)


def erase_again(store: Store, ids: Iterable[str], change: Change) -> _Erasure:
    """Take out what is left, or has come back by a merge, of records that have a tombstone."""
    stones = {}
    for record_id in ids:
        held = store.journal.versions(record_id)
        if held and (last := newest(held)).status is Status.FORGOTTEN:
            stones[record_id] = replace(last, version=last.version + 1, change=change)
    return _erase(store, stones)


def finish(store: Store, ids: Iterable[str]) -> None:
    """Note that nothing of these records is left, in the view either. The caller holds the lock."""
    _mark(store, [record_id for record_id in unfinished(store) if record_id not in set(ids)])


def unfinished(store: Store) -> list[str]:
    """The ids of records whose erasure was begun and not seen to its end."""
    try:
        kept = json.loads(store.volume.read(store.state_name(_MARKER)) or b"[]")
    except (ValueError, RecursionError):
        return []
    return [str(record_id) for record_id in kept] if isinstance(kept, list) else []


def erased_numbers(stone: Record) -> dict[str, set[int]]:
    """The running counts, by writer, of the lines that a tombstone stands for."""
    found: dict[str, set[int]] = {}
    claims = stone.extra.get("erased")
    for writer, numbers in claims.items() if isinstance(claims, Mapping) else ():
        if isinstance(numbers, list):
            found[str(writer)] = {number for number in numbers if type(number) is int}
    return found


def erased_ids(store: Store) -> frozenset[str]:
    """The ids of all tombstones."""
    return frozenset(
        record.id
        for path in store.journal.plain_files()
        for raw in find_lines(store.volume, path, b'"status":"forgotten"')
        for _, record in readable(raw)
        if record.status is Status.FORGOTTEN
    )


def line_filter(ids: frozenset[str], texts: Sequence[str]) -> Keep:
    """What stays of a raw line: itself, the whole neighbours inside a damaged one, or nothing."""
    needles = [needle for text in texts for needle in spellings(text)]
    quoted = [b'"%s"' % needle for needle in needles]
    marks = [f'"{record_id}"'.encode() for record_id in ids]
    foreign = not all(record_id.startswith(RECORD_PREFIX) for record_id in ids)

    def keep(raw: bytes) -> list[bytes]:
        mentions = any(mark in raw for mark in marks)
        holds = any(needle in raw for needle in needles)
        if not (mentions or holds or foreign):
            return [raw]
        try:
            record = decode(raw.rstrip(b"\r")).record
        except DamagedLine:
            if whole := readable(raw):
                rest = raw
                for own, _ in whole:
                    rest = rest.replace(own, b"")
                kept = [own for own, record in whole if not _is_doomed(record, ids)]
                kept_rest = keep(rest) if rest.strip() else [rest]
                return [raw] if len(kept) == len(whole) and kept_rest else kept + kept_rest
            # Damage goes when it is of this record; damage of another that only quotes the words stays.
            is_ours = mentions or any(quote in raw for quote in quoted) or (holds and b'"id":"' not in raw)
            return [] if is_ours else [raw]
        return [] if _is_doomed(record, ids) else [raw]

    return keep


def spellings(text: str) -> list[bytes]:
    """The ways a text can stand in a file: as it is, and as JSON writes it."""
    if len(text.strip()) < _SHORTEST_TEXT and not any(ord(ch) > 0x2E80 for ch in text):
        return []
    forms = {text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]}
    return sorted(form.encode("utf-8", "surrogatepass") for form in forms if form.strip())


def places_with(volume: Volume, texts: Sequence[str], *, skip: Sequence[str] = ()) -> list[str]:
    """Every file under the root that still holds one of these texts."""
    needles = [needle for text in texts for needle in spellings(text)]
    if not needles:
        return []
    longest = max(map(len, needles))
    passed = tuple(f"{folder}/" for folder in skip)

    def holds(name: str) -> bool:
        before = b""
        try:
            for piece in [content_of(volume, name)] if name.endswith(PACKED) else volume.pieces(name):
                window = before + piece
                if any(needle in window for needle in needles):
                    return True
                before = window[-longest:]
        except MemoracleError:
            return False
        return False

    names = (name for name in volume.walk("", ("",), hidden=True) if not name.startswith(passed))
    return list(filter(holds, names))


def _erase(store: Store, stones: Mapping[str, Record], *, spared: Collection[str] = ()) -> _Erasure:
    ids = frozenset(stones)
    doomed = [version for record_id in sorted(ids) for version in store.journal.versions(record_id)]
    numbers = _numbers_of(store, doomed, ids)
    fresh = []
    for stone in stones.values():
        spent = numbers.get(stone.id, {})
        if spent != erased_numbers(stone) or not any(
            version.id == stone.id and version.status is Status.FORGOTTEN for version in doomed
        ):
            told = {writer: sorted(found) for writer, found in sorted(spent.items())}
            fresh.append(replace(stone, extra={**stone.extra, "erased": told}))
    if fresh:
        store.append(fresh)
    _mark(store, sorted({*unfinished(store), *ids}))
    unreasoned = _take_reasons(store, stones, doomed)
    texts = [text for text in _words_of(doomed) if text not in spared]
    keep = line_filter(ids, texts)
    removed: dict[str, int] = {}
    set_aside = os.path.join(store.layout["quarantine"], journal.QUARANTINE)
    _erase_lines(store.volume, set_aside, _unwrapped(keep), removed)
    for path in store.volume.walk(os.path.dirname(store.layout["usage"]), usage.RECEIPTS):
        _replace_lines(store.volume, path, lambda held: usage.without_uses(held, ids), removed)
    waiting, asked = store.state_name(inbox.PENDING), store.state_name(inbox.INBOX)
    _replace_lines(store.volume, waiting, lambda held: inbox.without_fragments(held, texts), removed)
    if struck := run_log.strike_words(store, texts):
        removed[run_log.log_name(store)] = struck
    _replace_lines(store.volume, asked, lambda held: inbox.without_questions(held, ids), removed)
    if dropped := run_log.drop_work(store):
        removed[store.state_name("consolidation.json")] = dropped
    removed |= retract(store, ids)
    # The truth comes last: as long as a line of it is left, `check` can tell what is still to do.
    for path in reversed(store.journal.plain_files()):
        _erase_lines(store.volume, path, keep, removed)
        if path in unreasoned:
            removed[path] = removed.get(path, 0) + unreasoned[path]
    remaining = places_with(store.volume, texts, skip=(store.layout["index"],))
    return _Erasure(removed=removed, remaining=tuple(remaining))


def _take_reasons(store: Store, stones: Mapping[str, Record], doomed: Sequence[Record]) -> dict[str, int]:
    """Take the reasons out of records that stay, where they say words of those that go and that these do not say.

    Reasons are looked at in records that name one of the erased: what came in its place, or was made from it.
    """
    said = {term for version in doomed for text in _words_of([version]) for term in telling_terms(text)}
    told: dict[tuple[str, int, str, int], Record] = {}
    for path in store.journal.plain_files():
        for record_id in stones:
            for raw in find_lines(store.volume, path, f'"{record_id}"'.encode()):
                for _, one in readable(raw):
                    own = {term for text in _words_of([one]) for term in telling_terms(text)}
                    reason = set(telling_terms(one.change.because)) if one.change.because else set()
                    if one.id not in stones and reason & said - own:
                        told[_named(one)] = one
    if not told:
        return {}
    change = next(iter(stones.values())).change
    removed = list(told.values())
    added = [replace(one, change=replace(one.change, because="")) for one in removed]
    stone_id = derived_id(RECORD_PREFIX, change.at, "reasons", *sorted(stones))
    return rewrite(store, added, removed, stone_id=stone_id, change=change)


def _numbers_of(store: Store, doomed: Sequence[Record], ids: frozenset[str]) -> Numbers:
    """The running counts of all lines that go, damaged ones included, by record and writer."""
    numbers: Numbers = {}
    for version in doomed:
        own = numbers.setdefault(version.id, {})
        if version.status is Status.FORGOTTEN:
            for writer, spent in erased_numbers(version).items():
                own.setdefault(writer, set()).update(spent)
        else:
            own.setdefault(version.change.writer, set()).add(version.change.sequence)
    for path in store.journal.plain_files():
        for record_id in ids:
            for raw in find_lines(store.volume, path, f'"{record_id}"'.encode()):
                if not readable(raw):
                    for writer, number in _COUNTED.findall(raw):
                        numbers.setdefault(record_id, {}).setdefault(writer.decode(), set()).add(int(number))
    return numbers


def _words_of(versions: Sequence[Record]) -> list[str]:
    """Everything these versions say, longest first."""
    said = {words for v in versions for words in (v.statement.text, v.statement.value) if words}
    return sorted(said, key=len, reverse=True)


def _is_doomed(record: Record, ids: frozenset[str]) -> bool:
    return record.id in ids and record.status is not Status.FORGOTTEN


def _unwrapped(keep: Keep) -> Keep:
    """The same judgement of lines in quarantine, whose damage is wrapped in JSON or base64."""

    def judge(raw: bytes) -> list[bytes]:
        inner = journal.raw_bytes_in(raw)
        return [raw] if (raw if inner is None else inner) in keep(raw if inner is None else inner) else []

    return judge


def _erase_lines(volume: Volume, name: str, keep: Keep, removed: dict[str, int]) -> None:
    """Take lines out of a file; how many there were is added to what was removed."""

    def change(content: bytes) -> bytes:
        return b"\n".join(kept for raw in content.split(b"\n") for kept in keep(raw))

    _replace_lines(volume, name, change, removed)


def _replace_lines(
    volume: Volume, name: str, change: Callable[[bytes], bytes], removed: dict[str, int]
) -> None:
    raw = volume.read(name)
    content = unpack(name, raw) if name.endswith(PACKED) and raw else raw
    kept = change(content)
    if kept != content:
        volume.replace(name, pack(kept) if name.endswith(PACKED) else kept, expected=file_digest(raw))
        removed[name] = max(1, content.count(b"\n") - kept.count(b"\n"))


def _mark(store: Store, ids: Sequence[str]) -> None:
    path = store.state_name(_MARKER)
    if ids:
        store.volume.replace(path, json.dumps(ids).encode() + b"\n")
    else:
        store.volume.remove(path)


# Lines taken out of the record files one by one, and what stands in their place.
#
# Beside `erase`, which takes whole records out: here some versions of records that stay go. What comes in their place
# is appended first, so a kill leaves a history that is too long, never one that is too short. The running counts of
# the lines that went stand in one tombstone of their own, so that no check takes them for lost.


def rewrite(
    store: Store, added: Sequence[Record], removed: Sequence[Record], *, stone_id: str, change: Change
) -> dict[str, int]:
    """Append versions, then take others out; how many lines went from each file. The caller holds the lock."""
    spent: dict[str, list[int]] = {}
    for one in removed:
        if one.change.writer:
            spent.setdefault(one.change.writer, []).append(one.change.sequence)
    told = {writer: sorted(numbers) for writer, numbers in sorted(spent.items())}
    stones = [_empty(stone_id, 1, Kind.FACT, change, change.at, {"erased": told})] if spent else []
    if added or stones:
        store.append([*added, *stones])
    doomed, taken = {_named(one) for one in removed}, dict[str, int]()

    def keep(raw: bytes) -> list[bytes]:
        found = readable(raw) if raw.strip() else []
        if not any(_named(record) in doomed for _, record in found):
            return [raw]
        return [own for own, record in found if _named(record) not in doomed]

    for path in store.journal.plain_files() if doomed else ():
        _erase_lines(store.volume, path, keep, taken)
    return taken


def _named(record: Record) -> tuple[str, int, str, int]:
    return record.id, record.version, record.change.writer, record.change.sequence


# Erased records leave what memory itself generated: lines of blocks that name them, and derived documents.
#
# The owner's own text stays. Derived documents are taken away whole and come back with the next upkeep.

_MARK = b"memoracle:begin"


def retract(store: Store, ids: Iterable[str]) -> dict[str, int]:
    """Take these records out of everything generated; how many lines went from each file. Holds the lock."""
    marks = frozenset(map(short_id, ids))
    removed: dict[str, int] = {}

    def struck(content: bytes) -> bytes:
        if _MARK not in content:
            return content
        return strike(content.decode("utf-8", "surrogateescape"), marks).encode("utf-8", "surrogateescape")

    for path in _notes(store):
        _replace_lines(store.volume, path, struck, removed)
    for path in projected_paths(store):
        lines = store.volume.read(path).split(b"\n")
        if not path.endswith(".md"):
            store.volume.remove(path)
            removed |= {path: len(lines)} if lines != [b""] else {}
            continue
        kept = [line for line in lines if marks.isdisjoint(cited_in(line.decode("utf-8", "replace")))]
        if kept != lines:
            store.volume.replace(path, b"\n".join(kept))
            removed[path] = len(lines) - len(kept)
    return removed


def cited_by(store: Store, ids: Iterable[str]) -> list[str]:
    """The generated blocks and documents that name one of these records; nothing is written."""
    marks = frozenset(map(short_id, ids))
    if not marks:
        return []
    found = [
        path
        for path in _notes(store)
        if _MARK in (content := content_of(store.volume, path))
        and not marks.isdisjoint(cited_in(content.decode("utf-8", "replace")))
    ]
    return [*found, *(path for path in projected_paths(store) if store.volume.has(path))]


def _notes(store: Store) -> list[str]:
    """Every note that may hold a block: the live ones, and daily notes in the archive."""
    cold = store.layout["archived_daily"].partition("{")[0].rpartition("/")[0]
    return [*store.notes.files(), *store.volume.walk(cold, (".md", f".md{PACKED}"))]
