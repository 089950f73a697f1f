"""Nothing outside the root is opened or written, whatever is planted inside it."""

import os
import stat
import subprocess
import sys
import unicodedata

import pytest

from memoracle.compose import init, open_memory
from memoracle.errors import InvalidName, MemoracleError, OutsideRoot
from memoracle.model.record import check_name
from memoracle.store.disk import inside
from support.processes import PYTHON, surroundings
from support.stores import FACTS, a_store, keep, met, texts

TRAVERSALS = [
    "../x", "..", ".", "", "/etc/passwd", "a/../../x", "a/./b", "a//b", "a/", "/", "\0", "a\0b", "../../../../etc/shadow",
    "records/../../x", "a/..", "./a", "~/x/../..", "//etc/passwd",
]  # fmt: skip

POSITIONS = [
    FACTS, "records/beliefs.jsonl", "archive/records/facts.jsonl", "records", "archive", "archive/records", "state",
    "state/write.lock", "state/sequence.json", "state/writer.json", "state/gaps.json", "state/erasing.json",
    "usage", "quarantine", "quarantine/lines.jsonl", "notes/semantic/a.md", "notes", "index", "index/current", "MEMORY.md",
]  # fmt: skip


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_relative_path_walks_out(tmp_path, path):
    """Upwards, absolute, empty, with a NUL: refused before anything is opened."""
    with pytest.raises(OutsideRoot):
        inside(str(tmp_path), path)


@pytest.mark.parametrize("step", ["a", "a/b", "a/b/c"])
def test_no_step_of_a_path_is_a_link(tmp_path, step):
    """A link anywhere on the way is refused, even one that points back inside."""
    (tmp_path / "real" / "b").mkdir(parents=True)
    place = tmp_path / step
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(tmp_path / "real")

    with pytest.raises(OutsideRoot, match="is a link"):
        inside(str(tmp_path), "a/b/c")


NAMES_REFUSED = [
    "", ".", "..", "a/b", "a\\b", "/a", "~", ".hidden", "a\0", "a\n", "con", "CON", "nul.txt", "com1", "LPT9", "aux.md",
    "a..b", "a.", "a ", " a", "a\u200bb", "a\u202eb", "\ufeffa", unicodedata.normalize("NFD", "é"), "x" * 201, "茶" * 70,
    "a:b", "a*b", "a?b", 'a"b', "a|b", "<a>", "-a", "_a", "a\u00a0b", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES_REFUSED)
def test_names_that_a_file_system_could_misread_are_refused(name):
    """Reserved, hidden, traversing, invisible, twice spelled: no such name reaches the disk."""
    with pytest.raises(InvalidName):
        check_name("project", name)


@pytest.mark.parametrize("name", ["arena", "Arena-2", "a.b_c-d", "项目", "café", "ядро", "プロジェクト", "0"])
def test_ordinary_names_in_any_script_are_kept_as_they_are(name):
    """A name maps to itself, so two names never share a file."""
    assert check_name("project", name) == name


def use_everything(root):
    """Every verb that reads or writes; what it may not do it must say in its own words."""
    spoken = []
    try:
        memory = open_memory(str(root), environment={})
    except MemoracleError as problem:
        return [problem.code]
    with memory:
        kept = memory.store.journal.versions(KEPT[0]) and KEPT[0]
        for act in (
            lambda: memory.search("planted"),
            lambda: memory.recall("planted"),
            lambda: memory.check(deep=True),
            memory.plan_repair,
            lambda: memory.remember("written beside the plant"),
            lambda: memory.remember("a belief", kind="belief"),
            lambda: kept and memory.edit(kept, text="edited"),
            memory.fold,
            memory.repair,
            lambda: kept and memory.forget([kept]),
            memory.rebuild_index,
        ):
            try:
                act()
            except MemoracleError as problem:
                spoken.append(problem.code)
    return spoken


KEPT = []


@pytest.fixture
def planted_root(root):
    store = a_store(root)
    KEPT[:] = [record.id for record in keep(store, "planted: a record that was there before", "another")]
    (root / "notes" / "semantic" / "a.md").write_text("# A\n")
    with open_memory(str(root), environment={}) as memory:
        memory.recall("planted")
        memory.edit(KEPT[1], text="another one")
        memory.fold()
    return root


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("what", ["link to a file", "link to a folder", "link to nothing", "pipe"])
def test_nothing_outside_is_touched_through_a_planted_file(planted_root, tmp_path, position, what):
    """A link or pipe at any position: every verb ends in time, nothing outside changes, errors are our own."""
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o755)
    (outside / "file").write_bytes(b"not ours\n")
    place = planted_root / position
    if place.exists():
        os.rename(place, tmp_path / "away")
    place.parent.mkdir(parents=True, exist_ok=True)
    if what == "pipe":
        os.mkfifo(place)
    else:
        os.symlink(
            outside / {"link to a file": "file", "link to a folder": "", "link to nothing": "new"}[what],
            place,
        )
    seen = (outside / "file").stat().st_atime_ns, sorted(os.listdir(outside))

    child = os.fork()
    if child == 0:
        status = 1
        try:
            import signal

            signal.alarm(20)
            use_everything(planted_root)
            status = 0
        except BaseException:  # noqa: BLE001
            import traceback

            traceback.print_exc()
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0, "a verb crashed or waited for ever"

    assert (outside / "file").read_bytes() == b"not ours\n"
    assert sorted(os.listdir(outside)) == seen[1] == ["file"]
    assert stat.S_IMODE(outside.stat().st_mode) == 0o755


def test_a_link_is_reported_and_the_rest_still_works(planted_root, tmp_path):
    """`check` names a planted link; reading and writing the other files goes on."""
    os.symlink(tmp_path, planted_root / "records" / "beliefs.jsonl")
    with open_memory(str(planted_root), environment={}) as memory:
        assert "planted: a record that was there before" in met(memory, "planted record")
        assert memory.remember("goes on").created
        with pytest.raises(OutsideRoot):
            memory.remember("a belief", kind="belief")
        assert [f.path for f in memory.check().findings if f.code == "link"] == ["records/beliefs.jsonl"]


@pytest.mark.skipif(not os.path.exists("/usr/bin/strace"), reason="strace is not installed")
def test_no_system_call_leaves_the_root(planted_root, tmp_path):
    """A strace audit: every file opened for writing during a session lies inside the root."""
    trace = tmp_path / "trace"
    code = (
        "import sys\nfrom memoracle.compose import open_memory\n"
        "m = open_memory(sys.argv[1], environment={})\n"
        "k = m.remember('audited'); m.recall('audited'); m.edit(k.id, text='x'); m.fold(); m.check(); m.forget([k.id])\n"
    )
    subprocess.run(
        ["strace", "-f", "-qq", "-o", trace, "-e", "trace=open,openat,creat,rename,renameat,renameat2,unlink,mkdir,link,symlink",
         PYTHON, "-B", "-c", code, planted_root],
        check=True,
        env=surroundings(PYTHONPATH=os.pathsep.join(sys.path)),
    )  # fmt: skip
    calls = trace.read_text().splitlines()
    changing = [
        c
        for c in calls
        if "ENOENT" not in c and ("O_WRONLY" in c or "O_RDWR" in c or '("' in c.replace("openat(", ""))
    ]
    outside = [c for c in changing if str(planted_root) not in c and "O_RDONLY" not in c and "/dev/" not in c]
    assert outside == []


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o277])
def test_everything_in_a_root_is_its_owners_alone(tmp_path, umask):
    """Every file is 0600 and every folder 0700 at any umask: truth, state, receipts, quarantine, index."""
    place = tmp_path / "memory"
    before = os.umask(umask)
    try:
        init(str(place), environment={})
        with open_memory(str(place), environment={}) as memory:
            kept = memory.remember("mine alone")
            memory.recall("mine")
            memory.edit(kept.id, text="mine and mine alone")
            memory.fold()
            with open(place / FACTS, "ab") as file:
                file.write(b"garbage\n")
            memory.search("mine")
            memory.repair()
            modes = {
                os.path.relpath(os.path.join(folder, name), place): stat.S_IMODE(
                    os.stat(os.path.join(folder, name)).st_mode
                )
                for folder, folders, names in os.walk(place)
                for name in folders + names
            }
    finally:
        os.umask(before)
    loose = {path: oct(mode) for path, mode in modes.items() if mode not in {0o600, 0o700}}
    assert loose == {}
    assert texts(a_store(place)) == ["mine and mine alone"]


def test_a_name_that_is_no_text_stops_nobody(memory, root):
    """Of a vault with a file or a folder whose name is no UTF-8 the rest is read; `check` names it."""
    folder = os.fsencode(root) + b"/notes/q\xfe"
    os.makedirs(folder)
    for place in (folder + b"/a.md", os.fsencode(root) + b"/notes/b\xff.md"):
        with open(place, "wb") as file:
            file.write(b"# Odd\n\nThe pump is green.\n")
    (root / "notes/plain.md").write_text("# Plain\n\nThe pump is blue.\n")
    assert "blue" in memory.search("Which colour is the pump?").hits[0].passage.text
    assert [one.code for one in memory.check().findings] == ["odd-name"] * 2
