"""Whole record files: every line that can be read, and what cannot.

Reads bytes and returns values. Lines are split on the newline byte alone: other characters that
some programs take for line ends are part of the text. One bad line costs one line.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from memoracle.model.ids import file_digest
from memoracle.model.manifest import Version
from memoracle.model.report import Finding, Severity
from memoracle.model.value import value
from memoracle.store.line import DamagedLine, decode, decode_all, line_sum, readable
from memoracle.store.volume import Volume, parsed_lines
from memoracle.times import write_time

_BOM = b"\xef\xbb\xbf"
MARKERS = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")
_HINT = "`memoracle repair` sets it aside; every other line still loads"


@value
class Damage:
    """Bytes that could not be read as a record."""

    path: str
    line: int
    code: str
    says: str
    raw: bytes

    def finding(self) -> Finding:
        """What to tell the owner."""
        harmless = self.code in {"conflict-marker", "nul-line"}
        return Finding(
            code=self.code,
            severity=Severity.WARNING if harmless else Severity.ERROR,
            path=self.path,
            line=self.line,
            message=self.says,
            hint=_HINT,
        )


@value
class _JournalReading:
    """What stands in a stretch of a record file."""

    versions: tuple[Version, ...]
    damage: tuple[Damage, ...]
    notices: tuple[Finding, ...]
    lines: int
    ends_whole: bool


def read_records(path: str, content: bytes, *, after_line: int = 0, settled: bool = True) -> _JournalReading:
    """The versions and the damage in `content`, numbered from the line after `after_line`.

    `settled` is False while somebody is writing: an unfinished last line is then passed over.
    """
    versions: list[Version] = []
    damage: list[Damage] = []
    notices: list[Finding] = []
    number = after_line

    def notice(line: int | None, code: str, says: str) -> None:
        notices.append(Finding(code=code, severity=Severity.INFO, path=path, line=line, message=says))

    for number, raw in _split(content, after_line):
        line = raw
        if number == 1 and line.startswith(_BOM):
            line = line[len(_BOM) :]
            notice(number, "byte-order-mark", "the file begins with a byte order mark")
        if line.endswith(b"\r"):
            line = line[:-1]
            if not any(notice.code == "crlf" for notice in notices):
                notice(None, "crlf", "lines end in CR LF")
        if not line.strip():
            continue
        try:
            signed, held = decode(line).signed, decode_all(line)
        except DamagedLine as problem:
            code, says = problem.code, problem.says
            if not line.strip(b"\0 \t\r"):
                code, says = "nul-line", "the line is filled with zero bytes, as a crash can leave it"
            elif line.startswith(MARKERS):
                code, says = "conflict-marker", "a merge left its marker here; both sides still load"
            rescued = readable(line)
            versions += [Version(line=number, digest=line_sum(own), record=record) for own, record in rescued]
            damage.append(Damage(path=path, line=number, code=code, says=says, raw=raw))
            continue
        versions += [Version(line=number, digest=line_sum(own), record=record) for own, record in held]
        if not signed:
            notice(number, "unsigned-line", "the line carries no checksum of ours")
    ends_whole = not content or content.endswith(b"\n")
    if not ends_whole and damage and damage[-1].line == number:
        torn = damage.pop()
        if settled:
            says = "the last line is torn: it was never finished"
            damage.append(Damage(path=path, line=torn.line, code="torn-line", says=says, raw=torn.raw))
    return _JournalReading(
        versions=tuple(versions),
        damage=tuple(damage),
        notices=tuple(notices),
        lines=number,
        ends_whole=ends_whole,
    )


def cleaned(content: bytes, damage: Sequence[Damage]) -> bytes:
    """The content without its damage: whole lines rescued, plain newlines, no byte order mark."""
    broken = {piece.line for piece in damage}
    kept: list[bytes] = []
    for number, raw in _split(content.removeprefix(_BOM), 0):
        if number in broken:
            kept += [own for own, _ in readable(raw)]
        elif raw.strip():
            kept.append(raw.removesuffix(b"\r"))
    return b"".join(line + b"\n" for line in kept)


def plain(raw: bytes) -> bytes:
    """A line without the form of its file: no byte order mark, no carriage return."""
    return raw.removeprefix(_BOM).removesuffix(b"\r")


def find_lines(volume: Volume, name: str, needle: bytes) -> Iterator[bytes]:
    """The raw lines of a file that contain these bytes, found without parsing the others."""
    # Read, not mapped: a mapped file that somebody cuts short would take this process with it.
    for content in volume.pieces(name):
        place = content.find(needle)
        while place >= 0:
            start = content.rfind(b"\n", 0, place) + 1
            end = content.find(b"\n", place)
            end = len(content) if end < 0 else end
            yield content[start:end]
            place = content.find(needle, end)


def _split(content: bytes, after_line: int) -> Iterator[tuple[int, bytes]]:
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return enumerate(lines, start=after_line + 1)


# Damaged bytes, set aside: one JSON line per piece in `quarantine/lines.jsonl`.
#
# A piece is kept once, however often it is met. Nothing here is ever read as a record.

QUARANTINE = "lines.jsonl"


def set_aside(volume: Volume, name: str, damage: Iterable[Damage], now: datetime) -> int:
    """Copy damaged bytes into the quarantine file; how many were new is returned."""
    held = {entry.get("digest") for entry in read_quarantine(volume, name)}
    lines = []
    for piece in damage:
        digest = file_digest(piece.raw)
        if digest in held:
            continue
        held.add(digest)
        entry: dict[str, object] = {
            "digest": digest,
            "path": piece.path,
            "line": piece.line,
            "code": piece.code,
            "found": write_time(now),
        }
        try:
            entry["text"] = piece.raw.decode("utf-8")
        except UnicodeDecodeError:
            entry["base64"] = base64.b64encode(piece.raw).decode("ascii")
        lines.append(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
    if lines:
        volume.append({name: b"".join(lines)})
    return len(lines)


def read_quarantine(volume: Volume, name: str) -> list[dict[str, object]]:
    """What is set aside; a line that cannot be read is passed over."""
    return [
        entry for _, entry in parsed_lines(volume.read(name), lambda held: held) if isinstance(entry, dict)
    ]


def raw_bytes(entry: dict[str, object]) -> bytes:
    """The bytes of a piece, as they were found."""
    if "base64" in entry:
        return base64.b64decode(str(entry["base64"]))
    return str(entry.get("text", "")).encode("utf-8", "surrogatepass")


def raw_bytes_in(line: bytes) -> bytes | None:
    """The bytes of the piece on a line of the quarantine file; None when the line is no such thing."""
    try:
        entry = json.loads(line)
        return raw_bytes(entry) if isinstance(entry, dict) else None
    except (ValueError, RecursionError):
        return None
