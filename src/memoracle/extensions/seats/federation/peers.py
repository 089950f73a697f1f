"""What peers delivered: `tasks/<project>/peer-deliveries/<peer>/tasks/<task>/DELIVERY.md`, read as sources.

The folder stands beside the root or inside it, and a peer may have its delivery in its own folder.

Only read: a synthesis cites a delivery, and neither its text nor its receipt is stored again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

from memoracle.errors import MemoracleError
from memoracle.extensions.seats.files_desk import desk_of, desks
from memoracle.extensions.seats.model import Page
from memoracle.model.record import check_name
from memoracle.store.notes import read_note
from memoracle.store.store import Store
from memoracle.store.volume import Volume
from memoracle.times import read_time


def peer_deliveries(store: Store, project: str) -> list[Page]:
    """The deliveries of peers to a project, each under the peer's name."""
    folder = f"tasks/{check_name('project', project)}/peer-deliveries"
    found = []
    for above, path in [
        (above, path) for above, volume in desks(store) for path in volume.walk(folder, ("DELIVERY.md",))
    ]:
        peer, *steps, name = path.removeprefix(f"{folder}/").split("/")
        if name != "DELIVERY.md" or steps[:1] not in ([], ["tasks"]) or len(steps) not in {0, 2}:
            continue
        volume, _ = desk_of(store, above + path)
        try:
            note = read_note(volume, path)
        except MemoracleError:
            continue
        receipt = _receipt(volume, f"{path.removesuffix(name)}receipt.json")
        held = {**receipt, **note.header}
        found.append(
            Page(
                id=above + path,
                path=above + path,
                ts=_moment(held),
                project=project,
                seat=f"peer {peer}",
                kind="delivery",
                title=str(held.get("summary") or note.title),
                status=str(held.get("status") or held.get("verdict") or "open"),
                task_id=str(held.get("task_id") or ""),
                fields=note.header,
                body=note.body,
                body_line=note.body_line,
            )
        )
    return found


def _moment(held: Mapping[str, object]) -> datetime | None:
    for name in ("date", "acknowledged_at"):
        with suppress(MemoracleError):
            return read_time(str(held.get(name) or ""))
    return None


def _receipt(volume: Volume, path: str) -> dict[str, object]:
    try:
        held = json.loads(volume.read(path) or b"{}")
    except (MemoracleError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}
