"""Why a record is there."""

import pytest

from memoracle.errors import UnknownRecord
from memoracle.learn.revise import trace_lineage
from memoracle.model.record import Status, Validity
from memoracle.store.store import RecordPlace
from support.build import a_change, a_record, days
from support.clock import START


def chain(*ids):
    """Records of which each replaced the one before it."""
    records = {}
    for n, record_id in enumerate(ids):
        records[record_id] = [
            a_record(
                f"text of {record_id}",
                id=record_id,
                at=START + days(n),
                validity=Validity(
                    supersedes=ids[n - 1 : n] if n else (),
                    superseded_by=ids[n + 1] if n + 1 < len(ids) else None,
                ),
            )
        ]
    return records


def traced(records, record_id):
    return trace_lineage(
        record_id,
        lambda one: records.get(one, []),
        lambda record: RecordPlace(path="facts.jsonl", line=record.version),
    )


@pytest.mark.parametrize(
    ("asked", "related"),
    [
        ("a", [("b", "replaced by"), ("c", "replaced by")]),
        ("b", [("a", "replaced"), ("c", "replaced by")]),
        ("c", [("a", "replaced"), ("b", "replaced")]),
    ],
)
def test_what_it_replaced_and_what_replaced_it(asked, related):
    """As far as it goes in both directions, oldest first."""
    lineage = traced(chain("a", "b", "c"), asked)
    assert [(one.id, one.relation) for one in lineage.related] == related


def test_sources_are_named():
    """A summary says what it was made from; their words and places come along."""
    records = chain("one") | chain("two")
    records["sum"] = [a_record("both", id="sum", sources=("one", "two"), at=START + days(9))]
    found = [(one.relation, one.text, one.cite) for one in traced(records, "sum").related]
    assert found == [("source", "text of one", "facts.jsonl#L1"), ("source", "text of two", "facts.jsonl#L1")]


def test_a_circle_comes_to_an_end():
    """Merged files may say that two records replaced each other."""
    records = {
        "a": [a_record(id="a", validity=Validity(supersedes=("b",), superseded_by="b"))],
        "b": [a_record(id="b", validity=Validity(supersedes=("a",), superseded_by="a"))],
    }
    assert [one.id for one in traced(records, "a").related] == ["b"]


def test_what_is_gone_is_passed_over():
    """A source that was erased from the files altogether."""
    records = {"a": [a_record(id="a", sources=("nowhere",), validity=Validity(supersedes=("lost",)))]}
    assert traced(records, "a").related == ()


def test_the_newest_version_speaks():
    """With the number of versions, and the place of the one that stands."""
    records = {
        "a": [
            a_record("old", id="a"),
            a_record("new", id="a", version=2, change=a_change(at=START + days(1))),
        ]
    }
    lineage = traced(records, "a")
    assert (lineage.record.text, lineage.versions, lineage.cite) == ("new", 2, "facts.jsonl#L2")


def test_a_record_without_a_place_has_no_citation():
    """Nothing is invented."""
    assert trace_lineage("a", lambda _: [a_record(id="a")], lambda _: None).cite == ""


def test_why_through_the_memory(memory, clock):
    """Edited, superseded and archived: the lineage cites lines that are there."""
    old = memory.remember("she lives in Boston")
    memory.edit(old.id, text="she lives in Boston, I think")
    clock.move(days=1)
    new = memory.supersede(old.id, "she lives in Hangzhou")
    lineage = memory.why(new.id)
    (before,) = lineage.related
    assert (before.relation, before.text) == ("replaced", "she lives in Boston, I think")
    assert (lineage.cite, memory.why(old.id).record.status) == (f"{new.path}#L{new.line}", Status.SUPERSEDED)


def test_why_of_nobody(memory):
    """An unknown reference is said so."""
    with pytest.raises(UnknownRecord):
        memory.why("mem_NOPE")
