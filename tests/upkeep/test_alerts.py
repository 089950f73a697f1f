"""What is wrong reaches somebody: once, until it changes or is mended, and nothing secret with it."""

import json
import shlex
import sys

import pytest

from memoracle.compose import open_memory
from memoracle.errors import BadInput, BadSetting, WriteFailed
from memoracle.settings import load_settings
from memoracle.store.run_log import ALERTS, critical_now
from memoracle.upkeep import alerts
from support.files import PLAIN, write
from support.processes import run_here, surroundings

TAKES = "import os, sys; open(sys.argv[1], 'a').write(os.environ['MEMORACLE_STATUS'] + '\\n' + sys.stdin.read() + '\\f')"


@pytest.fixture
def mailbox(tmp_path, root):
    """What a command that was named for this memory has been handed, message by message."""
    place = tmp_path / "mail box"

    def messages():
        return place.read_text().split("\f")[:-1] if place.exists() else []

    with open_memory(str(root), environment=PLAIN) as memory:
        memory.store.own_state()
    alerts.set_command(str(root), shlex.join([sys.executable, "-c", TAKES, str(place)]))
    yield messages
    alerts.set_command(str(root), "")


@pytest.fixture
def tended(memory, clock):
    """A memory that keeps three records and was looked after; looks after it again so many hours later."""
    for name in ("Miso", "Rex", "Pip"):
        memory.remember(f"one of the animals is called {name}")
    memory.tend()

    def later(**span):
        clock.move(**span)
        return memory.tend()

    return later


def damage(root):
    """One bit of the second record is another; what was there is returned."""
    place = root / "records/facts.jsonl"
    good = place.read_bytes()
    at = good.index(b"Rex")
    place.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
    return good


def test_damage_is_told_once_then_daily_and_once_when_it_is_mended(tended, root, mailbox):
    """New; nothing for a day; still; mended; nothing."""
    good = damage(root)
    told = [tended(hours=7) for _ in range(5)]
    (root / "records/facts.jsonl").write_bytes(good)
    told += [tended(hours=7) for _ in range(3)]
    words = [one.alert.split("\n")[2].split(" ")[0] if one.alert else "" for one in told]
    assert words == ["new", "", "", "", "still", "mended", "", ""]
    assert [one.ok for one in told] == [False] * 5 + [True] * 3
    assert mailbox() == [
        f"{status}\n{one.alert}\n"
        for status, one in zip(
            ("critical", "critical", "healthy"), (one for one in told if one.alert), strict=True
        )
    ]
    assert told[0].alert.startswith(f"memoracle: critical: {root} on ")
    assert "integrity: records/facts.jsonl#L2" in told[0].alert


def test_what_changes_is_told_again(tended, root):
    """A second file is damaged before the first is mended."""
    damage(root)
    first = tended(hours=7)
    (root / "records/beliefs.jsonl").write_text('{"broken\n')
    second = tended(hours=7)
    assert ("new" in first.alert, "changed" in second.alert) == (True, True)


def test_who_looks_at_the_memory_reads_of_it(tended, root, memory, clock):
    """MEMORY.md, the digest of the day and the review; the first and the last no longer once it is mended."""
    good = damage(root)
    tended(hours=7)
    day = clock.now.date().isoformat()
    hot = (root / "MEMORY.md").read_text()
    memory.tend(job="digest")
    digest = (root / f"notes/daily/{day}.md").read_text()
    review = memory.review().message
    said = f"integrity since {day}"
    assert (said in hot, said in review) == (True, True)
    assert "Memory was damaged or in danger on this day: integrity." in digest
    (root / "records/facts.jsonl").write_bytes(good)
    tended(hours=7)
    assert (critical_now(memory.store), said in (root / "MEMORY.md").read_text()) == ("", False)
    memory.tend(job="digest")
    digest = (root / f"notes/daily/{day}.md").read_text()
    assert ("in danger on this day: integrity." in digest, "Rex" in digest) == (True, True)


def test_a_look_that_reads_nothing_back_mends_nothing(tended, root, memory):
    """Consolidation looks without reading the files: what was critical stays so."""
    damage(root)
    tended(hours=7)
    told = memory.tend(job="consolidate")
    assert (told.alert, told.critical) == ("", ("integrity",))


def test_a_failing_job_is_told_and_then_that_it_runs_again(memory, root, clock, monkeypatch):
    """Once, however often it is tried."""
    from memoracle.upkeep import maintenance

    memory.tend()
    monkeypatch.setattr(maintenance, "digest", lambda _: (_ for _ in ()).throw(WriteFailed("x", "no room")))
    clock.move(hours=15)
    told = [memory.tend()]
    for _ in range(3):
        clock.move(hours=3)
        told.append(memory.tend())
    monkeypatch.undo()
    clock.move(hours=7)
    told.append(memory.tend())
    assert ["job-digest" in one.alert for one in told] == [True, False, False, False, True]
    assert ("no room" in told[0].alert, "mended" in told[-1].alert) == (True, True)


def test_no_secret_leaves_with_a_message(tended, root, mailbox):
    """A folder whose name is a secret, as a finding would tell it."""
    damage(root)
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    health = root / "state/health.json"
    told = tended(hours=7)
    document = json.loads(health.read_text())
    assert "integrity" in told.alert
    (row,) = [one for one in document["checks"] if one["id"] == "integrity"]
    row["message"] = f"the key {secret} stands in it"
    health.write_text(json.dumps(document))
    (root / "state" / ALERTS).unlink()
    with open_memory(str(root), environment=PLAIN) as memory:
        text, _ = alerts.tell(memory.root, {})
    assert (text != "", secret in text, any(secret in one for one in mailbox())) == (True, False, False)


def test_what_was_not_taken_is_told_again(tended, root, tmp_path):
    """A command that fails says so beside what is wrong, until it takes it."""
    damage(root)
    alerts.set_command(str(root), f"{sys.executable} -c 'raise SystemExit(3)'")
    refused = [tended(hours=7).alert for _ in range(2)]
    alerts.set_command(str(root), f"{sys.executable} -c 'pass'")
    taken = [tended(hours=7).alert for _ in range(2)]
    alerts.set_command(str(root), "")
    assert [one.count("the notify command ended with 3") for one in refused] == [1, 1]
    assert ["new" in one for one in taken] == [True, False]


@pytest.mark.parametrize("name", ["notify", "backup_to"])
def test_a_file_of_the_memory_names_no_command_and_no_place(root, name):
    """It may have come with a clone; the hint says what names it."""
    with (root / "memoracle.toml").open("a") as file:
        file.write(f'{name} = "/bin/sh -c evil"\n')
    with pytest.raises(BadSetting, match="may come with a clone"):
        load_settings(str(root), {})


def test_a_clone_brings_no_command_along(root, mailbox, tmp_path):
    """What is named belongs to this person, this machine and this place."""
    import shutil

    shutil.copytree(root, tmp_path / "clone")
    assert alerts.command(str(root), {}) != []
    assert alerts.command(str(tmp_path / "clone"), {}) == []


def test_a_program_that_is_not_there_is_refused(root):
    """Before it is needed; and words that no shell could split."""
    with pytest.raises(BadInput):
        alerts.set_command(str(root), "no-such-program --now")
    with pytest.raises(BadSetting):
        alerts.set_command(str(root), "mail 'it")


def test_no_shell_reads_the_command(root, memory, tmp_path):
    """What stands in it is words."""
    memory.store.own_state()
    alerts.set_command(
        str(root), f"{sys.executable} -c pass ; touch {tmp_path / 'made'} $(touch {tmp_path / 'made'})"
    )
    assert alerts.send(str(root), {}, "hello", "test") == ""
    assert not (tmp_path / "made").exists()


# The command line, as a scheduler calls it


def test_cron_is_told_of_what_is_wrong_and_of_nothing_else(root):
    """Nothing printed while all is well, not even by a run that did something; the message and 1 when it is not."""
    env = surroundings(**PLAIN)
    run_here("--root", root, "remember", "the dog is called Rex", env=env)
    first = run_here("--root", root, "tend", "--heartbeat", env=env)
    damage(root)
    (root / "state/jobs.json").unlink()
    (root / "state/health.json").unlink()
    status, out, err = run_here("--root", root, "tend", "--heartbeat", env=env)
    again = run_here("--root", root, "tend", "--heartbeat", env=env)
    assert first == (0, "", "")
    assert (status, "integrity: records/facts.jsonl#L1" in out, err) == (1, True, "")
    assert again == (0, "", "")


def test_upkeep_that_cannot_begin_is_told_once_a_day(root, mailbox):
    """Settings that make no sense, a disk that is gone: each trigger fails, and one of them speaks."""
    before = (root / "memoracle.toml").read_text()
    write(root, "memoracle.toml", "nonsense = 1\n")
    first, second = (run_here("--root", root, "tend", "--heartbeat") for _ in range(2))
    write(root, "memoracle.toml", before)
    third = run_here("--root", root, "tend", "--heartbeat")
    assert (first[0] != 0, "upkeep did not run" in first[1], second[0] != 0, second[1:]) == (
        True,
        True,
        True,
        ("", ""),
    )
    assert (third[0], "mended    upkeep runs again" in third[1], len(mailbox())) == (0, True, 2)


def test_trying_the_command(root, tmp_path):
    """`notify --test` hands it a message now, and says when it was not taken."""
    place = tmp_path / "taken"
    command = shlex.join([sys.executable, "-c", TAKES, str(place)])
    assert run_here("--root", root, "notify", command)[0] == 0
    assert run_here("--root", root, "notify", "--test")[0] == 0
    assert place.read_text().startswith(f"test\nmemoracle: test: {root} on ")
    assert run_here("--root", root, "notify", f"{sys.executable} -c 'raise SystemExit(1)'", "--test")[0] == 1
    assert run_here("--root", root, "notify", "--off")[0] == 0
    assert run_here("--root", root, "notify", "--test")[0] == 1
