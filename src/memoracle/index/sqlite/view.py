"""`SqliteIndex`: the embedded view.

It opens the view in use, or begins a new one. Damage is never repaired: the file is thrown away
and built again. "Busy" is never taken for damage.
"""

from __future__ import annotations

import gc
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from memoracle.errors import ViewUnavailable
from memoracle.index.api import Candidate, EmbeddedChunk, Progress
from memoracle.index.sqlite import connection as files
from memoracle.index.sqlite import postings, records
from memoracle.index.sqlite.passages import found
from memoracle.model.manifest import FileState, Loaded, Looks, Mark, Role
from memoracle.model.record import EVERYBODY, Scope
from memoracle.model.search import Filters

if TYPE_CHECKING:
    from memoracle.index.sqlite.links import Links
    from memoracle.index.sqlite.ranking import RankingArrays

_TOGETHER = (Role.NOTE, Role.TRANSCRIPT)
_AT_ONCE, _PASSAGES_AT_ONCE = 500, 16_384
"""Files that are taken in together. One by one, each would write the lists of common words again."""
_MANY = 2_000
"""A file of more passages is taken in by itself."""
_Said = TypeVar("_Said")
_Given = ParamSpec("_Given")
_LEFT_TO_THE_PARENT: list[tuple[sqlite3.Connection | None, sqlite3.Connection | None]] = []


def _asked(
    look: Callable[Concatenate[sqlite3.Connection, _Given], _Said],
) -> Callable[Concatenate[SqliteIndex, _Given], _Said]:
    """A method that asks the view's file."""

    def asked(self: SqliteIndex, /, *args: _Given.args, **named: _Given.kwargs) -> _Said:
        with self._guarded():
            return look(self._connection, *args, **named)

    return asked


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the search for cycles: what a view is made of has none, and looking takes a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


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
        self._folder: str | None = None
        self._fingerprint = ""
        self._opened: sqlite3.Connection | None = None
        self._file = ""
        self._vault: sqlite3.Connection | None = None
        self._arrays: RankingArrays | None = None
        self._waiting: dict[str, tuple[FileState, Loaded]] = {}
        self._passages_waiting = 0
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
        self._fingerprint = self._fingerprint or files.fingerprint(self._rules())
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
        if self.is_kept and not (
            os.path.exists(self._file)
            and files.read_pointer(self._folder or "") == os.path.basename(self._file)
        ):
            self.close()

    def reset(self) -> None:
        """Throw the view away and begin an empty one."""
        self.close()
        self._folder = self._where()
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
            with self._guarded(), _uncollected():
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
        """Take in what a file says; whole notes, and transcripts, wait for each other until the change ends."""
        from memoracle.index.sqlite import writer

        waits = (
            loaded.role in _TOGETHER and loaded.whole and not loaded.absent and len(loaded.passages) <= _MANY
        )
        if not waits or not self._connection.in_transaction:
            self._take_in()
            writer.apply(self._connection, state, loaded, progress)
            if loaded.more and self._connection.in_transaction:
                writer.publish(self._connection)
            return
        _, other = next(iter(self._waiting.values()), (state, loaded))
        if loaded.path in self._waiting or other.role is not loaded.role:
            self._take_in()
        self._passages_waiting = len(loaded.passages) + (self._passages_waiting if self._waiting else 0)
        self._waiting[loaded.path] = (state, loaded)
        if len(self._waiting) >= _AT_ONCE or self._passages_waiting >= _PASSAGES_AT_ONCE:
            self._take_in()

    def _take_in(self) -> None:
        if self._waiting:
            from memoracle.index.sqlite import writer

            together = list(self._waiting.values())
            self._waiting.clear()
            writer.apply_together(self._connection, together)

    def drop(self, path: str) -> None:
        """Forget a file that is gone."""
        from memoracle.index.sqlite import writer

        self._take_in()
        writer.drop(self._connection, path)

    def prune(self, kind: str, before: datetime) -> int:
        """Let go of the passages of a kind from before a moment; how many went."""
        from memoracle.index.sqlite import writer

        return writer.prune(self._connection, kind, before)

    def set_whole(self, whole: bool) -> None:
        """Say whether everything has been read."""
        self._forget()
        self._connection.execute("UPDATE meta SET value = ? WHERE name = 'whole'", (str(int(whole)),))

    def scrub(self) -> None:
        """Leave no trace of removed passages in the view's own files."""
        with self._guarded():
            if self._has_vault():
                files.prune(self._connection, self.vault)
                self.vault.execute("VACUUM")
                self.vault.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.execute("VACUUM")
            busy, *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:  # a reader holds the old pages in place: a new build takes them out of its sight
            self.reset()

    def keep_vectors(self, space: str, passages: Mapping[int, Sequence[EmbeddedChunk]]) -> bool:
        """Give passages their vectors; False when another process is changing the view."""
        every = [chunk for chunks in passages.values() for chunk in chunks]
        with self._guarded():
            files.keep_vectors(self.vault, space, every)
        with self.changing(wait=5.0) as mine:
            if mine:
                signs = {chunk.content: files.signs_of(chunk.vector) for chunk in every}
                files.put_chunks(self._connection, space, passages, signs)
            return mine

    def spaces(self) -> set[str]:
        """The names of the spaces that hold vectors."""
        with self._guarded():
            return set(files.spaces(self._connection))

    def leave_other_spaces(self, space: str) -> None:
        """Give up the vectors of all other models, which could never be asked about: those passages wait again."""
        if self.spaces() - {space}:
            with self.changing(wait=5.0) as mine:
                if mine:
                    files.leave_other_spaces(self._connection, space)

    def drop_other_vectors(self, space: str) -> None:
        """Keep no longer, by content, what other models have computed."""
        if not self._has_vault():
            return
        with suppress(
            sqlite3.OperationalError
        ):  # another process holds the file: the next time finds them again
            if files.drop_other_vectors(self.vault, space):
                self.vault.execute("VACUUM")
                self.vault.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def keeps_vectors(self) -> bool:
        """True when vectors of an earlier build are still there."""
        with self._guarded():
            return (
                self._has_vault()
                and self.vault.execute("SELECT 1 FROM vectors LIMIT 1").fetchone() is not None
            )

    def known_vectors(self, space: str, contents: Sequence[str]) -> dict[str, bytes]:
        """The vectors (f16) that were computed for these contents before."""
        with self._guarded():
            return files.known_vectors(self.vault, space, contents)

    def _has_vault(self) -> bool:
        if self._vault is None and self._folder is None and self._opened is None:
            self._folder = self._where()
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

    def fetch(self, rows: Sequence[int], filters: Filters, now: datetime) -> dict[int, Candidate]:
        """The passages of these rows that fit the filters."""
        with self._guarded():
            return {
                number: found(row) for number, row in postings.fetch(self._connection, rows, filters, now)
            }

    def count_pending(self, space: str = "") -> int:
        """How many standing passages have no vector, or none in this space."""
        return self._once(f"pending {space}", lambda: files.count_pending(self._connection, space))

    def frequencies(self, terms: Iterable[str]) -> tuple[dict[str, int], int]:
        """In how many passages each term stands, and how many passages there are."""
        query = "SELECT count(*) FROM passages"  # looks at every one of them
        total = self._once("passages", lambda: int(self._connection.execute(query).fetchone()[0]))
        with self._guarded():
            return postings.frequencies(self._connection, terms), total

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

    def has_errors(self) -> bool:
        """True when some file could not be read whole."""
        return self._holds("SELECT 1 FROM findings WHERE severity = 'error' LIMIT 1")

    # What a function of the connection alone answers; `Lookup` and `Catalogue` say what each means.

    pending = _asked(files.pending)
    around = _asked(records.around)
    turns_before = _asked(records.turns_before)
    citing = _asked(records.citing)
    standing_record = _asked(records.standing_record)
    sources_of = _asked(records.sources_of)
    earlier_words = _asked(records.earlier_words)
    search_words = _asked(postings.search_words)
    search_names = _asked(postings.search_names)
    list_records = _asked(records.list_records)
    count_records = _asked(records.count_records)
    kinds = _asked(records.kinds)
    resolve = _asked(records.resolve)
    standing = _asked(records.standing)
    at_hand = _asked(records.at_hand)
    in_slot = _asked(records.in_slot)
    uses_of = _asked(records.uses_of)
    findings = _asked(records.findings)
    counts = _asked(records.counts)
    dump = _asked(records.dump)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as problem:
            raise ViewUnavailable(str(self._folder or "memory"), str(problem)) from problem
