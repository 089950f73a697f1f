"""The writer's running count.

Every line carries its writer (one per machine and root) and that writer's count. A gap in the
count reveals a line that vanished whole, which no checksum can. The last count is also kept in
`state/`, so that a tail cut off at a line boundary, or a file emptied, is noticed too. Losing
that state loses nothing: the count is found again in the record files. The note names its writer
and closes with a checksum, so that a damaged or foreign note is passed over instead of believed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime

from memoracle.errors import MemoracleError
from memoracle.model.ids import WRITER_PREFIX, IdSource
from memoracle.model.value import value
from memoracle.store.line import line_sum, readable
from memoracle.store.machine_state import machine
from memoracle.store.volume import Volume


@value
class FileTail:
    """Length and line count of a record file when it was last written."""

    size: int
    lines: int


@value
class Count:
    """The last number a writer used, and the files as they were then."""

    writer: str
    last: int
    tails: Mapping[str, FileTail]


def known_writer(volume: Volume, name: str) -> str:
    """This machine's writer id for this root; empty when it has none yet."""
    try:
        kept = json.loads(volume.read(name) or b"{}")
    except (ValueError, RecursionError):
        return ""
    if not isinstance(kept, dict) or kept.get("machine") != machine()[0]:
        return ""
    writer = kept.get("writer")
    return writer if isinstance(writer, str) and writer.startswith(WRITER_PREFIX) else ""


def new_writer(volume: Volume, name: str, ids: IdSource, now: datetime) -> str:
    """A writer id for this machine; a folder copied to another machine gets a new one there."""
    writer = ids.next(WRITER_PREFIX, now)
    volume.replace(name, json.dumps({"writer": writer, "machine": machine()[0]}).encode() + b"\n")
    return writer


def read_count(volume: Volume, name: str) -> Count:
    """The count as it was noted last; nothing noted counts as zero."""
    try:
        note, _, proof = volume.read(name).strip().rpartition(b" ")
        if line_sum(note).encode() != proof:
            return _NOTHING
        kept = json.loads(note)
        tails = {name: FileTail(size=tail[0], lines=tail[1]) for name, tail in kept["tails"].items()}
        return Count(writer=kept["writer"], last=kept["last"], tails=tails)
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
        return _NOTHING


def note_count(volume: Volume, name: str, count: Count) -> None:
    """Keep the count. Not synced: an older note after a crash only means looking at the files again."""
    tails = {name: [tail.size, tail.lines] for name, tail in count.tails.items()}
    note = json.dumps({"writer": count.writer, "last": count.last, "tails": tails}).encode()
    content = b"%s %s\n" % (note, line_sum(note).encode())
    # The write it belongs to is already durable and must be acknowledged.
    with suppress(MemoracleError):
        volume.overwrite(name, content)


def last_in_files(writer: str, contents: Iterable[bytes]) -> int:
    """The highest count of a writer in the record files, on a line that its checksum vouches for."""
    needle = f'"writer":"{writer}","sequence":'.encode()
    highest = 0
    for content in contents:
        claims = []
        place = content.find(needle)
        while place >= 0:
            digits = content[place + len(needle) : place + len(needle) + 20].split(b"}", 1)[0]
            if digits.isdigit():
                claims.append((int(digits), place))
            place = content.find(needle, place + len(needle))
        for number, place in sorted(claims, reverse=True):
            if number <= highest:
                break
            line = content[content.rfind(b"\n", 0, place) + 1 :].split(b"\n", 1)[0]
            if any(record.change.sequence == number for _, record in readable(line)):
                highest = number
                break
    return highest


_NOTHING = Count(writer="", last=0, tails={})


# Numbers of vanished lines that the owner has accepted as lost, in `state/gaps.json`.
#
# Numbers are kept as spans, first and last: one forged line may claim any number, and a gap may be wide.

Span = tuple[int, int]


def spans_missing(present: Iterable[int], last: int, accepted: Iterable[Span] = ()) -> list[Span]:
    """The stretches of 1 to `last` that are neither present nor accepted."""
    missing = []
    reached = 0
    for first, end in sorted([*((number, number) for number in present), *accepted, (last + 1, last + 1)]):
        if first > reached + 1:
            missing.append((reached + 1, min(first - 1, last)))
        reached = max(reached, end)
        if reached >= last:
            break
    return missing


def width(spans: Iterable[Span]) -> int:
    """How many numbers the spans hold."""
    return sum(last - first + 1 for first, last in spans)


def read_gaps(volume: Volume, name: str) -> dict[str, list[Span]]:
    """The accepted spans by writer; an unreadable file accepts nothing."""
    try:
        kept = json.loads(volume.read(name) or b"{}")
        return {
            str(writer): [(int(first), int(last)) for first, last in spans] for writer, spans in kept.items()
        }
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def write_gaps(volume: Volume, name: str, gaps: Mapping[str, list[Span]]) -> None:
    """Keep the accepted spans."""
    volume.replace(name, json.dumps(gaps).encode() + b"\n")
