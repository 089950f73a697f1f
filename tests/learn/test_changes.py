"""A sentence that may have changed an earlier record: the owner is asked, and nothing happens before the answer."""

import json
from datetime import timedelta

import pytest

from memoracle.compose import init, open_memory
from memoracle.learn.changes import BECAUSE
from memoracle.learn.record_sets import StoredRecordSet
from memoracle.model.inbox import Matter
from support.clock import START

OLD, NEW = "I go climbing every Thursday.", "I swim instead of climbing."


@pytest.fixture
def live(tmp_path):
    """Lives through days: one sentence a day is said, and the night after it consolidates."""
    root, talk, days = str(tmp_path / "memory"), tmp_path / "talk.jsonl", [START]
    init(root, environment={})

    def lived(*said, **surroundings):
        for text in said:
            at = days[0].isoformat().replace("+00:00", "Z")
            line = {"role": "user", "content": text, "timestamp": at}
            with open(talk, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            days[0] += timedelta(hours=12)
            with open_memory(root, environment=surroundings, clock=lambda: days[0]) as memory:
                memory.ingest(str(talk))
                memory.consolidate()
            days[0] += timedelta(days=20)
        return open_memory(root, environment=surroundings, clock=lambda: days[0])

    return lived


def records(memory, *ids):
    """Records as they stand."""
    known = StoredRecordSet(memory.store)
    known.refresh()
    return [known.standing(one) for one in ids]


def test_the_owner_is_asked_and_both_stand_meanwhile(live):
    """The question names both, and why; neither record has ended."""
    with live(OLD, NEW) as memory:
        (asked,) = memory.inbox()
        old, new = records(memory, *asked.about)

    assert (asked.matter, asked.because) == (Matter.CHANGE, BECAUSE)
    assert (old.text, new.text) == (OLD, NEW)
    assert (old.status, new.status) == ("active", "active")


def test_a_yes_puts_the_new_one_in_the_place_of_the_old(live):
    """From then on recall and MEMORY.md say the new one."""
    with live(OLD, NEW) as memory:
        (asked,) = memory.inbox()
        memory.accept([asked.id])
        old, new = records(memory, *asked.about)
        first = memory.search("which sport do I do?").hits[0]

    assert (old.status, old.validity.superseded_by) == ("superseded", new.id)
    assert first.passage.text == NEW


def test_a_no_leaves_both_and_is_final(live):
    """The same question is not asked again when the same is said again."""
    with live(OLD, NEW) as memory:
        memory.reject([memory.inbox()[0].id])
    with live(NEW) as memory:
        assert memory.inbox() == []


@pytest.mark.parametrize("other", ["My sister Noor works at a climbing gym.", "I have two cats."])
def test_what_is_about_something_else_is_not_asked_about(live, other):
    """Another matter, or somebody else's."""
    with live(OLD, other) as memory:
        assert memory.inbox() == []


def test_without_a_reader_nobody_is_asked(live):
    """Rules alone ask about slots."""
    with live(OLD, NEW, MEMORACLE_RERANKER="none") as memory:
        assert memory.inbox() == []
