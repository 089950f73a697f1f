"""The spool: what hooks leave behind for a worker, in `state/spool/`.

A hook appends one line with one write and goes; it needs no `Store` and never waits for the root's lock. One
worker at a time takes the lines by renaming the file. What it could not do waits for the next worker, with a count of
tries; what was tried too often is set aside and never lost. A worker that dies leaves its lines to the next one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from memoracle.errors import MemoracleError, RootLocked
from memoracle.lock import wait_for_lock
from memoracle.model.ids import file_digest
from memoracle.model.value import as_fields, replace, value
from memoracle.store import durable, sealed
from memoracle.store.volume import Volume, json_line, parsed_lines, read_document, write_document

FOLDER = "spool"
MOST_TRIES = 5
_QUEUE, _LATER, _GIVEN_UP, _TAKEN = "queue", "later.jsonl", "given-up.jsonl", "taken-"
_ENDING = ".jsonl"
_FULL = 8 << 20
_A_MOMENT = 0.2


@value
class SpoolEntry:
    """One thing a hook saw: the event, whose session, which transcript and how far it had come.

    `refs` names records that were handed to an agent.
    """

    event: str
    at: str
    host: str = ""
    session: str = ""
    transcript: str = ""
    size: int = -1
    refs: tuple[str, ...] = ()
    tries: int = 0


class Spool:
    """The spool of one root; `folder` is its place."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    # Hooks

    def add(self, entry: SpoolEntry, *, safely: bool = True) -> None:
        """Leave a line; raises when it could not be written whole. `safely` waits until it is on disk."""
        durable.make_folder(self._folder)
        path = self._path(_QUEUE + _ENDING)
        line = sealed.posted(path, _line(entry))  # a hook comes when it comes, locked or not
        handle = self._open_shared(path)
        if handle is None:  # a worker stopped in the middle of taking lines: it takes these as well
            aside = self._path(f"{_QUEUE}-{os.getpid()}{_ENDING}")
            handle = durable.open_plain(aside, os.O_WRONLY | os.O_APPEND, create=True)
        try:
            if os.fstat(handle).st_size > _FULL:
                raise OSError("the spool is full")
            if os.write(handle, line) != len(line):
                raise OSError("the line was cut short")
            if safely:
                os.fsync(handle)
        finally:
            os.close(handle)

    def is_waiting(self) -> bool:
        """True when a hook has left something since lines were taken last."""
        return any(os.path.getsize(path) for path in self._named(_QUEUE) if os.path.exists(path))

    def has_worker(self) -> bool:
        """True while a worker is at it."""
        return durable.is_locked(self._path("worker.lock"))

    # The worker

    @contextmanager
    def working(self) -> Iterator[bool]:
        """The right to work; False when another worker has it."""
        durable.make_folder(self._folder)
        try:
            with durable.locked(self._path("worker.lock"), timeout=0.0):
                yield True
        except RootLocked:
            yield False

    def take(self, *, first: bool) -> list[SpoolEntry]:
        """What is to be done now; the first time, also what earlier workers left or put back."""
        left = self._named(_TAKEN) if first else []
        found = [replace(entry, tries=entry.tries + 1) for path in left for entry in _entries(path)]
        for path in [*self._named(_QUEUE), *([self._path(_LATER)] if first else [])]:
            taken = self._path(f"{_TAKEN}{os.urandom(4).hex()}{_ENDING}")
            with suppress(FileNotFoundError):
                # Taken away from those who append to it: whoever holds it open sees that it has gone.
                handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
                try:
                    if wait_for_lock(
                        handle, 5.0
                    ):  # else somebody was stopped in the middle of a line: next time
                        os.rename(path, taken)
                finally:
                    os.close(handle)
                found += _entries(taken)
        return found

    def settle(self, later: Sequence[SpoolEntry] = (), given_up: Sequence[SpoolEntry] = ()) -> None:
        """What was taken is done, apart from what has to wait and what is given up."""
        for name, entries in ((_LATER, later), (_GIVEN_UP, given_up)):
            if entries:
                path = self._path(name)
                durable.append_all({path: sealed.shut(path, b"".join(map(_line, entries)))})
        for path in self._named(_TAKEN):
            durable.remove(path)

    def _open_shared(self, path: str) -> int | None:
        """The queue, shared with other hooks and not being taken; None when it stays locked."""
        for _ in range(20):
            handle = durable.open_plain(path, os.O_WRONLY | os.O_APPEND, create=True)
            if not wait_for_lock(handle, _A_MOMENT, shared=True):
                os.close(handle)
                return None
            try:
                if os.stat(path).st_ino == os.fstat(handle).st_ino:
                    return handle
            except FileNotFoundError:
                pass
            os.close(handle)
        return None

    def _named(self, start: str) -> list[str]:
        try:
            names = os.listdir(self._folder)
        except FileNotFoundError:
            return []
        return [self._path(n) for n in sorted(names) if n.startswith(start) and n.endswith(_ENDING)]

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name)


def _line(entry: SpoolEntry) -> bytes:
    usual = as_fields(SpoolEntry(event="", at=""))
    return json_line({name: item for name, item in as_fields(entry).items() if item != usual[name]})


def _entries(path: str) -> list[SpoolEntry]:
    """The lines that can be read; a torn one names nothing that the next event would not name again."""
    try:
        raw = sealed.read(path)
    except MemoracleError:
        return []
    return [entry for _, entry in parsed_lines(raw, _entry) if entry is not None]


def _entry(held: Any) -> SpoolEntry:
    words = {name: str(held.get(name, "")) for name in ("host", "session", "transcript")}
    return SpoolEntry(
        event=str(held["event"]),
        at=str(held.get("at", "")),
        size=int(held.get("size", -1)),
        refs=tuple(str(ref) for ref in held.get("refs", ())),
        tries=int(held.get("tries", 0)),
        **words,
    )


# `state/hooks.log`: what went wrong in a hook, one line each, the newest last. It never grows beyond its bound.
#
# A hook may not speak where its host listens, so it speaks here. The caller takes secrets out first.

FILE = "hooks.log"
LARGEST = 256 * 1024
_LONGEST = 500


def note_problem(volume: Volume, folder: str, text: str) -> None:
    """Add a line; when the log is full, its older half goes."""
    name = f"{folder}/{FILE}"
    line = " ".join(text.split())[:_LONGEST].encode("utf-8", "replace") + b"\n"
    end = volume.append({name: line}, loose=name, posted=True)[name].end
    if end > LARGEST:
        raw = volume.raw
        raw.replace(name, raw.read(name, end - LARGEST // 2).partition(b"\n")[2])


# What an agent asked for at the end of a turn: `state/requests.jsonl`, and which turns were heard already.
#
# A turn is heard once: hosts call their hooks again for the same turn, and what was asked must not happen twice. The
# ledger of turns is bounded; it is written before the requests, so a crash between the two loses a request rather than
# repeating it. A worker carries requests out (`waiting`) and notes that it did (`settle`).

REQUESTS = "requests.jsonl"
LEDGER = "hook-turns.json"
DONE = "requests-done.json"
_MOST_TURNS = 2_000
_PATIENCE = 0.5


def record_once(volume: Volume, folder: str, turn: str, requests: Sequence[Mapping[str, Any]]) -> bool:
    """Keep the requests of a turn; False when this turn was heard before."""
    ledger = f"{folder}/{LEDGER}"
    with volume.locked(f"{ledger}.lock", timeout=_PATIENCE):
        heard = _words(volume, ledger, "turns")
        if turn in heard:
            return False
        write_document(volume, ledger, {"turns": [*heard, turn][-_MOST_TURNS:]})
        lines = [json.dumps({"turn": turn, **one}, ensure_ascii=False) + "\n" for one in requests]
        content = "".join(lines).encode("utf-8", "replace")
        volume.append({f"{folder}/{REQUESTS}": content}, posted=True)
    return True


def waiting(volume: Volume, folder: str) -> list[tuple[str, dict[str, Any]]]:
    """The requests that nobody has carried out, oldest first, each with its name; damaged lines are passed over."""
    done = set(_words(volume, f"{folder}/{DONE}", "requests"))
    lines = parsed_lines(volume.read(f"{folder}/{REQUESTS}"), lambda held: held)
    named = [(file_digest(raw), held) for raw, held in lines if isinstance(held, dict)]
    return [(name, held) for name, held in named if name not in done]


def settle(volume: Volume, folder: str, names: Sequence[str]) -> None:
    """Note that these requests were carried out, or given up."""
    if names:
        kept = [*_words(volume, f"{folder}/{DONE}", "requests"), *names][-_MOST_TURNS:]
        write_document(volume, f"{folder}/{DONE}", {"requests": kept})


def _words(volume: Volume, name: str, field: str) -> list[str]:
    held = read_document(volume, name).get(field)
    return [one for one in held if isinstance(one, str)] if isinstance(held, list) else []
