"""Upkeep that runs when it is due: once, in one process at a time, whatever one of its jobs does."""

import json
import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memoracle.compose import open_memory
from memoracle.errors import AlreadyRunning, BadInput, WriteFailed
from memoracle.store.disk import DiskVolume
from memoracle.upkeep.maintenance import Tending
from memoracle.upkeep.schedule import JOBS, quiet_until, signature_of
from support.clock import FrozenClock
from support.files import PLAIN, contents
from support.processes import PYTHON, run, start, surroundings

NAMES = [job.name for job in JOBS if job.name not in {"ingest", "backup"}]  # a memory that watches nothing


class Desk:
    """A tending whose jobs write down that they ran."""

    def __init__(self, folder, clock, **acts):
        self.ran = []
        actions = {name: self._noting(name, acts.get(name)) for name in NAMES}
        self.tending = Tending(
            DiskVolume(str(folder.parent)),
            folder.name,
            jobs=JOBS,
            actions=actions,
            clock=clock,
            zone=UTC,
            signature=["same"],
        )

    def _noting(self, name, act):
        def job():
            self.ran.append(name)
            return act() if act else f"{name} is done"

        return job

    def tend(self, only=""):
        self.ran.clear()
        return self.tending.tend(only)


@pytest.fixture
def clock():
    return FrozenClock(datetime(2026, 5, 15, 12, 0, tzinfo=UTC))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state"


def raiser(problem):
    def act():
        raise problem

    return act


def jobs_in(folder):
    return json.loads((folder / "jobs.json").read_text())["jobs"]


def test_what_is_due_runs_in_order_and_once(folder, clock):
    """Everything the first time, nothing a quarter of an hour later."""
    desk = Desk(folder, clock)
    first, ran = desk.tend(), list(desk.ran)
    clock.move(minutes=15)
    second = desk.tend()
    assert (first.status, ran, second.status, desk.ran) == ("done", NAMES, "nothing_due", [])


@pytest.mark.seed("S2.070")
def test_what_ran_is_written_down(folder, clock):
    """Start, success, duration and failures of each job, for whoever comes next."""
    Desk(folder, clock).tend()
    entry = jobs_in(folder)["digest"]
    assert (entry["last_start"], entry["last_success"]) == ("2026-05-15T12:00:00.000000Z",) * 2
    assert (entry["failures"], entry["retry_count"], entry["running"], entry["duration_seconds"] >= 0) == (
        0,
        0,
        False,
        True,
    )


@pytest.mark.seed("C-08")
def test_days_without_a_trigger_are_one_run(folder, clock):
    """Missed jobs run once, from what an earlier process wrote down."""
    Desk(folder, clock).tend()
    clock.move(days=23)
    desk = Desk(folder, clock)
    desk.tend()
    ran = list(desk.ran)
    assert (ran, desk.tend().status) == (NAMES, "nothing_due")


@pytest.mark.seed("S2.071")
@pytest.mark.parametrize("problem", [WriteFailed("x", "disk full"), ValueError("a bug"), ZeroDivisionError()])
def test_a_failing_job_keeps_no_other_from_running(folder, clock, problem):
    """It is reported, counted and tried again later; the others are done."""
    desk = Desk(folder, clock, consolidate=raiser(problem))
    tended = desk.tend()
    outcomes = {one.job: one.outcome for one in tended.ran}
    assert outcomes == dict.fromkeys(NAMES, "done") | {"consolidate": "failed"}
    assert (tended.ok, jobs_in(folder)["consolidate"]["retry_count"]) == (False, 1)


def test_a_failed_job_backs_off_and_recovers(folder, clock):
    """Not at the next trigger, but after its pause; a success clears what was counted against it."""
    broken = Desk(folder, clock, digest=raiser(ValueError("no")))
    broken.tend()
    seen = []
    for _ in range(6):
        clock.move(minutes=10)
        seen.append(broken.tend().status)
    assert seen == ["nothing_due", "done", "nothing_due", "nothing_due", "done", "nothing_due"]
    assert jobs_in(folder)["digest"]["retry_count"] == 3
    clock.move(hours=2)
    mended = Desk(folder, clock)
    mended.tend()
    entry = jobs_in(folder)["digest"]
    assert (mended.ran, entry["retry_count"], entry["failures"], entry["last_error"]) == (
        ["digest"],
        0,
        3,
        "",
    )


@pytest.mark.seed("F-59")
def test_the_reason_of_a_failure_is_kept(folder, clock):
    """For `health`, which tells it."""
    Desk(folder, clock, probe=raiser(WriteFailed("/x", "disk full"))).tend()
    assert jobs_in(folder)["probe"]["last_error"] == "could not write /x: disk full"


def test_a_job_that_somebody_else_runs_is_no_failure(folder, clock):
    """It is due again at the next trigger, without a pause."""
    desk = Desk(folder, clock, consolidate=raiser(AlreadyRunning("consolidate")))
    tended = desk.tend()
    assert (tended.ok, jobs_in(folder)["consolidate"]["failures"]) == (True, 0)
    clock.move(minutes=1)
    desk.tend()
    assert desk.ran == ["consolidate"]


def test_a_killed_job_counts_as_failed(folder, clock):
    """The start was noted before: a job that takes the process down with it does not do so at every trigger."""
    desk = Desk(folder, clock, digest=raiser(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        desk.tend()
    clock.move(minutes=1)
    desk.tend()
    assert ("digest" in desk.ran, "health" in desk.ran) == (False, True)


def test_one_job_by_name_runs_when_it_is_not_due(folder, clock):
    """And no other."""
    desk = Desk(folder, clock)
    desk.tend()
    (ran,) = desk.tend("probe").ran
    assert (desk.ran, ran.because) == (["probe"], "it was asked for")


def test_an_unknown_job_is_refused(folder, clock):
    """With the names of those there are."""
    with pytest.raises(BadInput) as caught:
        Desk(folder, clock).tend("gardening")
    assert "digest, consolidate" in caught.value.hint


def test_a_plan_writes_nothing(folder, clock):
    """What is due and when the rest is."""
    plan = Desk(folder, clock).tending.plan()
    assert ([one.job for one in plan.due], folder.exists()) == (NAMES, False)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\0" * 50, b'{"jobs": 5}', b'{"jobs": {"digest": 5}}']
)
def test_a_damaged_file_is_no_alarm(folder, clock, content):
    """It counts as empty: everything runs once, and the file is whole again."""
    folder.mkdir()
    (folder / "jobs.json").write_bytes(content)
    desk = Desk(folder, clock)
    desk.tend()
    assert (desk.ran, set(jobs_in(folder))) == (NAMES, set(NAMES))


def test_a_clock_set_back_runs_each_job_once(folder, clock):
    """What was done in the future is done again, once."""
    Desk(folder, clock).tend()
    clock.move(days=-400)
    desk = Desk(folder, clock)
    desk.tend()
    ran = list(desk.ran)
    clock.move(minutes=30)
    assert (ran, desk.tend().status) == (NAMES, "nothing_due")


def test_a_success_elsewhere_counts(folder, clock):
    """Who consolidated by hand an hour ago is not followed by the table."""
    ran = []
    tending = Tending(
        DiskVolume(str(folder.parent)),
        folder.name,
        jobs=JOBS,
        actions={"consolidate": lambda: ran.append(1) or "done"},
        clock=clock,
        zone=UTC,
        known=lambda: {"consolidate": clock.ago(hours=1)},
    )
    assert (tending.tend().status, ran) == ("nothing_due", [])


# One process at a time

HOLDER = """
import sys
from datetime import UTC
from memoracle.times import system_clock
from memoracle.upkeep.schedule import JOBS
from memoracle.upkeep.maintenance import Tending
from memoracle.store.disk import DiskVolume

def wait():
    print("running", flush=True)
    sys.stdin.readline()
    return "done"

root, _, folder = sys.argv[1].rpartition("/")
tending = Tending(DiskVolume(root), folder, jobs=JOBS, actions={"health": wait}, clock=system_clock, zone=UTC)
print(tending.tend("health").status, flush=True)
"""


def test_two_processes_never_run_together(folder):
    """The second trigger is answered at once; when the first has died, the next one may run."""
    first = start(HOLDER, folder)
    try:
        assert first.stdout.readline() == "running\n"
        second = start(HOLDER, folder)
        said, _ = second.communicate(timeout=30)
        assert said == "already_running\n"
        first.kill()
        first.wait(timeout=30)
        third = start(HOLDER, folder)
        assert third.stdout.readline() == "running\n"
        said, _ = third.communicate("\n", timeout=30)
        assert said == "done\n"
    finally:
        first.kill()
        first.communicate()


def test_many_triggers_at_once_run_each_job_once(root):
    """Five real processes: each job ran in exactly one of them."""
    words = [PYTHON, "-m", "memoracle", "--root", str(root), "tend", "--job", "health", "--json"]
    env = surroundings(MEMORACLE_RECIPE="quick")
    processes = [
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        for _ in range(5)
    ]
    answers = [json.loads(process.communicate(timeout=120)[0]) for process in processes]
    statuses = [answer["status"] for answer in answers]
    assert set(statuses) <= {"done", "already_running"}
    assert statuses.count("done") >= 1
    assert json.loads((root / "state" / "jobs.json").read_text())["jobs"]["health"]["retry_count"] == 0


# The heartbeat

QUIET = "2026-05-15T12:00:00.000000Z"


@pytest.fixture
def tended(root, clock):
    """A root where nothing is due until six in the evening."""
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        memory.tend(job="health")
    path = root / "state" / "jobs.json"
    document = json.loads(path.read_text())
    document |= {
        "looked": "2026-05-15T12:00:00.000000Z",
        "quiet_until": "2026-05-15T18:00:00.000000Z",
        "seen": signature_of(str(root), {}),
    }
    path.write_text(json.dumps(document))
    return root


@pytest.mark.seed("S4.065")
@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-05-15T12:00:00.000001Z", "2026-05-15T18:00:00.000000Z"),
        ("2026-05-15T17:59:59.999999Z", "2026-05-15T18:00:00.000000Z"),
        ("2026-05-15T18:00:00.000000Z", ""),
        ("2026-05-15T11:59:59.000000Z", ""),
        ("2026-06-15T12:00:00.000000Z", ""),
    ],
)
def test_a_heartbeat_answers_from_one_file(tended, now, until):
    """Between the last look and the next job nothing is due; before and after, `tend` looks properly."""
    assert quiet_until(str(tended), {}, now) == until


@pytest.mark.parametrize("variable", ["TZ", "MEMORACLE_TIMEZONE", "MEMORACLE_PROFILE"])
def test_a_heartbeat_notices_another_zone(tended, variable):
    """The table may have moved."""
    assert quiet_until(str(tended), {variable: "Asia/Shanghai"}, "2026-05-15T13:00:00.000000Z") == ""


def test_a_heartbeat_notices_other_settings(tended):
    """So may it have when the settings were edited."""
    with (tended / "memoracle.toml").open("a") as file:
        file.write('consolidate_at = "12:30"\n')
    assert quiet_until(str(tended), {}, "2026-05-15T13:00:00.000000Z") == ""


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"looked": 1}', b'{"jobs": {}}'])
def test_a_heartbeat_believes_nothing_damaged(tended, content):
    """Then `tend` looks properly."""
    (tended / "state" / "jobs.json").write_bytes(content)
    assert quiet_until(str(tended), {}, "2026-05-15T13:00:00.000000Z") == ""


@pytest.mark.seed("S4.065", "S4.067")
def test_a_quiet_heartbeat_loads_next_to_nothing(root):
    """Neither numpy nor SQLite, no parser, no memory; and it changes nothing and says nothing."""
    env = surroundings(MEMORACLE_RECIPE="quick")
    assert run("--root", root, "tend", "--job", "health", env=env)[0] == 0
    path = root / "state" / "jobs.json"
    document = json.loads(path.read_text())
    document["quiet_until"] = "2999-01-01T00:00:00.000000Z"
    path.write_text(json.dumps(document))
    before = contents(root)
    done = subprocess.run(
        [PYTHON, "-X", "importtime", "-m", "memoracle", "--root", str(root), "tend", "--heartbeat"],
        capture_output=True,
        text=True,
        check=False,
        env=env,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    heavy = {
        "numpy",
        "sqlite3",
        "argparse",
        "zoneinfo",
        "memoracle.memory",
        "memoracle.store.store",
        "memoracle.upkeep.maintenance",
    }
    assert (done.returncode, done.stdout, loaded & heavy, contents(root)) == (0, "", set(), before)


# The memory's own jobs


def test_a_memory_tends_itself(root, clock):
    """Every job of the table is a verb of the memory, and after a round nothing is due."""
    with open_memory(str(root), environment=PLAIN | {"TZ": "UTC"}, clock=clock) as memory:
        memory.remember("the cat is called Miso")
        tended = memory.tend()
        assert {one.job: one.outcome for one in tended.ran} == {one.job: "done" for one in tended.ran}
        assert {"consolidate", "probe", "health"} <= {one.job for one in tended.ran}
        clock.move(minutes=15)
        assert memory.tend().status == "nothing_due"


@pytest.mark.seed("S0.124")
def test_a_second_round_changes_nothing_of_the_truth(root, clock):
    """Running every job again leaves records and notes as they were; the audit trail alone says that it was done."""
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        memory.remember("the cat is called Miso")
        memory.tend()
        before = contents(root, skip=("index", "state", "events.jsonl"))
        for one in memory.tend(dry_run=True).next:
            memory.tend(job=one.job)
        assert contents(root, skip=("index", "state", "events.jsonl")) == before


def test_the_owners_zone_decides(root, clock):
    """What is due is due where the owner lives, and is shown on the owner's clock."""
    env = PLAIN | {"MEMORACLE_TIMEZONE": "Asia/Shanghai"}
    with open_memory(str(root), environment=env, clock=clock) as memory:
        memory.tend(job="consolidate")
        (coming,) = [one for one in memory.tend(dry_run=True).next if one.job == "consolidate"]
    assert (
        coming.since.isoformat() == "2026-05-17T03:00:00+08:00"
    )  # the next 03:00 is less than 12 hours away


@pytest.mark.seed("S0.101")
def test_the_settings_move_the_table(root, clock):
    """A time of day of one's own; nonsense is refused where it stands."""
    from memoracle.errors import BadSetting
    from memoracle.settings import load_settings
    from memoracle.upkeep.maintenance import jobs_of

    env = {"MEMORACLE_CONSOLIDATE_AT": "04:30", "MEMORACLE_DIGEST_AT": "21:15"}
    found = {job.name: job.when for job in jobs_of(load_settings(str(root), env).settings)}
    assert (found["consolidate"], found["digest"]) == ("every day at 04:30", "every day at 21:15")
    with pytest.raises(BadSetting):
        load_settings(str(root), {"MEMORACLE_DIGEST_AT": "25:00"})


def test_a_read_only_root_says_so(root, clock):
    """Tending needs to write; whoever cannot is told, and nothing runs."""
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    (root / "state").chmod(0o500)
    try:
        assert run("--root", root, "tend")[0] == 1
    finally:
        (root / "state").chmod(0o700)


def test_the_next_moment_is_after_now(root, clock):
    """`status` and `stats` tell when the next consolidation is."""
    with open_memory(str(root), environment=PLAIN, clock=clock) as memory:
        assert memory.stats().last_consolidation is None
        memory.tend(job="consolidate")
        found, state = memory.stats(), memory.status()
    assert found.last_consolidation == clock()
    assert found.next_consolidation - clock() >= timedelta(hours=15)
    assert state.jobs["consolidate"].next_due == found.next_consolidation


def test_damaged_weights_are_told(root, clock, tmp_path, monkeypatch):
    """One byte that is not the shipped one is a warning of `check`, where the bundled model is used at all."""
    from memoracle.inference import bundled

    copy = Path(shutil.copytree(bundled.WEIGHTS, tmp_path / "weights"))
    content = bytearray((copy / "tag.safetensors").read_bytes())
    content[-1] ^= 1
    (copy / "tag.safetensors").write_bytes(content)
    real = bundled.verify
    with open_memory(str(root), environment={}, clock=clock) as memory:
        assert "damaged-weights" not in [one.code for one in memory.check().findings]
        monkeypatch.setattr(bundled, "verify", lambda: real(str(copy)))
        found = memory.check()
    (told,) = (one for one in found.findings if one.code == "damaged-weights")
    assert ("SHA-256" in told.message, found.ok) == (True, True)
    with open_memory(
        str(root),
        environment=dict.fromkeys(("MEMORACLE_EMBEDDER", "MEMORACLE_RERANKER", "MEMORACLE_TAGGER"), "none"),
        clock=clock,
    ) as memory:
        assert "damaged-weights" not in [one.code for one in memory.check().findings]
