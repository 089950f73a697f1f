"""The Markdown people edit: read it, replace it, append to it, list it.

The caller holds the store's lock; people and their editors do not know of it, so a file is only
replaced while it still is what the caller read. What is not being changed stays as it is, byte for
byte: line ends, byte-order mark, a missing last newline. `SOUL.md` is never written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import cache
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, ReadOnlyRoot, Refused, UnreadableFile
from memoracle.model.ids import file_digest
from memoracle.model.record import QUOTED, TRUST, Channel
from memoracle.model.report import Finding, Severity
from memoracle.model.value import value
from memoracle.store import frontmatter
from memoracle.store import volume as documents
from memoracle.store.chunks import headings, split_lines
from memoracle.store.layouts import NEVER_WRITTEN
from memoracle.store.volume import PACKED, Volume, pack, unpack

if TYPE_CHECKING:
    from memoracle.store.store import Store

# Which notes an import made, and which lines an accepted proposal put into its home: `undo` can take them back, and the
# view knows what moved in. `state/imported.json`.
#
# A note that was changed since is its owner's and stays; one that was not moves to the trash, to be looked at.
# The caller holds the lock.

IMPORTED = "imported.json"


def note_import(store: Store, operation: str, paths: list[str]) -> None:
    """Remember which notes an act made, as they are now."""
    name = store.state_name(IMPORTED)
    held = documents.read_document(store.volume, name)
    held[operation] = {path: file_digest(store.volume.read(path)) for path in paths}
    documents.write_document(store.volume, name, held)


def remember_lines(store: Store, operation: str, lines: Mapping[str, Sequence[str]]) -> None:
    """Remember which lines an act put into which notes."""
    name = store.state_name(IMPORTED)
    held = documents.read_document(store.volume, name)
    held[operation] = {"lines": {path: list(said) for path, said in lines.items()}}
    documents.write_document(store.volume, name, held)


def came_from_an_import(store: Store, path: str) -> bool:
    """True for a note that an import made, changed since or not."""
    name = store.state_name(IMPORTED)

    def read() -> frozenset[str] | None:
        size = store.volume.looks(name)[1]
        held = documents.read_document(store.volume, name) if size else {}
        made = [one for one in held.values() if isinstance(one, dict) and "lines" not in one]
        return None if not held and size > 3 else frozenset().union(*made)

    paths = store.remembered("imported", [name], read)
    return paths is None or path in paths  # when it cannot be read, any note may have come from one


def take_back(store: Store, operation: str) -> list[str]:
    """Move the notes of an act to the trash, and its lines out of notes, if nobody changed them; which is returned."""
    name = store.state_name(IMPORTED)
    held = documents.read_document(store.volume, name)
    made = held.pop(operation, None)
    if not isinstance(made, dict):
        return []
    lines = made.pop("lines", {})
    moved = [path for path, said in lines.items() if _strike(store, path, said)]
    for path, digest in made.items():
        content = store.volume.read(path)
        if not content or file_digest(content) != digest:
            continue
        store.volume.replace(f"{store.layout['trash']}/{operation}/{path}", content)
        store.volume.remove(path)
        moved.append(path)
    documents.write_document(store.volume, name, held)
    return moved


def _strike(store: Store, path: str, lines: Sequence[str]) -> bool:
    """Take lines out of a note where they stand as they were put there."""
    note = read_note(store.volume, path)
    kept = note.text.split("\n")
    for line in lines:
        if at := next((at for at, one in enumerate(kept) if one.removesuffix("\r") == line), None):
            del kept[at]
    text = "\n".join(kept)
    if text != note.text:
        write_note(store.volume, path, text, expected=note.digest)
    return text != note.text


_TAGS = re.compile(r"#tags:(.*)", re.IGNORECASE)


@value
class NoteFile:
    """A note as it stands on disk; `text` is all of it, `body` what follows the header."""

    path: str
    digest: str
    text: str
    header: Mapping[str, Any]
    body: str
    body_line: int
    title: str
    tags: tuple[str, ...] = ()
    date: date | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def at(self) -> datetime | None:
        """The first instant of its day."""
        return datetime.combine(self.date, time(), UTC) if self.date else None


def read_note(volume: Volume, relative: str) -> NoteFile:
    """A note; an absent one is empty."""
    raw = volume.read(relative)
    findings: list[Finding] = []
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        text = raw.decode("utf-8", "replace")
        findings.append(
            Finding(
                code="not-utf-8",
                severity=Severity.WARNING,
                path=relative,
                line=raw[: problem.start].count(b"\n") + 1,
                message="the note is not UTF-8; what cannot be read is shown as \ufffd",
                hint="save it as UTF-8; until then Memoracle does not write to it",
            )
        )
    parts = frontmatter.parse(text, path=relative)
    if parts.finding:
        findings.append(parts.finding)
    lines = split_lines(parts.body)
    return NoteFile(
        path=relative,
        digest=file_digest(raw),
        text=text,
        header=parts.fields,
        body=parts.body,
        body_line=parts.body_line,
        title=_title(parts.fields, lines, relative),
        tags=_tags(parts.fields, lines),
        date=date_of(relative),
        findings=tuple(findings),
    )


def write_note(volume: Volume, relative: str, content: str, *, expected: str | None) -> str:
    """Put a whole new text in place of what the caller read; the digest of what now stands there.

    `expected` is the digest of that reading, None for a note that must not exist yet.
    """
    if relative.rpartition("/")[2].casefold() in NEVER_WRITTEN:
        raise Refused(f"{relative} is written by its owner alone")
    # A rename would get past a file's own permission, which its owner set for a reason.
    if (held := volume.stat(relative)) is not None and not held.is_writable:
        raise ReadOnlyRoot(f"{volume.root}/{relative}", "the file is marked read-only")
    try:
        raw = content.encode("utf-8")
    except UnicodeEncodeError:
        raise BadInput("the text holds half a character, which no file can keep") from None
    if (present := volume.read(relative)) == raw and expected == file_digest(raw):
        return expected
    if expected is not None:
        _decoded(relative, present)
    volume.replace(relative, raw, expected=file_digest(b"") if expected is None else expected)
    return file_digest(raw)


def read_text(volume: Volume, relative: str) -> tuple[str, str | None]:
    """A text as it stands, and the digest of its file; None for a file that is not there."""
    raw = volume.read(relative)
    if not raw and not volume.has(relative):
        return "", None
    content = unpack(relative, raw) if relative.endswith(PACKED) else raw
    return _decoded(relative, content), file_digest(raw)


def write_text(volume: Volume, relative: str, text: str, *, expected: str | None) -> None:
    """Put a text in place of what was read, packed where it was packed."""
    if relative.endswith(PACKED):
        volume.replace(relative, pack(text.encode()), expected=expected)
    else:
        write_note(volume, relative, text, expected=expected)


def inserted(present: str, text: str, *, heading: str | None = None) -> str:
    """A note's text with lines added at the end of it, or of one section; everything else is unchanged."""
    place, addition = insertion(present, text, heading=heading)
    return f"{present[:place]}{addition}{present[place:]}"


def insertion(present: str, text: str, *, heading: str | None = None) -> tuple[int, str]:
    """Where in a note's text such lines belong, and what is added there: the lines, a heading, blank lines."""
    if not text.strip():
        raise BadInput("there is nothing to append")
    title = None if heading is None else " ".join(heading.lstrip("# ").split())
    if title == "":
        raise BadInput("a heading needs words")
    head = frontmatter.parse(present).head
    newline = "\r\n" if present.partition("\n")[0].endswith("\r") else "\n"
    lines = split_lines(present[len(head) :])
    if not lines[-1]:
        lines.pop()
    section = _section_end(lines, title)
    end = _before_closure(lines, len(lines) if section is None else section)
    while 0 < end < len(lines) and not lines[end - 1].strip():
        end -= 1
    addition = newline.join(split_lines(text.strip("\r\n"))) + newline
    if title is not None and section is None:
        gap = newline if end and lines[end - 1].strip() else ""
        addition = f"{gap}## {title}{newline}{newline}{addition}"
    place = _offset(present, len(head), end)
    fence = "" if place == 0 or present[place - 1] == "\n" else newline
    return place, fence + addition


def end_of_body(text: str) -> int:
    """Where in a note's text something can be added: its end, or where its four closing lines begin."""
    head = frontmatter.parse(text).head
    lines = split_lines(text[len(head) :])
    closing = _before_closure(lines, len(lines))
    return len(text) if closing == len(lines) else _offset(text, len(head), closing)


def date_of(relative: str) -> date | None:
    """The day a file name begins with."""
    name = relative.rpartition("/")[2]
    try:
        day = date.fromisoformat(name[:10])
    except ValueError:
        return None
    return day if name.startswith(day.isoformat()) else None


def _decoded(relative: str, raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableFile(relative, "it is not UTF-8, and writing would harm what it holds") from None


def _title(header: Mapping[str, Any], lines: list[str], relative: str) -> str:
    named = header.get("title")
    if isinstance(named, str) and named.strip():
        return " ".join(named.split())
    stem = relative.rpartition("/")[2].removesuffix(".md")
    return next((heading.title for heading in headings(lines) if heading.title), stem)


def _tags(header: Mapping[str, Any], lines: list[str]) -> tuple[str, ...]:
    """The tags of the header, then those of line 2: with commas, spaces or `#` between them."""
    given = header.get("tags")
    words = [str(tag) for tag in given] if isinstance(given, list) else _words(given) if given else []
    start = next((at for at, line in enumerate(lines) if line.strip()), 0)
    second = _TAGS.fullmatch(lines[start + 1].strip()) if start + 1 < len(lines) else None
    words += _words(second[1]) if second else []
    return tuple(dict.fromkeys(tag for word in words if (tag := word.strip().lstrip("#"))))


def _words(text: Any) -> list[str]:
    return re.split(r"[\s,，、]+", str(text))


def _section_end(lines: list[str], title: str | None) -> int | None:
    """The line behind the section under that heading; None when there is no such heading.

    A generated block belongs to no section: what is written into it is gone when it is made anew.
    """
    from memoracle.store.generated import generated_lines  # which needs this module in turn

    hidden = generated_lines("\n".join(lines))
    starts = [heading for heading in headings(lines) if heading.line not in hidden]
    for at, start in enumerate(starts):
        if start.title == title:
            following = [later.line for later in starts[at + 1 :] if later.level <= start.level]
            return min([*following, *(line for line in hidden if line > start.line)], default=len(lines))
    return None


def _before_closure(lines: list[str], end: int) -> int:
    """`end`, or the line where the closing lines of a daily note begin, if that comes first."""
    closing = closing_at(lines)
    return end if closing is None else min(end, closing)


def _offset(text: str, start: int, lines: int) -> int:
    """Where in the text that many lines after `start` have passed."""
    for _ in range(lines):
        start = text.find("\n", start) + 1 or len(text)
    return start


def conflicts_in(text: str, path: str) -> tuple[Finding, ...]:
    """Markers that a merge left in a note: both sides still stand there, and somebody has to put them in order."""
    if not _conflicts(text.split("\n")):
        return ()
    says = "a merge left its markers here; both sides stand in it"
    hint = "put it in order by hand, or let `memoracle repair` keep the lines of both"
    line = next(n for n, one in enumerate(text.split("\n"), start=1) if one.startswith("<<<<<<< "))
    return (
        Finding(code="note-conflict", severity=Severity.ERROR, path=path, message=says, line=line, hint=hint),
    )


def keep_both(volume: Volume, path: str) -> None:
    """Take the markers of a merge out of a note; the lines of both sides stay. The caller holds the lock."""
    content = volume.read(path)
    lines = content.decode("utf-8", "surrogateescape").split("\n")
    gone = _conflicts(lines)
    kept = "\n".join(line for number, line in enumerate(lines) if number not in gone)
    volume.replace(path, kept.encode("utf-8", "surrogateescape"), expected=file_digest(content))


def _conflicts(lines: Sequence[str]) -> set[int]:
    """The lines that a conflict has beyond the two sides: its markers, and what stood there before both."""
    gone: set[int] = set()
    begun: set[int] = set()
    in_base = False
    for number, line in enumerate(lines):
        if line.startswith("<<<<<<< "):
            begun, in_base = {number}, False
        elif begun and line.startswith("||||||| "):
            begun, in_base = begun | {number}, True
        elif begun and line.rstrip("\r") == "=======":
            begun, in_base = begun | {number}, False
        elif begun and line.startswith(">>>>>>> "):
            gone |= begun | {number} if len(begun) > 1 else set()
            begun = set()
        elif in_base:
            begun.add(number)
    return gone


# The four closing lines of a daily note: when it was updated, what was decided, learned and left open.
#
# Pure: lines in, lines out. They are always the last of their note. Chinese and English labels are read alike, and a
# line that is renewed keeps the label it has.

VOCABULARY = "tags.toml"
"""Where a memory says which tags its notes may carry."""
LABELS = ("Updated", "Decisions", "Signal", "Open")
NOTHING = "none"

_PATTERNS = (
    r"[-*>\s]{0,12}(?:updated|更新)(?:时间|日期)?\**\s?[:：]",
    r"[-*>\s]{0,12}(?:decisions?|决定|决策)\**\s?[:：]",
    r"[-*>\s]{0,12}(?:signals?|信号|收获|心得)\**\s?[:：]",
    r"[-*>\s]{0,12}(?:open|未决|待办|遗留)(?:问题|事项)?\**\s?[:：]",
)
_NONE = frozenset({"", "-", "none", "none noted", "n/a", "nothing", "无", "没有", "暂无"})
_WIDEST = 40


def closing_at(lines: Sequence[str]) -> int | None:
    """Where the closing lines of a note begin; None when its last lines that say something are others."""
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    start = last - len(LABELS)
    return start if start >= 0 and is_closing(lines[start:last]) else None


def is_closing(lines: Sequence[str]) -> bool:
    """True for four lines that close a note."""
    if len(lines) != len(LABELS):
        return False
    return all(pattern.match(line) for pattern, line in zip(_patterns(), lines, strict=True))


def said_in(line: str) -> tuple[str, str]:
    """The label of a closing line, with its colon, and what stands behind it; what says nothing is empty."""
    places = [at for at in (line.find(":", 0, _WIDEST), line.find("：", 0, _WIDEST)) if at >= 0]
    end = min(places, default=-1) + 1
    said = line[end:].strip().lstrip("*").strip()
    return line[:end], "" if said.casefold().rstrip(".。") in _NONE else said


def closing_lines(values: Mapping[str, str], present: Sequence[str] = ()) -> list[str]:
    """The four lines with these values, by label; where none is given, what `present` says stays."""
    lines = []
    for at, label in enumerate(LABELS):
        head, held = said_in(present[at]) if present else (f"{label}:", "")
        lines.append(f"{head} {values.get(label) or held or NOTHING}")
    return lines


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one, re.IGNORECASE) for one in _PATTERNS)


CHANNEL_KEY = "channel"
"""The field of a note's header that says whose words it is; import writes it."""


def channel_of(held: Mapping[str, Any]) -> Channel | None:
    """Whose words a note is when its header says that they are not its owner's; it can only take weight away."""
    named = held.get(CHANNEL_KEY)
    return Channel(named) if isinstance(named, str) and named in QUOTED | {Channel.AGENT} else None


def channel_facets(held: Mapping[str, Any]) -> dict[str, Any]:
    """What a view is told of a note whose header says whose words it is."""
    named = channel_of(held)
    return {"channel": named.value, "trust": TRUST[named]} if named else {}
