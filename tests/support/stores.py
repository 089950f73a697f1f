"""A store of truth alone, without a view, and short words for filling it."""

from memoracle.model.ids import RECORD_PREFIX, IdSource
from memoracle.model.record import newest
from memoracle.store.store import Store, Unguarded
from memoracle.times import system_clock
from support.build import a_change, a_record

FACTS = "records/facts.jsonl"


def a_store(root, **settings):
    """The store at a root."""
    settings = {"lock_timeout": 5.0, "guard": Unguarded()} | settings
    return Store(str(root), clock=system_clock, ids=IdSource(), **settings)


def keep(store, *texts, **fields):
    """Append one record per text; the records are returned."""
    ids = IdSource()
    records = [
        a_record(
            text, id=ids.next(RECORD_PREFIX, system_clock()), change=a_change(at=system_clock()), **fields
        )
        for text in texts
    ]
    with store.writing():
        store.append(records)
    return records


def standing(store):
    """What every record says now, by id."""
    versions = {}
    for _, record in store.journal.all_versions():
        versions.setdefault(record.id, []).append(record)
    return {record_id: newest(held) for record_id, held in versions.items()}


def texts(store):
    """What the standing records say, sorted."""
    return sorted(record.text for record in standing(store).values() if record.text)


def met(memory, question):
    """What a search met, whether it was sure of it or not, best first."""
    found = memory.search(question)
    return [hit.passage.text for hit in (*found.hits, *found.near)]
