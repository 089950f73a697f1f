"""One memory in many threads, several memories of one root, and a memory in a forked process.

Everything happens in a process of its own: what goes wrong here is a crash of the interpreter, not an exception.
"""

import subprocess
import sys

import pytest

from support.processes import surroundings

SHARED = """
import sys, threading, memoracle
from datetime import UTC, datetime
root, threads, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
words = "amber birch cedar delta ember fjord grove heron inlet jetty".split()
memoracle.init(root)
memory = memoracle.open_memory(root)
memory.remember_many([memoracle.make_draft(f"The {words[n % 10]} box stands on shelf {n}") for n in range(200)])

def asked(question, how):
    return [(hit.passage.text, round(hit.score, 6)) for hit in how(question).hits]

def at_once(question):  # at one moment: what is remembered fades while the threads ask
    return memory.search(question, now=moment)

moment = datetime.now(UTC)
alone = {word: asked(f"Where is the {word} box?", at_once) for word in words}
assert all(alone.values())
wrong = []

def read(number):
    for turn in range(rounds):
        word = words[(number + turn) % 10]
        found = asked(f"Where is the {word} box?", at_once)
        if found != alone[word]:
            wrong.append((word, found))

def write(number):
    for turn in range(rounds):
        memory.remember(f"thread {number} counts to {turn} in the hall")
        texts = [text for text, _ in asked(f"thread {number} counts to {turn}", memory.recall)]
        if f"thread {number} counts to {turn} in the hall" not in texts:
            wrong.append((number, turn, texts))

def together(work):
    caught = []
    def guarded(number):
        try:
            work(number)
        except BaseException as problem:
            caught.append(repr(problem))
    every = [threading.Thread(target=guarded, args=(number,)) for number in range(threads)]
    for one in every: one.start()
    for one in every: one.join()
    assert not caught, caught
    assert not wrong, wrong

together(read)
together(write)
kept = memory.list(limit=1000)
assert len({hit.passage.text for hit in kept}) == len(kept) == 200 + threads * rounds, len(kept)
assert memory.check(deep=True).ok
memory.close()
print("fine")
"""

BESIDE = """
import sys, threading, memoracle
root = sys.argv[1]
memoracle.init(root)
caught = []
def work(number):
    try:
        with memoracle.open_memory(root) as memory:
            for turn in range(15):
                memory.remember(f"memory {number} says {turn}")
                memory.remember("what everybody says")
                assert memory.search(f"memory {number} says {turn}").hits
    except BaseException as problem:
        caught.append(repr(problem))
every = [threading.Thread(target=work, args=(number,)) for number in range(3)]
for one in every: one.start()
for one in every: one.join()
assert not caught, caught
with memoracle.open_memory(root) as memory:
    assert len(memory.list(limit=100)) == 46
    assert memory.check(deep=True).ok
print("fine")
"""

FORKED = """
import os, sys, memoracle
root = sys.argv[1]
memoracle.init(root)
memory = memoracle.open_memory(root)
memory.remember("said before the fork")
assert memory.search("said before").hits
children = []
for number in range(4):
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            for turn in range(5):
                memory.remember(f"child {number} says {turn}")
                assert memory.search(f"child {number} says {turn}").hits
            status = 0
        finally:
            os._exit(status)
    children.append(pid)
for turn in range(5):
    memory.remember(f"the parent says {turn}")
    assert memory.search("the parent says").hits
assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * 4
kept = memory.list(limit=100)
assert len({hit.passage.ref for hit in kept}) == len(kept) == 26, len(kept)
assert memory.check(deep=True).ok
print("fine")
"""


def runs(code, *words):
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=surroundings(),
    )
    assert (done.returncode, done.stdout.strip()) == (0, "fine"), done.stderr[-3000:]


@pytest.mark.parametrize(("threads", "rounds"), [(3, 12), (8, 6)])
def test_threads_share_a_memory(tmp_path, threads, rounds):
    """Nothing crashes, every answer is the one a single thread gets, and every write is there once."""
    runs(SHARED, tmp_path / "root", threads, rounds)


def test_two_memories_of_one_root_in_one_process(tmp_path):
    """Each thread its own: what all of them say is kept once."""
    runs(BESIDE, tmp_path / "root")


def test_a_memory_survives_a_fork(tmp_path):
    """Parent and children go on with the memory they had; no two records share an id."""
    runs(FORKED, tmp_path / "root")
