"""What a disk may look like after a power cut, built from the calls that were really made.

Every write, truncation, creation, rename and unlink below the root is recorded; for each point in
time the states a file system may leave are built: everything that was synced, plus any prefix of
what was not, plus the last write torn or filled with zeros. Each must hold all that was acknowledged.
"""

import os
import shutil

import pytest

from memoracle.compose import init, open_memory
from support.files import copy_root
from support.stores import a_store, standing, texts

pytestmark = pytest.mark.long


class Recorder:
    """The storage calls of one process on the files below a root."""

    def __init__(self, monkeypatch, root):
        self.root, self.calls, self.handles = str(root), [], {}
        for name in ("open", "write", "pwrite", "fsync", "ftruncate", "rename", "unlink"):
            monkeypatch.setattr(os, name, self._recording(name, getattr(os, name)))

    def _recording(self, name, real):
        def call(*words, **more):
            if name in {"rename", "unlink"} and str(words[0]).startswith(self.root):
                self.calls.append((name, *map(str, words)))
            is_new = name == "open" and not os.path.lexists(words[0])
            before = os.fstat(words[0]).st_size if name == "write" else 0
            done = real(*words, **more)
            if name == "open":
                self.handles.pop(done, None)  # a number that was given back, and now stands for another file
            if name == "open" and str(words[0]).startswith(self.root):
                self.handles[done] = str(words[0])
                if is_new:
                    self.calls.append(("create", str(words[0])))
            elif name == "write" and words[0] in self.handles:
                self.calls.append(("write", self.handles[words[0]], before, bytes(words[1])[:done]))
            elif name == "pwrite" and words[0] in self.handles:
                self.calls.append(("write", self.handles[words[0]], words[2], bytes(words[1])[:done]))
            elif name in {"fsync", "ftruncate"} and words[0] in self.handles:
                self.calls.append((name, self.handles[words[0]], *words[1:]))
            return done

        return call

    def acknowledge(self, text):
        self.calls.append(("ack", text))


def settled(calls):
    """The calls that are certainly on disk: data by fsync of its file, names by fsync of their folder."""
    sure = set()
    for place, (name, *words) in enumerate(calls):
        if name == "fsync":
            for earlier, (what, path, *more) in enumerate(calls[:place]):
                is_data = what in {"write", "ftruncate", "create"} and path == words[0]
                is_name = (
                    what in {"create", "rename", "unlink"} and os.path.dirname((path, *more)[-1]) == words[0]
                )
                if is_data or is_name:
                    sure.add(earlier)
    return sure


def states(calls):
    """The sets of calls that may have reached the disk, each with what became of the last write."""
    sure = settled(calls)
    loose = [
        place for place, (name, *_) in enumerate(calls) if place not in sure and name not in {"ack", "fsync"}
    ]
    for cut in range(len(loose) + 1):
        yield sure | set(loose[:cut]), None
    for one in loose:
        yield sure | {one}, None
        yield sure | (set(loose) - {one}), None
    if writes := [place for place in loose if calls[place][0] == "write"]:
        content = calls[writes[-1]][3]
        for torn in (content[: len(content) // 2], content[:-1], b"\0" * len(content)):
            yield sure | set(loose), (writes[-1], torn)


def build(base, root, calls, kept, torn):
    """Make the files that a state describes, in place of what stands at the root."""
    shutil.rmtree(root)
    copy_root(base, root)
    for place in sorted(kept):
        name, path, *more = calls[place]
        if name == "create" and os.path.isdir(os.path.dirname(path)):
            open(path, "ab").close()
        elif name == "write" and os.path.exists(path):
            with open(path, "r+b") as file:
                file.seek(more[0])
                file.write(torn[1] if torn and torn[0] == place else more[1])
        elif name == "ftruncate" and os.path.exists(path):
            os.truncate(path, more[0])
        elif name == "rename" and os.path.exists(path):
            os.rename(path, more[0])
        elif name == "unlink" and os.path.exists(path):
            os.unlink(path)


@pytest.mark.parametrize("act", ["remember", "edit", "fold", "forget"])
def test_every_state_a_power_cut_may_leave_holds_what_was_acknowledged(tmp_path, monkeypatch, act):
    """Dropped, reordered, torn, zero-filled: nothing acknowledged is missing, and repair makes the store clean."""
    base, root = tmp_path / "base", tmp_path / "memory"
    init(str(base), environment={})
    with open_memory(str(base), environment={}) as memory:
        kept = memory.remember("stands").id
        memory.edit(kept, text="still stands")
        memory.remember("its neighbour")
    shutil.rmtree(base / "index", ignore_errors=True)
    copy_root(base, root)
    with open_memory(str(root), environment={}) as memory, monkeypatch.context() as patch:
        recorder = Recorder(patch, root)
        if act == "remember":
            for text in ("a first", "a second"):
                memory.remember(text, kind="belief")
                recorder.acknowledge(text)
        elif act == "edit":
            memory.edit(kept, text="put differently")
            recorder.acknowledge("put differently")
        elif act == "fold":
            memory.fold()
        else:
            memory.forget([kept])
    calls = [call for call in recorder.calls if "/index" not in str(call[1])]
    checked = 0
    for acknowledged in after_each_cut(base, root, calls):
        assert acknowledged | {"its neighbour"} <= set(texts(a_store(root)))
        stood = standing(a_store(root))[kept]
        assert stood.text in {"still stands", "put differently"} or (act == "forget" and stood.text == "")
        checked += 1
    assert checked > 10


def after_each_cut(base, root, calls):
    """Leave the root in one state after the other; what had been acknowledged by then is given each time."""
    seen = set()
    for upto in range(1, len(calls) + 1):
        head = calls[:upto]
        acknowledged = {words[0] for name, *words in head if name == "ack"}
        for kept, torn in states(head):
            mark = (frozenset(kept), torn, len(acknowledged))
            if mark not in seen:
                seen.add(mark)
                build(base, root, head, kept, torn)
                yield acknowledged


def test_the_states_would_show_a_missing_fsync(tmp_path, monkeypatch):
    """A control: the same calls without their fsyncs lose what was acknowledged in some state."""
    base, root = tmp_path / "base", tmp_path / "memory"
    init(str(base), environment={})
    copy_root(base, root)
    with open_memory(str(root), environment={}) as memory, monkeypatch.context() as patch:
        recorder = Recorder(patch, root)
        memory.remember("acknowledged")
        recorder.acknowledge("acknowledged")
    calls = [call for call in recorder.calls if call[0] != "fsync" and "/index" not in str(call[1])]

    losses = [told for told in after_each_cut(base, root, calls) if not told <= set(texts(a_store(root)))]

    assert losses
