"""What went to the working buffer is there, once, though its writers die at random moments, rotations and all."""

import os
import random
import signal
import time

import pytest

from memoracle.compose import open_memory
from memoracle.errors import MemoracleError

pytestmark = pytest.mark.long

KILLS = 80
WRITERS = 3


def write_for_ever(root, name, pipe):
    """One writer: adds until it is killed, and reports each item after its acknowledgement."""
    memory = open_memory(str(root), environment={"TZ": "UTC"})
    number = 0
    while True:
        number += 1
        memory.buffer("add", f"{name}-{number}")
        os.write(pipe, f"{name}-{number}\n".encode())
        if number % 5 == 0:
            memory.buffer("rotate")
        if number % 7 == 0:
            memory.note(f"note {name}-{number}")


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
    told = b""
    while block := os.read(pipe, 1 << 16):
        told += block
    os.close(pipe)
    return [line.decode() for line in told.split(b"\n")[:-1]]


@pytest.mark.seed("F-67", "S3.065", "S3.020")
def test_no_acknowledged_item_is_lost_or_doubled_over_many_kills(root):
    """Every item that was acknowledged stands in the buffer or in a note, and nothing stands twice."""
    chance = random.Random(20260515)
    acknowledged, deaths = [], 0
    alive = {number: start(root, f"w{number}-0") for number in range(WRITERS)}
    while deaths < KILLS:
        time.sleep(chance.uniform(0.0, 0.05))
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

    with open_memory(str(root), environment={"TZ": "UTC"}) as memory:
        memory.recover()
        assert memory.context().warnings == ()
    texts = [path.read_text() for path in (root / "notes/daily").glob("*.md")]
    texts.append((root / "notes/working-buffer.md").read_text())
    said = [line[2:] for text in texts for line in text.split("\n") if line.startswith("- w")]
    assert sorted(set(acknowledged) - set(said)) == []
    assert len(said) == len(set(said)), "nothing is doubled"
    assert len(acknowledged) > KILLS / 2
