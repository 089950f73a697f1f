"""Long record files are taken in by portions, and nobody can tell from the view."""

import json
import signal
import subprocess
import sys
import time

import pytest

import memoracle
from memoracle import make_draft
from memoracle.index import api as sync
from support.processes import run, surroundings


@pytest.fixture
def root(tmp_path):
    place = tmp_path / "root"
    memoracle.init(str(place))
    with memoracle.open_memory(str(place)) as memory:
        made = memory.remember_many(
            [make_draft(f"box {n} stands on shelf {n % 7}", kind="fact") for n in range(150)]
        )
        for one in made[::10]:
            memory.edit(one.id, text=f"moved: {one.id}")
        memory.remember_many([make_draft(f"belief {n}", kind="belief") for n in range(30)])
    return place


def dumped(root):
    with memoracle.open_memory(str(root)) as memory:
        memory.list(limit=1)
        return memory.index.dump()


def built(root, monkeypatch, portion):
    """The view of a root, built anew with portions of so many lines, and the longest portion that was taken in."""
    monkeypatch.setattr(sync, "_PORTION", portion)
    longest = 0
    with memoracle.open_memory(str(root)) as memory:
        apply = memory.index.apply

        def watched(state, loaded, progress):
            nonlocal longest
            longest = max(longest, len(loaded.versions))
            apply(state, loaded, progress)

        memory.index.apply = watched
        memory.rebuild_index()
        return memory.index.dump(), longest


@pytest.mark.parametrize("portion", [1, 7, 50, 164, 165, 166, 10_000])
def test_a_view_is_the_same_by_whatever_portions(root, monkeypatch, portion):
    """No more than a portion is in memory at once, and every row, line and version is where it belongs."""
    whole, _ = built(root, monkeypatch, None)
    parts, longest = built(root, monkeypatch, portion)
    assert (parts == whole, longest <= portion) == (True, True)


def test_damage_between_portions_is_told_at_its_line(root, monkeypatch):
    """Lines are counted on across portions, and one bad line costs one line."""
    facts = root / "records" / "facts.jsonl"
    lines = facts.read_bytes().splitlines(keepends=True)
    lines[99] = b"{broken\n"
    facts.write_bytes(b"".join(lines))
    whole, _ = built(root, monkeypatch, None)
    assert built(root, monkeypatch, 20)[0] == whole
    with memoracle.open_memory(str(root)) as memory:
        memory.list(limit=1)
        assert [one.line for one in memory.index.findings() if one.path.endswith("facts.jsonl")] == [100]


def test_what_is_changed_in_the_middle_is_noticed(root):
    """Also when something was added behind it: the bytes before the mark have to be the same."""
    before = dumped(root)
    facts = root / "records" / "facts.jsonl"
    lines = facts.read_bytes().splitlines(keepends=True)
    facts.write_bytes(b"".join([*lines[:5], *lines[6:]]))
    assert run("--root", root, "remember", "one more", "--kind", "fact")[0] == 0
    after = dumped(root)
    lost = json.loads(lines[5])["text"]
    assert (any(lost in row for row in before), any(lost in row for row in after)) == (True, False)
    assert any("one more" in row for row in after)


BUILD = """
import sys, time, memoracle
from memoracle.index import sync
sync._PORTION = 10
memory = memoracle.open_memory(sys.argv[1])
apply = memory.index.apply
def slowly(*given):
    apply(*given)
    print("portion", flush=True)
    time.sleep(0.05)
memory.index.apply = slowly
memory.rebuild_index()
"""


@pytest.mark.parametrize("portions", [1, 3, 8])
def test_a_build_that_was_killed_is_finished_by_the_next_question(root, portions):
    """A file of which a part was read is never taken for read."""
    wanted = dumped(root)
    process = subprocess.Popen(
        [sys.executable, "-c", BUILD, root], stdout=subprocess.PIPE, text=True, env=surroundings()
    )
    for _ in range(portions):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait(30)
    time.sleep(0.05)
    assert dumped(root) == wanted
