"""Canaries: questions whose answer is known, asked again and again to see whether recall still finds it.

Asking goes through a callable that leaves every file as it was. A canary names what it expects: a text, any of
several, or a record; dates match however they are written. One whose answer is found behind an outdated one, or is
itself outdated by what stands first, has not passed: whoever asked would have been told the wrong thing.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, UnreadableFile
from memoracle.model.search import Hit, Passage
from memoracle.model.value import value
from memoracle.store.volume import write_document
from memoracle.text import normalise
from memoracle.times import MONTHS, month_number
from memoracle.upkeep.report import Probed, probed_fields

if TYPE_CHECKING:
    from memoracle.store.store import Store

MOST = 10
_SHORTEST_ID = 4

Ask = Callable[[str, int], Sequence[Hit]]
"""The hits for a question, at most so many; asking changes nothing."""

Changes = Callable[[Passage, Passage], bool]
"""True when the second, said later, seems to have changed what the first says."""


@value
class Canary:
    """A question and what its answer must hold; found among the first `k` hits it is found."""

    query: str
    expected: tuple[str, ...] = ()
    expected_id: str = ""
    k: int = MOST
    outdated: tuple[str, ...] = ()
    """What must not stand before the answer."""

    def fits(self, hit: Hit) -> bool:
        """True for a hit that holds what is expected."""
        if self.expected_id:
            return hit.passage.ref.startswith(self.expected_id)
        return any(says(hit.passage.text, text) for text in self.expected)


@value
class _Asked:
    """What came of one canary: the place of the first hit that fits, None when there was none."""

    query: str
    expected: str
    place: int | None
    k: int
    milliseconds: float
    outdated: int | None = None
    """The place of a hit that is not true any more, or of the one that says that the expected answer is not."""

    @property
    def passed(self) -> bool:
        """It was found, high enough, and is not outdated."""
        return self.place is not None and self.place <= self.k and self.outdated is None


@value
class Probe:
    """One round of all canaries."""

    at: datetime
    asked: tuple[_Asked, ...]

    @property
    def passed(self) -> int:
        """How many were found."""
        return sum(one.passed for one in self.asked)

    @property
    def accuracy(self) -> float:
        """The share that was found; 1 when nothing was asked."""
        return self.passed / len(self.asked) if self.asked else 1.0

    def recall_at(self, k: int) -> float:
        """The share whose answer stands among the first k."""
        found = sum(one.place is not None and one.place <= k for one in self.asked)
        return found / len(self.asked) if self.asked else 1.0

    @property
    def milliseconds(self) -> tuple[float, float]:
        """The middle and the longest time of an answer."""
        times = sorted(one.milliseconds for one in self.asked) or [0.0]
        return times[len(times) // 2], times[-1]

    @property
    def probed(self) -> Probed:
        """As `health.json` tells it."""
        percent = round(100 * self.accuracy, 1)
        return Probed(last_run=self.at, passed=self.passed, total=len(self.asked), accuracy_percent=percent)


def probe(
    canaries: Sequence[Canary], ask: Ask, *, now: datetime, changes: Changes = lambda _old, _new: False
) -> Probe:
    """Ask every canary once."""
    asked = []
    for canary in canaries:
        began = time.perf_counter()
        hits = ask(canary.query, max(canary.k, MOST))
        spent = (time.perf_counter() - began) * 1000
        place = next((at for at, hit in enumerate(hits, start=1) if canary.fits(hit)), None)
        expected = canary.expected_id or " | ".join(canary.expected)
        told = _Asked(
            query=canary.query,
            expected=expected,
            place=place,
            k=canary.k,
            milliseconds=round(spent, 1),
            outdated=_outdated(canary, hits, place, changes),
        )
        asked.append(told)
    return Probe(at=now, asked=tuple(asked))


def _outdated(canary: Canary, hits: Sequence[Hit], place: int | None, changes: Changes) -> int | None:
    """Where among the hits before the answer something outdated stands, or what shows that the answer is."""
    before = hits[: len(hits) if place is None else place - 1]
    for at, hit in enumerate(before, start=1):
        if hit.fate is not None or any(says(hit.passage.text, text) for text in canary.outdated):
            return at
    if place is None:
        return None
    answer, first = hits[place - 1].passage, hits[0].passage
    if hits[place - 1].fate is not None:
        return place
    if answer.at is None or first.at is None or answer.at == first.at:
        return None  # where it stands first it is compared with itself
    old, new = (first, answer) if first.at < answer.at else (answer, first)
    return 1 if changes(old, new) else None


def canaries_place(store: Store) -> str:
    """Where the canaries stand in this layout."""
    return store.name("canaries") if "canaries" in store.layout else store.state_name("canaries.json")


def read_canaries(store: Store) -> list[Canary]:
    """The canaries of a memory; an entry that is none is an error that says which."""
    return [_canary(entry, number) for number, entry in enumerate(_entries(store), start=1)]


def add_canary(store: Store, canary: Canary) -> int:
    """Keep one more canary, once; how many there are is returned. The caller holds the lock."""
    _check(canary)
    entries = _entries(store)
    if canary not in [_canary(entry, number) for number, entry in enumerate(entries, start=1)]:
        entries.append(_entry(canary))
        write_document(store.volume, canaries_place(store), entries)
    return len(entries)


def probe_fields(found: Probe) -> dict[str, Any]:
    """A round as a document."""
    middle, longest = found.milliseconds
    return {
        "schema": 1,
        "quality_probe": probed_fields(found.probed),
        **{f"recall@{k}": round(found.recall_at(k), 4) for k in (1, 5, 10)},
        "p50_ms": middle,
        "max_ms": longest,
        "items": [
            {name: getattr(one, name) for name in ("query", "expected", "passed", "place", "k", "outdated")}
            | {"ms": one.milliseconds}
            for one in found.asked
        ],
    }


def _entries(store: Store) -> list[Any]:
    place = f"{store.root}/{canaries_place(store)}"
    try:
        held = json.loads(store.volume.read(canaries_place(store)) or b"[]")
    except (ValueError, RecursionError) as problem:
        raise UnreadableFile(place, f"it is not JSON: {problem}") from None
    if not isinstance(held, list):
        raise UnreadableFile(place, "it is not a list of canaries")
    return held


def _canary(entry: Any, number: int) -> Canary:
    if not isinstance(entry, Mapping):
        raise BadInput(f"canary {number} is not an object")
    single, several = entry.get("expected_contains"), entry.get("expected_any", [])
    expected = [single] if isinstance(single, str) else single if isinstance(single, list) else []
    k, gone = entry.get("k", MOST), entry.get("outdated_any")
    canary = Canary(
        query=str(entry.get("query", "")),
        expected=tuple(str(text) for text in [*expected, *(several if isinstance(several, list) else [])]),
        expected_id=str(entry.get("expected_id") or ""),
        k=k if isinstance(k, int) and 0 < k <= 1000 else MOST,
        outdated=tuple(str(text) for text in gone) if isinstance(gone, list) else (),
    )
    _check(canary, f"canary {number}")
    return canary


def _check(canary: Canary, name: str = "the canary") -> None:
    if not canary.query.strip():
        raise BadInput(f"{name} asks nothing")
    if not any(text.strip() for text in canary.expected) and len(canary.expected_id) < _SHORTEST_ID:
        raise BadInput(f"{name} expects nothing", "give --expect TEXT, or --id with an id")


def _entry(canary: Canary) -> dict[str, Any]:
    entry: dict[str, Any] = {"query": canary.query}
    if canary.expected_id:
        entry["expected_id"] = canary.expected_id
    elif len(canary.expected) == 1:
        entry["expected_contains"] = canary.expected[0]
    else:
        entry["expected_any"] = list(canary.expected)
    entry |= {"outdated_any": list(canary.outdated)} if canary.outdated else {}
    return entry if canary.k == MOST else entry | {"k": canary.k}


# Whether a text says what was expected, however it writes its dates.

_NAMES = "|".join([*MONTHS, *(name[:3] for name in MONTHS), "sept"])
_DATES = (
    re.compile(r"(?<!\d)(?P<y>\d{4})\s?年\s?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]?"),
    re.compile(r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    re.compile(rf"\b(?P<m>{_NAMES})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{_NAMES})\.?,? (?P<y>\d{{4}})\b"),
)


def plain_words(text: str) -> str:
    """A text as it is compared: one case, one width, single spaces, every date in the form 2026-05-15."""
    words = " ".join(normalise(text).split())
    for pattern in _DATES:
        words = pattern.sub(lambda found: f" {day.isoformat()} " if (day := _day(found)) else found[0], words)
    return " ".join(words.split())


def says(text: str, expected: str) -> bool:
    """True when the text contains what is expected."""
    wanted = plain_words(expected)
    return bool(wanted) and wanted in plain_words(text)


def dates_in(text: str) -> list[date]:
    """The whole dates that a text names."""
    words = " ".join(normalise(text).split())
    found = [
        (one.start(), day) for pattern in _DATES for one in pattern.finditer(words) if (day := _day(one))
    ]
    return [day for _, day in sorted(found)]


def _day(found: re.Match[str]) -> date | None:
    month = found["m"]
    try:
        number = int(month) if month.isdecimal() else month_number(month)
        return date(int(found["y"]), number, int(found["d"]))
    except (ValueError, StopIteration):
        return None
