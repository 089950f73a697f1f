"""When jobs are due: in the owner's zone, across changed clocks, once however often they were missed."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from memoracle.upkeep.schedule import JOBS, Due, Job, Past, due, next_due, one_due, pause_after, table

BERLIN, NEW_YORK, SHANGHAI = (
    ZoneInfo(name) for name in ("Europe/Berlin", "America/New_York", "Asia/Shanghai")
)
BY_NAME = {job.name: job for job in JOBS}
NIGHTLY = Job(name="nightly", at=time(2, 30))


def at(text, zone=UTC):
    return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


def done(moment, **more):
    return Past(success=moment, start=moment, **more)


def names(jobs, past, now, zone=UTC):
    return [one.job for one in due(jobs, past, now, zone)]


# The table


@pytest.mark.seed("C-08", "S0.100", "S0.102", "S0.103", "S2.065", "S2.068")
def test_the_table():
    """Digest 23:00, backup and consolidation 03:00, review on Monday, probe on Sunday, health every six hours; what is watched hourly."""
    assert {job.name: (job.when, job.gap, job.fallback) for job in JOBS} == {
        "ingest": ("every 1 h", timedelta(0), None),
        "digest": ("every day at 23:00", timedelta(0), None),
        "backup": ("every day at 03:00", timedelta(0), None),
        "consolidate": ("every day at 03:00", timedelta(hours=12), timedelta(hours=48)),
        "review": ("Monday at 09:00", timedelta(0), None),
        "probe": ("Sunday at 03:00", timedelta(0), None),
        "health": ("every 6 h", timedelta(0), None),
    }


@pytest.mark.seed("S0.101")
def test_a_profile_brings_its_own_times():
    """The first seed consolidates at half past midnight; a setting goes before the profile."""
    first = {job.name: job.when for job in table("vm-oracle")}
    moved = {job.name: job.when for job in table("vm-oracle", {"consolidate": time(4, 15)})}
    assert (first["consolidate"], first["digest"], moved["consolidate"]) == (
        "every day at 00:30",
        "every day at 23:00",
        "every day at 04:15",
    )


def test_what_never_ran_is_due():
    """A new memory is looked after at the first trigger, in the order of the table."""
    assert names(JOBS, {}, at("2026-05-15T12:00")) == [
        *("ingest", "digest", "backup", "consolidate", "review", "probe", "health")
    ]


@pytest.mark.parametrize(
    ("job", "last", "not_yet", "now"),
    [
        ("digest", "2026-05-15T23:00:01", "2026-05-16T22:59:59", "2026-05-16T23:00:00"),
        ("consolidate", "2026-05-15T03:00:05", "2026-05-16T02:59:59", "2026-05-16T03:00:00"),
        ("review", "2026-05-11T09:00:01", "2026-05-18T08:59:59", "2026-05-18T09:00:00"),
        ("probe", "2026-05-17T03:00:01", "2026-05-24T02:59:59", "2026-05-24T03:00:00"),
        ("health", "2026-05-15T12:00:00", "2026-05-15T17:59:59", "2026-05-15T18:00:00"),
    ],
)
@pytest.mark.parametrize("zone", [UTC, BERLIN, NEW_YORK, SHANGHAI], ids=str)
def test_each_job_is_due_at_its_moment(job, last, not_yet, now, zone):
    """A second before it is not, and the moment is the owner's."""
    past = {job: done(at(last, zone))}
    jobs = [BY_NAME[job]]
    assert (names(jobs, past, at(not_yet, zone), zone), names(jobs, past, at(now, zone), zone)) == ([], [job])


def test_due_times_are_the_owners():
    """03:00 in Shanghai is 19:00 the day before in Greenwich."""
    found = one_due(NIGHTLY, done(at("2026-05-15T00:00")), at("2026-05-15T01:00"), SHANGHAI)
    assert found.since == at("2026-05-15T18:30")


# Missed runs


@pytest.mark.seed("C-08")
def test_missed_jobs_run_once():
    """A machine that slept for a month runs each job once, and then nothing is due."""
    woke = at("2026-06-15T10:00")
    past = {job.name: done(at("2026-05-14T03:00")) for job in JOBS}
    missed = names(JOBS, past, woke)
    after = {name: done(woke) for name in missed}
    assert (sorted(missed), names(JOBS, after, woke + timedelta(minutes=15))) == (sorted(BY_NAME), [])


def test_a_missed_job_says_since_when():
    """The first moment that was missed, not the last."""
    (found,) = due([NIGHTLY], {"nightly": done(at("2026-05-10T02:31"))}, at("2026-05-15T12:00"), UTC)
    assert found == Due(job="nightly", since=at("2026-05-11T02:30"), because="every day at 02:30")


@pytest.mark.seed("S2.068")
def test_consolidation_by_hand_in_the_evening_stands_for_the_nights():
    """That of the next night is left out; then it is due at its hour, and never in between."""
    past = {"consolidate": done(at("2026-05-14T22:00"))}
    jobs = [BY_NAME["consolidate"]]
    seen = [
        names(jobs, past, at(now)) for now in ("2026-05-15T03:00", "2026-05-16T02:59", "2026-05-16T03:00")
    ]
    assert seen == [[], [], ["consolidate"]]


@pytest.mark.seed("C-08", "S2.065")
@pytest.mark.parametrize("first", [f"2026-05-14T{hour:02}:01" for hour in range(24)])
def test_nights_stay_at_their_hour_whenever_the_first_run_was(first):
    """Of a week with a trigger every quarter of an hour: after the first run, at any hour, only at three in the morning."""
    jobs, past, ran = [BY_NAME["consolidate"]], {"consolidate": done(at(first))}, []
    for quarter in range(1, 7 * 96):
        now = at(first) + timedelta(minutes=15 * quarter)
        if names(jobs, past, now):
            past = {"consolidate": done(now)}
            ran.append(now)
    assert {one.hour for one in ran} == {3}
    assert len(ran) >= 6
    assert ran[0] - at(first) <= timedelta(hours=48)


def test_a_machine_that_sleeps_at_night_is_tended_every_morning():
    """A run at ten in the morning stands for the night before it, not for the one to come."""
    jobs, past, ran = [BY_NAME["consolidate"]], {"consolidate": done(at("2026-05-14T10:00"))}, []
    for day in range(15, 20):
        now = at(f"2026-05-{day}T10:00")
        if names(jobs, past, now):
            past = {"consolidate": done(now)}
            ran.append(day)
    assert ran == [15, 16, 17, 18, 19]


@pytest.mark.seed("S2.066", "S2.112")
def test_the_fallback_says_that_it_is_one():
    """More than 48 hours since the last success; at 48 hours the reason is still the table."""
    jobs, past = [BY_NAME["consolidate"]], {"consolidate": done(at("2026-05-13T03:00"))}
    reasons = [due(jobs, past, at(now), UTC)[0].because for now in ("2026-05-15T03:00", "2026-05-15T03:01")]
    assert reasons == ["every day at 03:00", "more than 48 h since the last success"]


def test_the_fallback_goes_before_a_rare_table():
    """A job of Mondays with a fallback of two days does not wait for Monday."""
    job = Job(name="rare", at=time(9, 0), weekday=0, fallback=timedelta(hours=48))
    past = {"rare": done(at("2026-05-12T09:00"))}
    assert (names([job], past, at("2026-05-14T09:00")), names([job], past, at("2026-05-14T09:01"))) == (
        [],
        ["rare"],
    )


# Clocks that change


def runs_of_a_day(job, zone, first, last, step=timedelta(minutes=10)):
    """The moments at which a trigger every ten minutes would run a job, between two moments."""
    now, past, ran = first, {job.name: done(first - timedelta(hours=3))}, []
    while now <= last:
        if names([job], past, now, zone):
            ran.append(now)
            past[job.name] = done(now)
        now += step
    return ran


def test_an_hour_that_is_left_out_runs_once():
    """02:30 does not exist on the day clocks go forward: the job runs once, as much later as they moved."""
    ran = runs_of_a_day(NIGHTLY, BERLIN, at("2026-03-28T12:00", BERLIN), at("2026-03-30T12:00", BERLIN))
    assert [moment.astimezone(BERLIN).isoformat(timespec="minutes") for moment in ran] == [
        "2026-03-29T03:30+02:00",
        "2026-03-30T02:30+02:00",
    ]


def test_an_hour_that_comes_twice_runs_once():
    """02:30 exists twice on the day clocks go back: the first counts."""
    ran = runs_of_a_day(NIGHTLY, BERLIN, at("2026-10-24T12:00", BERLIN), at("2026-10-26T12:00", BERLIN))
    assert [moment.astimezone(BERLIN).isoformat(timespec="minutes") for moment in ran] == [
        "2026-10-25T02:30+02:00",
        "2026-10-26T02:30+01:00",
    ]


@pytest.mark.parametrize(
    "zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Shanghai", "Africa/Cairo"]
)
def test_a_year_has_as_many_runs_as_days(zone):
    """Whatever the clocks do: one run for each day, one review for each Monday."""
    home = ZoneInfo(zone)
    first, last = at("2026-01-01T12:00", home), at("2026-12-31T12:00", home)
    half_hour = timedelta(minutes=30)
    nights = runs_of_a_day(NIGHTLY, home, first, last, half_hour)
    mondays = runs_of_a_day(BY_NAME["review"], home, first, last, half_hour)
    days = {moment.astimezone(home).date() for moment in nights}
    assert (len(nights), len(days), len(mondays)) == (364, 364, 52)


def test_a_day_that_never_was_runs_nothing_twice():
    """Samoa left out 30 December 2011: that evening's digest and the next evening's are one."""
    samoa = ZoneInfo("Pacific/Apia")
    ran = runs_of_a_day(
        BY_NAME["digest"], samoa, at("2011-12-29T12:00", samoa), at("2012-01-01T12:00", samoa)
    )
    assert [moment.astimezone(samoa).date().isoformat() for moment in ran] == ["2011-12-29", "2011-12-31"]


def test_a_clock_set_back_starts_no_storm():
    """A last run far in the future is not known: the job runs once, and then keeps to its table."""
    now = at("2026-05-15T12:00")
    past = {job.name: done(at("2031-01-01T00:00")) for job in JOBS}
    first = names(JOBS, past, now)
    again = names(JOBS, {name: done(now) for name in first}, now + timedelta(minutes=15))
    assert (len(first), again) == (len(JOBS), [])


def test_a_clock_set_back_a_little_changes_nothing():
    """A few seconds of correction are no reason to run again."""
    now = at("2026-05-15T03:00:30")
    assert names(JOBS, {job.name: done(now + timedelta(seconds=40)) for job in JOBS}, now) == []


def test_a_clock_that_jumps_ahead_runs_each_job_once():
    """Ten years are one miss; back in time the table goes on."""
    past = {job.name: done(at("2026-05-15T12:00")) for job in JOBS}
    later = at("2036-05-15T12:00")
    assert sorted(names(JOBS, past, later)) == sorted(BY_NAME)
    assert names(JOBS, {name: done(later) for name in BY_NAME}, later + timedelta(minutes=1)) == []


@pytest.mark.parametrize("moment", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_moments_at_the_edge_of_the_calendar_are_not_believed(moment):
    """A damaged note counts as no note."""
    past = {"nightly": done(moment)}
    assert names([NIGHTLY], past, at("2026-05-15T12:00"), BERLIN) == ["nightly"]


# Failures


@pytest.mark.seed("S2.071")
def test_a_failed_job_is_tried_again_and_backs_off():
    """A quarter of an hour, then twice as long each time, to six hours."""
    minutes = [pause_after(retries) / timedelta(minutes=1) for retries in (0, 1, 2, 3, 4, 5, 6, 50, 10_000)]
    assert minutes == [0, 15, 30, 60, 120, 240, 360, 360, 360]


def test_a_failed_job_waits_and_is_then_due():
    """It is left alone until its pause is over, and says why it is due."""
    tried = at("2026-05-15T03:00")
    past = {"nightly": Past(success=at("2026-05-13T02:30"), start=tried, retries=2)}
    before, after = (due([NIGHTLY], past, tried + timedelta(minutes=m), UTC) for m in (29, 30))
    assert (before, [one.because for one in after]) == ([], ["it failed 2 times"])


def test_a_failing_job_keeps_no_other_from_running():
    """Each has a past of its own."""
    tried = at("2026-05-15T03:00")
    past = {job.name: done(at("2026-05-13T00:00")) for job in JOBS}
    past["consolidate"] = Past(start=tried, retries=9)
    assert "consolidate" not in names(JOBS, past, tried + timedelta(minutes=5))
    assert "health" in names(JOBS, past, tried + timedelta(minutes=5))


# What comes next


def test_what_is_next_comes_first():
    """Every job with its moment; what is due already is due now."""
    now = at("2026-05-15T12:00")  # a Friday
    past = {job.name: done(at("2026-05-15T09:00")) for job in JOBS} | {"probe": Past()}
    found = next_due(JOBS, past, now, UTC)
    assert [(one.job, one.since.isoformat()[:16]) for one in found] == [
        ("ingest", "2026-05-15T12:00"),
        ("probe", "2026-05-15T12:00"),
        ("health", "2026-05-15T15:00"),
        ("digest", "2026-05-15T23:00"),
        ("backup", "2026-05-16T03:00"),
        ("consolidate", "2026-05-16T03:00"),
        ("review", "2026-05-18T09:00"),
    ]
