"""Records by their names: as they stand, every version, where they came from.

What is forbidden looks exactly like what is not there.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from memoracle.errors import AmbiguousReference, UnknownRecord
from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.record import Record, Sensitivity, newest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memoracle.learn.entity_index import EntityPage
    from memoracle.learn.revise import Lineage
    from memoracle.model.report import Receipt
    from memoracle.model.search import Standing
    from memoracle.root import Root
    from memoracle.store.store import RecordPlace

_SHORTEST_REFERENCE = 4


def resolve(root: Root, reference: str) -> str:
    found = _resolve_anything(root, reference)
    # What is forbidden looks exactly like what is not there.
    if not root.reader.sees(newest(root.store.journal.versions(found))):
        raise UnknownRecord(reference)
    return found


def _resolve_anything(root: Root, reference: str) -> str:
    if root.store.journal.versions(reference):
        return reference
    if len(reference.removeprefix(RECORD_PREFIX)) < _SHORTEST_REFERENCE:
        raise UnknownRecord(reference)
    root.view.catch_up()
    candidates = root.view.ask(lambda: root.index.resolve(reference, 20))
    if not candidates:
        raise UnknownRecord(reference)
    if len(candidates) > 1:
        raise AmbiguousReference(reference, candidates)
    return candidates[0]


def show(root: Root, reference: str) -> Record:
    """One record as it stands."""
    return newest(_read_history(root, "show", reference))


def history(root: Root, reference: str) -> Sequence[Record]:
    """Every version of a record, oldest first: who changed what, when and why."""
    return _read_history(root, "history", reference)


def _read_history(root: Root, verb: str, reference: str) -> Sequence[Record]:
    versions = shown_versions(root, resolve(root, reference))
    root.log_reading(verb, [(one.id, one.sensitivity.value) for one in versions])
    return versions


def why(root: Root, reference: str) -> Lineage:
    """Where a memory came from, what it replaced, and what became of it."""
    from memoracle.learn.revise import trace_lineage

    record_id = resolve(root, reference)
    return trace_lineage(record_id, lambda one: shown_versions(root, one), root.store.journal.place_of)


def entity(root: Root, name: str | None = None) -> Sequence[EntityPage]:
    """A page for every entity, the best known first; or the one that answers to a name."""
    from memoracle.learn.entity_index import entity_pages, pages_named

    root.view.catch_up()
    pages = entity_pages(seen_standing(root))
    return pages if name is None else pages_named(pages, name)


def seen_standing(root: Root) -> Sequence[Standing]:
    """The standing records that the reader of this memory may see, whatever their status; oldest first."""
    standing = root.view.ask(lambda: root.index.standing(root.decay, root.clock(), reader=root.reader.scope))
    if root.reader.sees_public_alone:
        standing = [one for one in standing if one.passage.sensitivity == Sensitivity.PUBLIC]
    return [one for one in standing if one.passage.sensitivity not in root.reader.withheld]


def shown_versions(root: Root, record_id: str) -> Sequence[Record]:
    """The versions of a record as they are handed out; none where its reader may not see it.

    Every verb that tells what record files say reads here: what the policy masks now is masked, whenever it was
    written.
    """
    versions = root.store.journal.versions(record_id)
    if not versions or not root.reader.sees(newest(versions)):
        return ()
    return [root.guard.screen(one) for one in versions]


def as_it_stands(root: Root, record_id: str) -> Record:
    versions = root.store.journal.versions(record_id)
    if not versions:
        raise UnknownRecord(record_id)
    return newest(versions)


@contextmanager
def editing(root: Root, reference: str) -> Iterator[tuple[Record, str]]:
    record_id = resolve(root, reference)
    with root.store.writing():
        yield newest(root.store.journal.versions(record_id)), record_id


def receipt_of(
    record: Record,
    place: RecordPlace | None,
    *,
    created: bool,
    warnings: tuple[str, ...] = (),
    outcome: str = "accepted",
    rules: tuple[str, ...] = (),
) -> Receipt:
    from memoracle.model.report import Receipt

    return Receipt(
        id=record.id,
        version=record.version,
        created=created,
        status=record.status,
        path=place.path if place else "",
        line=place.line if place else None,
        operation=record.change.operation if place else "",
        warnings=warnings,
        outcome=outcome,
        rules=rules,
    )
