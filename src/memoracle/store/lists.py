"""Small lists that must not be lost: one JSON object on a line, closed by a checksum as a record line is.

A line that cannot be read costs itself alone, is told, and is kept in quarantine before the list is written again. A
list that only this machine writes begins with a line that says how many follow, so that one which vanished is missed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memoracle.errors import MemoracleError
from memoracle.model.ids import line_sum
from memoracle.model.value import value
from memoracle.store.journal import Damage

if TYPE_CHECKING:
    from memoracle.store.store import Store

_SUM = b',"sum":"'
_TAIL = len(_SUM) + 16 + len(b'"}')
_MARKERS = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")
_QUARANTINE = "quarantine.jsonl"


@value
class ChecksummedList:
    """What a list says. `short` counts rows that its first line promises and that are not there.

    `strays` are lines that never were a row: markers of a merge, zeros behind the end.
    """

    path: str
    rows: tuple[Mapping[str, Any], ...] = ()
    damage: tuple[Damage, ...] = ()
    present: bool = False
    short: int = 0
    strays: tuple[Damage, ...] = ()

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
    return _listed(path, content, headed=headed, present=bool(content) or store.has_file(path))


def line_of(row: Mapping[str, Any]) -> bytes:
    """The line of a row, newline included."""
    body = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")[:-1]
    return body + _SUM + line_sum(body).encode() + b'"}\n'


def headed(name: str, rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A whole list that begins with its count."""
    lines = [line_of(row) for row in rows]
    return line_of({"list": name, "rows": len(lines)}) + b"".join(lines)


def keep_damage(store: Store, *lists: ChecksummedList) -> None:
    """Have what cannot be read kept before it is written over. The caller holds the lock."""
    from memoracle.store import journal
    from memoracle.store.mend import set_aside

    own = f"{store.own_state().folder}/"
    for one in lists:
        pieces = [piece for piece in one.damage if piece.raw]
        if one.path.startswith(own):  # where conversations stand on this machine stays on it
            journal.set_aside(store.volume, store.state_name(_QUARANTINE), pieces, store.now())
        else:
            set_aside(store, pieces)


def _listed(path: str, content: bytes, *, headed: bool, present: bool) -> ChecksummedList:
    rows: list[Mapping[str, Any]] = []
    damage: list[Damage] = []
    promised: int | None = None
    strays: list[Damage] = []
    for number, raw in enumerate(content.split(b"\n"), start=1):
        line = raw.removesuffix(b"\r")
        if not line.strip():
            continue
        if line.startswith(_MARKERS) or not line.strip(b"\0 \t"):
            strays.append(
                Damage(path=path, line=number, code="conflict-marker", says="it is no row", raw=raw)
            )
        elif (row := _row(line)) is None:
            says = "the line cannot be read, or its checksum does not fit"
            damage.append(Damage(path=path, line=number, code="broken-line", says=says, raw=raw))
        elif "list" in row:
            promised = row["rows"] if isinstance(row.get("rows"), int) else None
        else:
            rows.append(row)
    short = max(0, promised - len(rows) - len(damage)) if promised is not None else int(headed and present)
    return ChecksummedList(
        path=path, rows=tuple(rows), damage=tuple(damage), present=present, short=short, strays=tuple(strays)
    )


def _row(line: bytes) -> dict[str, Any] | None:
    body = line[:-_TAIL]
    if line[-_TAIL:] != _SUM + line_sum(body).encode() + b'"}':
        return None
    try:
        row = json.loads(body + b"}")
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None
