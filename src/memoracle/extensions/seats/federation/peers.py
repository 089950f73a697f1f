"""What peers delivered to a project: `tasks/<project>/peer-deliveries/<peer>/DELIVERY.md`, read as sources.

Only read: a synthesis cites a delivery, and neither its text nor its receipt is stored again.
"""

from __future__ import annotations

import json

from memoracle.errors import MemoracleError
from memoracle.extensions.seats.model import Page
from memoracle.model.record import check_name
from memoracle.store.notes import read_note
from memoracle.store.store import Store


def peer_deliveries(store: Store, project: str) -> list[Page]:
    """The deliveries of peers to a project, each under the peer's name."""
    folder = f"tasks/{check_name('project', project)}/peer-deliveries"
    found = []
    for path in store.volume.walk(folder, ("DELIVERY.md",)):
        steps = path.removeprefix(f"{folder}/").split("/")
        if len(steps) != 2 or steps[1] != "DELIVERY.md":
            continue
        try:
            store.place(path)
            note = read_note(store.volume, path)
        except MemoracleError:
            continue
        receipt = _receipt(store, f"{folder}/{steps[0]}/receipt.json")
        held = {**receipt, **note.header}
        found.append(
            Page(
                id=path,
                path=path,
                ts=note.at,
                project=project,
                seat=f"peer {steps[0]}",
                kind="delivery",
                title=note.title,
                status=str(held.get("status") or held.get("verdict") or "open"),
                task_id=str(held.get("task_id") or ""),
                fields=note.header,
                body=note.body,
                body_line=note.body_line,
            )
        )
    return found


def _receipt(store: Store, path: str) -> dict[str, object]:
    try:
        held = json.loads(store.volume.read(path) or b"{}")
    except (MemoracleError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}
