"""One file that a whole memory comes back from: on this disk or another, and never half of it."""

import io
import json
import os
import shutil
import signal
import subprocess
import tarfile
import time

import pytest

from memoracle.compose import init, open_memory
from memoracle.errors import BadInput, Conflict, NeedsConsent, OutsideRoot, UnreadableFile, WriteFailed
from memoracle.upkeep import backup as backups
from memoracle.upkeep.backup import archives, restore, set_daily, verify
from support.files import PLAIN, contents, write
from support.processes import PYTHON, run_here, start, surroundings

DERIVED = ("index", "state")


@pytest.fixture
def kept(memory, tmp_path, root):
    """A memory with records, a note, a conversation of its own, a canary, something forgotten; and its archive."""
    memory.remember("The spare key hangs behind the boiler")
    gone = memory.remember("The cellar code is four seven one one")
    memory.remember("The tool shed has a padlock, and the tractor stands in it")
    memory.forget([gone.id])
    write(root, "notes/semantic/garden.md", "# Garden\n\nThe roses are cut in March.\n")
    memory.tend()
    return memory.backup(str(tmp_path / "kept.tar"))


def answers(root, **env):
    """What it answers, and what reading everything back says, in a process that has another home."""
    asked = [
        run_here("--root", root, *words, env=surroundings(**PLAIN, **env))
        for words in (
            ["search", "Where does the spare key hang?", "--json"],
            ["search", "When are the roses cut?", "--json"],
            ["search", "cellar code", "--json"],
            ["check", "--deep"],
            ["audit", "verify"],
        )
    ]
    hits = [
        [hit["text"] for hit in json.loads(out)["hits"]] if out.startswith("{") else out.split(" ", 1)[0]
        for _, out, _ in asked
    ]
    return [status for status, _, _ in asked], hits


@pytest.mark.seed("F-14")
def test_a_restored_memory_answers_like_the_one_that_was_lost(kept, root, tmp_path):
    """On another machine, with another home: the same answers, every line whole, the trail's seals its own."""
    before = contents(root, skip=DERIVED)
    answered = answers(root)
    os.rename(root, tmp_path / "lost")
    home = tmp_path / "elsewhere"
    there = home / "memory"
    env = {"HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
    done = run_here("restore", kept.path, "--to", there, env=surroundings(**env))
    assert done[0] == 0, done[2]
    now = contents(there, skip=DERIVED)
    assert {name for name in before if now.get(name) != before[name]} == {"events.jsonl"}, (
        "it tells of the backup"
    )
    assert answers(there, **env) == answered
    assert answered == (
        [0, 0, 3, 0, 0],
        [
            ["The spare key hangs behind the boiler"],
            ["# Garden\n\nThe roses are cut in March."],
            [],
            "whole:",
            "whole:",
        ],
    )
    assert run_here("--root", there, "remember", "life goes on", env=surroundings(**env))[0] == 0
    assert answers(there, **env) == answered


def test_only_truth_is_in_it(kept, root):
    """No view, no repository, no lock, no mark of the machine; the mode is its owner's alone."""
    (root / ".git").mkdir()
    (root / ".git/config").write_text("[core]\n\tfsmonitor = evil\n")
    with tarfile.open(kept.path) as tar:
        names = {member.name for member in tar}
    held = {name.split("/")[0] for name in names}
    assert {"records", "notes", "events.jsonl", "memoracle.toml", "MEMORY.md", "MANIFEST.json"} <= held
    assert held.isdisjoint({"index", ".git"})
    assert {
        name for name in names if name.endswith((".lock", "own.json", "own.twin.json", "writer.json"))
    } == set()
    assert "state/salt" in names, "without it nobody could check the seals of the trail"
    assert os.stat(kept.path).st_mode & 0o077 == 0


def test_what_only_looks_like_a_lock_is_in_it(memory, root, tmp_path):
    """A file of the owner's own with such an ending is no lock of ours."""
    (root / "notes/canal.lock").write_text("Lock 7: gates renewed in 2019")
    with tarfile.open(backups.backup(memory.root, f"{tmp_path}/one.tar").path) as tar:
        names = set(tar.getnames())
    assert {name for name in names if name.endswith(".lock")} == {"notes/canal.lock"}


def test_what_lies_beside_an_adopted_memory_is_not_taken(tmp_path, clock):
    """A workspace may hold anything: what the design and we wrote goes in, and what is kept in its own sessions."""
    place = tmp_path / "work"
    write(place, "memory/2026-05-14.md", "# 2026-05-14\n\nThe deploy went well.\n")
    write(place, "SOUL.md", "# Soul\n")
    write(place, "huge/video.bin", b"x" * 100)
    init(str(place), environment={}, clock=clock)
    with open_memory(str(place), environment=PLAIN, clock=clock) as memory:
        memory.remember("the cat is called Miso")
        done = memory.backup(str(tmp_path / "kept.tar"))
    with tarfile.open(done.path) as tar:
        names = {member.name for member in tar}
    assert {"memory/2026-05-14.md", "SOUL.md", ".memoracle/records/facts.jsonl"} <= names
    assert not any(name.startswith("huge") for name in names)


def test_the_configuration_of_a_design_comes_back(tmp_path, clock):
    """It stands beside the files of memory, and `leave` would miss it in a restored directory."""
    place = tmp_path / "work"
    write(place, "knowledge-graph/facts.jsonl", "")
    write(place, "config.yaml", "memory_oracle:\n  half_life_days: 45\n")
    init(str(place), environment={}, clock=clock)
    with open_memory(str(place), environment=PLAIN, clock=clock) as memory:
        done = memory.backup(str(tmp_path / "kept.tar"))
    restore(done.path, str(tmp_path / "again"))
    assert (tmp_path / "again/config.yaml").read_bytes() == (place / "config.yaml").read_bytes()


def test_one_damaged_byte_is_found_and_named_and_nothing_is_restored(kept, tmp_path):
    """In any file, in the manifest, in a header, or when the end is missing."""
    good = (tmp_path / "kept.tar").read_bytes()
    assert verify(kept.path).ok
    for word, named in (
        (b'"The spare key', "records/facts.jsonl"),
        (b"roses are", "notes/semantic/garden.md"),
    ):
        at = good.index(word)
        write(tmp_path, "kept.tar", good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        assert [one.path for one in verify(kept.path).findings] == [named]
        with pytest.raises(UnreadableFile, match=named):
            restore(kept.path, str(tmp_path / "there"))
    for broken in (
        good[: len(good) // 2],
        good[:-10240].rstrip(b"\0")[:-30],
        b"",
        good.replace(b'"schema"', b'"scheme"'),
    ):
        write(tmp_path, "kept.tar", broken)
        with pytest.raises(UnreadableFile):
            restore(kept.path, str(tmp_path / "there"))
    at = good.index(b"ustar")
    write(tmp_path, "kept.tar", good[:at] + b"x" + good[at + 1 :])
    with pytest.raises(UnreadableFile):
        restore(kept.path, str(tmp_path / "there"))
    assert not (tmp_path / "there").exists()
    assert [name for name in os.listdir(tmp_path) if name.endswith(".tmp~")] == []


def test_nothing_that_stands_somewhere_is_written_over(kept, root, tmp_path):
    """Neither a memory by a restore without consent, nor an archive by a backup; with consent it is put aside."""
    before = contents(root, skip=())
    with pytest.raises(NeedsConsent):
        restore(kept.path, str(root))
    assert contents(root, skip=()) == before
    done = restore(kept.path, str(root), agreed=True)
    assert contents(done.aside, skip=()) == before
    with open_memory(str(root), environment=PLAIN) as memory:
        assert memory.search("Where does the spare key hang?").hits
        with pytest.raises(Conflict):
            memory.backup(kept.path)
        with pytest.raises(BadInput):
            memory.backup(str(root / "notes/kept.tar"))


def test_an_archive_of_another_machine_brings_no_places_along(memory, root, tmp_path, monkeypatch):
    """Where conversations stand is that machine's business: its archive makes nobody here read a file."""
    victim = tmp_path / "private.jsonl"
    victim.write_text(
        '{"role": "user", "content": "My PIN is in the blue book.", "timestamp": "2026-03-02T09:00:00Z"}\n'
    )
    memory.ingest(str(tmp_path / "private.jsonl"), embed=False)
    done = memory.backup(str(tmp_path / "kept.tar"))
    here = restore(done.path, str(tmp_path / "same"))
    monkeypatch.setattr(backups, "machine", lambda: ("another machine", True))
    there = restore(done.path, str(tmp_path / "other"))
    assert (done.elsewhere, here.not_taken, len(there.not_taken)) == (1, (), 2)
    for place, found in ((here.root, True), (there.root, False)):
        with open_memory(place, environment=PLAIN) as restored:
            assert bool(restored.search("blue book PIN").hits) is found
            assert restored.check().ok


@pytest.mark.parametrize("name", ["../out", "/etc/passwd", "a/../../b", "records/../../c"])
def test_an_archive_writes_nowhere_else(kept, tmp_path, name):
    """However its names are spelled; links are no files."""
    bad = tmp_path / "bad.tar"
    with tarfile.open(kept.path) as source, tarfile.open(bad, "w") as target:
        for member in source:
            content = source.extractfile(member).read()
            if member.name == "MANIFEST.json":
                content = content.replace(b'"MEMORY.md"', json.dumps(name).encode())
                member.size = len(content)
            if member.name == "MEMORY.md":
                member.name = name
            target.addfile(member, io.BytesIO(content))
    with pytest.raises((OutsideRoot, UnreadableFile)):
        restore(str(bad), str(tmp_path / "there"))
    link = tmp_path / "link.tar"
    with tarfile.open(link, "w") as target:
        member = tarfile.TarInfo("memoracle.toml")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        target.addfile(member)
    assert not verify(str(link)).ok


@pytest.mark.long
def test_a_sealed_memory_stays_sealed_in_it(root, tmp_path):
    """No word stands in the archive; the restored memory asks for the same keys."""
    pytest.importorskip("cryptography")
    secret = tmp_path / "pass"
    secret.write_text("correct horse battery\n")
    env = surroundings(**PLAIN, XDG_RUNTIME_DIR=str(tmp_path))
    run_here("--root", root, "remember", "The spare key hangs behind the boiler", env=env, timeout=300)
    sealed = run_here(
        "--root", root, "encrypt", "--passphrase-file", secret, "--no-recovery", env=env, timeout=300
    )
    if sealed[0]:
        pytest.skip(sealed[2])
    run_here("--root", root, "unlock", "--passphrase-file", secret, env=env, timeout=300)
    assert run_here("--root", root, "backup", tmp_path / "kept.tar", env=env, timeout=300)[0] == 0
    assert b"boiler" not in (tmp_path / "kept.tar").read_bytes()
    there = tmp_path / "there"
    assert run_here("restore", tmp_path / "kept.tar", "--to", there, env=env, timeout=300)[0] == 0
    run_here("--root", there, "lock", env=env, timeout=300)
    assert "is locked" in run_here("--root", there, "search", "boiler", env=env, timeout=300)[2]
    assert run_here("--root", there, "unlock", "--passphrase-file", secret, env=env, timeout=300)[0] == 0
    assert "boiler" in run_here("--root", there, "search", "spare key", env=env, timeout=300)[1]


# Every day


def test_tend_keeps_a_week_of_them(memory, root, clock, tmp_path):
    """One every night before consolidation, the newest seven, and files of others are left alone."""
    folder = tmp_path / "disk"
    folder.mkdir()
    (folder / "memoracle-other-123456-20200101-000000.tar").write_text("another memory's")
    memory.remember("the cat is called Miso")
    memory.store.own_state()
    assert "backup" not in {one.job for one in memory.tend(dry_run=True).due}
    set_daily(str(root), str(folder))
    ran = []
    for _ in range(10):
        ran += [one.job for one in memory.tend().ran if one.job in {"backup", "consolidate"}]
        clock.move(days=1)
    assert ran[:2] == ["backup", "consolidate"]
    assert ran.count("backup") == 10
    assert (len(archives(str(root), str(folder))), len(os.listdir(folder))) == (7, 8)
    assert all(verify(path).ok for path in archives(str(root), str(folder)))
    set_daily(str(root), "")


def test_no_whole_archive_is_removed_while_the_memory_is_damaged(memory, root, clock, tmp_path):
    """For ten days nobody mends it: the archives of the days before are still there."""
    memory.remember("the cat is called Miso")
    memory.remember("the dog is called Rex")
    memory.store.own_state()
    set_daily(str(root), str(tmp_path))
    memory.tend()
    (whole,) = archives(str(root), str(tmp_path))
    facts = root / "records/facts.jsonl"
    facts.write_bytes(facts.read_bytes().replace(b"Rex", b"Rez"))
    for _ in range(10):
        clock.move(days=1)
        memory.tend()
    there = restore(whole, str(tmp_path / "there")).root
    set_daily(str(root), "")
    with open_memory(there, environment=PLAIN, clock=clock) as restored:
        assert restored.search("dog called").hits[0].passage.text == "the dog is called Rex"
        assert "mended    it was restored from the backup of 2026-05-15" in restored.tend().alert


def test_a_disk_that_is_away_is_told_and_not_made(memory, root, clock, tmp_path):
    """A folder on a disk that is not mounted: writing beside it would be no backup."""
    memory.store.own_state()
    set_daily(str(root), str(tmp_path / "mnt"))
    told = memory.tend()
    assert ("is its disk mounted?" in told.alert, (tmp_path / "mnt").exists()) == (True, False)
    (tmp_path / "mnt").mkdir()
    clock.move(hours=1)
    assert "mended    job-backup" in memory.tend().alert
    set_daily(str(root), "")


# Where it is cut short

KILLED = """
import os, signal, sys
from memoracle.compose import open_memory
from memoracle.upkeep import backup

at, real = int(sys.argv[3]), backup._add

def add(tar, name, file):
    global at
    at -= 1
    if at < 0:
        tar.fileobj.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    return real(tar, name, file)

backup._add = add
open_memory(sys.argv[1]).backup(sys.argv[2])
"""


@pytest.mark.parametrize("at", [0, 3, 7])
def test_a_killed_backup_leaves_no_archive_and_the_next_one_is_whole(kept, root, tmp_path, at):
    """Not under its name; what it left is gone after the next, and nobody waits for its lock."""
    folder = tmp_path / "disk"
    folder.mkdir()
    killed = start(KILLED, root, f"{folder}/", str(at), env=surroundings(**PLAIN))
    assert killed.wait(timeout=60) == -signal.SIGKILL
    killed.communicate()
    assert archives(str(root), str(folder)) == []
    assert len(os.listdir(folder)) == 1
    with open_memory(str(root), environment=PLAIN) as memory:
        done = memory.backup(f"{folder}/")
    assert (os.listdir(folder), verify(done.path).ok) == ([os.path.basename(done.path)], True)


def test_a_full_disk_leaves_nothing(memory, root, tmp_path, monkeypatch):
    """The write says why, what it had written is taken away, and the memory is as it was."""
    memory.remember("the cat is called Miso")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tarfile.TarFile, "addfile", full)
    with pytest.raises(WriteFailed, match="No space left"):
        memory.backup(str(tmp_path / "disk/kept.tar"))
    assert os.listdir(tmp_path / "disk") == []
    assert memory.check().ok


@pytest.mark.long
def test_writers_and_a_backup_at_once(root, tmp_path):
    """What was acknowledged before it began is in it, no line is half, and writers go on afterwards."""
    words = [PYTHON, "-m", "memoracle", "--root", str(root), "remember", "--stdin"]
    lines = "".join(f"remark number {n} of the long list\n" for n in range(300)).encode()
    writer = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=surroundings(**PLAIN)
    )
    with open_memory(str(root), environment=PLAIN) as memory:
        before = memory.remember("this was there before")
        writer.stdin.write(lines)
        writer.stdin.close()
        time.sleep(0.2)
        done = memory.backup(str(tmp_path / "kept.tar"))
    assert writer.wait(timeout=60) == 0
    there = restore(done.path, str(tmp_path / "there")).root
    with open_memory(there, environment=PLAIN) as restored:
        assert restored.check(deep=True).ok
        assert restored.show(before.id)
    shutil.rmtree(there)
