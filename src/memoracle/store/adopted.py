"""What a directory was when it was adopted: how alive its records were, and whether its owner lets upkeep tend them.

`adopted.json` is written once, by `init`, and again only when the owner answers. The program that kept the directory
goes on writing its own numbers; what it said at that moment stays here, so a view that is built again is the same view.
A number of a design counts from the moment its file was last written, never from the day its record was made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memoracle.errors import InvalidTime, MemoracleError, UnreadableFile
from memoracle.model.record import Anchor, Record, Status, is_foreign
from memoracle.model.value import field, replace, value
from memoracle.store.journal import read_records
from memoracle.store.layouts import COLLECTIONS, record_files
from memoracle.store.volume import Volume
from memoracle.times import read_time, write_time

if TYPE_CHECKING:
    from memoracle.store.store import Store

PLACE = "adopted"
_SCHEMA = 1
_SCORED_AT = ("last_success", "last_run")


@value
class Adopted:
    """A directory as it was found."""

    at: datetime
    layout: str
    records: int = 0
    anchors: Mapping[str, Anchor] = field(default_factory=dict)
    """What a design keeps beside its records, by id."""
    written: Mapping[str, datetime] = field(default_factory=dict)
    """When each record file was last written by its own program."""
    live: frozenset[str] = frozenset()
    """Records that stand in a live file and in the archive as well."""
    consent: datetime | None = None
    """Since when upkeep may archive, move and replace what was there before."""
    declined: bool = False

    def may_tend(self, at: datetime) -> bool:
        """True when the owner had agreed by then."""
        return self.consent is not None and self.consent <= at

    def holds(self, created: datetime) -> bool:
        """True for something that was there before."""
        return created <= self.at

    def seen(self, path: str, record: Record, *, cold: bool) -> Record:
        """A record of that file as its design has it: its activation, and put away if it stands in the archive.

        Of ours, too: what we put there says so itself, and what does not was put there by the design's own program.
        """
        if not is_foreign(record):
            away = cold and record.status is Status.ACTIVE and not path.startswith(".")
            return replace(record, status=Status.ARCHIVED) if away else record
        anchor = self.anchors.get(record.id)
        if anchor is None:
            own = record.anchor
            anchor = replace(own, at=max(own.at, self.written.get(path, own.at)))
        put_away = cold and record.status is Status.ACTIVE and record.id not in self.live
        return replace(
            record,
            status=Status.ARCHIVED if put_away else record.status,
            weight=replace(record.weight, anchor=anchor),
        )


def read_adopted(volume: Volume, name: str) -> Adopted | None:
    """What was noted at that place; None where nothing was adopted."""
    content = volume.read(name)
    if not content:
        return None
    try:
        said = json.loads(content)
        return Adopted(
            at=read_time(said["at"]),
            layout=str(said["layout"]),
            records=int(said.get("records", 0)),
            anchors={one: Anchor(value=float(v), at=read_time(t)) for one, (v, t) in said["anchors"].items()},
            written={one: read_time(when) for one, when in said["written"].items()},
            live=frozenset(said.get("live", ())),
            consent=read_time(said["consent"]) if said.get("consent") else None,
            declined=bool(said.get("declined")),
        )
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, InvalidTime) as problem:
        raise UnreadableFile(
            f"{volume.root}/{name}", f"it does not say what was adopted ({type(problem).__name__})"
        ) from None


def adopt(store: Store, now: datetime) -> Adopted:
    """Look at what stands there and note it; what was noted before stays as it is. The caller holds the lock."""
    if held := store.adopted():
        return held
    places, volume = record_files(store.layout), store.volume
    files = store.journal.plain_files()
    ids = {path: {one.record.id for one in read_records(path, volume.read(path)).versions} for path in files}
    standing: set[str] = set().union(*(ids.get(path, set()) for path in places[: len(COLLECTIONS)]))
    away: set[str] = set().union(*(ids.get(path, set()) for path in places[len(COLLECTIONS) :]))
    beside, told = store.layout.get("activation"), store.layout.get("consolidation")
    scored = scored_at(_document(volume, told), now) if told else None
    found = Adopted(
        at=now,
        layout=store.layout_name,
        records=len(standing | away),
        anchors=dict(anchors_in(_document(volume, beside), written_at(volume, beside, now)))
        if beside
        else {},
        written={path: scored or written_at(volume, path, now) for path in files},
        live=frozenset(standing & away),
    )
    _write(store, found)
    return found


def answer(store: Store, *, yes: bool, now: datetime) -> None:
    """Note whether upkeep may tend what was there before. The caller holds the lock."""
    held = store.adopted()
    if held is not None:
        _write(store, replace(held, consent=now if yes else None, declined=not yes))


def anchors_in(said: Any, written: datetime) -> Iterator[tuple[str, Anchor]]:
    """What a design keeps beside its records: an activation as of the last writing, and the last access."""
    for record_id, known in _objects(said):
        number = known.get("activation")
        used = _moment(known.get("last_accessed") or known.get("last_access"))
        if isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= 1:
            yield record_id, Anchor(value=float(number), at=max(written, used or written))
        elif used:
            yield record_id, Anchor(value=1.0, at=used)


def _objects(held: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The entries of a side file, by id: as an object, inside one of its members, or as a list."""
    if isinstance(held, list):
        yield from (
            (one["id"], one) for one in held if isinstance(one, dict) and isinstance(one.get("id"), str)
        )
    elif isinstance(held, dict):
        for name, one in held.items():
            if isinstance(one, dict) and {"activation", "last_accessed", "last_access"} & one.keys():
                yield name, one
            elif isinstance(one, dict | list):
                yield from _objects(one)


def scored_at(held: Any, now: datetime) -> datetime | None:
    """When the scores on the record lines were worked out, where a design's document says so."""
    if not isinstance(held, dict):
        return None
    moments = [moment for name in _SCORED_AT if (moment := _moment(held.get(name)))]
    return min(max(moments), now) if moments else None


def _document(volume: Volume, name: str) -> Any:
    try:
        return json.loads(volume.read(name) or b"null")
    except (ValueError, RecursionError, MemoracleError):
        return None


def _moment(said: Any) -> datetime | None:
    try:
        return read_time(said) if isinstance(said, str) else None
    except InvalidTime:
        return None


def written_at(volume: Volume, name: str, now: datetime) -> datetime:
    """When a file was last written, and no later than now."""
    with suppress(MemoracleError):
        if found := volume.stat(name):
            return min(datetime.fromtimestamp(found.modified / 1e9, UTC), now)
    return now


def _write(store: Store, held: Adopted) -> None:
    said: dict[str, Any] = {
        "schema": _SCHEMA,
        "at": write_time(held.at),
        "layout": held.layout,
        "records": held.records,
        "written": {path: write_time(when) for path, when in sorted(held.written.items())},
        "live": sorted(held.live),
        "anchors": {one: [a.value, write_time(a.at)] for one, a in sorted(held.anchors.items())},
    }
    if held.consent:
        said["consent"] = write_time(held.consent)
    if held.declined:
        said["declined"] = True
    place = store.name(PLACE)
    store.volume.replace(place, json.dumps(said, ensure_ascii=False, indent=1).encode() + b"\n")
