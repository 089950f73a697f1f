"""Whether a piece of a foreign memory is new, here already, or something that changed. Values in, values out.

Ids are derived from what they name: the same piece is the same record on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from memoracle.ingest.imports.piece import Piece, differs, lost
from memoracle.lifecycle.admit import admit, already_kept, keys_of
from memoracle.model.change import Change
from memoracle.model.ids import RECORD_PREFIX, derived_id
from memoracle.model.record import Draft, Record, Status, newest
from memoracle.model.report import Finding
from memoracle.model.value import replace, value
from memoracle.store.erase import erased_ids
from memoracle.store.line import DamagedLine, decode, encode
from memoracle.store.store import Store

_ULID = 26
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@value
class Known:
    """What this root holds, as an import meets it."""

    by_id: Mapping[str, Record]
    by_key: Mapping[str, Record]
    by_alias: Mapping[str, Record]
    erased: frozenset[str]


@value
class Judged:
    """What becomes of a piece: a new version, or nothing because of `held`."""

    piece: Piece
    record: Record | None = None
    held: Record | None = None


def known_in(store: Store) -> Known:
    """Everything this root holds, read once."""
    histories: dict[str, list[Record]] = {}
    for _, record in store.journal.all_versions():
        histories.setdefault(record.id, []).append(record)
    standing = {record_id: newest(versions) for record_id, versions in histories.items()}
    order = {Status.ACTIVE: 2, Status.ARCHIVED: 1}
    by_key: dict[str, Record] = {}
    by_alias: dict[str, Record] = {}
    for record in sorted(standing.values(), key=lambda record: order.get(record.status, 0)):
        by_key |= dict.fromkeys(record.keys or keys_of(draft_of(record)), record)
        by_alias |= dict.fromkeys(record.aliases, record)
    return Known(by_id=standing, by_key=by_key, by_alias=by_alias, erased=erased_ids(store))


def judge(
    piece: Piece, known: Known, taken: Mapping[str, Record], change: Change, findings: list[Finding]
) -> Judged:
    """Whether a piece is new, the same as something, or something that changed."""
    record_id = _id_of(piece)
    if record_id in known.erased:
        findings.append(lost(piece.place, piece.line, f"it was forgotten here as {record_id}"))
        return Judged(piece=piece)
    held = known.by_id.get(record_id) or taken.get(record_id) or _by_name(piece, known)
    if held is not None and held.status is Status.RETRACTED:
        return Judged(piece=piece, record=_version_of(piece, held.id, change, after=held))
    if held is None:
        same = already_kept(piece.draft, lambda key: taken.get(key) or known.by_key.get(key), change.at)
        if same is not None:
            return Judged(piece=piece, held=same)
        return Judged(piece=piece, record=_version_of(piece, record_id, change))
    if _says_the_same(piece, held):
        return Judged(piece=piece, held=held)
    if held.change.verb != "import" or held.status is not Status.ACTIVE or held.id in taken:
        findings.append(differs(piece.place, piece.line, f"it changed there; {held.id} stays as it is here"))
        return Judged(piece=piece, held=held)
    return Judged(piece=piece, record=_version_of(piece, held.id, change, after=held))


def unwritable(record: Record) -> str:
    """Why a record cannot stand on a line; empty when it can. One bad piece must not cost its batch."""
    try:
        decode(encode(record)[:-1])
    except DamagedLine as problem:
        return str(problem)
    except (TypeError, ValueError, RecursionError) as problem:
        return f"it cannot be written: {problem}"
    return ""


def _by_name(piece: Piece, known: Known) -> Record | None:
    """The record that came from the same thing: of the same name, and of the same age where that is known."""
    held = known.by_alias.get(piece.foreign) if piece.foreign else None
    return held if held and (piece.created is None or piece.created == held.created) else None


def _says_the_same(piece: Piece, held: Record) -> bool:
    return keys_of(piece.draft)[0] in (held.keys or keys_of(draft_of(held)))


def _version_of(piece: Piece, record_id: str, change: Change, *, after: Record | None = None) -> Record:
    heard = piece.created or piece.draft.origin.observed
    told = replace(change, heard=heard) if heard and heard < change.at else change
    names = dict.fromkeys((*(after.aliases if after else ()), piece.foreign, *piece.aliases))
    return replace(
        admit(piece.draft, record_id=record_id, change=told),
        version=after.version + 1 if after else 1,
        status=piece.status,
        created=after.created if after else piece.created or change.at,
        aliases=tuple(name for name in names if name and name != record_id),
        extra=piece.extra,
    )


def _id_of(piece: Piece) -> str:
    """The id a piece has here: its own when it is one of ours, else always the same for the same thing."""
    if piece.foreign.startswith(RECORD_PREFIX) and len(piece.foreign) == len(RECORD_PREFIX) + _ULID:
        return piece.foreign
    moment = piece.created or piece.draft.origin.observed or _LONG_AGO
    return derived_id(RECORD_PREFIX, max(moment, _LONG_AGO), "import", piece.foreign, keys_of(piece.draft)[0])


def draft_of(record: Record) -> Draft:
    return Draft(statement=record.statement, kind=record.kind, scope=record.scope)
