"""`Memory`: one root's memory. One short method per verb; the only place where values become writes.

root.py       what every verb works with
keeping.py    remember, ingest, import, export, embed
finding.py    recall, search, show, list, entity, history, why, context, recover
writing.py    note, buffer, tags
changing.py   edit, pin, archive, restore, supersede, undo, inbox, accept, reject, forget
tending.py    consolidate, flush, digest, review, status, tend, health, probe, check, repair, fold, sync

The classes build on each other in this order, so that a verb may call those before it.
"""

from __future__ import annotations

from memoracle.memory.tending import Tend


class Memory(Tend):
    """One root's memory: keep things, find them again, tend them."""
