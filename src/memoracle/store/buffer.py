"""The working buffer: what an agent writes down before it replies, on disk before the command returns.

Four header lines, then items. Here it is read; the notebook extension writes it.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from memoracle.errors import InvalidTime
from memoracle.model.value import value
from memoracle.store.chunks import split_lines
from memoracle.store.notes import read_text
from memoracle.store.store import Store
from memoracle.times import read_time

PENDING = ".pending"
STALE_AFTER = timedelta(hours=2)
HEADER_LINES = 6
MOMENT = re.compile(r"\s*(?:>\s*)?(created|last_active)\s*[:：]\s*(.+)", re.IGNORECASE)
_HEADER = re.compile(r"# |\s*(?:>\s*)?(?:created|last_active)\s*[:：]|\s*$", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DONE = re.compile(r"[-*+] (?:\[[xX✓✔]\]|~~)")


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

    def is_stale(self, now: datetime) -> bool:
        """True when something waits in it and nobody has worked with it for a while."""
        return bool(self.entries and self.active and now - self.active > STALE_AFTER)


def read_buffer(store: Store) -> WorkingBuffer:
    """The buffer; one that is not there is empty."""
    path = store.layout["buffer"]
    text, _ = read_text(store.volume, path)
    return parse(path, text)


def parse(path: str, text: str) -> WorkingBuffer:
    """What a text says as a buffer."""
    moments: dict[str, datetime | None] = {}
    entries: list[tuple[int, str]] = []
    for number, line in enumerate(_lines(text) if text else [], start=1):
        if number <= HEADER_LINES and not entries and _HEADER.match(line):
            if found := MOMENT.match(line):
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


def leftovers(store: Store, *suffixes: str) -> list[str]:
    """What interrupted rotations left beside the buffer, ours or another program's."""
    folder, _, name = store.layout["buffer"].rpartition("/")
    names = [one.name for one in store.volume.list(folder).files]
    stem = name.removesuffix(".md")
    found = [one for one in names if one.lstrip(".").startswith(stem) and one.endswith(suffixes or PENDING)]
    return [f"{folder}/{one}" if folder else one for one in found]
