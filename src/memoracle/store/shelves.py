"""The files of a root: which there are, how they look, and what they say. Reading takes no lock and never blocks."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress

from memoracle.errors import OutsideRoot
from memoracle.model.hit import Passage
from memoracle.model.manifest import FileState, Loaded, Mark, Role
from memoracle.model.report import Finding
from memoracle.model.value import replace
from memoracle.store import durable, usage
from memoracle.store.contain import inside, walk
from memoracle.store.fact_files import find_facts
from memoracle.store.ground import Ground
from memoracle.store.layouts import NoteRole, note_homes
from memoracle.store.notes import find_notes, list_notes
from memoracle.store.portions import LINES, Tail
from memoracle.store.transcripts import Transcript, conversations, transcript_state
from memoracle.store.tree import Tree


class Shelves(Ground):
    """The files of a root, as anybody may read them."""

    def record_files(self) -> list[str]:
        """The relative paths of all record files, live ones first."""
        return list(self._record_files)

    def plain_record_files(self) -> dict[str, str]:
        """Those that are there as plain files, with their absolute paths; `check` names the others."""
        return {relative: path for relative, path in self._safe_record_files().items() if _is_plain(path)}

    def _safe_record_files(self) -> dict[str, str]:
        """Those in folders that are not links. What stands there is opened only as a plain file."""
        safe: dict[str, str] = {}
        for folder, places in self._record_places.items():
            with suppress(OutsideRoot):
                inside(self.root, folder)
                safe |= places
        return {path: safe[path] for path in self._record_files if path in safe}

    def manifest(self) -> list[FileState]:
        """Every file of truth as the file system describes it: live records, the archive, then the rest.

        A fold writes to the archive before it takes from a live file, so reading in this order
        may meet a line twice but never miss it.
        """
        roles: dict[str, Role] = {}
        usage_folder = os.path.dirname(self.layout["usage"])
        roles |= dict.fromkeys(walk(self.root, usage_folder, usage.ENDINGS), Role.USAGE)
        tree = Tree(self.root)
        homes = note_homes(self.layout_name)
        notes = {
            path: state_of(path, Role.NOTE, found) for path, _, found in find_notes(self.root, tree, homes)
        }
        facts = find_facts(tree, self.layout)
        return [
            *self.record_states(),
            *self._states(roles),
            *(notes[path] for path in sorted(notes)),
            *_states_of_facts(facts),
            *self.transcript_states(),
        ]

    def record_states(self) -> list[FileState]:
        """The record files as the file system describes them, live ones first."""
        return self._states(dict.fromkeys(self.record_files(), Role.RECORDS))

    def _states(self, roles: Mapping[str, Role]) -> list[FileState]:
        states = []
        for path, role in roles.items():
            try:
                found = os.stat(self.place(path), follow_symlinks=False)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OutsideRoot:
                continue  # `check` reports links; reading passes them over
            if not stat.S_ISREG(found.st_mode):
                continue  # nor does it wait for a pipe
            states.append(state_of(path, role, found))
        return states

    def transcripts(self) -> Mapping[str, Transcript]:
        """The conversations that belong to this memory, by path."""
        return conversations(self).by_path

    def place_of_transcript(self, one: Transcript) -> str:
        """Where a conversation is read: the host's file, else our copy; empty when both are away."""
        if one.here and os.path.exists(one.path):
            return one.path
        return place if one.copy and os.path.exists(place := self.place(one.copy)) else ""

    def damaged_lists(self) -> list[Finding]:
        """What is wrong with the lists of conversations, and of what was forgotten."""
        from memoracle.store.never import look_never

        return [*conversations(self).findings, *look_never(self).findings]

    def transcript_states(self) -> Iterator[FileState]:
        """The conversations as the file system describes them; those that are away, too."""
        from memoracle.store.never import look_never

        is_closed = bool(look_never(self).lost)
        for one in self.transcripts().values():
            state = transcript_state(one.path, one.path if one.here else "")
            if state.size < 0 and one.copy:
                state = transcript_state(one.copy, self.place(one.copy))
            # What must not be read now is looked at again as soon as it may be.
            yield replace(state, changed=-1) if is_closed and state.size >= 0 else state

    def _load_transcript(self, path: str, after: Mark | None) -> Loaded:
        """What a conversation says; one that is away says nothing, and takes nothing back."""
        from memoracle.store.never import look_never

        one = conversations(self).by_name.get(path)
        place = "" if one is None else one.path if one.here and path == one.path else self.place(one.copy)
        never = look_never(self)
        if one is None or self._hear is None or never.lost or not os.path.exists(place):
            told = never.findings if never.lost else ()
            return Loaded(
                path=path, role=Role.TRANSCRIPT, whole=False, mark=after, absent=True, findings=told[:1]
            )
        heard = self._hear(place, one.shape, after.memo if after else "")
        passages = tuple(replace(passage, path=path) for passage in heard.passages)
        return replace(heard, path=path, passages=self._less_the_forgotten(one.path, passages))

    def _less_the_forgotten(self, name: str, passages: tuple[Passage, ...]) -> tuple[Passage, ...]:
        """The turns of a conversation that were not forgotten; its own file still holds the others."""
        from memoracle.store.never import read_never

        never = read_never(self)
        return tuple(
            one
            for one in passages
            if not any(
                rule.fits(
                    session=one.session, channel=one.channel, where=f"{name}#L{one.first_line}", at=one.at
                )
                for rule in never
            )
        )

    def note_files(self, *roles: NoteRole) -> dict[str, NoteRole]:
        """The relative paths of the Markdown people edit, with the role of each; of some roles alone, if named."""
        homes = note_homes(self.layout_name)
        if roles:
            # The first home that holds a file decides, so those behind the last that counts need no look.
            homes = homes[: max(at for at, home in enumerate(homes, start=1) if home.role in roles)]
        found = list_notes(self.root, homes)
        return {path: role for path, role in found.items() if role in roles} if roles else found

    def is_note(self, path: str) -> bool:
        """True when that is the relative path of a note; no other file is looked at."""
        if not any(home.holds(path) for home in note_homes(self.layout_name)):
            return False
        return bool(self._states({path: Role.NOTE}))

    def load(self, path: str, role: Role, after: Mark | None = None, *, most: int | None = None) -> Loaded:
        """What a file says; only what is new when the bytes up to the mark are the same.

        Of records no more than `most` lines, if named: the rest is read behind the mark of these.
        """
        from memoracle.store import loading

        if role is Role.NOTE:
            links = self._links() if self._links else None
            from memoracle.store.imported import came_from_an_import

            # A note that moved in may hold what nobody here wrote; passages that look so are outside words.
            suspects = self._suspects if came_from_an_import(self, path) else None
            return loading.load_note(
                self.root, self.layout_name, path, hide=self.hide, links=links, suspects=suspects
            )
        if role is Role.TRANSCRIPT:
            return self._load_transcript(path, after)
        if role is Role.FACTS:
            from memoracle.store.facts import load_facts

            return load_facts(self.root, path, hide=self.hide)
        if role is Role.USAGE:
            return loading.load_usage(path, usage.receipts_at(self.place(path)), after=after)
        tail, settled = self._tail_settled(path, after, most)
        links = self._links() if self._links else None
        seen = self.as_adopted(path)
        return loading.load_records(
            path,
            tail,
            settled=settled,
            screen=lambda record: self._screen(seen(record)),
            links=links,
        )

    def _tail_settled(self, path: str, after: Mark | None, most: int | None) -> tuple[Tail, bool]:
        """What follows a mark in a record file, and whether its end is final: False while somebody is writing it."""
        place = self.place(path)
        tail = self._portions.read(place, after, most)
        while tail.content and not tail.more and not tail.content.endswith(b"\n"):
            if self.is_being_written():
                return tail, False
            # Whoever was writing when we read may have finished since; a real tear stays as it is.
            again = self._portions.read(place, after, most)
            if again == tail:
                break
            tail = again
        return tail, True

    def parts(self, path: str) -> Iterator[Loaded]:
        """A record file as it is loaded, portion by portion: of a file of any length only one is in memory."""
        loaded = self.load(path, Role.RECORDS, most=LINES)
        yield loaded
        while loaded.more and loaded.mark:
            loaded = self.load(path, Role.RECORDS, loaded.mark, most=LINES)
            yield loaded

    def _read_settled(self, path: str) -> tuple[bytes, bool]:
        """A record file, and whether its end is final: False while somebody is writing it."""
        place = self.place(path)
        content = durable.read(place)
        while content and not content.endswith(b"\n"):
            if self.is_being_written():
                return content, False
            # Whoever was writing when we read may have finished since; a real tear stays as it is.
            again = durable.read(place)
            if again == content:
                break
            content = again
        return content, True


def state_of(path: str, role: Role, found: os.stat_result) -> FileState:
    """A file as the file system describes it."""
    return FileState(
        path=path,
        role=role,
        size=found.st_size,
        modified=found.st_mtime_ns,
        changed=found.st_ctime_ns,
        inode=found.st_ino,
    )


def _states_of_facts(facts: Mapping[str, os.DirEntry[str]]) -> Iterator[FileState]:
    for path in sorted(facts):
        with suppress(FileNotFoundError, NotADirectoryError):
            yield state_of(path, Role.FACTS, facts[path].stat(follow_symlinks=False))


def _is_plain(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path, follow_symlinks=False).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
