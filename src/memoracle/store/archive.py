"""Old files move to the archive: written there, made durable, and only then taken from where they stood.

The caller holds the lock. A kill between two steps leaves the file in both places, and the next run goes on from
there. Nothing in the archive is ever replaced: another file of the same name gets a number behind its own.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, groupby
from typing import TYPE_CHECKING

from memoracle.errors import ChangedUnderneath, OutsideRoot, Refused, StoreProblem
from memoracle.model.ids import file_digest
from memoracle.model.record import Record, Status, is_foreign, newest
from memoracle.model.report import Finding, Severity
from memoracle.model.value import replace, value
from memoracle.store.journal import plain, read_records
from memoracle.store.layouts import COLLECTIONS, layout_named
from memoracle.store.line import line_sum
from memoracle.store.notes import read_text, write_text
from memoracle.store.sessions import write_transcripts
from memoracle.store.volume import PACKED, Volume, content_of, pack, unpack

if TYPE_CHECKING:
    from memoracle.store.adopted import Adopted
    from memoracle.store.store import Store

# Folding: versions that no longer stand move to the archive.
#
# Old lines are appended to the archive and synced before the live file is replaced, so a kill
# between the two leaves a line in both places, which is harmless: equal lines are one line.


@value
class Fold:
    """What would leave one record file: these line numbers, to another file."""

    live: str
    archive: str
    lines: frozenset[int]


def fold(store: Store, *, dry_run: bool = False) -> list[Fold]:
    """Move the versions that no longer stand, and archived records. The caller holds the lock."""
    versions: dict[str, list[Record]] = {}
    for _, record in store.journal.all_versions():
        versions.setdefault(record.id, []).append(record)
    standing = {record_id: newest(held) for record_id, held in versions.items()}
    files = store.journal.plain_files()
    pairs = [(store.layout[name], store.layout[f"archived_{name}"]) for name in COLLECTIONS]
    folds = [
        move for live, archive in pairs if live in files for move in _plan(store, live, archive, standing)
    ]
    if "history" in store.layout:
        folds += [move for _, path in pairs if path in files for move in _plan(store, path, path, standing)]
    if not dry_run:
        for live, moves in groupby(folds, key=lambda move: move.live):
            _apply(store, live, list(moves))
    if "history" not in store.layout:
        return folds
    for path in (archive for _, archive in pairs if archive in files):
        if (stale := _plan(store, path, path, standing)) and not dry_run:
            _apply(store, path, stale)
        folds += stale
    return folds


def _plan(store: Store, live: str, archive: str, standing: Mapping[str, Record]) -> list[Fold]:
    """The lines that can leave a file: old versions, repetitions, and archived records.

    Where another program reads it too, it keeps no version that does not stand.
    """
    reading = read_records(live, store.volume.read(live))
    adopted, as_adopted = store.adopted(), store.journal.as_adopted(live)
    history = store.layout.get("history", archive)
    seen: set[str] = set()
    staying: set[int] = {piece.line for piece in reading.damage}
    leaving: dict[int, str] = {}
    for version in reading.versions:
        record = as_adopted(version.record)
        now = standing.get(record.id)
        stands = now == record and version.digest not in seen
        seen.add(version.digest)
        if _is_theirs(adopted, record, now) or (live == archive and is_foreign(record)):
            staying.add(version.line)
        elif stands and record.status is Status.ARCHIVED and live != archive:
            leaving[version.line] = archive
        elif not stands or (history != archive and record.status not in {Status.ACTIVE, Status.ARCHIVED}):
            leaving[version.line] = history
        else:
            staying.add(version.line)
    return [
        Fold(live=live, archive=to, lines=lines)
        for to in dict.fromkeys([history, archive])
        if (lines := frozenset(n for n, place in leaving.items() if place == to and n not in staying))
    ]


def _is_theirs(adopted: Adopted | None, record: Record, now: Record | None) -> bool:
    """True for a line of the program that kept the directory before, which still looks for it here."""
    if adopted is None or not is_foreign(record) or now is None or now.status is not Status.ACTIVE:
        return False
    return now.statement == record.statement or "history" not in layout_named(adopted.layout)


def _apply(store: Store, live: str, moves: Sequence[Fold]) -> None:
    content = store.volume.read(live)
    lines = content.split(b"\n")
    ends_whole = lines[-1] == b""
    if ends_whole:
        lines.pop()
    for move in moves:
        held = {line_sum(raw) for raw in store.volume.read(move.archive).split(b"\n")}
        # A line moves without the form of the file it stood in: a mark before it, a return after it.
        leaving = [plain(raw) for number, raw in enumerate(lines, start=1) if number in move.lines]
        if moved := [raw for raw in dict.fromkeys(leaving) if line_sum(raw) not in held]:
            store.volume.append({move.archive: b"\n".join(moved) + b"\n"})
    gone = frozenset[int]().union(*(move.lines for move in moves))
    staying = [raw for number, raw in enumerate(lines, start=1) if number not in gone]
    kept = b"\n".join(staying) + (b"\n" if staying and ends_whole else b"")
    store.volume.replace(live, kept, expected=file_digest(content))


Between = Callable[[str], None]
"""What has to happen while the file stands in both places; it is told the new one."""


def retire(
    store: Store, source: str, target: str, *, content: bytes | None = None, between: Between = lambda _: None
) -> str:
    """Move a file to the archive; where it stands now is returned. A target that ends in `.gz` is packed.

    `content` stands there instead of the file's own, for a note whose links have to follow it.
    """
    raw = store.volume.read(source)
    held = unpack(source, raw) if source.endswith(PACKED) else raw
    kept = held if content is None else content
    chosen, is_there = _free_place(store, target, kept)
    if not is_there:
        as_it_is = source.endswith(PACKED) and content is None
        packed = raw if as_it_is else pack(kept) if chosen.endswith(PACKED) else kept
        store.volume.replace(chosen, packed, expected=file_digest(b""))
    between(chosen)
    if (found := file_digest(store.volume.read(source))) != file_digest(raw):
        # Somebody wrote to it meanwhile: it stays where it is, and is looked at again another day.
        raise ChangedUnderneath(source, expected=file_digest(raw), found=found)
    store.volume.remove(source)
    return chosen


def copy_to(store: Store, source: str, target: str) -> str:
    """Keep a copy of a file as it is; where it stands is returned."""
    content = store.volume.read(source)
    chosen, is_there = _free_place(store, target, content)
    if not is_there:
        store.volume.replace(chosen, content, expected=file_digest(b""))
    return chosen


def retire_session(store: Store, source: str, target: str, *, between: Between = lambda _: None) -> str:
    """Move a conversation that stands in the root; the list of transcripts follows it."""

    def follow(place: str) -> None:
        known, absolute = store.sessions.by_path(), store.place(source)
        moved = {
            path: replace(one, copy=place)
            if source == one.copy or (one.here and absolute == os.path.realpath(path))
            else one
            for path, one in known.items()
        }
        if moved != known:
            write_transcripts(store, moved.values())
        between(place)

    return retire(store, source, target, between=follow)


def _free_place(store: Store, target: str, content: bytes) -> tuple[str, bool]:
    """The first name at which nothing stands, or the same content; and which of the two it is.

    The name itself, then with 2, 3 … behind its stem.
    """
    folder, _, file = target.rpartition("/")
    stem, dot, ending = file.partition(".")
    name = target
    for number in count(2):
        if not store.volume.has(name):
            return name, False
        if content_of(store.volume, name) == content:
            return name, True
        name = f"{folder}/{stem}-{number}{dot}{ending}"
    raise AssertionError("numbers do not end")


# Links between notes that go on working when a note moves.
#
# Only relative Markdown links are looked at: `[words](../daily/2026-05-15.md)`. A `[[name]]` names a note wherever it
# stands. Everything else in a note stays as it is.

_LINK = re.compile(r"\]\(([^()\s#:]{1,1000})(#[^()\s]{0,1000})?\)")
_TRIES = 3


def followed(text: str, *, source: str, target: str, exists: Callable[[str], bool]) -> str:
    """The text of a note that moves, with its links to what exists leading where they led before."""
    if posixpath.dirname(source) == posixpath.dirname(target):
        return text

    def move(path: str) -> str | None:
        return posixpath.relpath(path, posixpath.dirname(target)) if exists(path) else None

    return _changed(text, move, posixpath.dirname(source))


def pointing_at(text: str, *, at: str, source: str, target: str) -> str:
    """The text of a note at one place, with its links to a note that moved leading to the new place."""
    if posixpath.basename(source) not in text:
        return text

    def move(path: str) -> str | None:
        return posixpath.relpath(target, posixpath.dirname(at)) if path == source else None

    return _changed(text, move, posixpath.dirname(at))


def relink(volume: Volume, notes: Iterable[str], *, source: str, target: str) -> list[Finding]:
    """Let these notes point at the new place of a note that moved; what could not be changed is told."""
    findings = []
    for at in notes:
        why = "it changes faster than it can be read"
        for _ in range(_TRIES):
            try:
                text, digest = read_text(volume, at)
                changed = pointing_at(text, at=at, source=source, target=target)
                if changed != text:
                    write_text(volume, at, changed, expected=digest)
            except ChangedUnderneath:
                continue
            except (StoreProblem, OutsideRoot, Refused) as problem:
                why = str(problem)
            else:
                why = ""
            break
        if why:
            says = f"its link to {source} should lead to {target}: {why}"
            findings.append(Finding(code="stale-link", severity=Severity.WARNING, path=at, message=says))
    return findings


def _changed(text: str, new: Callable[[str], str | None], folder: str) -> str:
    def replaced(link: re.Match[str]) -> str:
        if link[1].startswith("/"):
            return link[0]
        path = posixpath.normpath(posixpath.join(folder, link[1]))
        leads = None if path.startswith("..") else new(path)
        return link[0] if leads is None else f"]({leads}{link[2] or ''})"

    return _LINK.sub(replaced, text)
