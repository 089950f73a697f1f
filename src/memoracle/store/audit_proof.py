"""Proving the audit trail: every chain is whole, every seal fits, and the records are what the trail says.

Reads only. The trail is read before the records and once more after them: an entry is written before its record, so
what is in the records must be in the second reading, and what is in the first must be in the records.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from memoracle.errors import MemoracleError
from memoracle.model.event import Event, Touched, Trouble, Verified
from memoracle.model.record import Status
from memoracle.model.value import value
from memoracle.store import audit_trail as chain
from memoracle.store.audit_trail import ANCHOR, Head, boot, read_anchor
from memoracle.store.line import readable
from memoracle.store.machine_state import word_noted
from memoracle.times import write_time

if TYPE_CHECKING:
    from memoracle.store.store import Store


@value
class _TrailEntry:
    """One readable entry, where it stands, and what the key says of it."""

    path: str
    line: int
    event: Event
    sealed: bool | None


def verify(store: Store, *, heads: Collection[str] = ()) -> Verified:
    """What is wrong with the trail, or with records beside it. `heads` are hashes that must still stand in it."""
    anchor = read_anchor(store.volume, store.state_name(ANCHOR))
    before, _, _ = _read(store)
    lines, erased = _record_lines(store)
    entries, problems, notes = _read(store)
    events = [entry.event for entry in entries]
    chains: dict[str, dict[int, Event]] = {}
    for event in events:
        chains.setdefault(event.writer, {}).setdefault(event.number, event)
    problems += [*_breaks(chains), *_exchanged(store, events)]
    notes += _turns(events)
    is_same_run = anchor.boot == boot()
    if events and not anchor.heads:
        says = "where the trail ended is not known on this machine: an end that was cut off would not show"
        notes.append(Trouble(code="no-anchor", about=ANCHOR, message=says))
    for writer, noted in anchor.heads.items():
        problem = _cut(chains.get(writer, {}), writer, noted)
        if problem:
            (problems if is_same_run or problem.code == "rewritten-entry" else notes).append(problem)
    problems += [
        Trouble(
            code="missing-head",
            about=head,
            message=f"no entry has the hash {head}: the trail was rewritten or cut",
        )
        for head in heads
        if not any(event.hash.startswith(head) and len(head) >= 8 for event in events)
    ]
    told, late = _told(before), _told(entries)
    own = "" if anchor.boot and is_same_run else store.noted_count()[0]
    unlike = _unlike(lines, late, _adopted(events), store.audit.key().stamp if events else "", own)
    for one in (*unlike, *_gone(store, told, lines, erased)):
        (notes if one.code in {"lost-entry", "unfinished-write"} else problems).append(one)
    accepted = {name for event in events if event.act == "accepted" for name in event.about}
    notes += [problem for problem in problems if problem.name in accepted]
    return Verified(
        entries=len({event.hash for event in events}),
        problems=tuple(problem for problem in problems if problem.name not in accepted),
        notes=tuple(notes),
        heads={writer: held[max(held)].hash for writer, held in sorted(chains.items())},
        since=min((event.at for event in events), default=None),
        records=len(lines),
    )


def accept(store: Store) -> None:
    """Let what is wrong now be known and reported no longer; that stays in the trail. The caller holds the lock."""
    if found := verify(store).problems:
        names = tuple(dict.fromkeys(problem.name for problem in found))
        store.audit.log(Event(act="accepted", at=store.now(), about=names))


# The trail by itself


def _read(store: Store) -> tuple[list[_TrailEntry], list[Trouble], list[Trouble]]:
    """The entries of all files of the trail; problems; what is worth a note."""
    entries: list[_TrailEntry] = []
    problems: list[Trouble] = []
    notes: list[Trouble] = []
    elsewhere: set[str] = set()
    files = _contents(store, problems)
    key = store.audit.key() if files else None
    for path, content in files.items():
        rows = content.split(b"\n")
        if rows[-1] and store.is_being_written():
            rows[-1] = b""  # somebody is in the middle of a line
        here: list[_TrailEntry] = []
        for number, raw in enumerate(rows, start=1):
            line = raw.removesuffix(b"\r")
            if not line.strip():
                continue
            if link := chain.read_entry(line, key):
                here.append(_TrailEntry(path=path, line=number, event=link.event, sealed=link.sealed))
            else:
                trouble = _damage(path, number, line)
                (problems if trouble.code == "altered-entry" else notes).append(trouble)
        problems += _order(here)
        problems += [
            _trouble(one.event, "wrong-seal", "it was not sealed with this root's key", f"{path}#L{one.line}")
            for one in here
            if one.sealed is False
        ]
        fresh = [one for one in here if one.event.hash not in elsewhere]
        elsewhere |= {one.event.hash for one in fresh}
        entries += fresh
    if foreign := [one for one in entries if one.sealed is None]:
        says = f"{len(foreign)} entries have another machine's seal: their chain is checked, their seal cannot be"
        notes.append(Trouble(code="other-key", about="seal", message=says))
    return entries, problems, notes


def _contents(store: Store, problems: list[Trouble]) -> dict[str, bytes]:
    """The files of the trail, the archive's first; the live one is read before them: what moves is not missed."""
    live = store.layout["events"]
    found: dict[str, bytes] = {}
    for path in (live, *(path for path in store.audit.files() if path != live)):
        try:
            found[path] = store.volume.read(path)
        except MemoracleError as problem:
            problems.append(Trouble(code="unreadable-trail", about=path, path=path, message=str(problem)))
    last = found.pop(live, b"")
    return {path: content for path, content in {**found, live: last}.items() if content}


def _damage(path: str, number: int, line: bytes) -> Trouble:
    code, says = "foreign-line", "another program's line; it is no entry"
    if chain.is_torn(line):
        code, says = "torn-entry", "the beginning of an entry whose writing was cut short"
    elif line.startswith(chain.BEGIN):
        code, says = "altered-entry", "its hash does not fit what it says"
    return Trouble(code=code, about=f"{path}#L{number}", path=f"{path}#L{number}", message=says)


def _order(entries: Sequence[_TrailEntry]) -> Iterator[Trouble]:
    """Within one file each writer's numbers ascend, and nothing stands twice."""
    seen: set[str] = set()
    last: dict[str, int] = {}
    for entry in entries:
        event = entry.event
        where = f"{entry.path}#L{entry.line}"
        if event.hash in seen:
            yield _trouble(event, "repeated-entry", "it stands here a second time", where)
        elif event.number <= last.get(event.writer, 0):
            yield _trouble(event, "misplaced-entry", "it stands behind a later one", where)
        seen.add(event.hash)
        last[event.writer] = max(event.number, last.get(event.writer, 0))


def _exchanged(store: Store, events: Sequence[Event]) -> Iterator[Trouble]:
    """This machine's own entries that another key sealed: then its key was lost, or somebody put another in its place.

    Which writer is this machine's own is noted in its state, and outside the root as well.
    """
    own = {store.noted_count()[0], *word_noted(store.root, "writers").split()} - {""}
    stamp = store.audit.key().stamp if events else ""
    counts: dict[tuple[str, str], int] = {}
    for event in events:
        if event.writer in own and event.stamp != stamp:
            counts[event.writer, event.stamp] = counts.get((event.writer, event.stamp), 0) + 1
    for (writer, before), number in counts.items():
        says = (
            f"{number} entries of this machine ({writer}) were sealed with another key ({before}) than the one that is "
            "here now: the key was replaced or lost, and what they sealed can no longer be checked"
        )
        yield Trouble(code="key-replaced", about=f"{writer}:{before}:{stamp}", message=says)


def _breaks(chains: Mapping[str, Mapping[int, Event]]) -> Iterator[Trouble]:
    """Entries that are gone from a chain, and entries that do not follow the one before them."""
    for held in chains.values():
        before = Head()
        for number in sorted(held):
            event = held[number]
            lost = int(event.facts.get("lost", 0)) if event.act == "resumed" else 0
            first = before.number + 1
            if number > first + lost:
                span = f"{first}" if number == first + 1 else f"{first} to {number - 1}"
                yield _trouble(event, "missing-entries", f"entry {span} of its writer is gone")
            elif event.before != before.hash:
                yield _trouble(event, "broken-chain", "it does not follow the entry before it")
            before = Head(number=number, hash=event.hash)
            if event.act == "resumed" and "cut-tail" in event.rules:
                says = f"{lost} entries before it were cut off while the machine was running"
                yield _trouble(event, "cut-tail", says)


def _turns(events: Sequence[Event]) -> Iterator[Trouble]:
    """Where a trail begins over records that were there before, and where a power cut took its end."""
    for event in events:
        if event.act == "adopted" and event.facts.get("upto"):
            says = f"the trail begins here; {event.facts['upto']} record lines are older than it"
            yield _trouble(event, "adopted", says)
        elif event.act == "resumed" and "cut-tail" not in event.rules:
            lost = f"{event.facts.get('lost', 0)} entries, of {event.facts.get('lines', 0)} record lines"
            says = f"a power cut took the end of the trail before it ({lost})"
            yield _trouble(event, "resumed", says)


def _cut(held: Mapping[int, Event], writer: str, noted: Head) -> Trouble | None:
    last = max(held, default=0)
    about = f"{writer}#{noted.number}"
    if last < noted.number:
        says = f"the trail of {writer} ended with entry {noted.number}, and now ends with {last}"
        return Trouble(code="cut-tail", about=about, message=says)
    if noted.number in held and held[noted.number].hash != noted.hash:
        says = f"entry {noted.number} of {writer} is another one than this machine wrote or saw"
        return Trouble(code="rewritten-entry", about=about, message=says)
    return None


def _trouble(event: Event, code: str, says: str, where: str = "") -> Trouble:
    named = f"entry {event.number} of {event.writer} ({write_time(event.at)[:19]}Z {event.act})"
    return Trouble(code=code, about=f"{event.writer}#{event.number}", path=where, message=f"{named}: {says}")


# The trail beside the records

_Told = dict[str, dict[int, list[tuple[str, Touched]]]]
_Standing = Mapping[tuple[str, int], Sequence[tuple[str, Touched]]]
"""Record lines as the trail should know them, by writer and count: where each stands, and which version it is."""


def _told(entries: Sequence[_TrailEntry]) -> _Told:
    """What entries say of record lines: by writer and count, with the stamp of the key and the version."""
    told: _Told = {}
    for entry in entries:
        own = told.setdefault(entry.event.writer, {})
        for one in entry.event.records:
            if one.sequence:
                own.setdefault(one.sequence, []).append((entry.event.stamp, one))
    return told


def _adopted(events: Sequence[Event]) -> dict[str, int]:
    """Up to which count each writer's lines may stand without an entry."""
    upto: dict[str, int] = {}
    for event in events:
        if event.act in {"adopted", "resumed"}:
            upto[event.writer] = max(upto.get(event.writer, 0), int(event.facts.get("upto", 0)))
    return upto


def _raw_lines(store: Store, name: str) -> Iterator[bytes]:
    with suppress(MemoracleError):  # `check` names it
        for piece in store.volume.pieces(name):
            yield from piece.split(b"\n")


def _record_lines(store: Store) -> tuple[_Standing, frozenset[str]]:
    """Every record line that has a writer and a count, and the ids of what was erased."""
    from memoracle.store.erase import erased_numbers

    key = store.audit.key() if store.audit.files() else None
    lines: dict[tuple[str, int], list[tuple[str, Touched]]] = {}
    erased = set()
    for path in store.journal.plain_files():
        for raw in _raw_lines(store, path):
            for own, record in readable(raw) if raw.strip() else ():
                if record.status is Status.FORGOTTEN:
                    erased.add(record.id)
                    # A tombstone also accounts for single versions that were taken out of records that stay.
                    erased |= {f"{by}#{one}" for by, many in erased_numbers(record).items() for one in many}
                if record.change.sequence and key:
                    digest, change = chain.line_digest(own, key), record.change
                    one = Touched(id=record.id, version=record.version, digest=digest)
                    lines.setdefault((change.writer, change.sequence), []).append((path, one))
    return lines, frozenset(erased)


def _unlike(
    lines: _Standing,
    told: _Told,
    adopted: Mapping[str, int],
    stamp: str,
    restarted: str,
) -> Iterator[Trouble]:
    """Record lines that no entry tells of, or that are not what was written then.

    `restarted` is this machine's writer if the machine was off since: its last entries may not have reached the disk.
    """
    upto = max([*told.get(restarted, ()), adopted.get(restarted, 0)])
    for (writer, sequence), held in lines.items():
        if writer not in told and writer not in adopted:
            continue  # written by a program that keeps no trail
        known = told.get(writer, {}).get(sequence, [])
        for path, one in held:
            about = f"{one.id}@{one.version}"
            same = [touched for _, touched in known if (touched.id, touched.version) == (one.id, one.version)]
            if not same:
                if not known and sequence <= adopted.get(writer, 0):
                    continue
                says = f"version {one.version} of {one.id} stands in {path}, and no entry tells of it"
                code = "lost-entry" if writer == restarted and sequence > upto else "untold-record"
                yield Trouble(code=code, about=about, path=path, message=says)
                continue
            digests = [touched.digest for by, touched in known if by == stamp and touched in same]
            if digests and one.digest not in digests:
                says = f"version {one.version} of {one.id} in {path} is not what was written"
                yield Trouble(code="altered-record", about=about, path=path, message=says)


def _gone(store: Store, told: _Told, lines: _Standing, erased: frozenset[str]) -> Iterator[Trouble]:
    """Versions that were told of and stand nowhere; some of them because their writing was never finished."""
    from memoracle.store.mend import accepted_gaps

    own, noted = store.noted_count()
    accepted = accepted_gaps(store)
    for writer, numbers in told.items():
        last = max(numbers, default=0)
        for sequence, known in numbers.items():
            if (writer, sequence) in lines or not erased.isdisjoint(
                (known[-1][1].id, f"{writer}#{sequence}")
            ):
                continue
            if any(first <= sequence <= until for first, until in accepted.get(writer, ())):
                continue
            one = known[-1][1]
            is_open = (
                writer == own
                and sequence > noted
                and not any((writer, n) in lines for n in range(sequence, last + 1))
            )
            code, became = "missing-record", "was written and stands nowhere"
            if is_open:
                code, became = "unfinished-write", "was begun and never acknowledged"
            says = f"version {one.version} of {one.id} {became}"
            yield Trouble(code=code, about=f"{one.id}@{one.version}", message=says)
