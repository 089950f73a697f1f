"""One record line and one `Record`.

A line is one JSON object that ends in `"sum":"…"`, a checksum over every byte before it. A line
whose checksum does not fit is damage. A line without one was written by hand or by another
program: it is accepted, and `check` mentions it. Values that equal their default are left out.

Where another program reads the same file, its own fields stand beside ours, behind the checksum. It may write the line
again with other spaces and other numbers in its fields; ours are the same line as long as they give the same checksum.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NoReturn

from memoracle.errors import MemoracleError
from memoracle.model.ids import WRITER_PREFIX, IdSource
from memoracle.model.record import (
    Anchor,
    Change,
    Channel,
    Kind,
    Origin,
    Record,
    Scope,
    Sensitivity,
    Statement,
    Status,
    Validity,
    Weight,
)
from memoracle.model.value import field, replace, value
from memoracle.registry import point
from memoracle.store.machine_state import machine
from memoracle.store.volume import Volume
from memoracle.times import read_time, write_time

SCHEMA = 1
LONGEST_LINE = 4 * 1024 * 1024

_SUM = b',"sum":"'
_TAIL = len(_SUM) + 16 + 2  # sixteen digits, a quote and a brace
_END = re.compile(rb',"sum":"[0-9a-f]{16}"[,}]')
_SUMLIKE = re.compile(rb',"[^"]*":"[0-9a-f]{16}"\}\Z')
_OURS, _SPACED = b'{"schema":', b'{"schema": '
_NOTHING: Mapping[str, Any] = {}
_BESIDE = frozenset({"content", "score", "activation"})
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_GREATEST = 2**53
_SAID = ("subject", "predicate", "object", "key", "value")
_CHANGED = ("by", "because", "operation", "undoes", "writer", "sequence")
_WHOSE = ("who", "where", "session", "confirmed_by")
_MOMENTS = ("since", "until", "confirmed", "expires")
_ORIGIN = Origin()
_SCOPE = Scope()
_VALIDITY = Validity()


class DamagedLine(Exception):
    """A line that cannot be read as a record; `code` says what is wrong with it."""

    def __init__(self, code: str, says: str) -> None:
        self.code = code
        self.says = says
        super().__init__(says)


@value
class _Decoded:
    """A record read from a line, and whether its checksum vouches for it."""

    record: Record
    signed: bool


def line_sum(line: bytes) -> str:
    """The checksum that closes a record line: 16 hex digits."""
    return blake2b(line, digest_size=8).hexdigest()


def encode(record: Record) -> bytes:
    """The line of a record, newline included."""
    return signed_line(_compact(_to_json(record)))


def beside(line: bytes, fields: Mapping[str, Any]) -> bytes:
    """A record line, newline included, with those of another program's fields behind it that it has not itself."""
    own = json.loads(line)
    more = {name: said for name, said in fields.items() if name not in own}
    return line[:-2] + b"," + _compact(more)[1:] + b"\n" if more else line


def _compact(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _parted(raw: bytes) -> tuple[bytes, Mapping[str, Any]]:
    """Our part of a line as we wrote it, and what another program has beside it; else the line itself."""
    if not raw.startswith(_OURS) or raw[-_TAIL:-18] == _SUM:
        return raw, _NOTHING
    end = raw.rfind(_SUM) + len(_SUM) + 16
    try:
        if end > len(_SUM) + 16 and raw[end : end + 2] == b'",':
            return raw[:end] + b'"}', json.loads(b"{" + raw[end + 2 :])
        fields = json.loads(raw, object_pairs_hook=_no_doubles)
        names = [*fields]
        at = names.index("sum")
        own = _compact({name: fields[name] for name in names[:at]})
        line = b'%s%s%s"}' % (own[:-1], _SUM, str(fields["sum"]).encode())
        if is_signed(line):
            return line, {name: fields[name] for name in names[at + 1 :]}
    except (ValueError, RecursionError):
        pass
    return raw, _NOTHING


def signed_line(body: bytes) -> bytes:
    """A JSON object on a line of its own, closed by the checksum of every byte before it."""
    return b'%s%s%s"}\n' % (body[:-1], _SUM, line_sum(body[:-1]).encode())


def is_signed(line: bytes) -> bool:
    """True when the checksum that closes a line fits it."""
    body = line[:-_TAIL]
    return line[-_TAIL:] == b'%s%s"}' % (_SUM, line_sum(body).encode())


def decode(raw: bytes) -> _Decoded:
    """The record of a line without its newline; raises `DamagedLine`. A night reads usual lines several times."""
    return _decoded_once(raw) if len(raw) <= _USUAL_LINE else _decode(raw)


def _decode(raw: bytes) -> _Decoded:
    if len(raw) > LONGEST_LINE:
        raise DamagedLine("long-line", f"the line has {len(raw):,} bytes; the limit is {LONGEST_LINE:,}")
    raw = _parted(raw)[0]
    signed = raw[-_TAIL:-18] == _SUM
    if signed and line_sum(raw[:-_TAIL]).encode() != raw[-18:-2]:
        raise DamagedLine(
            "altered-line", "its checksum does not fit: it was changed or damaged after it was written"
        )
    try:
        fields = json.loads(raw, parse_constant=_refuse) if signed else _loads_strictly(raw)
    except (ValueError, RecursionError):
        raise DamagedLine("broken-line", "it is not a JSON object") from None
    if not isinstance(fields, dict):
        raise DamagedLine("broken-line", "it is not a JSON object")
    if _HALF.search(raw) and not _is_text(fields):
        raise DamagedLine("broken-line", "it holds half a character, which no file can keep")
    try:
        return _Decoded(record=_from_json(fields), signed=signed)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, MemoracleError) as problem:
        raise DamagedLine(
            "broken-line", f"it is not a record ({type(problem).__name__}: {problem})"
        ) from None


def decode_all(raw: bytes) -> list[tuple[bytes, Record]]:
    """The records of a line, each with its own bytes; raises `DamagedLine`.

    Where another program put its words differently they are a version of their own.
    """
    own, theirs = _parted(raw)
    record = decode(own).record
    text = theirs.get("content")
    if (
        not isinstance(text, str)
        or not text.strip()
        or text == record.text
        or record.status is Status.FORGOTTEN
    ):
        return [(own, record)]
    change = Change(
        at=record.change.at, verb="edit", because="another program put it differently in its file"
    )
    said = Statement(text=text)
    told = replace(record, version=record.version + 1, statement=said, keys=(), change=change)
    return [(own, record), (raw, told)]


_USUAL_LINE = 8192
_decoded_once = lru_cache(maxsize=2048)(_decode)


def decode_unsigned(raw: bytes) -> Record | None:
    """The record of a line whose checksum does not fit, when all else about it is right."""
    line = raw.rstrip(b"\r")
    close = _SUMLIKE.search(line)
    if close is None:
        return None
    try:
        return decode(line[: close.start()] + b"}").record
    except DamagedLine:
        return None


def salvage(raw: bytes) -> list[bytes]:
    """The whole, signed lines that stand inside a damaged one (a lost newline, a torn neighbour).

    Neither mark can stand inside a JSON string, so a line lies between an end mark and the last
    begin mark before it, and every byte is looked at once, however long and hostile the damage.
    """
    whole: list[bytes] = []
    done = 0
    for close in _END.finditer(raw):
        begin = raw.rfind(b'{"schema":', done, close.start())
        piece = raw[begin : close.end() - 1] + b"}"
        if begin >= 0 and is_signed(piece):
            whole.append(piece)
        done = close.end()
    return whole


def readable(raw: bytes) -> list[tuple[bytes, Record]]:
    """Every record in a raw line, with its own bytes: the line itself, or whole ones inside a damaged one."""
    line = raw.removesuffix(b"\r")
    try:
        return decode_all(line)
    except DamagedLine:
        found = []
        for piece in salvage(line):
            with suppress(DamagedLine):
                found.append((piece, decode(piece).record))
        return found


def _loads_strictly(raw: bytes) -> Any:
    fields = json.loads(raw.decode("utf-8"), parse_constant=_refuse, object_pairs_hook=_no_doubles)
    if isinstance(fields, dict) and raw.startswith(_SPACED):
        # Another program took it apart and wrote it again, with something of ours put differently.
        return {name: said for name, said in fields.items() if name not in {"sum", *_BESIDE}}
    if isinstance(fields, dict) and ("sum" in fields or ("schema" in fields and _SUMLIKE.search(raw))):
        raise DamagedLine("altered-line", "it carries a checksum that is not its own")
    return fields


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name stands twice")
    return fields


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _to_json(record: Record) -> dict[str, Any]:
    statement, weight, change = record.statement, record.weight, record.change
    created, changed = write_time(record.created), write_time(change.at)
    anchored = write_time(weight.anchor.at) if weight.anchor else ""
    fields: dict[str, Any] = {
        "schema": SCHEMA,
        "id": record.id,
        "version": record.version,
        "kind": record.kind.value,
        "status": record.status.value,
        "text": statement.text,
    }
    for name in _SAID:
        if value := getattr(statement, name):
            fields[name] = value
    for name in ("entities", "tags", "sources", "aliases", "keys"):
        if many := getattr(record, name):
            fields[name] = list(many)
    fields["importance"] = weight.importance
    fields["confidence"] = weight.confidence
    if weight.anchor is not None:
        fields["anchor"] = {"value": weight.anchor.value, "at": anchored}
    if record.pinned:
        fields["pinned"] = True
    fields["sensitivity"] = record.sensitivity.value
    origin = {"channel": record.origin.channel.value, "trust": record.origin.trust}
    origin |= _present(record.origin, ("who", "where", "session", "observed", "confirmed_by"))
    fields["origin"] = origin
    if scope := _present(record.scope, ("user", "agent", "project", "seat")):
        fields["scope"] = scope
    if validity := _present(record.validity, (*_MOMENTS, "supersedes", "superseded_by")):
        fields["validity"] = validity
    fields["created"] = created
    fields["change"] = {"at": changed, "verb": change.verb} | _present(change, (*_CHANGED, "heard"))
    for name, value in record.extra.items():
        fields.setdefault(name, value)
    return fields


def _present(thing: object, names: tuple[str, ...]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name in names:
        value = getattr(thing, name)
        if isinstance(value, datetime):
            fields[name] = write_time(value)
        elif isinstance(value, tuple):
            if value:
                fields[name] = list(value)
        elif value:
            fields[name] = value
    return fields


_KNOWN = frozenset(
    "schema id version kind status text subject predicate object key value entities tags sources aliases "
    "keys importance confidence anchor pinned sensitivity origin scope validity created change sum".split()
)


def _from_json(fields: dict[str, Any]) -> Record:
    schema = fields.get("schema")
    if schema is None:
        upgrade = point("upgrade_line")
        if upgrade is None:
            raise ValueError("its shape is another design's, which the extension layouts reads")
        read: Record = upgrade(fields)
        return read
    if not _is_count(schema) or schema > SCHEMA:
        raise DamagedLine("newer-line", f"it has format {schema}; this version knows up to {SCHEMA}")
    anchor, origin, scope, validity = (fields.get(n) for n in ("anchor", "origin", "scope", "validity"))
    change = fields["change"]
    created, changed = read_time(fields["created"]), read_time(change["at"])
    anchored = Anchor(value=anchor["value"], at=read_time(anchor["at"])) if anchor else None
    extra = {} if fields.keys() <= _KNOWN else {n: v for n, v in fields.items() if n not in _KNOWN}
    record = Record(
        id=fields["id"],
        version=fields["version"],
        kind=Kind(fields["kind"]),
        status=Status(fields["status"]),
        statement=Statement(text=fields["text"], **{n: fields[n] for n in _SAID if n in fields}),
        entities=tuple(fields.get("entities", ())),
        tags=tuple(fields.get("tags", ())),
        sources=tuple(fields.get("sources", ())),
        aliases=tuple(fields.get("aliases", ())),
        keys=tuple(fields.get("keys", ())),
        weight=Weight(
            importance=fields["importance"],
            confidence=fields["confidence"],
            anchor=anchored,
        ),
        pinned=fields.get("pinned", False),
        sensitivity=Sensitivity(fields["sensitivity"]),
        origin=Origin(
            channel=Channel(origin["channel"]),
            trust=origin["trust"],
            observed=read_time(origin["observed"]) if origin.get("observed") else None,
            **{n: origin[n] for n in _WHOSE if n in origin},
        )
        if origin
        else _ORIGIN,
        scope=Scope(**scope) if scope else _SCOPE,
        validity=Validity(
            supersedes=tuple(validity.get("supersedes", ())),
            superseded_by=validity.get("superseded_by"),
            **{n: read_time(validity[n]) for n in _MOMENTS if validity.get(n)},
        )
        if validity
        else _VALIDITY,
        created=created,
        change=Change(
            at=changed,
            verb=change["verb"],
            heard=read_time(change["heard"]) if "heard" in change else None,
            **{n: change[n] for n in _CHANGED if n in change},
        ),
        extra=extra,
    )
    _check_types(record)
    return record


def _check_types(record: Record) -> None:
    """Anybody can write a line, with a checksum too, so its values are looked at one by one."""
    said, change, origin = record.statement, record.change, record.origin
    scope, validity = record.scope, record.validity
    shares = (record.weight.importance, record.weight.confidence, origin.trust)
    if not all(_is_number(share) and 0 <= share <= 1 for share in shares):
        raise ValueError("importance, confidence and trust lie between 0 and 1")
    if record.weight.anchor is not None and not _is_number(record.weight.anchor.value):
        raise ValueError("the anchor of the activation is not a number")
    if not (_is_count(record.version) and _is_count(change.sequence)):
        raise ValueError("version and sequence count from 0")
    words = [record.id, said.text, said.subject, said.predicate, said.object, said.key, said.value]
    words += [change.verb, change.by, change.because, change.operation, change.undoes, change.writer]
    words += [origin.who, origin.where, origin.session, origin.confirmed_by]
    words += [scope.user, scope.agent, scope.project, scope.seat]
    words += [validity.superseded_by or "", *validity.supersedes, *record.entities, *record.tags]
    words += [*record.sources, *record.aliases, *record.keys]
    if set(map(type, words)) != {str} or type(record.pinned) is not bool or not record.id:
        raise TypeError("a field has the wrong type")


def _is_number(value: object) -> bool:
    return type(value) in {int, float} and -_GREATEST < value < _GREATEST  # type: ignore[operator]


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < _GREATEST


def _is_text(value: object) -> bool:
    """False when some string inside cannot be written as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


# The writer's running count.
#
# Every line carries its writer (one per machine and root) and that writer's count. A gap in the count reveals a line
# that vanished whole, which no checksum can. The last count is also kept in `state/`, so that a tail cut off at a line
# boundary, or a file emptied, is noticed too. Losing that state loses nothing: the count is found again in the record
# files. The note names its writer and closes with a checksum, so that a damaged or foreign note is passed over instead
# of believed.


@value
class Count:
    """The last number a writer used, and the length and line count of each record file as it was then."""

    writer: str = ""
    last: int = 0
    tails: Mapping[str, tuple[int, int]] = field(default_factory=dict)


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
            return Count()
        kept = json.loads(note)
        tails = {path: (tail[0], tail[1]) for path, tail in kept["tails"].items()}
        return Count(writer=kept["writer"], last=kept["last"], tails=tails)
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
        return Count()


def note_count(volume: Volume, name: str, count: Count) -> None:
    """Keep the count. Not synced: an older note after a crash only means looking at the files again."""
    note = json.dumps({"writer": count.writer, "last": count.last, "tails": dict(count.tails)}).encode()
    # The write it belongs to is already durable and must be acknowledged.
    with suppress(MemoracleError):
        volume.overwrite(name, b"%s %s\n" % (note, line_sum(note).encode()))


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
