"""What an agent is told at the moments that matter: the beginning of a session, a prompt, after a loss.

Gathers what a context pack is made from. `context` reads and changes nothing; `recover` first finishes what an
interrupted rotation left, then reads the same.
"""

from __future__ import annotations

import math
import os
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from memoracle.context.choose import RECENT_DAYS, Audience, one_of
from memoracle.context.hot import shown_in
from memoracle.context.outdated import changed_since
from memoracle.context.pack import After, Context, Gathered, cites_of, compose_context
from memoracle.errors import MemoracleError
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.search import EvidenceSource, Filters, Hit, Passage, Recollection, Verdict
from memoracle.model.value import replace, value
from memoracle.project import OUTSIDE
from memoracle.recall.answers import search
from memoracle.recall.verdict import asks_nothing, questions_in, stated
from memoracle.store.daily import leftovers, read_buffer
from memoracle.store.generated import generated_lines
from memoracle.store.layouts import NoteRole, list_notes, note_homes
from memoracle.store.notes import channel_of, date_of, read_note
from memoracle.store.volume import read_document
from memoracle.text import is_unspaced, telling_terms, terms

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from memoracle.model.report import Step
    from memoracle.root import Root

_CRITICAL = "the last health check was critical: tell the owner, who can ask `memoracle health` what is wrong"
_INTERRUPTED = "a rotation of the working buffer was interrupted: `memoracle recover` finishes it"
_HITS = {Audience.PRIVATE: 12, Audience.GROUP: 60}
_LONGEST_PROMPT = 2_000
_AMONG_OTHERS = 20


@value
class _Recovered:
    """What an agent goes on from after a reset, and what had to be finished first."""

    context: Context
    steps: tuple[Step, ...] = ()


def context(
    root: Root,
    prompt: str | None = None,
    *,
    audience: str = "private",
    budget: int | None = None,
    after: str = "start",
    attended: bool = True,
    present: Collection[str] = (),
) -> Context:
    """What an agent should see first: at hand, today, the buffer, what is open, what fits the prompt.

    Nothing is written and nothing reinforced. `after` is `start`, `compact`, `reset` or `prompt`: that alone. An agent
    that nobody attends, as a timer starts one, is not asked to review anything. `present` names what stands before it
    already, as it is cited: that does not fit the prompt once more.
    """
    audience = Audience.GROUP if root.reader.sees_public_alone else audience
    reader, loss = one_of(Audience, "audience", audience), one_of(After, "moment", after)
    now = root.clock()
    asked = (prompt or "").strip()
    if len(asked) > _LONGEST_PROMPT:  # its beginning and its end
        asked = f"{asked[: _LONGEST_PROMPT // 2]}\n{asked[-_LONGEST_PROMPT // 2 :]}"
    found, told = _found(root, asked, _HITS[reader], present) if asked else (None, ())
    heard = found.warnings if found else tuple(root.view.catch_up())
    warnings = tuple(dict.fromkeys((*heard, *root.reader.warnings)))
    gathered = Gathered(
        hits=found.hits if found else (),
        asked=frozenset(telling_terms(asked)),
        told=told,
        notices=warnings,
    )
    if loss is not After.PROMPT:
        gathered = _with_the_rest(root, now, reader, gathered)
        gathered = replace(
            gathered, waiting=_undecided(root) if attended and reader is Audience.PRIVATE else 0
        )
    return compose_context(
        gathered,
        now=now,
        zone=root.zone,
        budget=budget or root.settings.context_tokens,
        audience=reader,
        after=loss,
    )


def _words_at(root: Root, present: Collection[str]) -> list[str]:
    """What these citations say: records, and lines of notes; a session's own lines stand there by themselves."""
    words: list[str] = []
    notes: dict[str, list[str]] = {}
    for cite in present:
        path, _, line = cite.partition("#L")
        if not line:
            record = root.index.standing_record(RECORD_PREFIX + cite, Filters(reader=root.reader.told_to))
            if record:
                words.append(record.text)
        elif not os.path.isabs(path) and line.isdecimal():
            with suppress(MemoracleError):
                lines = notes.get(path) or read_note(root.store.volume, path).text.split("\n")
                notes[path] = lines
                words += lines[int(line) - 1 : int(line)]
    return words


def _found(
    root: Root, asked: str, limit: int, present: Collection[str]
) -> tuple[Recollection, tuple[str, ...]]:
    """Evidence that may be told unasked, and what is told already. What scanners saw takes nobody's place."""
    through = Filters(reader=root.reader.told_to, unasked=True)
    found = search(root, asked, limit=limit, filters=through)
    if found.hits and not any(_may_tell(root, hit) for hit in found.hits):  # all of it is another project's
        found = search(root, asked, limit=_AMONG_OTHERS * limit, filters=through)
    if found.verdict is not Verdict.FOUND:
        return replace(found, hits=()), ()
    places = frozenset(present)
    hits = [
        hit
        for hit in found.hits
        if _may_tell(root, hit) and places.isdisjoint(_places(hit)) and not _is_done(hit, asked)
    ]
    told = _words_at(root, present) if hits else ()
    return replace(found, hits=_fitting(root, asked, hits)[:limit]), tuple(told)


def _is_done(hit: Hit, asked: str) -> bool:
    """True for the very words of another day, which are no evidence for themselves."""
    return hit.passage.source is EvidenceSource.TURN and terms(hit.passage.text) == terms(asked)


def _places(hit: Hit) -> set[str]:
    """Where what a hit says may stand before an agent: as it is cited, and where it was said."""
    every = (hit.passage, *hit.also)
    # Of a part of a note some lines may stand there: the others are told.
    said = {
        one.cite if one.source is EvidenceSource.NOTE else next(iter(cites_of([replace(hit, passage=one)])))
        for one in every
    }
    return said | {one.where for one in every if one.where}


# How far the reranker says that a passage answers (a logit), and which share of the prompt's words it holds. Chosen on
# half of the stores of several packs; docs/benchmarks.md has the figures of the other half.
_ANSWERS = 0.5
_BELONGS = -1.0
_BEHIND_BEST = 1.0
_HOLDS_MOST = 0.6


def _fitting(root: Root, asked: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Of these what answers or clearly belongs: silence is better than noise.

    Who asks is told what answers, an order or a remark brings along what shares its words besides. What was not read
    has to share them: there was no time, an exact name stands in the prompt, or several things are asked at once. Of
    talk only what it states counts, unless it answers: that something was ordered or asked is no evidence.
    """
    share = fitting(asked, root.index.frequencies)
    best = max((hit.legs["read"] for hit in hits if "read" in hit.legs), default=None)
    questions, asks = questions_in(asked), not asks_nothing(asked)

    def shares(passage: Passage) -> bool:
        text = stated(passage.text) if passage.source is EvidenceSource.TURN else passage.text
        return bool(text) and share(passage if text == passage.text else replace(passage, text=text))

    def fits(hit: Hit) -> bool:
        if not asks and hit.passage.source is EvidenceSource.TURN and "name" not in hit.legs:
            return False  # what of talk is of use to an order or a remark was learnt
        if best is None or questions > 1 or "name" in hit.legs:
            return shares(hit.passage)
        answers = hit.legs.get("read", best if "changes" in hit.legs else -math.inf)
        if answers >= best - _BEHIND_BEST and asks and answers >= _ANSWERS:
            return bool(questions or stated(hit.passage.text))
        is_near = answers >= max(_BELONGS, best - _BEHIND_BEST)
        return (is_near or hit.legs.get("coverage", 0.0) >= _HOLDS_MOST) and shares(hit.passage)

    return tuple(filter(fits, hits))


def _may_tell(root: Root, hit: Hit) -> bool:
    """True for what is told unasked: nothing faded, no talk of another project or place."""
    passage = hit.passage
    if hit.unused_since is not None or hit.fate is not None:
        return False  # nothing is hidden from a question, but this is none
    if passage.source is EvidenceSource.TURN and root.reader.here is not None:
        here = "" if root.reader.told_to.project == OUTSIDE else root.reader.told_to.project
        return passage.project == here or passage.project in root.reader.told_to.also
    return True


# What of memory has enough to do with a prompt to be told with it. Silence is better than noise.

_LEAST = 0.2
_WORDS, _PAIRS = 2, 3
_MOST_WORDS = 12
_BACKGROUND = 1000
"""In a small memory no word is common yet."""


def fitting(
    prompt: str, frequencies: Callable[[list[str]], tuple[Mapping[str, int], int]]
) -> Callable[[Passage], bool]:
    """Tells whether a passage fits a prompt; `frequencies` says in how many passages each term stands, of how many."""
    asked = list(dict.fromkeys(telling_terms(prompt)))
    counts, many = frequencies(asked)
    total = max(many, _BACKGROUND)
    weights = {one: math.log(1 + (total - counts[one] + 0.5) / (counts[one] + 0.5)) for one in asked}
    whole = sum(sorted(weights.values(), reverse=True)[:_MOST_WORDS]) or 1.0
    counted = [one for one in asked if len(one) > 1 or not is_unspaced(one)]
    usual = _PAIRS if is_unspaced(prompt) else _WORDS
    needed = min(usual, len(counted))

    def fits(passage: Passage) -> bool:
        if len(counted) < usual and passage.source is EvidenceSource.TURN:
            return False  # “push it” brings no talk along
        held = set(
            terms(
                f"{passage.who}\n{passage.title}\n{passage.text}\n{' '.join((*passage.tags, *passage.entities))}"
            )
        )
        shared = [one for one in asked if one in held]
        return (
            sum(one in held for one in counted) >= needed
            and sum(weights[one] for one in shared) >= _LEAST * whole
        )

    return fits


def recover(
    root: Root, prompt: str | None = None, *, audience: str = "private", budget: int | None = None
) -> _Recovered:
    """What to go on from after a reset, once what was interrupted is finished. A store in use still answers."""
    from memoracle.registry import point

    told: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    before = context(root, prompt, audience=audience, budget=budget, after=After.RESET)
    try:
        if finish := point("finish_rotation"):
            with root.store.writing():
                done = finish(root.store, now=root.clock(), zone=root.zone)
            steps, told = done.steps, tuple(finding.message for finding in done.findings)
    except MemoracleError as problem:
        told = (f"nothing could be finished now: {problem}",)
    if steps:
        before = context(root, prompt, audience=audience, budget=budget, after=After.RESET)
    return _Recovered(context=replace(before, warnings=(*before.warnings, *told)), steps=steps)


def _with_the_rest(root: Root, now: datetime, audience: Audience, gathered: Gathered) -> Gathered:
    """With what is at hand; for the owner also with notes, the buffer, and what waits."""
    is_private = audience is Audience.PRIVATE
    since = now - timedelta(days=RECENT_DAYS)
    hot = _notes(root, NoteRole.HOT)
    shown = frozenset().union(*map(shown_in, hot.values()))
    # A group never sees the hot file: what is at hand for it is found anew, among public records.
    named = [ref for short in shown for ref in (short, RECORD_PREFIX + short)] if is_private else []
    standing = root.view.ask(
        lambda: root.index.at_hand(
            root.decay, now, since=since, shown=named, public=not is_private, reader=root.reader.told_to
        )
    )
    gathered = replace(gathered, standing=standing, present=shown, changed=changed_since(root, now))
    # Where nobody says in which folder they work, what belongs to a project waits to be asked for.
    if root.reader.here is None:
        gathered = replace(gathered, projects=("",))
    if not is_private:
        return gathered
    from memoracle.store.inbox import read_inbox

    today = now.astimezone(root.zone).date()
    days = _owners(root, _notes(root, NoteRole.DAILY, days={today, today - timedelta(days=1)}))
    from memoracle.registry import point

    # Where no project has pages, and no tasks stand beside, nobody sits: the extension need not be loaded.
    pages = root.store.layout["page"].partition("/{")[0]
    has_seats = "tasks_beside" in root.store.layout or root.store.volume.list(pages).folders
    brief = point("seat_brief") if has_seats else None
    buffer = read_buffer(root.store)
    if buffer.entries:
        lines = root.store.guard.hide("\n".join(line for _, line in buffer.entries)).split("\n")
        numbers = (number for number, _ in buffer.entries)
        buffer = replace(buffer, entries=tuple(zip(numbers, lines, strict=True)))
    stale = ""
    if buffer.active and buffer.is_stale(now):
        hours = (now - buffer.active) / timedelta(hours=1)
        stale = f"stale, last active {hours:.0f} h ago: look for unfinished work"
    warnings = gathered.notices
    name = (
        root.store.name("health") if "health" in root.store.layout else root.store.state_name("health.json")
    )
    if read_document(root.store.volume, name).get("status") == "critical":
        warnings = (*warnings, _CRITICAL)
    if leftovers(root.store):
        warnings = (*warnings, _INTERRUPTED)
    return replace(
        gathered,
        hot=_owners(root, hot),
        today={path: text for path, text in days.items() if date_of(path) == today},
        yesterday={path: text for path, text in days.items() if date_of(path) != today},
        buffer=buffer,
        stale=stale,
        seat=brief(root, now) if brief else (),
        questions=len(read_inbox(root.store).open),
        notices=warnings,
    )


def _undecided(root: Root) -> int:
    """How many undecided fragments an agent could be handed here."""
    from memoracle.store.inbox import count_pending

    if not count_pending(root.store) or not root.reader.sees_all:
        return 0
    from memoracle.learn.asking import waiting_here

    return len(waiting_here(root))


def _notes(root: Root, role: NoteRole, days: Collection[date | None] = ()) -> dict[str, str]:
    """The notes of a role; of daily ones, those of these days."""
    homes = [home for home in note_homes(root.store.layout_name) if home.role is role]
    found = {}
    for path, own in list_notes(root.store.volume, homes).items():
        if own is role and (not days or date_of(path) in days):
            # One that cannot be read is `check`'s to name; the rest is handed over.
            with suppress(MemoracleError):
                note = read_note(root.store.volume, path)
                if channel_of(note.header) is None:
                    found[path] = note.text
    return found


def _owners(root: Root, notes: Mapping[str, str]) -> dict[str, str]:
    """What their owner wrote in these notes, without secrets, every line where it is."""
    owners = {}
    for path, text in notes.items():
        hidden = generated_lines(text)
        lines = ["" if at in hidden else line for at, line in enumerate(text.split("\n"))]
        # A note of headings alone, as a new memory has one: the rules about secrets need not be loaded.
        says_anything = any(line.strip() and not line.startswith("#") for line in lines)
        if text:
            owners[path] = root.store.guard.hide("\n".join(lines)) if says_anything else "\n".join(lines)
    return owners
