"""SIGKILL on entry of every storage call of a writing command, one by one.

strace stops the process before its n-th `write`, `fsync`, `rename` … until a run ends unharmed.
A parent that has everything imported forks the process under test, so a point costs little.
"""

import os
import shutil
import subprocess
import sys

import pytest

from memoracle.compose import init, open_memory
from memoracle.model.record import Status
from support.files import contents, copy_root
from support.processes import PYTHON, surroundings
from support.stores import standing

CALLS = ("write", "pwrite64", "fsync", "rename", "ftruncate", "unlink")
SCRIPT = """
import sys
from memoracle.compose import open_memory
memory = open_memory(sys.argv[1], environment={})
kept, doomed = sys.argv[2:4]
act = sys.argv[4]
if act == "remember": memory.remember("a new record")
if act == "edit": memory.edit(kept, text="put differently")
if act == "forget": memory.forget([doomed])
if act == "fold": memory.fold()
if act == "undo": memory.undo()
print("ACK", flush=True)
"""
DOOMED = "the canary is called Tweety-4711"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed"),
]


@pytest.fixture
def filled(tmp_path):
    root = tmp_path / "filled"
    init(str(root), environment={})
    with open_memory(str(root), environment={}) as memory:
        kept = memory.remember("a record that stands")
        doomed = memory.remember(DOOMED)
        memory.edit(kept.id, text="a record that still stands")
        memory.recall("canary")
    return root, kept.id, doomed.id


def files_of(root):
    """The files of truth: only calls on these count, so that the index's own writes do not multiply the points."""
    return [
        root / path
        for path in (
            "records/facts.jsonl", "archive/records/facts.jsonl", "usage", "quarantine/lines.jsonl",
            "records", "archive/records", "state", "state/sequence.json",
        )
    ]  # fmt: skip


@pytest.mark.parametrize("act", ["remember", "edit", "undo", "fold", "forget"])
def test_killed_before_any_call_the_store_is_old_or_new(filled, tmp_path, act):
    """After each death: readable, what stood still stands, and repair leaves a clean store."""
    source, kept, doomed = filled
    points = 0
    for call in CALLS:
        for number in range(1, 30):
            root = tmp_path / "victim"
            shutil.rmtree(root, ignore_errors=True)
            copy_root(source, root)
            only = [word for path in files_of(root) for word in ("-P", str(path))]
            run = subprocess.run(
                ["strace", "-f", "-qq", "-o", "/dev/null", *only, "-e", f"trace={call}",
                 "-e", f"inject={call}:signal=KILL:when={number}",
                 PYTHON, "-c", SCRIPT, str(root), kept, doomed, act],
                capture_output=True, check=False, env=surroundings(PYTHONPATH=os.pathsep.join(sys.path)),
            )  # fmt: skip
            points += 1
            _judge(root, kept, doomed, act, acknowledged=b"ACK" in run.stdout)
            if run.returncode == 0:
                break
    assert points > len(CALLS)


def _judge(root, kept, doomed, act, *, acknowledged):
    with open_memory(str(root), environment={}) as memory:
        state = standing(memory.store)
        assert kept in state
        assert doomed in state
        memory.repair()
        assert memory.check(deep=True).findings == ()
        assert not [path for path in contents(root, skip=()) if path.endswith("tmp~")]
        state = standing(memory.store)
    said = {record.text for record in state.values()}
    if acknowledged:
        expected = {
            "remember": "a new record",
            "edit": "put differently",
            "undo": "a record that stands",
            "fold": "a record that still stands",
            "forget": "",
        }
        assert expected[act] in said
    if state[doomed].status is Status.FORGOTTEN:
        assert not [path for path in contents(root, skip=()) if b"Tweety" in (root / path).read_bytes()]
    else:
        assert state[doomed].text == DOOMED
