"""The levels at which numbers worry: strict, in two steps, with advice that turns the right way."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from memoracle.upkeep.checks import Grade, overall, passed, skipped, warned
from memoracle.upkeep.report import Health, HealthLimits, HealthMeasures, Probed, document_of, judge

NOW = datetime(2026, 5, 15, 9, 30, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=400)
WELL = {
    "at": NOW,
    "disk_usage_percent": 41.0,
    "active_facts": 2103,
    "archived_facts": 744,
    "avg_activation": 0.5,
    "oldest": LONG_AGO,
    "memory_md_lines": 120,
    "last_consolidation": NOW - timedelta(hours=6),
    "consolidation_duration_seconds": 42.0,
}
PASS, WARNING, CRITICAL = Grade.PASS, Grade.WARNING, Grade.CRITICAL


def checks(**measured):
    return {check.id: check for check in judge(HealthMeasures(**WELL | measured), HealthLimits())}


def probed(passes, total=100):
    return Probed(last_run=NOW, passed=passes, total=total, accuracy_percent=round(100 * passes / total, 1))


@pytest.mark.seed("S0.082")
def test_a_healthy_memory_has_no_warnings():
    """Status healthy, an empty list."""
    health = Health(measures=HealthMeasures(**WELL), checks=tuple(checks().values()))
    assert (health.status, health.warnings) == ("healthy", ())


@pytest.mark.seed(
    "S0.083", "S0.084", "S0.085", "S0.086", "S0.087", "S0.088", "S0.089", "S0.090", "C-04", "F-09"
)
@pytest.mark.parametrize(
    ("check", "field", "grades"),
    [
        ("disk", "disk_usage_percent", {80: PASS, 80.1: WARNING, 90: WARNING, 90.1: CRITICAL}),
        ("active-cap", "active_facts", {9000: PASS, 9001: WARNING, 9500: WARNING, 9501: CRITICAL}),
        ("activation", "avg_activation", {0.2: PASS, 0.199: WARNING, 0.8: PASS, 0.801: WARNING}),
        ("hot-lines", "memory_md_lines", {180: PASS, 181: WARNING, 201: WARNING}),
        (
            "consolidation-time",
            "consolidation_duration_seconds",
            {600: PASS, 600.1: WARNING, 1200: WARNING, 1200.1: CRITICAL},
        ),
        (
            "probe",
            "quality_probe",
            {probed(80): PASS, probed(79): WARNING, probed(70): WARNING, probed(69): CRITICAL},
        ),
        (
            "consolidation-late",
            "last_consolidation",
            {NOW - timedelta(hours=48): PASS, NOW - timedelta(hours=48, seconds=1): WARNING},
        ),
    ],
)
def test_every_comparison_is_strict(check, field, grades):
    """A number at its level is fine; one step beyond is not."""
    assert {value: checks(**{field: value})[check].grade for value in grades} == grades


@pytest.mark.seed("F-09", "S0.084")
def test_archived_records_do_not_count_against_the_cap():
    """The cap is on what is active."""
    assert checks(active_facts=100, archived_facts=50_000)["active-cap"].grade is PASS


@pytest.mark.seed("F-09")
def test_the_cap_is_a_setting():
    """Nine tenths and nineteen twentieths of whatever it is."""
    limits = HealthLimits(max_active=200)
    assert (limits.active_warning, limits.active_critical) == (180, 190)


@pytest.mark.seed("F-05", "S0.085", "S0.086")
@pytest.mark.parametrize(("average", "advice", "wrong"), [(0.1, "raise", "lower"), (0.9, "lower", "raise")])
def test_the_advice_turns_the_right_way(average, advice, wrong):
    """Fading too fast wants a longer half-life, not fading a shorter one."""
    hint = checks(avg_activation=average)["activation"].hint
    assert (advice in hint, wrong in hint, "half" in hint) == (True, False, True)


def test_a_young_memory_is_not_blamed_for_being_fresh():
    """Nothing can have faded before a half-life has passed."""
    assert checks(avg_activation=1.0, oldest=NOW - timedelta(days=10))["activation"].grade is PASS


def test_an_empty_memory_is_healthy():
    """No records, no average, nothing to warn of."""
    found = judge(HealthMeasures(at=NOW), HealthLimits())
    assert (overall(found), [check.id for check in found if not check.ok]) == ("healthy", [])


@pytest.mark.seed("S0.083", "S0.084")
@pytest.mark.parametrize(
    ("measured", "words"),
    [
        ({"disk_usage_percent": 85.0}, "Disk usage high"),
        ({"active_facts": 9100}, "Approaching fact limit"),
        ({"avg_activation": 0.1}, "most facts are decaying"),
        ({"avg_activation": 0.95}, "too little decay"),
        ({"memory_md_lines": 190}, "nears its limit: 190 of 200"),
        ({"consolidation_duration_seconds": 700.0}, "consolidation is slow"),
        ({"failing_jobs": {"digest": "disk full"}}, "the job `digest` fails: disk full"),
    ],
)
def test_warnings_say_what_they_mean(measured, words):
    """The words of the list in `health.json`."""
    health = Health(measures=HealthMeasures(**WELL | measured), checks=tuple(checks(**measured).values()))
    assert [words in warning for warning in health.warnings] == [True]


def test_a_slow_consolidation_names_its_slowest_phase():
    """So that one knows where to look."""
    found = checks(consolidation_duration_seconds=700.0, durations={"collect": 20.0, "extract": 680.0})
    assert "`extract` took 680 s" in found["consolidation-time"].hint


@pytest.mark.parametrize(
    ("grades", "status"),
    [
        ([], "healthy"),
        ([passed("a", ""), skipped("b", "")], "healthy"),
        ([passed("a", ""), warned("b", "")], "warning"),
        ([warned("a", ""), warned("b", "")], "warning"),
    ],
)
def test_the_status_is_that_of_the_worst(grades, status):
    """healthy, warning, critical."""
    assert overall(grades) == status


@pytest.mark.seed("S0.080", "S0.081", "S0.091", "F-13")
def test_the_document_has_every_field():
    """Those of the first seed, then schema, probe, durations, and each check."""
    measures = HealthMeasures(**WELL | {"quality_probe": probed(9, 10), "durations": {"age": 0.5}})
    document = document_of(Health(measures=measures, checks=tuple(judge(measures, HealthLimits()))))
    seed = (
        "timestamp status disk_usage_bytes disk_usage_percent total_facts active_facts archived_facts avg_activation "
        "daily_files_count session_files_count embedding_index_size_bytes memory_md_lines last_consolidation "
        "consolidation_duration_seconds warnings"
    )
    assert set(seed.split()) <= set(document)
    assert (document["total_facts"], document["active_facts"] + document["archived_facts"]) == (2847, 2847)
    assert document["quality_probe"] == {
        "last_run": "2026-05-15T09:30:00.000000Z",
        "passed": 9,
        "total": 10,
        "accuracy_percent": 90.0,
    }
    assert (document["schema"], document["durations"], document["checks"][0]["id"]) == (
        1,
        {"age": 0.5},
        "disk",
    )
    assert json.loads(json.dumps(document)) == document
