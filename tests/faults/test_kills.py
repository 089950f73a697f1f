"""Acknowledged writes survive SIGKILL at any moment: five hundred deaths on one root.

A warm parent forks the writers, so that a death costs milliseconds. Every writer reports an id
through a pipe after `remember`, `edit` or `fold` has returned; what was reported must be there.
"""

import os
import random
import select
import shutil
import signal
import time

import pytest

from memoracle.compose import open_memory
from memoracle.errors import MemoracleError
from support.stores import standing

pytestmark = pytest.mark.long

KILLS = 504
WRITERS = 4


def write_for_ever(root, name, pipe):
    """One writer: keeps things until it is killed, and reports each after its acknowledgement."""
    memory = open_memory(str(root), environment={})
    number = 0
    while True:
        number += 1
        words = f"{name}-{number}"
        if number % 5 == 0:
            kept = memory.remember(f"draft of {words}")
            memory.edit(kept.id, text=words)
        else:
            memory.remember(words, kind=("fact", "belief", "summary")[number % 3])
        os.write(pipe, f"{words}\n".encode())
        if number % 7 == 0:
            memory.fold()


def start(root, name):
    """A forked writer: its process and the end of the pipe it reports through."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            write_for_ever(root, name, writing)
        except MemoracleError as problem:
            os.write(2, f"{problem}\n".encode())
        finally:
            os._exit(3)
    os.close(writing)
    return child, reading


def reported(pipe):
    """Everything a dead writer reported in whole lines."""
    told = b""
    while block := os.read(pipe, 1 << 16):
        told += block
    os.close(pipe)
    return [line.decode() for line in told.split(b"\n")[:-1]]


@pytest.mark.seed("S4.089")
def test_no_acknowledged_write_is_lost_over_five_hundred_kills(root):
    """Writers die at random moments and are replaced at once; every acknowledged record is whole and single."""
    chance = random.Random(20261115)
    acknowledged, deaths, begun = [], 0, time.monotonic()
    alive = {number: start(root, f"w{number}-0") for number in range(WRITERS)}
    while deaths < KILLS:
        time.sleep(chance.uniform(0.0, 0.06))
        number = chance.randrange(WRITERS)
        child, pipe = alive[number]
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), "a writer ended by itself"
        acknowledged += reported(pipe)
        deaths += 1
        alive[number] = start(root, f"w{number}-{deaths}")
    for child, pipe in alive.values():
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        acknowledged += reported(pipe)

    with open_memory(str(root), environment={}) as memory:
        memory.repair()
        report = memory.check(deep=True)
        said = [record.text for record in standing(memory.store).values()]
    assert sorted(set(acknowledged) - set(said)) == []
    assert len(said) == len(set(said)), "nothing is doubled"
    assert report.findings == ()
    assert len(acknowledged) > KILLS / 4
    print(f"{deaths} kills, {len(acknowledged)} acknowledged, {time.monotonic() - begun:.0f} s")


def test_a_reader_beside_dying_writers_sees_whole_records_and_never_waits(root):
    """Every look is a state that was: nothing acknowledged before it is missing, nothing is half."""
    child, pipe = start(root, "w0-0")
    chance = random.Random(5)
    acknowledged, slowest, looks = [], 0.0, 0
    with open_memory(str(root), environment={}) as reader:
        until = time.monotonic() + 3
        while time.monotonic() < until:
            while select.select([pipe], [], [], 0)[0]:
                acknowledged += os.read(pipe, 1 << 16).decode().splitlines()
            begun = time.monotonic()
            said = {record.text for _, record in reader.store.journal.all_versions()}
            slowest, looks = max(slowest, time.monotonic() - begun), looks + 1
            whole = {words for words in acknowledged[:-1] if words.count("-") == 2}
            assert whole <= said
            if chance.random() < 0.1:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                acknowledged += reported(pipe)
                child, pipe = start(root, f"w0-{looks}")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(pipe)
    assert looks > 10
    assert slowest < 2


def test_acknowledged_means_in_the_files_not_in_the_index(root):
    """Killed right after an acknowledgement, with the index deleted: the record is there all the same."""
    child, pipe = start(root, "w0-0")
    first = os.read(pipe, 100).split(b"\n")[0].decode()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(pipe)
    shutil.rmtree(root / "index", ignore_errors=True)

    with open_memory(str(root), environment={}) as memory:
        assert first in {hit.passage.text for hit in memory.list(limit=1000)}
