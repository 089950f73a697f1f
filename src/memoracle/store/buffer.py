"""The working buffer: what an agent writes down before it replies, on disk before the command returns.

Four header lines, then items. The caller holds the lock, so no two writers cross. `rotate.py` moves what is in it
into the note of the day.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from memoracle.errors import InvalidTime
from memoracle.model.value import value
from memoracle.store.chunks import split_lines
from memoracle.store.jot import rewrite
from memoracle.store.notes import read_text
from memoracle.store.store import Store
from memoracle.times import read_time, write_time

TITLE = "# Working Buffer"
PENDING = ".pending"

_HEADER = re.compile(r"# |\s*(?:>\s*)?(?:created|last_active)\s*[:：]|\s*$", re.IGNORECASE)
_MOMENT = re.compile(r"\s*(?:>\s*)?(created|last_active)\s*[:：]\s*(.+)", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DONE = re.compile(r"[-*+] (?:\[[xX✓✔]\]|~~)")
_HEADER_LINES = 6


@value
class BufferLimits:
    """How full a buffer may be: at a limit is fine, above it is not."""

    lines: int = 80
    items: int = 3
    stale_after: timedelta = timedelta(hours=2)


@value
class WorkingBuffer:
    """The buffer as it stands: its lines behind the header, each with its number in the file."""

    path: str
    text: str = ""
    entries: tuple[tuple[int, str], ...] = ()
    created: datetime | None = None
    active: datetime | None = None

    @property
    def lines(self) -> int:
        """How many lines the file has."""
        return len(_lines(self.text)) if self.text else 0

    @property
    def items(self) -> int:
        """How many items are not done."""
        return sum(line.startswith(("- ", "* ", "+ ")) and not _DONE.match(line) for _, line in self.entries)

    @property
    def body(self) -> str:
        """What was written into it."""
        return "\n".join(line for _, line in self.entries).strip("\n")

    def is_full(self, limits: BufferLimits) -> bool:
        """True when it has more lines or more items than it should."""
        return self.lines > limits.lines or self.items > limits.items

    def is_stale(self, now: datetime, limits: BufferLimits) -> bool:
        """True when something waits in it and nobody has worked with it for a while."""
        return bool(self.entries and self.active and now - self.active > limits.stale_after)


def read_buffer(store: Store) -> WorkingBuffer:
    """The buffer; one that is not there is empty."""
    path = store.layout["buffer"]
    text, _ = read_text(store.volume, path)
    return parse(path, text)


def add(store: Store, item: str, *, now: datetime) -> int:
    """Put an item at the end; the number of its first line. It is durable when this returns."""
    path = store.layout["buffer"]
    first = 0

    def change(present: str) -> str:
        nonlocal first
        held = _touched(present, now)
        before = held if held.endswith("\n") else held + "\n"
        first = before.count("\n") + 1
        return before + item.strip("\n") + "\n"

    rewrite(store, path, change, fresh=fresh_buffer(now))
    return first


def fresh_buffer(now: datetime) -> str:
    """The four lines a buffer begins with."""
    return f"{TITLE}\ncreated: {write_time(now)}\nlast_active: {write_time(now)}\n\n"


def without_body(text: str, body: str, now: datetime) -> str | None:
    """A buffer's text less these lines; None when they do not stand there together."""
    held = parse("", text)
    if held.body == body:
        return fresh_buffer(now)
    lines, run = _lines(text), split_lines(body)
    for at in range(len(lines) - len(run) + 1):
        if lines[at : at + len(run)] == run:
            return "\n".join([*lines[:at], *lines[at + len(run) :]]) + "\n"
    return None


def parse(path: str, text: str) -> WorkingBuffer:
    """What a text says as a buffer."""
    moments: dict[str, datetime | None] = {}
    entries: list[tuple[int, str]] = []
    for number, line in enumerate(_lines(text) if text else [], start=1):
        if number <= _HEADER_LINES and not entries and _HEADER.match(line):
            if found := _MOMENT.match(line):
                moments[found[1].casefold()] = _moment(found[2])
        else:
            entries.append((number, line))
    while entries and not entries[-1][1].strip():
        entries.pop()
    return WorkingBuffer(
        path=path,
        text=text,
        entries=tuple(entries),
        created=moments.get("created"),
        active=moments.get("last_active"),
    )


def _touched(text: str, now: datetime) -> str:
    """The text with the moment of its last use in the header; a buffer without one gets it under its own title."""
    lines = text.removeprefix("\ufeff").split("\n")
    for at, line in enumerate(lines[:_HEADER_LINES]):
        if (found := _MOMENT.match(line)) and found[1].casefold() == "last_active":
            lines[at] = f"last_active: {write_time(now)}"
            return "\n".join(lines)
    title = lines.pop(0).rstrip("\r") if lines[0].startswith("# ") else TITLE
    kept = "\n".join(lines).lstrip("\r\n")
    return fresh_buffer(now).replace(TITLE, title, 1) + kept


def _moment(text: str) -> datetime | None:
    try:
        return read_time(text.strip())
    except InvalidTime:
        found = _DAY.search(text)
        try:
            return datetime.combine(date.fromisoformat(found[0]), datetime.min.time(), UTC) if found else None
        except ValueError:
            return None


def _lines(text: str) -> list[str]:
    lines = split_lines(text)
    if not lines[-1]:
        lines.pop()
    return lines


def leftovers(store: Store) -> list[str]:
    """What interrupted rotations left beside the buffer, ours or another program's."""
    folder, _, name = store.layout["buffer"].rpartition("/")
    names = [one.name for one in store.volume.list(folder).files]
    stem = name.removesuffix(".md")
    found = [one for one in names if one.lstrip(".").startswith(stem) and one.endswith(PENDING)]
    return [f"{folder}/{one}" if folder else one for one in found]
