"""Repeated writes beside many records: recognised by every process, whatever happens to the file of their keys."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

import memoracle
from memoracle import make_draft
from support.processes import run_here, start, surroundings

COUNT = 4000
PAD = " with many words that make its line long enough for the memory to count as a large one" * 2


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A root whose records are more than a process wants to read at every start."""
    root = tmp_path_factory.mktemp("large") / "root"
    memoracle.init(str(root))
    with memoracle.open_memory(str(root)) as memory:
        memory.remember_many([make_draft(f"box {number}{PAD}", kind="fact") for number in range(COUNT)])
    return root


@pytest.fixture
def root(filled, tmp_path):
    subprocess.run(["cp", "-a", filled, tmp_path / "root"], check=True)
    return tmp_path / "root"


def remember(root, text, *options):
    status, out, err = run_here("--root", root, "remember", text, "--kind", "fact", "--json", *options)
    assert status == 0, err
    return json.loads(out)


def texts(root):
    lines = (root / "records" / "facts.jsonl").read_bytes().splitlines()
    return [json.loads(line)["text"] for line in lines]


def keys_of(root):
    return root / "index" / "keys.idx"


def is_recognised(root, number):
    return not remember(root, f"box {number}{PAD}")["created"]


def test_a_new_process_reads_keys_and_not_records(root):
    """What a process reads to keep one thing does not grow with what is kept."""
    remember(root, "the first one reads everything")
    assert keys_of(root).exists()
    size = (root / "records" / "facts.jsonl").stat().st_size
    code = (
        "import memoracle\n"
        f"memory = memoracle.open_memory({str(root)!r})\n"
        "before = int(open('/proc/self/io').read().split()[1])\n"
        "memory.remember('the second one does not', kind='fact')\n"
        "print(int(open('/proc/self/io').read().split()[1]) - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=surroundings()
    )
    assert int(done.stdout) < size / 2
    assert is_recognised(root, 7)


@pytest.mark.parametrize("harm", ["gone", "empty", "noise", "torn", "older", "link", "folder"])
def test_whatever_becomes_of_the_keys_nothing_is_kept_twice(root, harm, tmp_path):
    """They are derived: without them, or with broken ones, the records themselves are read."""
    remember(root, "the keys are written down")
    place = keys_of(root)
    old = place.read_bytes()
    remember(root, "and a little more")
    if harm == "gone":
        place.unlink()
    elif harm == "empty":
        place.write_bytes(b"")
    elif harm == "noise":
        place.write_bytes(random.Random(1).randbytes(len(old)))
    elif harm == "torn":
        place.write_bytes(old[: len(old) // 2])
    elif harm == "older":
        place.write_bytes(old)
    else:
        place.unlink()
        place.symlink_to(tmp_path / "elsewhere") if harm == "link" else place.mkdir()
    assert all(is_recognised(root, number) for number in (0, 1999, COUNT - 1))
    assert not remember(root, "and a little more")["created"]
    assert remember(root, "something new")["created"]
    assert not remember(root, "something new")["created"]
    assert not (tmp_path / "elsewhere").exists()


def test_lines_that_others_write_are_followed(root):
    """Appended by a merge, replaced by an editor, put back from a copy: what stands there now counts."""
    remember(root, "the keys are written down")
    facts = root / "records" / "facts.jsonl"
    whole = facts.read_bytes()
    lines = whole.splitlines(keepends=True)
    facts.write_bytes(b"".join(lines[:100]))
    assert not is_recognised(root, 200)  # cut short, and written again
    facts.write_bytes(whole)
    assert is_recognised(root, 300)
    with facts.open("ab") as file:
        donor = root.parent / "donor"
        memoracle.init(str(donor))
        remember(donor, "said on another machine")
        file.write((donor / "records" / "facts.jsonl").read_bytes())
    assert not remember(root, "said on another machine")["created"]
    assert remember(root, "named", "--idempotency-key", "call-1")["created"]
    assert not remember(root, "named otherwise", "--idempotency-key", "call-1")["created"]


def test_forgotten_keys_go(root):
    """What was erased may be said again, as something new."""
    made = remember(root, "a thing to forget")
    assert run_here("--root", root, "forget", made["id"], "--yes")[0] == 0
    assert remember(root, "a thing to forget")["id"] != made["id"]


WRITER = """
import sys, random, memoracle
root, seed = sys.argv[1], int(sys.argv[2])
chosen = random.Random(seed)
numbers = list(range(60)); chosen.shuffle(numbers)
with memoracle.open_memory(root) as memory:
    for number in numbers:
        memory.remember(f"shared thing {number}", kind="fact")
        memory.remember(f"named by {seed}", idempotency=f"call-{number}", kind="fact", key=f"k{number}", value=str(seed))
"""


@pytest.mark.long
def test_many_writers_and_kills_beside_many_records(root):
    """Sixteen processes say the same things in another order, some are killed: each thing is kept once."""
    running = [start(WRITER, root, str(seed)) for seed in range(16)]
    chosen = random.Random(5)
    for victim in chosen.sample(running, 8):
        time.sleep(0.2)
        victim.send_signal(signal.SIGKILL)
    for one in running:
        one.communicate(timeout=240)
    last = start(WRITER, root, "99")
    _, said = last.communicate(timeout=120)
    assert last.returncode == 0, said
    kept = texts(root)
    assert sorted(text for text in kept if text.startswith("shared")) == sorted(
        f"shared thing {n}" for n in range(60)
    )
    lines = [json.loads(line) for line in (root / "records" / "facts.jsonl").read_bytes().splitlines()]
    named = [line["key"] for line in lines if line["text"].startswith("named by")]
    assert len(named) == len(set(named)) == 60
    status, said, _ = run_here("--root", root, "check")
    assert status == 0, said
    os.stat(keys_of(root))
