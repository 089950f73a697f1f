"""The nine checks of notes: is what people wrote still in order? Pure: a shelf in, checks out.

None of them endangers the memory, so what they find warns. Their ids are stable. They read Chinese and
English headings and closing lines alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta

from memoracle.health.checks import Check, graded, passed, skipped
from memoracle.health.links import links_in
from memoracle.health.matching import dates_in
from memoracle.health.shelf import Shelf, owners_lines, section
from memoracle.model.report import Finding, Severity
from memoracle.model.value import value
from memoracle.store.chunks import split_lines
from memoracle.store.closure import LABELS, is_closing
from memoracle.store.notes import NoteFile
from memoracle.store.vocabulary import VOCABULARY, nearest_tag

_TAGS = re.compile(r"#tags\s*[:：]", re.IGNORECASE)
_VERIFIED = re.compile(r"\s*(?:>\s?)?(?:\*\*)?last_verified(?:\*\*)?\s?[:：](.*)", re.IGNORECASE)
_QUESTIONS = re.compile(r"open questions?|未决问题|开放问题|待解决|待确认|未解决", re.IGNORECASE)
_DECISIONS = re.compile(r"\bdecisions?\b|决定|决策", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)、．])\s?(\[[ xX]\])?(.*)")
_NONE = re.compile(r"[\s(（]*(?:none|n/a|无|没有|暂无)[\s.。)）]*", re.IGNORECASE)
_VERIFIED_LINES = 12


@value
class Tidiness:
    """The numbers of the checks: at a limit is fine, above it is not; a date as old as its limit is too old."""

    verified_days: int = 30
    buffer_lines: int = 80
    open_questions: int = 5
    daily_days: int = 365
    stale_after: timedelta = timedelta(hours=2)

    @property
    def daily_most(self) -> int:
        """Notes of all days that may stand here, and a month to put them away."""
        return self.daily_days + 31


def examine(
    shelf: Shelf, *, now: datetime, today: date, limits: Tidiness, exists: Callable[[str], bool]
) -> list[Check]:
    """The nine checks, in their order. `exists` says whether a link leads to something."""
    return [
        tags_line(shelf),
        vocabulary(shelf),
        last_verified(shelf, today, limits),
        buffer(shelf, limits),
        open_questions(shelf, limits),
        closure_blocks(shelf, today),
        decision_links(shelf, exists),
        episodic_count(shelf, today, limits),
        orphaned_buffer(shelf, now, limits),
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
    """Tags are among those of `tags.toml`; without that file every tag is welcome."""
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
        _finding("vocabulary", note, f"the tag `{tag}` is not in {VOCABULARY}", nearest_tag(tag, known))
        for note in shelf.warm
        for tag in note.tags
        if tag.casefold() not in known
    ]
    return graded("vocabulary", found, fine=f"every tag is one of {len(known)}")


def last_verified(shelf: Shelf, today: date, limits: Tidiness) -> Check:
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
        elif (today - day).days >= limits.verified_days:
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


def buffer(shelf: Shelf, limits: Tidiness) -> Check:
    """The working buffer has at most eighty lines."""
    held = shelf.buffer
    if held is None:
        return skipped("buffer", "there is no working buffer")
    if held.lines <= limits.buffer_lines:
        return passed("buffer", f"{held.lines} of {limits.buffer_lines} lines")
    says = f"it has {held.lines} lines, more than {limits.buffer_lines}"
    hint = "`memoracle health --fix` moves them into the note of today"
    return graded("buffer", [_finding("buffer", held.note, says, hint)], fine="")


def open_questions(shelf: Shelf, limits: Tidiness) -> Check:
    """MEMORY.md lists at most five open questions."""
    items = [(number, line) for number, line in section(shelf.hot, _QUESTIONS) if _is_open(line)]
    if len(items) <= limits.open_questions:
        return passed("open-questions", f"{len(items)} of {limits.open_questions}")
    says = f"{len(items)} open questions, more than {limits.open_questions}"
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


def decision_links(shelf: Shelf, exists: Callable[[str], bool]) -> Check:
    """What the decisions in MEMORY.md link to is there."""
    links = [(line, link) for line, text in section(shelf.hot, _DECISIONS) for link in links_in(text)]
    found = [
        _finding(
            "decision-links", shelf.hot, f"`{link}` leads nowhere", "mend the link, or take it out", line
        )
        for line, link in links
        if not exists(link)
    ]
    return graded("decision-links", found, fine=f"{len(links)} links lead somewhere")


def episodic_count(shelf: Shelf, today: date, limits: Tidiness) -> Check:
    """The folder of daily notes does not grow without end."""
    number = len(shelf.daily)
    if number <= limits.daily_most:
        there = any(note.date == today for note in shelf.daily)
        return passed(
            "episodic-count", f"{number} daily notes; that of today {'is there' if there else 'is not begun'}"
        )
    says = f"{number} daily notes stand here, more than {limits.daily_most}"
    first = shelf.daily[0]
    hint = "`memoracle consolidate` puts old ones away once they were read"
    return graded("episodic-count", [_finding("episodic-count", first, says, hint)], fine="")


def orphaned_buffer(shelf: Shelf, now: datetime, limits: Tidiness) -> Check:
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
    if held is not None and held.entries and now - held.active > limits.stale_after:
        hours = (now - held.active) / timedelta(hours=1)
        says = f"{len(held.entries)} lines wait since {hours:.0f} h"
        hint = "`memoracle health --fix` moves them into the note of today"
        found.append(_finding("orphaned-buffer", held.note, says, hint))
    return graded("orphaned-buffer", found, fine="nothing waits")


def _is_open(line: str) -> bool:
    found = _ITEM.fullmatch(line)
    return bool(
        found and found[1] not in {"[x]", "[X]"} and found[2].strip() and not _NONE.fullmatch(found[2])
    )


def _finding(code: str, note: NoteFile, says: str, hint: str, line: int | None = None) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, path=note.path, message=says, hint=hint, line=line)
