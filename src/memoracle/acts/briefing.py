"""What an agent is told at the moments that matter: the beginning of a session, a prompt, after a loss.

Gathers what a context pack is made from. `context` reads and changes nothing; `recover` first finishes what an
interrupted rotation left, then reads the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, TypeVar

from memoracle.acts.act import Act
from memoracle.context.choose import RECENT_DAYS, Audience
from memoracle.context.fitting import fitting
from memoracle.context.pack import After, Context, Gathered, compose_context
from memoracle.errors import BadInput, MemoracleError
from memoracle.model.cite import cited_in
from memoracle.model.hit import Hit, Recollection, Source
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.plan import Step
from memoracle.model.query import Filters
from memoracle.model.scope import EVERYBODY, Scope
from memoracle.model.value import replace, value
from memoracle.project import OUTSIDE
from memoracle.store.buffer import Limits, leftovers, read_buffer
from memoracle.store.documents import read_document
from memoracle.store.facets import channel_of
from memoracle.store.generated import blocks_in, generated_lines
from memoracle.store.layouts import NoteRole, note_homes
from memoracle.store.notes import date_of, list_notes, read_note

Search = Callable[..., Recollection]
"""Evidence for a question, leaving every file as it was."""

_Member = TypeVar("_Member", bound=StrEnum)
_BLOCK = "hot"
_CRITICAL = "the last health check was critical: tell the owner, who can ask `memoracle health` what is wrong"
_HITS = {Audience.PRIVATE: 12, Audience.GROUP: 60}
_LONGEST_PROMPT = 2_000
_AMONG_OTHERS = 20


@value
class Recovered:
    """What an agent goes on from after a reset, and what had to be finished first."""

    context: Context
    steps: tuple[Step, ...] = ()


class Briefing(Act):
    """What one store has to say before it is asked."""

    def __init__(
        self,
        *given: Any,
        search: Search,
        reader: Scope = EVERYBODY,
        is_placed: bool = False,
        troubles: Callable[[], tuple[str, ...]] = tuple,
        **named: Any,
    ) -> None:
        """`troubles` are told in every pack, whatever is asked; the rest is what every act has.

        With `is_placed` the reader works in a known place, and is told talk of that project alone.
        """
        super().__init__(*given, **named)
        self._search = search
        self._reader = reader
        self._is_placed = is_placed
        self._troubles = troubles

    def context(self, prompt: str, *, audience: str, budget: int | None, after: str) -> Context:
        """The pack for an audience, within a budget."""
        reader, loss = _one_of(Audience, "audience", audience), _one_of(After, "moment", after)
        now = self._clock()
        asked = _asked(prompt)
        found = self._found(asked, _HITS[reader]) if asked else None
        heard = found.warnings if found else tuple(self._upkeep.catch_up())
        warnings = tuple(dict.fromkeys((*heard, *self._troubles())))
        gathered = (
            Gathered(hits=found.hits if found else (), notices=warnings)
            if loss is After.PROMPT
            else self._gathered(now, reader, found, warnings)
        )
        return compose_context(
            gathered,
            now=now,
            zone=self._zone,
            budget=budget or self._settings.context_tokens,
            audience=reader,
            after=loss,
            excerpt=_excerpt_for(asked),
        )

    def _found(self, asked: str, limit: int) -> Recollection:
        """Evidence that may be told unasked; what scanners saw is not, and takes nobody's place."""
        through = Filters(reader=self._reader)
        found = self._search(asked, recipe="quick", limit=limit, filters=through)
        if not all(map(self._may_tell, found.hits)):
            found = self._search(asked, recipe="quick", limit=_AMONG_OTHERS * limit, filters=through)
        fits = fitting(asked, self._index.frequencies)
        hits = [hit for hit in found.hits if self._may_tell(hit) and fits(hit.passage)]
        return replace(found, hits=tuple(hits[:limit]))

    def _may_tell(self, hit: Hit) -> bool:
        """True for what is told unasked: nothing scanned, nothing faded, no talk of another project or place."""
        passage = hit.passage
        if hit.unused_since is not None or hit.fate is not None:
            return False  # nothing is hidden from a question, but this is none
        if passage.source is Source.TURN and self._is_placed:
            here = "" if self._reader.project == OUTSIDE else self._reader.project
            return passage.project == here or passage.project in self._reader.also
        return passage.source is not Source.SCAN

    def recover(self, prompt: str, *, audience: str, budget: int | None) -> Recovered:
        """Finish what was interrupted, then what there is to go on from. A store in use still answers."""
        from memoracle.store.rotate import recover

        told: tuple[str, ...] = ()
        steps: tuple[Step, ...] = ()
        before = self.context(prompt, audience=audience, budget=budget, after=After.RESET)
        try:
            with self._store.writing():
                done = recover(self._store, now=self._clock(), zone=self._zone)
            steps, told = done.steps, tuple(finding.message for finding in done.findings)
        except MemoracleError as problem:
            told = (f"nothing could be finished now: {problem}",)
        if steps:
            before = self.context(prompt, audience=audience, budget=budget, after=After.RESET)
        return Recovered(context=replace(before, warnings=(*before.warnings, *told)), steps=steps)

    def _gathered(
        self, now: datetime, audience: Audience, found: Recollection | None, warnings: tuple[str, ...]
    ) -> Gathered:
        is_private = audience is Audience.PRIVATE
        since = now - timedelta(days=RECENT_DAYS)
        hot = self._notes(NoteRole.HOT)
        shown = _shown_in(hot.values())
        # A group never sees the hot file: what is at hand for it is found anew, among public records.
        named = [ref for short in shown for ref in (short, RECORD_PREFIX + short)] if is_private else []
        standing = self._upkeep.ask(
            lambda: self._index.at_hand(
                self._law, now, since=since, shown=named, public=not is_private, reader=self._reader
            )
        )
        gathered = Gathered(
            standing=standing, present=shown, hits=found.hits if found else (), notices=warnings
        )
        if not is_private:
            return gathered
        from memoracle.store.inbox import read_inbox
        from memoracle.store.pending import count_pending

        today = now.astimezone(self._zone).date()
        days = self._owners(self._notes(NoteRole.DAILY, days={today, today - timedelta(days=1)}))
        buffer, limits = read_buffer(self._store), Limits()
        buffer = replace(buffer, entries=_hidden(buffer.entries, self._store.guard.hide))
        stale = ""
        if buffer.active and buffer.is_stale(now, limits):
            hours = (now - buffer.active) / timedelta(hours=1)
            stale = f"stale, last active {hours:.0f} h ago: look for unfinished work"
        if self._is_critical():
            warnings = (*warnings, _CRITICAL)
        if leftovers(self._store):
            warnings = (
                *warnings,
                "a rotation of the working buffer was interrupted: `memoracle recover` finishes it",
            )
        return replace(
            gathered,
            hot=self._owners(hot),
            today={path: text for path, text in days.items() if date_of(path) == today},
            yesterday={path: text for path, text in days.items() if date_of(path) != today},
            buffer=buffer,
            stale=stale,
            questions=len(read_inbox(self._store).open),
            waiting=count_pending(self._store),
            notices=warnings,
        )

    def _is_critical(self) -> bool:
        """True when the last look at this memory's health ended so. Untidiness alone never does."""
        store = self._store
        name = store.name("health") if "health" in store.layout else store.state_name("health.json")
        return read_document(store.volume, name).get("status") == "critical"

    def _notes(self, role: NoteRole, days: Collection[date | None] = ()) -> dict[str, str]:
        """The notes of a role; of daily ones, those of these days."""
        homes = [home for home in note_homes(self._store.layout_name) if home.role is role]
        found = {}
        for path, own in list_notes(self._store.volume, homes).items():
            if own is role and (not days or date_of(path) in days):
                # One that cannot be read is `check`'s to name; the rest is handed over.
                with suppress(MemoracleError):
                    note = read_note(self._store.volume, path)
                    if channel_of(note.header) is None:
                        found[path] = note.text
        return found

    def _owners(self, notes: Mapping[str, str]) -> dict[str, str]:
        """What their owner wrote in these notes, without secrets, every line where it is."""
        owners = {path: _without_blocks(text) for path, text in notes.items() if text}
        return {
            path: self._store.guard.hide(text) if _says_anything(text) else text
            for path, text in owners.items()
        }


def _says_anything(text: str) -> bool:
    """False for a note of headings alone, as a new memory has one: the rules about secrets need not be loaded."""
    return any(line.strip() and not line.startswith("#") for line in text.split("\n"))


def _shown_in(texts: Iterable[str]) -> frozenset[str]:
    """The short names of the records that the hot block shows now."""
    return frozenset().union(
        *(cited_in(one.inside) for text in texts for one in blocks_in(text)[0] if one.name == _BLOCK)
    )


def _without_blocks(text: str) -> str:
    hidden = generated_lines(text)
    return "\n".join("" if at in hidden else line for at, line in enumerate(text.split("\n")))


def _hidden(entries: Sequence[tuple[int, str]], hide: Callable[[str], str]) -> tuple[tuple[int, str], ...]:
    if not entries:
        return ()
    lines = hide("\n".join(line for _, line in entries)).split("\n")
    return tuple((number, line) for (number, _), line in zip(entries, lines, strict=True))


def _excerpt_for(prompt: str) -> Callable[[str], str]:
    def excerpt(text: str) -> str:
        from memoracle.recall.pack import best_stretch
        from memoracle.text import telling_terms

        return best_stretch(text, set(telling_terms(prompt)))

    return excerpt


def _asked(prompt: str) -> str:
    """A prompt as a question: of a very long one its beginning and its end."""
    words = prompt.strip()
    half = _LONGEST_PROMPT // 2
    return words if len(words) <= _LONGEST_PROMPT else f"{words[:half]}\n{words[-half:]}"


def _one_of(choices: type[_Member], what: str, name: str) -> _Member:
    try:
        return choices(name)
    except ValueError:
        raise BadInput(f"`{name}` is no {what}", f"one of: {', '.join(choices)}") from None
