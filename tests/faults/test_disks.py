"""Full, failing and read-only disks: refused in clear words, nothing harmed, works again by itself."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from memoracle.compose import init, open_memory
from memoracle.errors import MemoracleError, ReadOnlyRoot, StoreProblem, WriteFailed
from support.processes import PYTHON, run, surroundings
from support.stores import met, standing, texts

pytestmark = pytest.mark.long

needs_mount = pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 400 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=800k", "tmpfs", place], check=False, capture_output=True
    )
    if done.returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


@needs_mount
def test_a_full_disk_refuses_and_recovers(small_disk):
    """Every acknowledged record is there when the disk is full; reading goes on; with room, writing does too."""
    root = small_disk / "memory"
    init(str(root), environment={})
    acknowledged = []
    with open_memory(str(root), environment={}) as memory:

        def fill():
            for number in range(10_000):
                memory.remember(f"record {number} " + "x" * 2000)
                acknowledged.append(f"record {number}")

        with pytest.raises(WriteFailed, match="No space left"):
            fill()
        assert [text.split(" x")[0] for text in texts(memory.store)] == sorted(acknowledged)
        assert memory.check().ok
        assert len(memory.list(limit=1000)) == len(acknowledged)
        subprocess.run(["mount", "-o", "remount,size=8m", small_disk], check=True)
        assert memory.remember("there is room again").created
        assert memory.check(deep=True).ok
    assert len(acknowledged) > 10


@needs_mount
def test_a_read_only_root_is_read_and_never_written(small_disk):
    """Search, list, show, check and the command line work; writing says why it does not."""
    root, before = small_disk / "memory", "Zebedee-4711 was written before"
    init(str(root), environment={})
    with open_memory(str(root), environment={}) as memory:
        kept = memory.remember(before)
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)

    with open_memory(str(root), environment={}) as memory:
        memory.recall("who is Zebedee-4711?")
        assert met(memory, "who is Zebedee-4711?")[:1] == [before]
        assert memory.show(kept.id).text == before
        assert memory.check(deep=True).ok
        for act in (
            lambda: memory.remember("x y z"),
            lambda: memory.edit(kept.id, text="other"),
            lambda: memory.forget([kept.id]),
            memory.fold,
        ):
            with pytest.raises(ReadOnlyRoot):
                act()
    code, out, err = run("--root", root, "remember", "x y z")
    assert (code, out) == (1, "")
    assert "Read-only file system" in err
    assert run("--root", root, "show", kept.id)[0] == 0
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    with open_memory(str(root), environment={}) as memory:
        assert memory.remember("writable again").created


@needs_mount
def test_a_folder_without_permission_reads_too():
    """Another user's folder: reading works where it is allowed, writing is refused in clear words."""
    place = Path(tempfile.mkdtemp(prefix="memoracle-"))
    os.chmod(place, 0o755)
    root = place / "memory"
    init(str(root), environment={})
    with open_memory(str(root), environment={}) as memory:
        memory.remember("written before")
    for folder, folders, names in os.walk(root):
        for name in [".", *folders]:
            os.chmod(os.path.join(folder, name), 0o755)
        for name in names:
            os.chmod(os.path.join(folder, name), 0o644)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgid(65534)
            os.setuid(65534)
            with open_memory(str(root), environment={}) as memory:
                assert memory.list()
                assert memory.check().ok
                try:
                    memory.remember("not allowed")
                except ReadOnlyRoot:
                    status = 0
        except BaseException:  # noqa: BLE001
            import traceback

            traceback.print_exc()
        finally:
            os._exit(status)
    status = os.waitpid(child, 0)[1]
    shutil.rmtree(place)
    assert status == 0


ERRORS = (errno.EIO, errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EMFILE, errno.EFBIG)
ACTS = {
    "remember": lambda memory, kept: memory.remember("something new"),
    "batch": lambda memory, kept: memory.remember_many([_draft("a fact"), _draft("a belief", kind="belief")]),
    "edit": lambda memory, kept: memory.edit(kept, text="put differently"),
    "forget": lambda memory, kept: memory.forget([kept]),
    "fold": lambda memory, kept: memory.fold(),
    "repair": lambda memory, kept: memory.repair(),
}


def _draft(text, **fields):
    from memoracle.learn.draft import make_draft

    return make_draft(text, **fields)


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("forever", [False, True], ids=["once", "for ever"])
def test_every_storage_call_may_fail(root, monkeypatch, act, forever):
    """Fail the n-th call, n = 1, 2, 3 … until a run is clean: an error of our own, no harm, then it works again."""
    with open_memory(str(root), environment={}) as memory:
        kept = memory.remember("stands").id
        memory.edit(kept, text="still stands")
        memory.remember("its neighbour")
        (root / "records" / "facts.jsonl").open("ab").write(b"garbage\n")
        memory.search("neighbour")
    content = {
        path: path.read_bytes() for path in root.rglob("*") if path.is_file() and "index" not in path.parts
    }
    names = ("open", "write", "fsync", "rename", "fstat", "pread")
    number = fails = 0
    while True:
        number += 3 if forever else 1
        for path in [p for p in root.rglob("*") if p.is_file() and "index" not in p.parts]:
            path.unlink()
        for path, held in content.items():
            path.write_bytes(held)
        with open_memory(str(root), environment={}) as memory:
            calls, failed = 0, 0

            def failing(real, nth=number):
                def call(*words, **more):
                    nonlocal calls, failed
                    calls += 1
                    if calls == nth or (forever and calls > nth):
                        failed += 1
                        code = ERRORS[nth % len(ERRORS)]
                        raise OSError(code, os.strerror(code))
                    return real(*words, **more)

                return call

            with monkeypatch.context() as patch:
                for name in names:
                    patch.setattr(os, name, failing(getattr(os, name)))
                acknowledged = True
                try:
                    ACTS[act](memory, kept)
                except MemoracleError:
                    acknowledged = False
            fails += failed
            state = standing(memory.store)
            assert kept in state
            assert "its neighbour" in {record.text for record in state.values()}
            if act == "remember":
                assert ("something new" in {r.text for r in state.values()}) == acknowledged
            if act == "batch":
                assert len({"a fact", "a belief"} & {r.text for r in state.values()}) == 2 * acknowledged
            if act == "edit":
                assert state[kept].text == ("put differently" if acknowledged else "still stands")
            try:
                ACTS[act](memory, kept)
            except StoreProblem:
                raise
            except MemoracleError:
                assert act in {"forget", "edit"}
            memory.repair()
            assert memory.check().findings == ()
        if not failed:
            break
    assert fails >= 3


@pytest.mark.parametrize("fault", ["fsync:error=EIO", "write:error=ENOSPC", "write:retval=3"])
def test_a_failing_system_call_is_never_an_acknowledgement(root, fault):
    """The kernel's own refusal, injected by strace on the record file: no `kept`, exit 1, nothing harmed."""
    if subprocess.run(["which", "strace"], check=False, capture_output=True).returncode:
        pytest.skip("strace is not installed")
    with open_memory(str(root), environment={}) as memory:
        memory.remember("stands")
    facts = root / "records" / "facts.jsonl"
    call = fault.split(":")[0]
    finished = subprocess.run(
        ["strace", "-f", "-qq", "-o", "/dev/null", "-P", facts, "-e", f"trace={call}", "-e", f"inject={fault}:when=1",
         PYTHON, "-m", "memoracle", "--root", root, "remember", "never kept"],
        capture_output=True, check=False, env=surroundings(PYTHONPATH=os.pathsep.join(sys.path)),
    )  # fmt: skip

    with open_memory(str(root), environment={}) as memory:
        if (
            fault == "write:retval=3"
        ):  # the kernel claims three bytes it never took: that is damage, and it is told
            assert texts(memory.store) in (["stands"], ["never kept", "stands"])
            return
        assert finished.returncode == 1
        assert b"could not write" in finished.stderr
        assert texts(memory.store) == ["stands"]
        assert memory.check().findings == ()
