"""The law of activation, with the numbers the seeds promised."""

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.model.record import UNIFORM_30, Anchor, Law, activation, reinforce
from support.build import days
from support.clock import START

FLAT = Law(half_life_days=UNIFORM_30, importance_slows=False)
LAW = Law()
FRESH = Anchor(value=1.0, at=START)
MONTH = timedelta(days=30)
shares = st.floats(0, 1)
moments = st.integers(0, 4000).map(lambda hours: START + timedelta(hours=hours))


@pytest.mark.seed("S0.042", "S4.033", "F-51")
@pytest.mark.parametrize(
    ("age", "left"),
    [(0, 1.0), (7, 0.8507), (15, 0.7071), (30, 0.5), (60, 0.25), (82.11, 0.15), (90, 0.125), (129.66, 0.05)],
)
def test_golden_decay_with_a_half_life_of_thirty_days(age, left):
    """Half is left after thirty days, 0.15 after 82, 0.05 after 130."""
    assert activation(FRESH, MONTH, START + days(age)) == pytest.approx(left, abs=5e-5)


@pytest.mark.seed("S0.041", "F-01", "S4.033")
def test_nights_do_not_compound():
    """Multiplying every night would bury a fact in two weeks; the closed formula keeps the promise."""
    compounded = 1.0
    nights = {}
    for night in range(1, 17):
        compounded *= 0.5 ** (night / 30)
        nights[night] = compounded
    assert (round(nights[13], 3), round(nights[16], 3)) == (0.122, 0.043)
    assert activation(FRESH, MONTH, START + days(16)) == pytest.approx(0.5 ** (16 / 30))


@pytest.mark.seed("S2.040", "S2.042", "C-07")
@pytest.mark.parametrize(
    ("kind", "importance", "half_life"),
    [
        ("fact", 0.0, 87),
        ("fact", 0.5, 116),
        ("fact", 1.0, 174),
        ("preference", 0.0, 87),
        ("summary", 0.0, 28),
        ("belief", 0.0, 10),
        ("event", 0.0, 30),
        ("note", 0.0, 30),
        ("decision", 0.0, 87),
    ],
)
def test_half_lives_by_kind_and_importance(kind, importance, half_life):
    """Each kind has its half-life, and importance stretches it up to twofold."""
    assert LAW.half_life(kind, importance) == days(half_life)


@pytest.mark.seed("S2.040", "S2.041", "S2.042")
@pytest.mark.parametrize(
    ("kind", "importance", "kept"),
    [
        ("fact", 1.0, 0.996),
        ("fact", 0.5, 0.994),
        ("fact", 0.0, 0.992),
        ("belief", 0.5, 0.9475),
        ("summary", 0.9, 0.98625),
    ],
)
def test_golden_daily_multipliers(kind, importance, kept):
    """One day costs what the seed's daily rates say, to a fifth of a percent."""
    left = activation(FRESH, LAW.half_life(kind, importance), START + days(1))
    assert left == pytest.approx(kept, abs=2e-3)


@pytest.mark.seed("S2.046")
@pytest.mark.parametrize(
    ("kind", "importance", "start", "steps"),
    [("fact", 1.0, 1.0, 747), ("fact", 0.2, 0.2, 192), ("belief", 0.5, 0.5, 43)],
)
def test_golden_days_until_the_archive(kind, importance, start, steps):
    """The archive threshold is reached when the seed's own numbers reach it, to four percent."""
    half_life = LAW.half_life(kind, importance)
    reached = half_life * math.log2(start / LAW.archive_below)
    assert reached / days(1) == pytest.approx(steps, rel=0.04)
    assert activation(Anchor(value=start, at=START), half_life, START + reached) == pytest.approx(0.05)


@pytest.mark.seed("S0.043")
@pytest.mark.parametrize(("before", "after"), [(0.4, 0.7), (0.8, 1.0), (1.0, 1.0), (0.0, 0.3)])
def test_golden_boost(before, after):
    """Use adds 0.3, never above 1, and the anchor moves to that moment."""
    lifted = reinforce(Anchor(value=before, at=START), MONTH, [START], FLAT)
    assert (lifted.value, lifted.at) == (pytest.approx(after), START)


@pytest.mark.seed("F-02")
def test_a_record_is_lifted_once_a_day():
    """Ten uses within a day are one lift; a use the day after is another."""
    start = Anchor(value=0.1, at=START)
    hourly = [START + timedelta(hours=hour) for hour in range(10)]
    assert reinforce(start, MONTH, hourly, FLAT) == reinforce(start, MONTH, hourly[:1], FLAT)
    assert reinforce(start, MONTH, [START, START + days(1)], FLAT).at == START + days(1)


def test_uses_before_the_anchor_do_not_count():
    """A restored record begins anew: what happened before has been counted already."""
    assert reinforce(FRESH, MONTH, [START - days(3)], FLAT) == FRESH


def test_a_clock_that_lags_does_not_lift():
    """A moment before the anchor counts as the anchor itself."""
    assert activation(Anchor(value=0.6, at=START), MONTH, START - days(30)) == 0.6


@pytest.mark.seed("S0.040")
@given(shares, shares, st.lists(moments, max_size=8), moments)
def test_activation_stays_between_nothing_and_one(value, importance, uses, now):
    """Whatever happens to a record, its activation is a share."""
    half_life = LAW.half_life("fact", importance)
    anchor = reinforce(Anchor(value=value, at=START), half_life, uses, LAW)
    assert 0.0 <= activation(anchor, half_life, now) <= 1.0


@pytest.mark.seed("F-01", "S0.124")
@given(shares, st.lists(moments, max_size=6), moments)
def test_looking_on_the_way_changes_nothing(value, looks, now):
    """However often the activation was computed before, and re-anchored, the number now is the same."""
    direct = activation(Anchor(value=value, at=START), MONTH, now)
    anchor = Anchor(value=value, at=START)
    for look in sorted(look for look in looks if look <= now):
        anchor = Anchor(value=activation(anchor, MONTH, look), at=look)
    assert activation(anchor, MONTH, now) == pytest.approx(direct, abs=1e-9)


@given(shares, st.lists(moments, max_size=8))
def test_replaying_uses_changes_nothing(value, uses):
    """Receipts may be repeated or reordered by a merge without lifting anything twice."""
    start = Anchor(value=value, at=START)
    assert reinforce(start, MONTH, [*reversed(uses), *uses], FLAT) == reinforce(start, MONTH, uses, FLAT)


@given(shares, shares, moments, moments)
def test_time_never_strengthens(value, importance, one, other):
    """Without use, later is never stronger."""
    half_life = LAW.half_life("belief", importance)
    anchor = Anchor(value=value, at=START)
    assert activation(anchor, half_life, max(one, other)) <= activation(anchor, half_life, min(one, other))
