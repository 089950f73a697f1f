"""Manners as acts: what the operator said, what is stored, what a project is for, and a tidy hot file.

Reads memory through `search`; only `archive_hot` changes a file, after a backup.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from memoracle.clock import Clock, write_time
from memoracle.errors import MemoracleError, NoNorthStar
from memoracle.manners.drift import Drift, Measures, check_drift
from memoracle.manners.finished import MOST_LINES, Sorted, sort_out
from memoracle.manners.key_facts import key_facts
from memoracle.manners.language import Choice, choose, usual
from memoracle.manners.north_star import read_north_star
from memoracle.manners.stored import is_stored
from memoracle.model.hit import Passage, Recollection, Source
from memoracle.model.ids import file_digest
from memoracle.model.value import replace, value
from memoracle.settings import Settings, reply_language
from memoracle.store import durable
from memoracle.store.generated import generated_lines
from memoracle.store.layouts import resolve
from memoracle.store.store import Store

Search = Callable[..., Recollection]
Hear = Callable[[str], Sequence[Passage]]
"""The turns of a transcript, oldest first."""
_KEPT = frozenset({Source.RECORD, Source.NOTE})


@value
class Checked:
    """One key fact of a turn: its sort, its words, and where memory says the same; nowhere when it does not."""

    kind: str
    text: str
    cite: str = ""


@value
class Advice:
    """Whether compaction may be advised now, and what would be lost."""

    advise: bool
    because: str
    facts: tuple[Checked, ...]

    @property
    def missing(self) -> tuple[Checked, ...]:
        """What memory does not hold yet."""
        return tuple(fact for fact in self.facts if not fact.cite)


@value
class Tidied:
    """What became of the finished entries of the hot file."""

    dry_run: bool
    archived: tuple[str, ...]
    lines_before: int
    lines_after: int
    within_200_lines: bool
    archive: str = ""
    backup: str = ""


class Minding:
    """Manners towards the operator of one memory."""

    def __init__(
        self,
        store: Store,
        *,
        settings: Settings,
        clock: Clock,
        search: Search,
        hear: Hear,
        hide: Callable[[str], str],
        recent: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._search = search
        self._hear = hear
        self._hide = hide
        self._recent = recent

    def language(self, messages: Sequence[str], *, transcript: str, current: str) -> Choice:
        """The language of a reply to the operator's last messages."""
        said = list(messages)
        if transcript:
            said = [turn.text for turn in self._hear(transcript) if turn.channel == "owner"] + said
        found = choose(said, default=reply_language(self._settings), current=current)
        return found if found.language else replace(found, language=usual(self._recent(), os.environ))

    def compaction(self, facts: Sequence[str], *, turn: str, transcript: str) -> Advice:
        """Whether everything that matters in this turn is stored; otherwise what is missing."""
        wanted = [("given", fact) for fact in facts if fact.strip()]
        spoken = [*([turn] if turn else []), *(self._latest(transcript) if transcript else ())]
        wanted += [one for text in spoken for one in key_facts(text)]
        checked = tuple(
            Checked(kind=kind, text=self._hide(text), cite=self._place_of(text))
            for kind, text in dict.fromkeys(wanted)
        )
        missing = sum(not fact.cite for fact in checked)
        if missing:
            return Advice(
                advise=False, because=f"{missing} of {len(checked)} key facts are not stored", facts=checked
            )
        because = f"all {len(checked)} key facts are stored" if checked else "this turn holds no key facts"
        return Advice(advise=True, because=because, facts=checked)

    def drift(self, project: str, measured: Measures, *, language: str) -> Drift:
        """Whether work has left the goal that a project's north star names."""
        path = resolve(self._store.layout, "north_star", project=project)
        content = durable.read(self._store.place(path))
        if not content:
            raise NoNorthStar(project, path)
        star = read_north_star(self._hide(content.decode("utf-8-sig", "replace")))
        return check_drift(star, measured, language=language)

    def archive_hot(self, *, dry_run: bool) -> Tidied:
        """Move finished entries of the hot file to the month's archive; the file is backed up first."""
        if dry_run:
            path = self._store.layout["hot"]
            return self._tidied(*self._sorted(durable.read(self._store.place(path))), dry_run=True)
        with self._store.writing():
            return self._move()

    # Underneath

    def _latest(self, transcript: str) -> list[str]:
        """What was said since the operator's last message, that one included."""
        turns = list(self._hear(transcript))
        last = max((at for at, turn in enumerate(turns) if turn.channel == "owner"), default=0)
        return [turn.text for turn in turns[last:] if turn.channel in {"owner", "agent"}]

    def _place_of(self, fact: str) -> str:
        found: tuple[Passage, ...] = ()
        with suppress(MemoracleError):
            answer = self._search(fact, limit=20)
            found = tuple(hit.passage for hit in (*answer.hits, *answer.near) if hit.passage.source in _KEPT)
        return next((one.cite for one in found if is_stored(fact, [f"{one.title} {one.text}"])), "")

    def _move(self) -> Tidied:
        hot = self._store.layout["hot"]
        place = self._store.place(hot)
        before = durable.read(place)
        sorted_, text = self._sorted(before)
        if not sorted_.entries:
            return self._tidied(sorted_, text, dry_run=False)
        folder, now = self._store.layout["archive"], self._clock()
        archive, backup = self._archive(), f"{folder}/{hot}.{write_time(now).replace(':', '')}.bak"
        durable.make_folder(os.path.dirname(self._store.place(archive)))
        durable.replace(self._store.place(backup), before)
        held = durable.read(self._store.place(archive)).decode("utf-8", "replace")
        # A run that was killed here has put some of them there already.
        fresh = [entry.text for entry in sorted_.entries if entry.text not in held]
        head = "" if held else f"# Finished, {write_time(now)[:7]}\n"
        durable.replace(
            self._store.place(archive), (held + head + "".join(f"\n{one}\n" for one in fresh)).encode()
        )
        durable.replace(place, sorted_.text.encode(), expected=file_digest(before))
        return self._tidied(sorted_, text, dry_run=False, archive=archive, backup=backup)

    def _archive(self) -> str:
        month = write_time(self._clock())[:7].replace("-", "_")
        return f"{self._store.layout['archive']}/MEMORY_ARCHIVE_{month}.md"

    def _sorted(self, content: bytes) -> tuple[Sorted, str]:
        text = content.decode("utf-8", "surrogateescape")
        if any("\udc80" <= char <= "\udcff" for char in text):
            return Sorted(entries=(), text=text), text  # not UTF-8: its owner's to mend
        return sort_out(text, self._archive(), {*generated_lines(text), *_fenced(text)}), text

    def _tidied(
        self, sorted_: Sorted, text: str, *, dry_run: bool, archive: str = "", backup: str = ""
    ) -> Tidied:
        after = _count(sorted_.text)
        return Tidied(
            dry_run=dry_run,
            archived=tuple(self._hide(entry.title) for entry in sorted_.entries),
            lines_before=_count(text),
            lines_after=after,
            within_200_lines=after <= MOST_LINES,
            archive=archive or (self._archive() if sorted_.entries else ""),
            backup=backup,
        )


def _count(text: str) -> int:
    return len(text.removesuffix("\n").split("\n")) if text else 0


def _fenced(text: str) -> set[int]:
    """The lines of code blocks."""
    found, inside = set(), False
    for at, line in enumerate(text.split("\n")):
        if line.lstrip().startswith(("```", "~~~")):
            inside = not inside
            found.add(at)
        elif inside:
            found.add(at)
    return found
