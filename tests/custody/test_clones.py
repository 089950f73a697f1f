"""What comes along with a clone or a copied folder names nothing that is read on this machine."""

import json
import os
import shutil
import subprocess

import pytest

from custody.conftest import codes, git
from memoracle.extensions.seats.handoffs import following
from support.processes import PYTHON

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
SECRET = "I live in Canarytown and keep three parrots"


def everything(root):
    """All bytes below a folder, git's own objects aside."""
    found = b""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                found += file.read()
    return found


@pytest.fixture
def hostile(run, chat, root, tmp_path, monkeypatch):
    """A repository that names a conversation of this machine everywhere it can, and the clone of it."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    victim = chat("private", SECRET, "My sister is called Alba", folder="home")
    row = {"path": str(victim), "shape": "claude"}
    (root / "sessions").mkdir(exist_ok=True)
    (root / "sessions/transcripts.json").write_text(
        json.dumps([row, {**row, "copy": "../home/private.jsonl"}])
    )
    run(root, "remember", "The kettle is blue")
    run(root, "ingest", victim)  # the attacker's own state names it as well, and a hook's spool does
    (root / "sessions/copies.jsonl").write_bytes((root / "state/sources.jsonl").read_bytes())
    (root / "state/spool").mkdir()
    entry = {
        "event": "stop",
        "at": "2026-01-01T00:00:00Z",
        "host": "claude",
        "transcript": str(victim),
        "size": 9,
    }
    (root / "state/spool/queue.jsonl").write_text(json.dumps(entry) + "\n")
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all")
    git(root, "add", "--force", "state", "index")
    git(root, "commit", "--quiet", "-m", "x")
    git(tmp_path, "clone", "--quiet", "--bare", str(root), "hub.git")
    git(tmp_path, "clone", "--quiet", "hub.git", "clone")
    return tmp_path / "clone"


def test_a_clone_reads_nothing_of_this_machine(run, root, hostile, tmp_path):
    """Asked, consolidated, tended, synchronised: not a word of the conversation it names."""
    assert (hostile / "state/sources.jsonl").exists()
    assert b"Canarytown" in everything(hostile / "index")  # the attacker's view of a file of the same name
    for words in (
        ("recall", "Where do I live?"),
        ("search", "parrots"),
        ("consolidate",),
        ("tend",),
        ("consolidate", "--flush"),
        ("search", "Canarytown"),
        ("hot",),
    ):
        _, said = run(hostile, *words)
        assert "Canarytown" not in said.replace("Canarytown`", ""), words
    run(hostile, "sync", "--push", "--yes")

    assert b"Canarytown" not in everything(hostile)
    assert "Canarytown" not in git(tmp_path / "hub.git", "log", "-p", "--all")
    assert (root / "state/salt").read_bytes() == (hostile / "state/salt").read_bytes()
    (own,) = hostile.glob("state/m-*/salt")
    assert own.read_bytes() != (root / "state/salt").read_bytes()


def test_a_clone_says_what_it_does_not_use(run, hostile, chat):
    """`check` names the list and the state; registering a conversation by hand works as anywhere."""
    status, said = run(hostile, "check", "--json")
    assert {"foreign-list", "foreign-state"} <= codes(said)
    mine = chat("mine", "The piano tuner comes on Friday")
    assert run(hostile, "ingest", mine)[0] == 0
    assert "piano tuner" in run(hostile, "search", "piano tuner")[1]
    assert status in {0, 1}


def test_a_hook_in_a_clone_works_off_nobodys_spool(run, hostile, monkeypatch):
    """The worker of the hooks has a spool of its own."""
    from memoracle.interfaces.hooks.entry import find_place

    place = find_place(str(hostile), os.environ)
    assert place.state.startswith("state/m-")
    assert not os.path.exists(os.path.join(place.state_place, "spool"))


def test_a_root_that_was_moved_keeps_its_state(run, root, chat, tmp_path):
    """On the same disk, and to another one, where moving is copying and deleting."""
    assert run(root, "ingest", chat("talk", "The piano tuner comes on Friday"))[0] == 0
    moved = root.rename(tmp_path / "moved")
    assert "foreign-state" not in codes(run(moved, "check", "--json")[1])
    far = tmp_path / "far"
    shutil.copytree(moved, far)
    shutil.rmtree(moved)
    assert "foreign-state" not in codes(run(far, "check", "--json")[1])
    assert not list(far.glob("state/m-*"))
    assert "piano tuner" in run(far, "search", "piano tuner")[1]


def test_a_copy_beside_its_original_has_a_state_of_its_own(run, root, chat, tmp_path):
    """It can be used at once, says so, and takes the old state over when its owner says that it is theirs."""
    run(root, "ingest", chat("talk", "The piano tuner comes on Friday"))
    copy = tmp_path / "copy"
    shutil.copytree(root, copy)
    status, said = run(copy, "remember", "The lamp is green")
    assert status == 0
    assert "foreign-state" in codes(run(copy, "check", "--json")[1])
    assert run(root, "check")[0] == 0

    status, said = run(copy, "repair", "--take-state", "--yes")
    assert (status, "take over" in said) == (0, True)
    assert "foreign-state" not in codes(run(copy, "check", "--json")[1])
    assert "piano tuner" in run(copy, "search", "piano tuner")[1]


def test_a_home_that_cannot_be_written_or_is_new_each_time(run, root, chat, monkeypatch, tmp_path):
    """A container with a root that stays and a home that does not: the state is its own all the same."""
    run(root, "ingest", chat("talk", "The piano tuner comes on Friday"))
    for home in ("fresh", "fresher"):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / home))
        assert "piano tuner" in run(root, "search", "piano tuner")[1]
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert run(root, "remember", "The lamp is green")[0] == 0
    assert "piano tuner" in run(root, "search", "piano tuner")[1]
    assert not list(root.glob("state/m-*"))


def test_a_root_of_the_first_edition_is_taken_over_where_it_was_registered(run, root, chat, monkeypatch):
    """Its list counts on that machine alone, as it was then; what is added to the file later does not."""
    from memoracle.store import machine_state as own_state

    monkeypatch.setattr(own_state, "machine", lambda: ("this machine", True))
    talk, later = chat("talk", "The piano tuner comes on Friday"), chat("later", SECRET)
    run(root, "remember", "The kettle is blue")
    shutil.rmtree(root / "state")
    shutil.rmtree(os.environ["XDG_STATE_HOME"])
    (root / "state").mkdir()
    (root / "state/writer.json").write_text(json.dumps({"writer": "w_X", "machine": "this machine"}))
    (root / "state/salt").write_text("ab" * 32 + "\n")
    (root / "sessions").mkdir(exist_ok=True)
    rows = [{"path": str(talk), "shape": "claude"}]
    (root / "sessions/transcripts.json").write_text(json.dumps(rows))

    assert "piano tuner" in run(root, "search", "piano tuner")[1]
    assert (root / "state/salt").read_text() == "ab" * 32 + "\n"
    assert run(root, "ingest", talk)[0] == 0
    rows.append({"path": str(later), "shape": "claude"})
    (root / "sessions/transcripts.json").write_text(json.dumps(rows))
    assert "Canarytown" not in run(root, "recall", "Where do I live?")[1]


def test_a_clone_in_place_of_another_root_is_not_taken_for_it(run, root, chat, tmp_path):
    """Even when the file system gives its `state/` the number that the old one had."""
    talk = chat("talk", SECRET)
    run(root, "remember", "The kettle is blue")
    state = root / "state"
    number = state.stat().st_ino
    kept = {path.name: path.read_bytes() for path in state.iterdir() if path.is_file()}
    for path in state.iterdir():
        path.unlink()
    from memoracle.store.forgotten import counted_list

    rows = counted_list("conversations", [{"path": str(talk), "shape": "claude"}])
    for name, content in {
        **kept,
        "sources.jsonl": rows,
        "sources.twin.jsonl": rows,
        "salt": b"00" * 32,
    }.items():
        if not name.startswith("own."):
            (state / name).write_bytes(content)
    assert state.stat().st_ino == number
    assert "Canarytown" not in run(root, "recall", "Where do I live?")[1]
    assert "foreign-state" in codes(run(root, "check", "--json")[1])


def test_a_first_edition_that_came_from_elsewhere_is_not_taken_over(run, root, chat):
    """Its state names another machine: the conversations it lists are told, not read; kept copies speak."""
    talk, kept = chat("talk", SECRET), chat("kept", "The piano tuner comes on Friday")
    run(root, "ingest", kept, "--keep")
    (copy,) = (root / "sessions").glob("*.gz")
    (root / "sessions/copies.jsonl").unlink()
    rows = [{"path": str(talk), "shape": "claude"}]
    rows.append({"path": "/there/kept.jsonl", "shape": "claude", "copy": f"sessions/{copy.name}"})
    (root / "sessions/transcripts.json").write_text(json.dumps(rows))
    shutil.rmtree(root / "index")
    shutil.rmtree(root / "state")
    (root / "state").mkdir()
    (root / "state/writer.json").write_text(json.dumps({"writer": "w_X", "machine": "another"}))

    assert "Canarytown" not in run(root, "recall", "Where do I live?")[1]
    assert "piano tuner" in run(root, "search", "piano tuner")[1]
    assert "foreign-list" in codes(run(root, "check", "--json")[1])


def test_a_list_of_copies_names_nothing_but_copies(run, root, chat):
    """Neither a way out of the root nor another file of it."""
    run(root, "remember", "The kettle is blue")
    run(root, "ingest", chat("kept", "The piano tuner comes on Friday"), "--keep")
    from memoracle.store.forgotten import list_line

    names = (
        "../x.gz",
        "/etc/passwd",
        "records/facts.jsonl",
        "sessions/../records/facts.jsonl.gz",
        "state/salt.gz",
    )
    lines = b"".join(list_line({"copy": one, "shape": "claude", "path": f"/x/{one}"}) for one in names)
    with (root / "sessions/copies.jsonl").open("ab") as file:
        file.write(lines)
    status, said = run(root, "check", "--json")
    assert (status, sum(one["code"] == "bad-entry" for one in json.loads(said)["findings"])) == (1, 5)
    assert "piano tuner" in run(root, "search", "piano tuner")[1]
    assert "kettle is blue" in (root / "records/facts.jsonl").read_text()


def test_a_registry_that_travels_names_no_repository_that_is_read(run, root, tmp_path, monkeypatch):
    """Where a project's repository stands counts on the machine where somebody said so."""
    from memoracle.compose import open_memory
    from memoracle.extensions.seats.scan import lineage

    asked = []
    monkeypatch.setattr(lineage, "lineage_of", lambda place, _commit: asked.append(place) or "in-lineage")
    private = tmp_path / "private"
    assert run(root, "project", "add", "arena", "--repo", private)[0] == 0
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "x")
    git(tmp_path, "clone", "--quiet", str(root), "clone")
    for place in (tmp_path / "clone", root):
        with open_memory(str(place)) as memory:
            following.lineage_in(memory.root, "arena", "f" * 40)
    assert asked == [str(private)]


def test_processes_that_begin_together_share_one_state(run, root, monkeypatch, tmp_path):
    """None of them takes what another has just made for a stranger's."""
    shutil.rmtree(root / "state")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "fresh"))
    words = [PYTHON, "-m", "memoracle", "--root", str(root), "remember"]
    started = [subprocess.Popen([*words, f"thing {n}"], stdout=subprocess.DEVNULL) for n in range(8)]
    assert [one.wait(60) for one in started] == [0] * 8
    assert list((root / "state").glob("m-*")) == []
    assert run(root, "check")[0] == 0
