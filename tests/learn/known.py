"""What a store knows, in a form in which two stores can be compared."""

import json

from memoracle.model.value import replace
from support.files import contents
from support.stores import standing

_RUNS = {"operation": "", "writer": "", "sequence": 0}
"""What names the run that wrote a line; two runs over the same files differ in nothing else."""


def known(memory):
    """Every standing record, apart from which run wrote it."""
    return {
        record_id: replace(record, change=replace(record.change, **_RUNS))
        for record_id, record in standing(memory.store).items()
    }


def histories(memory):
    """How many versions every record has."""
    return {record_id: len(memory.store.journal.versions(record_id)) for record_id in standing(memory.store)}


def pages(root):
    """The files people read: the hot file, the notes, with the digests of their bytes."""
    return {path: digest for path, digest in contents(root).items() if path.endswith(".md")}


def inbox(root):
    """The questions that wait, without when they were asked."""
    path = root / "state" / "inbox.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
