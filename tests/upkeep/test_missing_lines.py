"""A line that vanished whole leaves a gap in the running count."""

import json
import os
import threading
import time

import pytest

from memoracle.store.mend import spans_missing
from support.stores import FACTS, a_store, keep, texts


@pytest.fixture
def filled(memory):
    for number in range(6):
        memory.remember(f"record number {number}")
    return memory


def missing(memory):
    return [finding.message for finding in memory.check().findings if finding.code == "missing-lines"]


@pytest.mark.parametrize("which", range(6))
def test_any_line_that_vanished_is_reported(filled, root, which):
    """First, middle or last: a whole line taken out is noticed although every checksum fits."""
    lines = (root / FACTS).read_bytes().splitlines(keepends=True)
    (root / FACTS).write_bytes(b"".join(lines[:which] + lines[which + 1 :]))

    assert not filled.check().ok
    assert f"(numbers {which + 1})" in missing(filled)[0]


@pytest.mark.parametrize("loss", [lambda path: path.write_bytes(b""), os.unlink])
def test_an_emptied_or_deleted_file_is_reported(filled, root, loss):
    """All lines gone is not an empty memory."""
    loss(root / FACTS)

    assert missing(filled) == [missing(filled)[0]]
    assert "6 lines" in missing(filled)[0]
    filled.remember("written after the loss")
    assert "6 lines" in missing(filled)[0], "writing on does not hide the loss"


def test_a_loss_can_be_accepted(filled, root):
    """Repair stops reporting what is gone for good, and a later loss is reported again."""
    lines = (root / FACTS).read_bytes().splitlines(keepends=True)
    (root / FACTS).write_bytes(b"".join(lines[:2] + lines[3:]))
    filled.repair()
    assert filled.check().findings == ()

    (root / FACTS).write_bytes(b"".join(lines[:2] + lines[4:]))
    assert "(numbers 4)" in missing(filled)[0]


@pytest.mark.parametrize("name", ["sequence.json", "writer.json", "gaps.json"])
@pytest.mark.parametrize(
    "content", [None, b"", b"\0" * 100, b"{", b"[]", b"[" * 100_000, b'{"last": 900, "tails": {}}']
)
def test_damaged_state_is_no_alarm_and_costs_nothing(filled, root, name, content):
    """State is this machine's note about the files; without it the files are looked at again."""
    path = root / "state" / name
    if content is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(content)

    assert filled.check().findings == ()
    filled.remember("written after the damage")
    filled.remember("and again")

    assert filled.check().findings == ()
    assert len(texts(filled.store)) == 8


def test_a_flipped_bit_in_the_note_is_not_believed(filled, root):
    """A note that claims another number does not pass for a loss."""
    path = root / "state" / "sequence.json"
    path.write_bytes(path.read_bytes().replace(b'"last": 6', b'"last": 7'))

    assert filled.check().findings == ()


def test_a_folder_copied_to_another_machine_raises_no_alarm(filled, root):
    """The copy's machine counts from one under a name of its own."""
    path = root / "state" / "writer.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"machine": "another"}))

    filled.remember("written over there")

    assert filled.check().findings == ()
    writers = {record.change.writer for _, record in filled.store.journal.all_versions()}
    assert len(writers) == 2


def test_a_forged_count_costs_neither_time_nor_memory(filled, root):
    """A line that claims to be number nine quadrillion is one finding, not a list of numbers."""
    record = next(record for _, record in filled.store.journal.all_versions())
    from memoracle.model.value import replace
    from memoracle.store.line import encode

    forged = replace(record, id="mem_F", change=replace(record.change, sequence=2**52, writer="w_forged"))
    with open(root / FACTS, "ab") as file:
        file.write(encode(forged))
    begun = time.monotonic()

    assert len(missing(filled)) == 1
    filled.repair()
    assert missing(filled) == []

    assert time.monotonic() - begun < 3


def test_a_check_beside_writers_raises_no_false_alarm(root, memory):
    """Reading while others write, edit and fold gives no finding at all."""
    store, done = a_store(root), threading.Event()

    def write():
        number = 0
        while not done.is_set():
            number += 1
            keep(store, f"beside {number}")
            if number % 5 == 0:
                with store.writing():
                    from memoracle.store.archive import fold

                    fold(store)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            assert memory.check().findings == ()
    finally:
        done.set()
        writer.join()


def test_spans_are_what_is_missing():
    """Stretches that are neither present nor accepted."""
    assert spans_missing({1, 2, 5, 9}, 10) == [(3, 4), (6, 8), (10, 10)]
    assert spans_missing({1, 2, 5, 9}, 10, [(3, 4), (7, 7)]) == [(6, 6), (8, 8), (10, 10)]
    assert spans_missing(set(), 3) == [(1, 3)]
    assert spans_missing({0, 1, 2, 3}, 3) == []
    assert spans_missing(set(), 0) == []
