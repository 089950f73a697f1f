"""What waits for a model, on disk."""

import os

import pytest

from memoracle.model.inbox import Queue, Waiting, Why
from memoracle.model.record import Channel
from memoracle.store.inbox import add_pending, clear_pending, count_pending, read_pending, settle_pending
from support.asking import a_fragment
from support.clock import START
from support.stores import a_store, keep


def wait(*texts, start=0, **fields):
    return [
        Waiting(fragment=a_fragment(text, start + n), since=START, **fields) for n, text in enumerate(texts)
    ]


@pytest.fixture
def store(root):
    return a_store(root)


@pytest.fixture
def file(store):
    return store.state_path("pending.jsonl")


def add(store, waiting, **how):
    with store.writing():
        return add_pending(store, waiting, **how)


def texts(queue):
    return [one.fragment.text for one in queue.waiting]


def test_what_waits_is_read_as_it_was_written(store):
    """Every field, in the order of waiting, in any language."""
    held = [
        *wait("我最近在喝茶", "half a \ud800 character"[:6], why=Why.DOWN, tries=2),
        Waiting(
            fragment=a_fragment("x", 9, channel=Channel.AGENT, project="p", agent="a", because="b"),
            since=START,
        ),
    ]
    assert (add(store, held), read_pending(store)) == (Queue(waiting=tuple(held)),) * 2


def test_nothing_waits_at_first(store, file):
    """Reading makes no file."""
    assert (read_pending(store), os.path.exists(file)) == (Queue(), False)


def test_waiting_twice_is_waiting_once(store, file):
    """A fragment that is added again keeps its place, its beginning and its tries; the reason is the new one."""
    add(store, wait("a", "b", tries=2))
    later = [Waiting(fragment=one.fragment, since=START.replace(year=2027), why=Why.OFF) for one in wait("a")]
    queue = add(store, later)
    assert [(o.fragment.text, o.since, o.tries, o.why) for o in queue.waiting] == [
        ("a", START, 2, Why.OFF),
        ("b", START, 2, Why.NEW),
    ]
    before = os.stat(file).st_mtime_ns, os.stat(file).st_ino
    add(store, later)
    assert (os.stat(file).st_mtime_ns, os.stat(file).st_ino) == before


def test_what_is_decided_leaves(store):
    """Twice is as good as once; an unknown id is nothing."""
    add(store, wait("a", "b", "c"))
    for _ in range(2):
        with store.writing():
            settle_pending(store, ["turn-1/0", "never heard of"])
    assert texts(read_pending(store)) == ["a", "c"]


@pytest.mark.seed("S2.137")
def test_too_many_are_counted_never_dropped_silently(store):
    """The oldest leave; how many did stays in the file."""
    add(store, wait(*"abcd"), most=4)
    add(store, wait(*"efg", start=4), most=4)
    queue = add(store, wait("h", start=7), most=4)
    assert (texts(queue), queue.compacted, read_pending(store)) == (["e", "f", "g", "h"], 4, queue)
    assert count_pending(store) == 4


def test_a_damaged_line_costs_only_itself(store, file):
    """The others wait on, and the damage is carried along for a person to see."""
    add(store, wait("a", "b"))
    with open(file, "rb") as opened:
        first, second = opened.read().splitlines(keepends=True)
    strange = [
        b"\xff\xfe\n",
        b'{"fragment":{}}\n',
        b"[1]\n",
        b'{"fragment":7,"since":"x"}\n',
        first.replace(b'"a"', b"7"),
    ]
    with open(file, "wb") as opened:
        opened.writelines([*strange, second, first[:20]])
    assert texts(read_pending(store)) == ["b"]
    assert texts(add(store, wait("c", start=5))) == ["b", "c"]
    with open(file, "rb") as opened:
        kept = opened.read()
    assert all(line in kept for line in strange)


def test_clearing_lets_everything_go(store, file):
    """The count as well."""
    add(store, wait(*"abc"), most=2)
    with store.writing():
        assert clear_pending(store) == 2
    assert (read_pending(store), os.path.exists(file)) == (Queue(), False)


def test_what_is_forgotten_does_not_wait_either(memory):
    """Forgetting a record takes a waiting fragment with the same words along, and no other."""
    said = "the door code of the archive is in the blue folder"
    receipt = memory.remember(said)
    add(memory.store, wait(f"By the way, {said}.", "the archive is closed on Mondays"))
    erased = memory.forget([receipt.id])
    assert (texts(memory.pending()), erased.remaining) == (["the archive is closed on Mondays"], ())


def test_a_short_record_takes_only_its_equal_along(memory):
    """A name stands in many sentences; forgetting it forgets none of them."""
    receipt = memory.remember("Miso")
    add(memory.store, wait("Miso", "Miso sleeps on the oven"))
    memory.forget([receipt.id])
    assert texts(memory.pending()) == ["Miso sleeps on the oven"]


def test_other_records_are_not_touched(store):
    """What waits stands beside the records."""
    (record,) = keep(store, "the cat is called Miso")
    add(store, wait("a"))
    assert store.journal.versions(record.id)
