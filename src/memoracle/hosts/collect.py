"""What was said since the last time: the turns behind each transcript's watermark, less what is noise.

Only people's own sessions teach memory anything. Reads transcripts, changes nothing, keeps nothing:
the caller holds the watermarks and moves them once what was read is safe.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from memoracle.errors import UnreadableSource
from memoracle.hosts.branches import Watermark, look
from memoracle.hosts.hygiene import READ_HERE, noise_of
from memoracle.hosts.known_hosts import DATABASES, Shape
from memoracle.hosts.lines import UNPACK_ERRORS, is_packed, open_bytes, split_lines
from memoracle.hosts.reading import hear, read
from memoracle.hosts.sources import Source
from memoracle.model.claim import Turn, owned
from memoracle.model.record import Channel
from memoracle.model.report import Finding, Severity
from memoracle.model.value import field, value

TURNS_AT_ONCE = 5_000
_TEACHES = frozenset({Channel.OWNER, Channel.AGENT, Channel.PERSON})


@value
class Collected:
    """Turns worth looking at, in the order they were said; why the others are not among them."""

    turns: tuple[Turn, ...] = ()
    read: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    watermarks: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    is_all: bool = True


def collect(
    transcripts: Iterable[tuple[str, str, str]],
    watermarks: Mapping[str, Any],
    *,
    most: int = TURNS_AT_ONCE,
    names: frozenset[str] = frozenset(),
) -> Collected:
    """What these transcripts (name, place, shape) say behind their watermarks, until `most` turns were read.

    `names` are the owner's own: whoever speaks by one of them is no other person.
    """
    found: dict[str, Turn] = {}
    dropped: Counter[str] = Counter()
    reached: dict[str, Any] = {}
    findings: list[Finding] = []
    seen = 0
    is_all = True
    for name, place, shape in transcripts:
        if seen >= most:
            is_all = False
            break
        if shape not in set(Shape):
            continue  # the view tells that nobody knows how it is read
        source = Source(path=Path(place), shape=Shape(shape))
        if source.shape in DATABASES and is_packed(source.path):
            continue  # the view reads a packed database; what it says was collected while its host had it
        reading = read(source, Watermark.from_dict(watermarks.get(name)))
        findings += reading.findings
        if reading.watermark is not None and (mark := reading.watermark.to_dict()) != watermarks.get(name):
            reached[name] = mark
        seen += len(reading.turns)
        for turn in (owned(one, names) for one in reading.turns):
            if why := _noise(turn):
                dropped[why] += 1
            elif turn.id in found:
                dropped["duplicate"] += 1
            else:
                found[turn.id] = turn
    return Collected(
        turns=tuple(
            sorted(
                found.values(),
                key=lambda turn: (turn.at.timestamp() if turn.at else 0.0, turn.path, turn.line),
            )
        ),
        read=seen,
        dropped=dict(dropped),
        watermarks=reached,
        findings=tuple(findings),
        is_all=is_all,
    )


def is_finished(path: str, watermarks: Mapping[str, Any]) -> bool:
    """True for a transcript that was read to its end, and nothing has been added since."""
    reached = Watermark.from_dict(watermarks.get(path))
    try:
        return reached is not None and reached.is_current(look(Path(path)))
    except OSError:
        return reached is not None  # its host has tidied it away; what it said was read


def _noise(turn: Turn) -> str:
    """Why a turn teaches nothing; empty when it may."""
    if not turn.session_kind.has_people:
        return f"{turn.session_kind} session"
    if turn.role not in _TEACHES:
        return f"{turn.role} output"
    noise = noise_of(turn.text)
    return noise.value if noise else ""


# Whether an agent only repeats what it was shown: tool output, a page, a file, or what somebody pasted.

_LINES = 400
_LONGEST = 200_000
_RUN = 4
_SHARE = 0.5
_SQLITE = b"SQLite format 3\0"
_WORD = re.compile(r"[⺀-鿿豈-﫿]|[^\W_⺀-鿿]+")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_OWN = (
    b'"role":"assistant"',
    b'"role": "assistant"',
    b'"type":"assistant"',
    b'"type":"gemini"',
    b'"type": "gemini"',
)


def repeats(where: str, text: str) -> bool:
    """True when half of the runs of words in a text, said at `path#Lx`, were shown to the agent before."""
    path, _, line = where.rpartition("#L")
    runs = _runs(text)
    if not runs or not line.isdecimal():
        return False
    try:
        shown = _before(Path(path), int(line))
    except (OSError, sqlite3.Error, *UNPACK_ERRORS):
        return True
    texts = (raw.decode("utf-8", "replace").replace("\\n", " ").replace("\\t", " ") for raw in shown if raw)
    plain = (_ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) for text in texts)
    return any(len(runs & _runs(text)) >= _SHARE * len(runs) for text in plain)


def _before(path: Path, line: int) -> list[bytes]:
    """What stands in a transcript before a line, its agent's own lines left out."""
    with open_bytes(path) as stream:
        is_database = stream.read(len(_SQLITE)) == _SQLITE
    if is_database and not is_packed(path):
        return _rows_before(path, line)
    kept: deque[bytes] = deque(maxlen=_LINES)
    with open_bytes(path) as stream:
        for one in split_lines(stream):
            if one.number >= line:
                break
            if not any(mark in one.raw[:2000] for mark in _OWN):
                kept.append(one.raw[:_LONGEST])
    return list(kept)


def _rows_before(path: Path, row: int) -> list[bytes]:
    from memoracle.hosts import opencode
    from memoracle.hosts.openclaw import database

    rows = opencode.rows_before(path, row, _LINES)
    if rows is None:
        rows = database.rows_before(path, row, _LINES)
    return [raw[:_LONGEST] for raw in rows if not any(mark in raw[:2000] for mark in _OWN)]


def _runs(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return {tuple(words[at : at + _RUN]) for at in range(max(1, len(words) - _RUN + 1))} if words else set()


# What was taken for a conversation and is none, and what could not be read although it may be one.

_UNREAD = frozenset({"unreadable-file", "unreadable-folder", "unread-export", "nobody-speaks"})


def is_unread(finding: Finding) -> bool:
    """True when a finding means that words may have been missed, and not only that a file is something else."""
    return finding.code in _UNREAD and finding.line is None


def check_guesses(
    target: str, sources: Sequence[Source], known: Collection[str]
) -> tuple[list[Source], list[Finding]]:
    """The sources without JSON documents that only look like conversations; raises when no other is there.

    Such a document is recognised by single words, so before it is registered it is read once: somebody has to speak.
    """
    findings = []
    kept = []
    for one in sources:
        is_guess = one.shape is Shape.PLAIN_FILE and str(one.path) not in known
        if is_guess and not hear(str(one.path), one.shape.value, "").passages:
            says = "it is JSON, but nobody says anything in it that can be read"
            findings.append(
                Finding(code="nobody-speaks", severity=Severity.WARNING, path=str(one.path), message=says)
            )
        else:
            kept.append(one)
    if findings and not kept:
        raise UnreadableSource(
            f"nothing can be read in {target}: {findings[0].message}", f"what can be read: {READ_HERE}"
        )
    return kept, findings
