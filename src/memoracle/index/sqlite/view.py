"""`SqliteIndex`: the embedded view.

It opens the view in use, or begins a new one. Damage is never repaired: the file is thrown away
and built again. "Busy" is never taken for damage.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from memoracle.errors import ViewUnavailable
from memoracle.index.api import Candidate, Cited, EmbeddedChunk, Pending, Progress
from memoracle.index.sqlite import connection as files
from memoracle.index.sqlite import postings, records, vectors
from memoracle.index.sqlite.passages import found
from memoracle.model.hit import Passage
from memoracle.model.manifest import FileState, Loaded, Looks, Mark, Role
from memoracle.model.query import Filters
from memoracle.model.record import EVERYBODY, Scope
from memoracle.model.report import Finding

if TYPE_CHECKING:
    from memoracle.index.sqlite.links import Links
    from memoracle.index.sqlite.ranking import RankingArrays
    from memoracle.model.activation import Law
    from memoracle.model.hit import Standing

_AT_ONCE = 500
"""Notes that are taken in together. One by one, each would write the lists of common words again."""
_MANY = 2_000
"""A note of more passages is taken in by itself."""
_Said = TypeVar("_Said")
_Given = ParamSpec("_Given")
_LEFT_TO_THE_PARENT: list[tuple[sqlite3.Connection | None, sqlite3.Connection | None]] = []


class SqliteIndex:
    """A view in one SQLite file; in memory when the folder cannot be written or is None.

    The folder may be asked for anew each time the view is opened. `rules` says what a root's own rules are at the
    moment: a view is made for them, and built again when they change.
    """

    def __init__(
        self, folder: str | Callable[[], str | None] | None, *, rules: Callable[[], str] = str
    ) -> None:
        self._rules = rules
        self._where = folder if callable(folder) else lambda: folder
        self._folder = self._where()
        self._fingerprint = files.fingerprint(rules())
        self._opened: sqlite3.Connection | None = None
        self._file = ""
        self._vault: sqlite3.Connection | None = None
        self._arrays: RankingArrays | None = None
        self._waiting: dict[str, tuple[FileState, Loaded]] = {}
        self._seen = -1
        self._is_current = False
        self._is_snapshot = False
        self._memo: dict[str, Any] = {}

    @property
    def _connection(self) -> sqlite3.Connection:
        """The view's file, opened when it is first asked for: whoever only writes truth never opens it."""
        if self._opened is None:
            self._opened = self._open()
            self._file = str(self._opened.execute("PRAGMA database_list").fetchone()[2])
        return self._opened

    def _open(self) -> sqlite3.Connection:
        self._folder = self._where()  # a root that was sealed meanwhile has its view elsewhere
        if self._folder is None or os.path.islink(self._folder):
            return files.in_memory(self._fingerprint)
        try:
            return files.open_current(self._folder, self._fingerprint) or files.create(
                self._folder, self._fingerprint
            )
        except (sqlite3.DatabaseError, OSError):
            # Busy, full or not allowed: that is no damage, so nothing is thrown away.
            return files.in_memory(self._fingerprint)

    @property
    def is_kept(self) -> bool:
        """True when the view lives in a file and not only in this process."""
        return bool(self._connection and self._file)

    def refresh(self) -> None:
        """Open the view anew when its file was deleted or replaced meanwhile, or when the rules are others."""
        self._is_current = False
        if (wanted := files.fingerprint(self._rules())) != self._fingerprint:
            self.close()
            self._fingerprint = wanted
        if (
            self._folder is not None
            and self.is_kept
            and (
                not os.path.exists(self._file)
                or files.read_pointer(self._folder) != os.path.basename(self._file)
            )
        ):
            self.close()

    def reset(self) -> None:
        """Throw the view away and begin an empty one."""
        self.close()
        if self._folder is not None and not os.path.islink(self._folder):
            files.remove(self._folder)

    def retreat(self) -> None:
        """Go on in memory; the files of the view are left to whoever can use them."""
        self.close()
        self._folder = None
        self._where = lambda: None

    def reopen(self) -> None:
        """Open the files for ourselves, in a process that was forked: SQLite's connections belong to one process."""
        # Closing them here would give up locks that the parent still counts on, so they are left as they are.
        _LEFT_TO_THE_PARENT.append((self._opened, self._vault))
        self._opened = self._vault = self._arrays = None
        self._waiting.clear()
        self._forget()

    def close(self) -> None:
        """Let go of the files; whoever asks again opens them again."""
        for one in (self._opened, self._vault):
            if one is not None:
                one.close()
        self._opened = self._vault = self._arrays = None
        self._forget()

    def _forget(self) -> None:
        self._memo.clear()
        self._is_current = False

    def blank(self) -> SqliteIndex:
        """An empty view in memory."""
        return SqliteIndex(None)

    # Changing

    @contextmanager
    def changing(self, *, wait: float) -> Iterator[bool]:
        """The right to change the view; False when another process keeps it for longer than `wait`."""
        with files.turn(self._folder if self.is_kept else None, wait) as ours:
            if not ours:
                yield False
                return
            with self._transaction(wait) as mine:
                yield mine

    @contextmanager
    def _transaction(self, wait: float) -> Iterator[bool]:
        self._forget()
        with self._guarded():
            self._connection.execute(f"PRAGMA busy_timeout = {int(wait * 1000)}")
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as problem:
            if not files.is_busy(problem):
                raise ViewUnavailable(str(self._folder), str(problem)) from problem
            yield False
            return
        except sqlite3.DatabaseError as problem:
            raise ViewUnavailable(str(self._folder), str(problem)) from problem
        try:
            with self._guarded():
                yield True
                self._take_in()
        except BaseException:
            self._waiting.clear()
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        with self._guarded():
            self._connection.execute(
                "UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'generation'"
            )
            self._connection.execute("COMMIT")

    def apply(self, state: FileState, loaded: Loaded, progress: Progress) -> None:
        """Take in what a file says; whole notes wait for each other until the change ends."""
        from memoracle.index.sqlite import writer

        waits = (
            loaded.role is Role.NOTE and loaded.whole and not loaded.absent and len(loaded.passages) <= _MANY
        )
        if not waits or not self._connection.in_transaction:
            self._take_in()
            writer.apply(self._connection, state, loaded, progress)
            if loaded.more and self._connection.in_transaction:
                writer.publish(self._connection)
            return
        if loaded.path in self._waiting:
            self._take_in()
        self._waiting[loaded.path] = (state, loaded)
        if len(self._waiting) >= _AT_ONCE:
            self._take_in()
        return

    def _take_in(self) -> None:
        if self._waiting:
            from memoracle.index.sqlite import writer

            notes = list(self._waiting.values())
            self._waiting.clear()
            writer.apply_notes(self._connection, notes)

    def drop(self, path: str) -> None:
        """Forget a file that is gone."""
        from memoracle.index.sqlite import writer

        self._take_in()
        writer.drop(self._connection, path)

    def set_whole(self, whole: bool) -> None:
        """Say whether everything has been read."""
        self._forget()
        self._connection.execute("UPDATE meta SET value = ? WHERE name = 'whole'", (str(int(whole)),))

    def scrub(self) -> None:
        """Leave no trace of removed passages in the view's own files."""
        with self._guarded():
            if self._has_vault():
                vectors.prune(self._connection, self.vault)
                self.vault.execute("VACUUM")
                self.vault.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.execute("VACUUM")
            busy, *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:  # a reader holds the old pages in place: a new build takes them out of its sight
            self.reset()

    def keep_vectors(self, space: str, passages: Mapping[int, Sequence[EmbeddedChunk]]) -> bool:
        """Give passages their vectors; False when another process is changing the view."""
        from memoracle.index.sqlite.vectors import signs_of

        every = [chunk for chunks in passages.values() for chunk in chunks]
        with self._guarded():
            vectors.keep_vectors(self.vault, space, every)
        with self.changing(wait=5.0) as mine:
            if mine:
                signs = {chunk.content: signs_of(chunk.vector) for chunk in every}
                vectors.put_chunks(self._connection, space, passages, signs)
            return mine

    def spaces(self) -> set[str]:
        """The names of the spaces that hold vectors."""
        with self._guarded():
            return set(vectors.spaces(self._connection))

    def leave_spaces_unlike(self, names: Collection[str]) -> None:
        """Give up all vectors when none of these models made one: they could never be asked about."""
        if (held := self.spaces()) and held.isdisjoint(names):
            with self.changing(wait=5.0) as mine:
                if mine:
                    vectors.leave(self._connection)

    def pending(self, limit: int) -> list[Pending]:
        """Standing passages that have no vector yet."""
        return self._ask(vectors.pending, limit)

    def count_pending(self) -> int:
        """How many there are."""
        return self._ask(vectors.count_pending)

    def keeps_vectors(self) -> bool:
        """True when vectors of an earlier build are still there."""
        with self._guarded():
            return (
                self._folder is not None
                and self._has_vault()
                and self.vault.execute("SELECT 1 FROM vectors LIMIT 1").fetchone() is not None
            )

    def known_vectors(self, space: str, contents: Sequence[str]) -> dict[str, bytes]:
        """The vectors (f16) that were computed for these contents before."""
        with self._guarded():
            return vectors.known_vectors(self.vault, space, contents)

    def _has_vault(self) -> bool:
        return self._vault is not None or (
            self._folder is not None and os.path.exists(os.path.join(self._folder, files.VAULT))
        )

    @property
    def vault(self) -> sqlite3.Connection:
        """The file of vectors, opened when it is first needed."""
        if self._vault is None:
            try:
                self._vault = files.open_vault(self._folder if self.is_kept else None)
            except (OSError, sqlite3.DatabaseError):
                self._vault = files.open_vault(None)
        return self._vault

    # Asking

    def ranking(self) -> RankingArrays:
        """The view as arrays."""
        if self._arrays is None:
            from memoracle.index.sqlite.ranking import RankingArrays

            self._arrays = RankingArrays(
                self._connection, vault=lambda: self.vault, generation=self._generation_now
            )
            self._arrays.fix(self._is_snapshot)
        return self._arrays

    def _generation_now(self) -> int:
        return self._seen if self._is_snapshot else self.generation()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """One moment of the view: what another process commits meanwhile is not seen."""
        with self._guarded():
            self._connection.execute("BEGIN")
            try:
                self.generation()  # the first look is the moment
                self._fix(True)
                yield
            finally:
                self._fix(False)
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def _fix(self, is_fixed: bool) -> None:
        self._is_snapshot = is_fixed
        if self._arrays is not None:
            self._arrays.fix(is_fixed)

    def _once(self, name: str, look: Callable[[], _Said]) -> _Said:
        """What a look into the view says, looked up once for as long as the generation is the one last asked for."""
        if self._connection.in_transaction and not self._is_snapshot:
            return look()
        if not self._is_current:
            self.generation()
        if name not in self._memo:
            with self._guarded():
                self._memo[name] = look()
        said: _Said = self._memo[name]
        return said

    def _holds(self, query: str) -> bool:
        return self._once(query, lambda: self._connection.execute(query).fetchone() is not None)

    @contextmanager
    def links(self, *, reader: Scope = EVERYBODY, public: bool = False) -> Iterator[Links]:
        """What links to what, at one moment of the view, as far as a reader may see it."""
        from memoracle.index.sqlite.links import Links

        with nullcontext() if self._connection.in_transaction else self.snapshot(), self._guarded():
            yield Links(self._connection, reader=reader, public=public)

    def has_links(self) -> bool:
        """True when anything links to anything."""
        return self._holds("SELECT 1 FROM links LIMIT 1")

    def has_vectors(self) -> bool:
        """True when at least one passage has a vector."""
        return self._holds("SELECT 1 FROM chunks LIMIT 1")

    def rows_named(
        self, names: Sequence[str], filters: Filters, limit: int, now: datetime
    ) -> dict[int, Candidate]:
        """The rows of the passages that answer to one of these exact names."""
        with self._guarded():
            return dict(postings.named(self._connection, names, filters, limit, now))

    def around(self, turns: Sequence[Passage]) -> dict[str, tuple[Passage, ...]]:
        """The turns before and after each of these, in the same session."""
        return self._ask(records.around, turns)

    def citing(self, places: Sequence[str], filters: Filters) -> list[Cited]:
        """The records that were made of the words at these places, whatever became of them, as a reader sees them."""
        return self._ask(records.citing, places, filters)

    def standing_record(self, ref: str, filters: Filters) -> Passage | None:
        """A record as it stands, or stood at the moment asked about; None where this reader may not see it."""
        return self._ask(records.standing_record, ref, filters)

    def sources_of(self, ref: str) -> tuple[str, ...]:
        """The places that a record was made of."""
        return self._ask(records.sources_of, ref)

    def earlier_words(self, ref: str) -> list[str]:
        """What the earlier versions of a record said."""
        return self._ask(records.earlier_words, ref)

    def fetch(self, rows: Sequence[int], filters: Filters, now: datetime) -> dict[int, Candidate]:
        """The passages of these rows that fit the filters."""
        with self._guarded():
            return {
                number: found(row) for number, row in postings.fetch(self._connection, rows, filters, now)
            }

    def known(self) -> Mapping[str, Looks]:
        """The files this view has read, and how each looked."""
        query = "SELECT path, role, size, modified, changed, inode FROM files"
        return self._once("known", lambda: {row[0]: row[1:] for row in self._connection.execute(query)})

    def mark_of(self, path: str) -> Mark | None:
        """How far a file was read."""
        if path in self._waiting:
            self._take_in()
        query = "SELECT mark_size, mark_lines, mark_digest, mark_memo FROM files WHERE path = ?"
        with self._guarded():
            row = self._connection.execute(query, (path,)).fetchone()
        if row is None or row[2] is None:
            return None
        return Mark(size=row[0], lines=row[1], digest=row[2], memo=row[3])

    def generation(self) -> int:
        """A number that is another one after every change to the view."""
        query = "SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'generation'"
        with self._guarded():
            row = self._connection.execute(query).fetchone()
        seen = int(row[0]) if row else -1
        if seen != self._seen:
            self._memo.clear()
        self._seen, self._is_current = seen, True
        return seen

    def is_whole(self) -> bool:
        """False while the view is being built and may miss passages."""
        return self._holds("SELECT 1 FROM meta WHERE name = 'whole' AND value = '1'")

    def search_words(
        self,
        terms: Sequence[str],
        filters: Filters,
        limit: int,
        now: datetime,
        *,
        only: Callable[[str], bool] = bool,
    ) -> list[Candidate]:
        """The passages that hold any of these terms, best first; with `only`, those whose words pass it."""
        return self._ask(postings.search_words, terms, filters, limit, now, only)

    def search_names(
        self, names: Sequence[str], filters: Filters, limit: int, now: datetime
    ) -> list[Candidate]:
        """The passages that answer to one of these exact names."""
        return self._ask(postings.search_names, names, filters, limit, now)

    def frequencies(self, terms: Iterable[str]) -> tuple[Mapping[str, int], int]:
        """In how many passages each term stands, and how many passages there are."""
        return self._ask(postings.frequencies, terms)

    def list_records(self, filters: Filters, limit: int, now: datetime) -> list[Candidate]:
        """The standing records that fit, newest first."""
        return self._ask(records.list_records, filters, limit, now)

    def count_records(self, filters: Filters, now: datetime) -> int:
        """How many standing records fit."""
        return self._ask(records.count_records, filters, now)

    def kinds(self) -> set[str]:
        """Every kind that something here has."""
        return self._ask(records.kinds)

    def resolve(self, reference: str, limit: int) -> list[str]:
        """The ids of records that answer to a reference."""
        return self._ask(records.resolve, reference, limit)

    def standing(self, law: Law, now: datetime, *, reader: Scope = EVERYBODY) -> list[Standing]:
        """Every standing record, whatever its status, with its activation; oldest first."""
        return self._ask(records.standing, law, now, reader=reader)

    def at_hand(
        self,
        law: Law,
        now: datetime,
        *,
        since: datetime,
        shown: Sequence[str] = (),
        public: bool = False,
        reader: Scope = EVERYBODY,
    ) -> list[Standing]:
        """The active records that may be wanted unasked, with their activation; oldest first."""
        return self._ask(records.at_hand, law, now, since=since, shown=shown, public=public, reader=reader)

    def in_slot(self, subject: str, predicate: str) -> list[Candidate]:
        """Every standing record that says this sort of thing of this subject."""
        return self._ask(records.in_slot, subject, predicate)

    def uses_of(self, refs: Sequence[str]) -> Mapping[str, list[datetime]]:
        """When these records were handed over."""
        return self._ask(records.uses_of, refs)

    def has_errors(self) -> bool:
        """True when some file could not be read whole."""
        return self._holds("SELECT 1 FROM findings WHERE severity = 'error' LIMIT 1")

    def findings(self) -> list[Finding]:
        """What was wrong with the files when they were read."""
        return self._ask(records.findings)

    def counts(self) -> Mapping[str, int]:
        """How many records and passages there are."""
        return self._ask(records.counts)

    def dump(self) -> list[str]:
        """Everything the view holds, in an order of its own."""
        return self._ask(records.dump)

    def _ask(
        self,
        look: Callable[Concatenate[sqlite3.Connection, _Given], _Said],
        *args: _Given.args,
        **named: _Given.kwargs,
    ) -> _Said:
        with self._guarded():
            return look(self._connection, *args, **named)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as problem:
            raise ViewUnavailable(str(self._folder or "memory"), str(problem)) from problem
