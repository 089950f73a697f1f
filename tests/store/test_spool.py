"""The spool as files: appended by many, taken by one."""

import os
import threading

import pytest

from memoracle.store.disk import DiskVolume
from memoracle.store.spool import LARGEST, Spool, SpoolEntry, note_problem, record_once


@pytest.fixture
def spool(tmp_path):
    return Spool(str(tmp_path / "spool"))


def an_entry(number=0, **more):
    return SpoolEntry(
        event="stop", at="2026-08-10T12:00:00Z", session=f"s{number}", transcript="/x/会话.jsonl", **more
    )


def test_what_was_added_is_taken_once(spool):
    """In the order it came, as it was."""
    entries = [an_entry(number, size=number, refs=("mem_1",)) for number in range(3)]
    for entry in entries:
        spool.add(entry)
    assert (spool.is_waiting(), spool.take(first=True), spool.is_waiting()) == (True, entries, False)
    spool.settle()
    assert (spool.take(first=True), os.listdir(spool._folder)) == ([], [])


def test_appending_while_lines_are_taken_loses_nothing(spool):
    """Whoever has the file open when it is taken sees that it has gone."""
    added, taken = 400, []

    def add(start):
        for number in range(start, start + added):
            spool.add(an_entry(number), safely=False)

    threads = [threading.Thread(target=add, args=(start,)) for start in (0, 1_000, 2_000)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads) or spool.is_waiting():
        taken += [entry.session for entry in spool.take(first=False)]
        spool.settle()
    assert (len(taken), len(set(taken))) == (3 * added, 3 * added)


def test_what_is_put_back_waits_for_the_next_worker(spool):
    """Not for the same one: it would turn in circles."""
    spool.add(an_entry())
    (entry,) = spool.take(first=True)
    spool.settle([entry])
    assert (spool.take(first=False), spool.is_waiting(), spool.take(first=True)) == ([], False, [entry])


def test_lines_of_a_worker_that_died_count_as_a_try(spool):
    """A line that kills its worker does not kill every worker."""
    spool.add(an_entry())
    spool.take(first=True)
    (again,) = Spool(spool._folder).take(first=True)
    assert again.tries == 1


@pytest.mark.parametrize("line", [b"{", b"[]", b"null", b"\xff", b'{"event": "x", "size": "many"}', b"{}"])
def test_a_torn_line_is_passed_over(spool, line):
    """The others are taken."""
    spool.add(an_entry())
    with open(os.path.join(spool._folder, "queue.jsonl"), "ab") as file:
        file.write(line + b"\n")
    assert spool.take(first=True) == [an_entry()]


def test_a_link_is_not_written_to(spool, tmp_path):
    """Nothing planted in the spool is followed."""
    other = tmp_path / "other"
    other.write_text("mine")
    os.mkdir(spool._folder)
    os.symlink(other, os.path.join(spool._folder, "queue.jsonl"))
    with pytest.raises(OSError, match="symbolic"):
        spool.add(an_entry())
    assert other.read_text() == "mine"


def test_the_log_is_bounded(tmp_path):
    """The newest lines stay."""
    for number in range(2_000):
        note_problem(DiskVolume(str(tmp_path)), "state", f"problem {number} " + "x" * 300)
    text = (tmp_path / "state/hooks.log").read_text()
    assert (len(text) <= LARGEST, "problem 1999 " in text, "problem 0 " in text) == (True, True, False)
    assert text.splitlines()[0].startswith("problem ")


def test_a_turn_is_recorded_once(tmp_path):
    """Also by another process at the same time; the ledger is bounded."""
    volume = DiskVolume(str(tmp_path))
    heard = [record_once(volume, "state", turn, [{"kind": "clear"}]) for turn in ("a", "b", "a")]
    assert (heard, len((tmp_path / "state/requests.jsonl").read_text().splitlines())) == (
        [True, True, False],
        2,
    )
