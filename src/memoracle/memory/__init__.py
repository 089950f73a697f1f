"""`Memory`: one root's memory. One short method per verb; what a verb writes is written by the rooms below.

eyes.py       through whose eyes it is read
threads.py    one memory, many threads
root.py       what every verb works with
keeping.py    remember, ingest, import, export, embed
finding.py    recall, search, show, list, entity, history, why, context, recover, links, backlinks, graph, path
writing.py    note, buffer, tags
changing.py   edit, pin, archive, restore, supersede, undo, inbox, accept, reject, forget
tending.py    consolidate, flush, digest, review, status, tend, health, probe, check, repair, fold, sync
scanning.py   scan
minding.py    reply-language, compact-advice, drift, archive-hot
seating.py    page, decision, seat, project, get, federate, synthesize
handing.py    verify, deliver, handoff

The classes build on each other in this order, so that a verb may call those before it.
"""

from __future__ import annotations

from memoracle.memory.handing import Hand
from memoracle.memory.minding import Mind
from memoracle.memory.scanning import Scan
from memoracle.memory.threads import take_turns


@take_turns
class Memory(Hand, Scan, Mind):
    """One root's memory: keep things, find them again, tend them. Threads may share it: verbs take turns."""
