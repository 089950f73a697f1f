"""The nine checks of notes: is what people wrote still in order? And the safe repairs of what they find.

None of them endangers the memory, so what they find warns. Their ids are stable. They read Chinese and
English headings and closing lines alike.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from urllib.parse import unquote

from memoracle.errors import MemoracleError
from memoracle.extensions.notebook.agreement import agreement_checks
from memoracle.extensions.notebook.vocabulary import nearest_tag, read_vocabulary
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.report import Finding, Severity
from memoracle.model.value import replace, value
from memoracle.store.chunks import headings, split_lines
from memoracle.store.daily import PENDING, WorkingBuffer, leftovers, parse
from memoracle.store.generated import owners_text
from memoracle.store.layouts import NoteRole
from memoracle.store.notes import LABELS, VOCABULARY, NoteFile, date_of, is_closing, read_note
from memoracle.store.store import Store
from memoracle.upkeep.checks import Check, graded, passed, skipped
from memoracle.upkeep.probe import dates_in

# The notes of a root as the checks of hygiene look at them. Reads, changes nothing.


@value
class Shelf:
    """All notes, by what they are for. `vocabulary` is None while nobody keeps one."""

    follows_conventions: bool
    hot: NoteFile
    warm: tuple[NoteFile, ...] = ()
    daily: tuple[NoteFile, ...] = ()
    buffer: WorkingBuffer | None = None
    leftovers: tuple[str, ...] = ()
    vocabulary: frozenset[str] | None = None
    vocabulary_problem: str = ""


def read_shelf(store: Store) -> Shelf:
    """Everything the checks look at; a note that cannot be opened is `check`'s to report."""
    roles = store.notes.files()
    words, problem = read_vocabulary(store)
    # What its owner keeps elsewhere has the shape its owner likes.
    ours = tuple(store.layout[role].partition("{")[0] for role in (NoteRole.SEMANTIC, NoteRole.PROCEDURAL))
    return Shelf(
        follows_conventions=store.layout_name in {"native", "v4"},
        hot=_read(store, store.layout["hot"]) or _nothing(store.layout["hot"]),
        warm=_all(store, [path for path in roles if path.startswith(ours)]),
        daily=_all(store, [path for path, role in roles.items() if role is NoteRole.DAILY and date_of(path)]),
        buffer=_buffer(store),
        leftovers=tuple(leftovers(store, PENDING, ".lock")),
        vocabulary=words,
        vocabulary_problem=problem,
    )


def section(note: NoteFile, is_wanted: re.Pattern[str]) -> list[tuple[int, str]]:
    """The lines under every heading of that sort, with their numbers in the file."""
    lines = split_lines(note.body)
    starts = headings(lines)
    found: dict[int, str] = {}
    for at, start in enumerate(starts):
        if is_wanted.search(start.title):
            end = next((later.line for later in starts[at + 1 :] if later.level <= start.level), len(lines))
            found |= {note.body_line + number: lines[number] for number in range(start.line + 1, end)}
    return sorted(found.items())


def owners_lines(note: NoteFile) -> list[str]:
    """The lines of a note that its owner wrote and that say something: no generated block, no title."""
    lines = [line for line in split_lines(owners_text(note.body)) if line.strip()]
    return lines[1:] if lines and lines[0].startswith("# ") else lines


def modified_at(root: str, relative: str) -> datetime:
    """When a file was last written, as the file system tells it."""
    try:
        return datetime.fromtimestamp(os.stat(os.path.join(root, relative)).st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return datetime.fromtimestamp(0, UTC)


def _all(store: Store, paths: Sequence[str]) -> tuple[NoteFile, ...]:
    return tuple(note for path in sorted(paths) if (note := _read(store, path)))


def _read(store: Store, path: str) -> NoteFile | None:
    try:
        return read_note(store.volume, path)
    except MemoracleError:
        return None


def _nothing(path: str) -> NoteFile:
    return NoteFile(path=path, digest="", text="", header={}, body="", body_line=1, title="")


def _buffer(store: Store) -> WorkingBuffer | None:
    """The working buffer; one that does not say when it was last touched was when its file was."""
    note = _read(store, store.layout["buffer"])
    if note is None or not note.text:
        return None
    held = parse(note.path, note.text)
    return replace(held, active=held.active or modified_at(store.root, note.path))


_TAGS = re.compile(r"#tags\s*[:：]", re.IGNORECASE)
_VERIFIED = re.compile(r"\s*(?:>\s?)?(?:\*\*)?last_verified(?:\*\*)?\s?[:：](.*)", re.IGNORECASE)
_QUESTIONS = re.compile(r"open questions?|未决问题|开放问题|待解决|待确认|未解决", re.IGNORECASE)
_DECISIONS = re.compile(r"\bdecisions?\b|决定|决策", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)、．](?!\d))\s?(\[[ xX]\])?(.*)")
_NONE = re.compile(r"[\s(（]*(?:none|n/a|无|没有|暂无)[\s.。)）]*", re.IGNORECASE)
_VERIFIED_LINES = 12
_VERIFIED_DAYS = 30
"""A date as old as this is too old."""
_OPEN_QUESTIONS = 5
_MONTH = 31
"""A month to put old daily notes away."""


def note_checks(
    store: Store, *, now: datetime, today: date, buffer_lines: int, daily_days: int
) -> list[Check]:
    """The nine checks, in their order, then whether notes agree. At a limit is fine, above it is not."""
    shelf = read_shelf(store)
    return [
        tags_line(shelf),
        vocabulary(shelf),
        last_verified(shelf, today),
        buffer(shelf, buffer_lines),
        open_questions(shelf),
        closure_blocks(shelf, today),
        decision_links(shelf, store),
        episodic_count(shelf, today, daily_days + _MONTH),
        orphaned_buffer(shelf, now),
        *agreement_checks(store, shelf),
    ]


def tags_line(shelf: Shelf) -> Check:
    """Every semantic and procedural note has its tags on line 2, or in its header."""
    if not shelf.follows_conventions:
        return skipped("tags-line", "the notes of this layout need none")
    found = [
        _finding(
            "tags-line", note, "it has no `#tags:` on its second line", "`memoracle health --fix` adds one"
        )
        for note in shelf.warm
        if not has_tags_line(note)
    ]
    return graded("tags-line", found, fine=f"{len(shelf.warm)} notes have their tags")


def has_tags_line(note: NoteFile) -> bool:
    """True for a note whose second line, or whose header, names its tags."""
    if "tags" in note.header:
        return True
    lines = split_lines(note.body)
    start = next((at for at, line in enumerate(lines) if line.strip()), 0)
    return start + 1 < len(lines) and bool(_TAGS.match(lines[start + 1].strip()))


def vocabulary(shelf: Shelf) -> Check:
    """Tags are among those of `tags.toml`, or of the design; without either every tag is welcome."""
    if shelf.vocabulary_problem:
        says = f"the vocabulary cannot be read: {shelf.vocabulary_problem}"
        hint = 'write `[tags]` and lines such as `garden = "what grows"`'
        found = [
            Finding(code="vocabulary", severity=Severity.WARNING, path=VOCABULARY, message=says, hint=hint)
        ]
        return graded("vocabulary", found, fine="")
    known = shelf.vocabulary
    if known is None:
        return skipped("vocabulary", f"every tag is welcome; a {VOCABULARY} would name those that are")
    found = [
        _finding("vocabulary", note, f"the tag `{tag}` is not in the vocabulary", nearest_tag(tag, known))
        for note in shelf.warm
        for tag in note.tags
        if tag.casefold() not in known
    ]
    return graded("vocabulary", found, fine=f"every tag is one of {len(known)}")


def last_verified(shelf: Shelf, today: date) -> Check:
    """Every semantic and procedural note was verified in the last thirty days, and says when."""
    if not shelf.follows_conventions:
        return skipped("last-verified", "the notes of this layout need no date")
    found = []
    for note in shelf.warm:
        line, day = verified_on(note)
        if line is None:
            found.append(
                _finding(
                    "last-verified",
                    note,
                    "it does not say when it was last verified",
                    "`memoracle health --fix` adds it",
                )
            )
        elif day is None:
            found.append(
                _finding("last-verified", note, "its `last_verified` is no date", "write 2026-05-15", line)
            )
        elif (today - day).days >= _VERIFIED_DAYS:
            says = f"last verified {(today - day).days} days ago"
            found.append(
                _finding("last-verified", note, says, "read it again and put the date of today", line)
            )
    return graded("last-verified", found, fine=f"{len(shelf.warm)} notes are fresh")


def verified_on(note: NoteFile) -> tuple[int | None, date | None]:
    """The line that says when a note was last verified, and the day it names."""
    if "last_verified" in note.header:
        days = dates_in(str(note.header["last_verified"]))
        return 1, days[0] if days else None
    for number, line in enumerate(split_lines(note.body)[:_VERIFIED_LINES]):
        if found := _VERIFIED.match(line):
            days = dates_in(found[1])
            return note.body_line + number, days[0] if days else None
    return None, None


def buffer(shelf: Shelf, most: int) -> Check:
    """The working buffer has at most eighty lines."""
    held = shelf.buffer
    if held is None:
        return skipped("buffer", "there is no working buffer")
    if held.lines <= most:
        return passed("buffer", f"{held.lines} of {most} lines")
    says = f"it has {held.lines} lines, more than {most}"
    hint = "`memoracle health --fix` moves them into the note of today"
    return graded("buffer", [_finding("buffer", held, says, hint)], fine="")


def open_questions(shelf: Shelf) -> Check:
    """MEMORY.md lists at most five open questions."""
    items = [(number, line) for number, line in section(shelf.hot, _QUESTIONS) if _is_open(line)]
    if len(items) <= _OPEN_QUESTIONS:
        return passed("open-questions", f"{len(items)} of {_OPEN_QUESTIONS}")
    says = f"{len(items)} open questions, more than {_OPEN_QUESTIONS}"
    hint = "settle some, or move them into a note"
    return graded("open-questions", [_finding("open-questions", shelf.hot, says, hint, items[0][0])], fine="")


def closure_blocks(shelf: Shelf, today: date) -> Check:
    """Every daily note that is over, if its owner wrote in it, ends with Updated, Decisions, Signal and Open."""
    if not shelf.follows_conventions:
        return skipped("closure-blocks", "the notes of this layout need none")
    over = [
        note for note in shelf.daily if note.date is not None and note.date < today and owners_lines(note)
    ]
    found = [
        _finding(
            "closure-blocks",
            note,
            "it does not end with Updated, Decisions, Signal and Open",
            "`memoracle health --fix` adds the four lines",
        )
        for note in over
        if not is_closed(note)
    ]
    return graded("closure-blocks", found, fine=f"{len(over)} daily notes are closed")


def is_closed(note: NoteFile) -> bool:
    """True when the last lines of a note are its four closing lines."""
    return is_closing(owners_lines(note)[-len(LABELS) :])


def decision_links(shelf: Shelf, store: Store) -> Check:
    """What the decisions in MEMORY.md link to is there."""
    links = [(line, link) for line, text in section(shelf.hot, _DECISIONS) for link in links_in(text)]
    found = [
        _finding(
            "decision-links", shelf.hot, f"`{link}` leads nowhere", "mend the link, or take it out", line
        )
        for line, link in links
        if not leads_somewhere(store, link)
    ]
    return graded("decision-links", found, fine=f"{len(links)} links lead somewhere")


def episodic_count(shelf: Shelf, today: date, most: int) -> Check:
    """The folder of daily notes does not grow without end."""
    number = len(shelf.daily)
    if number <= most:
        there = any(note.date == today for note in shelf.daily)
        return passed(
            "episodic-count", f"{number} daily notes; that of today {'is there' if there else 'is not begun'}"
        )
    says = f"{number} daily notes stand here, more than {most}"
    first = shelf.daily[0]
    hint = "`memoracle consolidate` puts old ones away once they were read"
    return graded("episodic-count", [_finding("episodic-count", first, says, hint)], fine="")


def orphaned_buffer(shelf: Shelf, now: datetime) -> Check:
    """Nothing waits in a buffer that nobody works with any more."""
    found = [
        Finding(
            code="orphaned-buffer",
            severity=Severity.WARNING,
            path=path,
            message="a rotation that was interrupted left this behind",
            hint="`memoracle recover` finishes what was begun; another program's `.lock` is yours to remove",
        )
        for path in shelf.leftovers
    ]
    held = shelf.buffer
    if held is not None and held.active and held.is_stale(now):
        waiting = sum(bool(line.strip()) for _, line in held.entries)
        hours = (now - held.active) / timedelta(hours=1)
        says = f"{waiting} lines wait since {hours:.0f} h"
        hint = "`memoracle health --fix` moves them into the note of today"
        found.append(_finding("orphaned-buffer", held, says, hint))
    return graded("orphaned-buffer", found, fine="nothing waits")


def _is_open(line: str) -> bool:
    found = _ITEM.fullmatch(line)
    return bool(
        found and found[1] not in {"[x]", "[X]"} and found[2].strip() and not _NONE.fullmatch(found[2])
    )


def _finding(
    code: str, note: NoteFile | WorkingBuffer, says: str, hint: str, line: int | None = None
) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, path=note.path, message=says, hint=hint, line=line)


# Links in the hot file: what they name, and whether it is there. Addresses elsewhere are not followed.

_ELSEWHERE = re.compile(r"\b(?:[a-z]{2,10}://|mailto:)[^\s()\[\]]+", re.IGNORECASE)
_LINKS = (
    re.compile(r"\[[^\[\]\n]{0,300}\]\(<?([^()<>\s]{1,500})"),
    re.compile(r"\[\[([^\[\]|\n]{1,300})"),
    re.compile(r"(?<![\w./()<%\[\]-])([\w./-]{1,300}\.md)(?!\w)"),
    re.compile(r"(?<!\w)(mem_[0-9A-Z]{26})(?!\w)"),
)


def links_in(text: str) -> Iterator[str]:
    """What a line links to: Markdown links, `[[names]]`, bare paths of notes, ids of records."""
    here = _ELSEWHERE.sub(" ", text)
    for pattern in _LINKS:
        for found in pattern.finditer(here):
            if link := unquote(found[1]).partition("#")[0].strip():
                yield link


def leads_somewhere(store: Store, link: str) -> bool:
    """True when a link leads to a record or to a file of the memory."""
    if link.startswith(RECORD_PREFIX):
        return bool(store.journal.versions(link))
    folder = os.path.dirname(store.layout["semantic"].partition("/{")[0])
    plain = link.lstrip("/").removeprefix("./")
    if "/" not in plain:  # a name, as `[[decisions]]`: of any note
        name = plain.removesuffix(".md").casefold()
        if any(os.path.basename(path).removesuffix(".md").casefold() == name for path in store.notes.files()):
            return True
    for place in (plain, f"{plain}.md", f"{folder}/{plain}", f"{folder}/{plain}.md"):
        try:
            if store.volume.has(place):
                return True
        except MemoracleError:
            continue
    return False
