"""What was forgotten, and is never read again: `sessions/never.jsonl`, one selection on a line.

Written when a session, a channel, a path or some days are forgotten. The hosts' own transcripts are not ours to
change, so they still hold the words: the list keeps every reading of them, now or after losing `state/`, from
bringing them back. It names sessions, paths and times, never words.

It travels with the files, only grows, and merges by lines; this machine keeps a second copy of it in its own state.
What either says holds. When a line can be read in neither, nobody knows what must not be read: no conversation is
read, and none is copied, until the list is mended. `sessions/never.json` is how an earlier edition wrote it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoracle.errors import InvalidTime, MemoracleError, NeverListDamaged
from memoracle.model.claim import Turn
from memoracle.model.report import Finding, Severity
from memoracle.model.search import Selection
from memoracle.model.value import from_plain, replace, to_plain, value
from memoracle.store.journal import MARKERS, Damage, set_aside
from memoracle.store.line import is_signed, signed_line
from memoracle.store.machine_state import count_noted, note

if TYPE_CHECKING:
    from memoracle.store.store import Store

FORGOTTEN = "never.jsonl"
FIRST = "never.json"
_MEND = (
    "`memoracle repair` mends it and keeps what cannot be read; then forget again what is not in it any more"
)

MayRead = Callable[[Turn], bool]
"""False for a turn that was forgotten."""


@value
class Forgotten:
    """The selections of all copies of the list, and what is wrong with any of them."""

    selections: tuple[Selection, ...]
    lost: int = 0
    findings: tuple[Finding, ...] = ()
    lists: tuple[ChecksummedList, ...] = ()
    uneven: bool = False


def read_forgotten(store: Store) -> Sequence[Selection]:
    """The selections that are never read again; raises `NeverListDamaged` when some of them are not known."""
    forgotten = look_forgotten(store)
    if forgotten.lost:
        raise NeverListDamaged(_places(store)[0], forgotten.lost)
    return forgotten.selections


def look_forgotten(store: Store) -> Forgotten:
    """What the list says and how it is; read again only when one of its files has changed."""
    places = _places(store)
    return store.remembered("never", places, lambda: _look(store, *places))


def level_forgotten(store: Store, *more: Selection) -> None:
    """Bring both copies of the list level, with these in it. The caller holds the lock.

    Raises `NeverListDamaged` when some of it can be read in neither.
    """
    known = tuple(read_forgotten(store))
    forgotten = look_forgotten(store)
    wanted = tuple(dict.fromkeys((*known, *more)))
    if wanted != known or forgotten.uneven:
        _write(store, forgotten, wanted)


def mend_forgotten(store: Store) -> None:
    """Write the list from what can be read of it; the rest goes to quarantine. The caller holds the lock."""
    forgotten = look_forgotten(store)
    _write(store, forgotten, forgotten.selections)


def may_read(forgotten: Sequence[Selection], *, path: str = "") -> MayRead:
    """What lets turns pass; `path` is the name of their transcript when a copy of it is read."""

    def passes(turn: Turn) -> bool:
        where = f"{path or turn.path}#L{turn.line}"
        return not any(
            one.fits(session=turn.session, channel=turn.role.value, where=where, at=turn.at)
            for one in forgotten
        )

    return passes


def _look(store: Store, main_at: str, twin_at: str, first_at: str) -> Forgotten:
    main, twin = read_list(store, main_at, headed=False), read_list(store, twin_at, headed=True)
    first = _read_first(store, first_at)
    if main.present and not (main.rows or main.damage):  # it is only ever written with something in it
        main = replace(main, damage=(_piece(main.path, "it was emptied"),))
    travelling, broken = _selections((*main.rows, *first.rows))
    kept, broken_kept = _selections(twin.rows)
    damaged = len(main.damage) + len(first.damage) + broken
    extra = len([one for one in kept if one not in travelling])
    # What the second copy knows beyond the first accounts for lines of the first that cannot be read.
    lost = max(0, damaged - extra) if twin.is_whole and not broken_kept else damaged
    if not twin.is_whole and twin.present and not main.present and not first.present:
        lost += len(twin.damage) + twin.short + broken_kept
    if not (main.present or first.present or twin.present):
        lost = count_noted(store.root, FORGOTTEN.partition(".")[0])
    return Forgotten(
        selections=tuple(dict.fromkeys((*travelling, *kept))),
        lost=lost,
        findings=tuple(_findings(main, first, twin, lost=lost, gone=extra > damaged)),
        lists=(main, twin, first),
        uneven=bool(
            damaged
            or main.strays
            or first.present
            or set(kept) != set(travelling)
            or (twin.present and not twin.is_whole)
        ),
    )


def _findings(
    main: ChecksummedList, first: ChecksummedList, twin: ChecksummedList, *, lost: int, gone: bool
) -> list[Finding]:
    found = []
    for one in (main, first):
        if one.strays:
            says = f"{one.strays} lines of the list of what was forgotten are a merge's markers, or zeros"
            found.append(_finding(one.path, says))
        if one.damage:
            says = f"{len(one.damage)} lines of the list of what was forgotten cannot be read"
            says += (
                "; no conversation is read or copied until it is mended"
                if lost
                else "; a second copy has them"
            )
            found.append(_finding(one.path, says))
    if lost and not (main.present or first.present or twin.present):
        says = f"the list of what was forgotten is gone with {lost} selections; no conversation is read or copied"
        found.append(_finding(main.path, says))
    if gone:
        says = "selections that were forgotten are gone from this list; a second copy has them"
        found.append(_finding(main.path, says))
    if twin.present and not twin.is_whole:
        says = "the second copy of the list of what was forgotten is damaged"
        if lost and not main.damage and not first.damage:
            says += ", and there is no first one: no conversation is read or copied until it is mended"
        found.append(_finding(twin.path, says))
    return found


def _finding(path: str, says: str) -> Finding:
    return Finding(code="never-list-damaged", severity=Severity.ERROR, path=path, message=says, hint=_MEND)


def _selections(rows: Sequence[object]) -> tuple[list[Selection], int]:
    found, broken = [], 0
    for row in rows:
        try:
            found.append(from_plain(Selection, row))
        except (ValueError, TypeError, LookupError, AttributeError, InvalidTime):
            broken += 1
    return list(dict.fromkeys(found)), broken


def _read_first(store: Store, path: str) -> ChecksummedList:
    """The list as an earlier edition wrote it: one JSON document."""
    try:
        content = store.volume.read(path)
        rows: Any = json.loads(content) if content else []
    except (ValueError, RecursionError, MemoracleError):
        piece = _piece(path, "it is not JSON", store.volume.raw.read(path))
        return ChecksummedList(path=path, damage=(piece,), present=True)
    if not content and store.volume.has(path):
        return ChecksummedList(path=path, damage=(_piece(path, "it was emptied"),), present=True)
    if not isinstance(rows, list):
        return ChecksummedList(path=path, damage=(_piece(path, "it is no list", content),), present=True)
    return ChecksummedList(path=path, rows=tuple(rows), present=bool(content))


def _piece(path: str, says: str, raw: bytes = b"") -> Damage:
    return Damage(path=path, line=1, code="broken-line", says=says, raw=raw)


def _write(store: Store, forgotten: Forgotten, wanted: Sequence[Selection]) -> None:
    main, twin, first = forgotten.lists
    keep_damage(store, main, twin, first)
    rows = [to_plain(one) for one in wanted]
    if not rows:
        store.volume.remove(main.path)  # a list without a line would look like one that was emptied
    elif main.damage or main.strays or not main.present:
        store.volume.replace(main.path, b"".join(list_line(row) for row in rows))
    elif missing := [row for row in rows if row not in main.rows]:
        store.volume.append({main.path: b"".join(list_line(row) for row in missing)})
    store.volume.replace(twin.path, counted_list("never", rows))
    note(store.root, FORGOTTEN.partition(".")[0], len(rows))
    if first.present:
        store.volume.remove(first.path)


def _places(store: Store) -> tuple[str, str, str]:
    """Where the list stands, its second copy, and how an earlier edition wrote it."""
    folder = store.layout["sessions"]
    return f"{folder}/{FORGOTTEN}", store.state_name(FORGOTTEN), f"{folder}/{FIRST}"


# Small lists that must not be lost: one JSON object on a line, closed by a checksum as a record line is.
#
# A line that cannot be read costs itself alone, is told, and is kept in quarantine before the list is written again. A
# list that only this machine writes begins with a line that says how many follow, so that one which vanished is missed.

_OWN_QUARANTINE = "quarantine.jsonl"


@value
class ChecksummedList:
    """What a list says. `short` counts rows that its first line promises and that are not there.

    `strays` counts lines that never were a row: markers of a merge, zeros behind the end.
    """

    path: str
    rows: tuple[Mapping[str, Any], ...] = ()
    damage: tuple[Damage, ...] = ()
    present: bool = False
    short: int = 0
    strays: int = 0

    @property
    def is_whole(self) -> bool:
        """True when nothing of it is lost."""
        return self.present and not self.damage and not self.short and not self.strays


def read_list(store: Store, path: str, *, headed: bool) -> ChecksummedList:
    """The list at a place relative to the root. `headed` is one that begins with its count."""
    try:
        content = store.volume.read(path)
    except MemoracleError as problem:
        piece = Damage(path=path, line=1, code="unreadable-file", says=str(problem), raw=b"")
        return ChecksummedList(path=path, damage=(piece,), present=True)
    rows: list[Mapping[str, Any]] = []
    damage: list[Damage] = []
    promised: int | None = None
    strays = 0
    for number, raw in enumerate(content.split(b"\n"), start=1):
        line = raw.removesuffix(b"\r")
        if not line.strip():
            continue
        if line.startswith(MARKERS) or not line.strip(b"\0 \t"):
            strays += 1
        elif (row := _list_row(line)) is None:
            says = "the line cannot be read, or its checksum does not fit"
            damage.append(Damage(path=path, line=number, code="broken-line", says=says, raw=raw))
        elif "list" in row:
            promised = row["rows"] if isinstance(row.get("rows"), int) else None
        else:
            rows.append(row)
    present = bool(content) or store.volume.has(path)
    short = max(0, promised - len(rows) - len(damage)) if promised is not None else int(headed and present)
    return ChecksummedList(
        path=path, rows=tuple(rows), damage=tuple(damage), present=present, short=short, strays=strays
    )


def list_line(row: Mapping[str, Any]) -> bytes:
    """The line of a row, newline included."""
    body = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return signed_line(body)


def counted_list(name: str, rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A whole list that begins with its count."""
    lines = [list_line(row) for row in rows]
    return list_line({"list": name, "rows": len(lines)}) + b"".join(lines)


def keep_damage(store: Store, *lists: ChecksummedList) -> None:
    """Have what cannot be read kept before it is written over. The caller holds the lock."""
    from memoracle.store import mend

    own = f"{store.own_state().folder}/"
    for one in lists:
        pieces = [piece for piece in one.damage if piece.raw]
        if one.path.startswith(own):  # where conversations stand on this machine stays on it
            set_aside(store.volume, store.state_name(_OWN_QUARANTINE), pieces, store.now())
        else:
            mend.set_aside(store, pieces)


def _list_row(line: bytes) -> dict[str, Any] | None:
    if not is_signed(line):
        return None
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    del row["sum"]
    return row
