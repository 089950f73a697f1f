"""The same thing kept again is the same record: in a call, across calls, across processes."""

import os
import threading

import pytest

from memoracle.compose import open_memory
from memoracle.errors import VersionConflict
from memoracle.learn.draft import make_draft
from support.stores import FACTS, keep, texts


@pytest.mark.seed("S0.032")
def test_keeping_appends_one_line(root, memory):
    """One record is one line at the end of the file; what stood there stays as it was."""
    memory.remember("first")
    before = (root / FACTS).read_bytes()

    receipt = memory.remember("second")

    after = (root / FACTS).read_bytes()
    assert after.startswith(before)
    assert after[len(before) :].count(b"\n") == 1
    assert (receipt.path, receipt.line) == (FACTS, 2)


@pytest.mark.seed("S0.034", "S0.124", "S4.089")
def test_the_same_words_again_add_no_line(root, memory):
    """Equal content in the same scope is recognised, however it is spelled."""
    first = memory.remember("The  sky is BLUE", subject="sky", predicate="is", object="blue")
    before = (root / FACTS).read_bytes()

    again = memory.remember("the sky is blue", subject="Sky", predicate="is", object="BLUE")

    assert (again.id, again.created, again.line) == (first.id, False, 1)
    assert (root / FACTS).read_bytes() == before


@pytest.mark.seed("S4.089")
def test_an_idempotency_key_recognises_a_retry(memory):
    """The same key is the same call, even when its words were edited since."""
    first = memory.remember("the meeting is at nine", idempotency="call-7")
    memory.edit(first.id, text="the meeting is at ten")

    retry = memory.remember("the meeting is at nine", idempotency="call-7")

    assert (retry.id, retry.created) == (first.id, False)


def test_within_one_batch_too(root, memory):
    """A batch that says something twice keeps it once."""
    receipts = memory.remember_many([make_draft(text) for text in ("one", "two", "ONE ", "one")])

    assert [receipt.created for receipt in receipts] == [True, True, False, False]
    assert receipts[0].id == receipts[2].id == receipts[3].id
    assert (root / FACTS).read_bytes().count(b"\n") == 2


def test_what_was_taken_back_and_kept_again_is_recognised(memory):
    """A retracted twin does not hide the active one."""
    memory.remember("the sky is blue")
    memory.undo()
    second = memory.remember("the sky is blue")

    third = memory.remember("the sky is blue")

    assert second.created
    assert (third.id, third.created) == (second.id, False)


def test_sixteen_processes_at_once_keep_it_once(root):
    """All remember the same text at the same moment: exactly one of them created it."""
    gate_read, gate_write = os.pipe()
    reports = os.pipe()
    children = []
    for _ in range(16):
        child = os.fork()
        if child == 0:
            os.close(gate_write)
            with open_memory(str(root), environment={}) as memory:
                os.read(gate_read, 1)
                receipt = memory.remember("everybody knows this")
            os.write(reports[1], f"{receipt.id} {receipt.created}\n".encode())
            os._exit(0)
        children.append(child)
    os.close(gate_read)
    os.close(gate_write)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
    os.close(reports[1])
    with os.fdopen(reports[0]) as file:
        told = [line.split() for line in file]

    assert len(told) == 16
    assert len({record_id for record_id, _ in told}) == 1
    assert [created for _, created in told].count("True") == 1


def test_another_process_that_replaced_the_file_is_noticed(root, memory):
    """A fold, a merge or an editor may give a new file the number and the size of the old one."""
    memory.remember("the sky is blue")
    other = open_memory(str(root), environment={})
    other.remember("the grass is green")
    lines = (root / FACTS).read_bytes().splitlines(keepends=True)
    (root / FACTS).write_bytes(b"".join(reversed(lines)))
    other.remember("the sun is hot")
    other.close()

    for text in ("the sky is blue", "the grass is green", "the sun is hot"):
        assert memory.remember(text).created is False


@pytest.mark.seed("S4.061", "S4.089")
def test_a_conflict_names_both_versions(memory):
    """An edit of a version that has moved on changes nothing and says what was expected and found."""
    kept = memory.remember("the sky is blue")
    memory.edit(kept.id, text="the sky is grey")

    with pytest.raises(VersionConflict, match="version 2, not 1") as told:
        memory.edit(kept.id, expected=1, text="the sky is red")

    assert (told.value.expected, told.value.found) == (1, 2)
    assert texts(memory.store) == ["the sky is grey"]


@pytest.mark.seed("S4.089")
def test_of_two_edits_at_once_one_wins_and_one_is_told(root, memory):
    """Optimistic concurrency: both expected version 1, only one may write version 2."""
    kept = memory.remember("contended")
    outcomes = []

    def edit(number):
        with open_memory(str(root), environment={}) as mine:
            try:
                mine.edit(kept.id, expected=1, text=f"by {number}")
                outcomes.append("won")
            except VersionConflict:
                outcomes.append("told")

    threads = [threading.Thread(target=edit, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["told"] * 5 + ["won"]
    assert [version.version for version in memory.history(kept.id)] == [1, 2]


def test_lines_never_interleave(root, memory):
    """Long lines from many threads stand whole, one after the other."""
    threads = [
        threading.Thread(target=keep, args=(memory.store, *(f"{name} {n} {name * 5000}" for n in range(5))))
        for name in "abcdefgh"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert memory.check().findings == ()
    assert len(texts(memory.store)) == 40
