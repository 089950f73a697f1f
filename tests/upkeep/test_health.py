"""`health` as people and scripts meet it: measured from real files, written down, with exits that mean something."""

import json
import os
from datetime import UTC, datetime, timedelta

import pytest

from memoracle.compose import init, open_memory
from memoracle.upkeep.health import wants_reading_back
from support.clock import FrozenClock
from support.files import PLAIN, contents, write
from support.processes import run_here, surroundings

ENV = surroundings(MEMORACLE_RECIPE="quick")


def health(root, *words):
    status, out, _ = run_here("--root", root, "health", *words, env=ENV)
    return status, json.loads(out) if "--json" in words else out


@pytest.fixture
def busy(memory, root):
    """Three records, one of them archived; two notes; a conversation."""
    ids = [memory.remember(f"record number {number}").id for number in range(3)]
    memory.archive(ids[0])
    write(root, "notes/daily/2026-05-15.md", "# today\n")
    write(root, "MEMORY.md", "# Memory\n\nmine\n")
    chat = write(root.parent, "chat.md", "User: I am allergic to peanuts.\n\nAssistant: noted.\n")
    memory.ingest(str(chat), embed=False)
    return memory


@pytest.mark.seed("S0.080", "S0.081", "F-13")
def test_every_number_means_what_it_says(busy, root):
    """Counted by hand, beside the files."""
    busy.health()
    document = json.loads((root / "state/health.json").read_text())
    counted = (document["total_facts"], document["active_facts"], document["archived_facts"])
    assert counted == (3, 2, 1)
    assert (document["daily_files_count"], document["session_files_count"], document["memory_md_lines"]) == (
        1,
        1,
        3,
    )
    assert (document["avg_activation"], document["status"], document["warnings"]) == (1.0, "healthy", [])
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    assert 0.5 < document["disk_usage_bytes"] / size < 2
    assert 0 < document["disk_usage_percent"] <= 100


@pytest.mark.seed("S0.080")
def test_the_average_follows_the_closed_formula(root, clock):
    """After one half-life it is half."""
    with open_memory(
        str(root), environment=PLAIN | {"MEMORACLE_PROFILE": "vm-oracle"}, clock=clock
    ) as memory:
        memory.remember("the cat is called Miso")
        clock.move(days=30)
        assert memory.health().measures.avg_activation == pytest.approx(0.5)


@pytest.mark.seed("S0.082")
def test_the_first_seed_finds_its_file_where_it_expects_it(tmp_path):
    """`health.json` at the top of a directory in that design's layout."""
    place = tmp_path / "data"
    init(str(place), layout="vm-oracle", environment={})
    with open_memory(str(place), environment=PLAIN) as memory:
        memory.health()
    assert json.loads((place / "health.json").read_text())["status"] == "healthy"


@pytest.mark.seed("S3.029", "S0.127", "F-68")
def test_exits(root, memory):
    """0 when all is fine or only untidy, 1 when the memory itself is in danger; `--strict` counts everything."""
    memory.remember("the cat is called Miso")
    fine = health(root)[0]
    write(root, "notes/semantic/garden.md", "no tags\n")
    untidy, strict = health(root)[0], health(root, "--strict")[0]
    with (root / "records/facts.jsonl").open("ab") as file:
        file.write(b"garbage\n")
    broken, document = health(root, "--json")
    assert (fine, untidy, strict, broken, document["status"]) == (0, 0, 1, 1, "critical")


@pytest.mark.seed("S0.127")
def test_the_five_groups_of_a_smoke_test(root):
    """Folders, small files, the disk, writing, and whether it is tended, each with an id of its own."""
    (root / "state/canaries.json").write_text("{not json")
    ids = {row["id"]: row["status"] for row in health(root, "--json")[1]["checks"]}
    assert {name: ids[name] for name in ("folders", "core-files", "disk", "writable", "tended")} == {
        "folders": "pass",
        "core-files": "warning",
        "disk": "pass",
        "writable": "pass",
        "tended": "skipped",
    }


def test_a_memory_that_nobody_tends_any_more_says_so(root, clock):
    """Two days without a call are worth a word; so is a job that fails."""
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        memory.tend(job="health")
        clock.move(days=3)
        found = {check.id: check for check in memory.health().checks}
    assert (found["tended"].grade, "3.0 days ago" in found["tended"].says) == ("warning", True)


def test_a_running_job_is_not_a_failing_one(root, clock):
    """The look that a job takes does not blame that job."""
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        (ran,) = memory.tend(job="health").ran
    assert ran.says == "healthy"


@pytest.mark.seed("F-59")
def test_a_failing_job_is_told(root, clock):
    """With its reason."""
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        write(root, "state/canaries.json", "[5]")
        memory.tend(job="probe")
        found = {check.id: check for check in memory.health().checks}
    assert "the job `probe` fails: canary 1 is not an object" in found["jobs"].says


@pytest.mark.seed("S4.065", "S4.067")
def test_the_costly_look_waits_for_a_reason(busy, root, clock):
    """Once a day, or when the cheap look sees something."""
    store, index = busy.store, busy.index
    first = wants_reading_back(store, index, clock())
    busy.health(read_back=None)
    second = wants_reading_back(store, index, clock.move(hours=6))
    busy.health(read_back=None)
    assert (first, second) == (True, False)
    assert json.loads((root / "state/health.json").read_text())["read_back"] == "2026-05-15T09:30:00.000000Z"
    with (root / "records/facts.jsonl").open("ab") as file:
        file.write(b"garbage\n")
    assert busy.health(read_back=None).status == "critical", "damage that the view met is looked into at once"
    (root / "records/facts.jsonl").write_bytes(
        (root / "records/facts.jsonl").read_bytes().replace(b"garbage\n", b"")
    )
    busy.repair()
    busy.health()
    assert wants_reading_back(store, index, clock.move(hours=21))


def test_a_cheap_look_does_not_overlook_what_the_view_met(busy, root):
    """Damage found while indexing is critical, whether the files are read back or not."""
    with (root / "records/facts.jsonl").open("ab") as file:
        file.write(b"garbage\n")
    assert busy.health(read_back=False).status == "critical"


def test_looking_writes_nothing_but_its_own_file(busy, root):
    """Everything else is as it was, byte for byte."""
    busy.health()
    before = contents(root)
    del before["state/health.json"]
    (root / "state/health.json").unlink()
    busy.health()
    after = contents(root)
    del after["state/health.json"]
    assert after == before


def test_a_memory_that_cannot_be_written_is_still_looked_at(busy, root, monkeypatch):
    """And it says that nothing new can be kept."""
    from memoracle.upkeep import checks as ground

    monkeypatch.setattr(ground.os, "access", lambda *_: False)
    found = {check.id: check.grade for check in busy.health().checks}
    assert found["writable"] == "critical"


@pytest.mark.seed("S3.029")
def test_people_like_to_read_it(root, memory):
    """The verdict first, numbers in words, then only what needs a look, with what helps."""
    memory.remember("猫叫Miso")
    write(root, "notes/semantic/花园.md", "没有标签\n")
    status, out = health(root)
    lines = out.splitlines()
    assert (status, lines[0]) == (0, "warning")
    assert "records     1 active, 0 archived" in lines
    assert any("tags-line" in line and "notes/semantic/花园.md" in line for line in lines)
    assert "          hint: `memoracle health --fix` adds one" in lines
    assert not any(line.startswith("ok ") for line in lines)


@pytest.mark.seed("S3.069")
def test_verbose_shows_what_passed_too(root, memory):
    """Every check, one line each."""
    out = health(root, "--verbose")[1]
    assert (" ok" in out or out.count("\nok ") > 10, "26 of 26 checks passed" in out) == (True, True)


@pytest.mark.seed("S0.084", "F-09")
def test_the_cap_is_taken_from_the_settings(root, clock):
    """Above nineteen twentieths of it the status is critical."""
    with open_memory(str(root), environment=PLAIN | {"MEMORACLE_MAX_ACTIVE": "10"}, clock=clock) as memory:
        for number in range(10):
            memory.remember(f"record {number}")
        found = {check.id: check for check in memory.health().checks}
    assert (found["active-cap"].grade, "10 of 10" in found["active-cap"].says) == ("critical", True)


@pytest.mark.seed("S2.098")
def test_stats_in_the_shape_of_the_second_seed(root, clock):
    """Total, active and archive; kinds with their share; bands of importance; last and next consolidation."""
    with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        for number, importance in enumerate((1.0, 0.9, 0.89, 0.7, 0.69, 0.4, 0.39, 0.0)):
            memory.remember(
                f"record {number}", importance=importance, kind="belief" if number in {6, 7} else "fact"
            )
        gone = memory.remember("gone")
        memory.archive(gone.id)
        found = memory.stats()
    assert (found.total, found.active, found.archive) == (9, 8, 1)
    assert found.by_kind_percent == {"belief": 25.0, "fact": 75.0}
    assert found.by_importance == {"critical": 2, "high": 2, "medium": 2, "low": 2}
    assert (found.last_consolidation, found.next_consolidation) == (None, clock())


@pytest.mark.seed("S2.098")
def test_stats_for_people(root, memory):
    """The first line is that of the seed."""
    memory.remember("the cat is called Miso")
    out = run_here("--root", root, "stats", env=ENV)[1]
    assert out.splitlines()[0] == "total 1 | active 1 | archive 0"
    assert ("fact                    1  100.0%" in out, "consolidated  last never" in out) == (True, True)


@pytest.mark.seed("S2.098")
def test_status_tells_how_it_is_tended(root, clock):
    """The last verdict, and of each job when it last succeeded and when it is due."""
    with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        before = memory.status()
        memory.tend(job="health")
        after = memory.status()
    assert (before.health, after.health) == ("", "healthy")
    assert (before.jobs["health"].last_success, after.jobs["health"].last_success) == (None, clock())
    assert after.jobs["health"].next_due == clock() + timedelta(hours=6)


def test_ten_years_without_anybody_looking(root):
    """A memory that is opened after a long time is told about, and nothing breaks."""
    clock = FrozenClock(datetime(2026, 5, 15, tzinfo=UTC))
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        memory.remember("the cat is called Miso")
        memory.health()
        clock.move(days=3650)
        found = {check.id: check.grade for check in memory.health().checks}
    assert found["activation"] == "warning"


def test_links_are_not_followed(root, memory, tmp_path):
    """A note that is a link is no note."""
    write(tmp_path, "secret.md", "secret\n")
    os.symlink(tmp_path / "secret.md", root / "notes/semantic/link.md")
    found = {check.id: check for check in memory.health().checks}
    assert ("tags-line" in found, found["tags-line"].findings) == (True, ())
