"""When to flush and when to compact: the golden numbers."""

import pytest

from memoracle.learn.flush import Fired, FlushLimits, check_flush, is_over

USUAL = FlushLimits()


@pytest.mark.seed("S4.015", "S4.018")
def test_the_threshold():
    """200,000 − 20,000 − 4,000."""
    assert USUAL.threshold == 176_000


@pytest.mark.seed("S4.015")
@pytest.mark.parametrize(("tokens", "flush"), [(175_999, False), (176_000, True), (176_001, True)])
def test_it_fires_at_the_threshold(tokens, flush):
    """Not one token earlier."""
    assert check_flush(tokens, USUAL).flush is flush


@pytest.mark.seed("F-52")
@pytest.mark.parametrize("soft", [1_000, 4_000, 8_000])
def test_the_margin_is_a_setting(soft):
    """Whatever it is, the threshold follows."""
    limits = FlushLimits(soft=soft)
    assert check_flush(180_000 - soft, limits).flush
    assert not check_flush(180_000 - soft - 1, limits).flush


@pytest.mark.seed("F-54")
@pytest.mark.parametrize(
    ("reserve", "counts"), [(16_384, 20_000), (20_000, 20_000), (30_000, 30_000), (0, 20_000)]
)
def test_of_two_reserves_the_larger_counts(reserve, counts):
    """The floor, or what the host keeps free when that is more."""
    assert FlushLimits(reserve=reserve).threshold == 196_000 - counts


@pytest.mark.seed("S4.019")
def test_once_per_cycle():
    """The next cycle has its own."""
    last = Fired(cycle=3, tokens=176_000)
    assert [check_flush(190_000, USUAL, cycle=cycle, last=last).flush for cycle in (3, 4)] == [False, True]


@pytest.mark.seed("S4.019")
@pytest.mark.parametrize("window", [24_000, 20_000, 8_000])
def test_a_threshold_of_nothing_turns_it_off(window):
    """Also for a large transcript."""
    answer = check_flush(1_000_000, FlushLimits(window=window), size=10_000_000)
    assert (answer.flush, answer.threshold <= 0) == (False, True)


@pytest.mark.seed("S4.019")
@pytest.mark.parametrize(("size", "flush"), [(1_999_999, False), (2_000_000, True)])
def test_a_large_transcript_forces_it(size, flush):
    """However few tokens are counted."""
    assert check_flush(10, USUAL, size=size).flush is flush


def test_a_large_transcript_forces_it_again_only_when_it_has_grown():
    """It never shrinks, so its size alone says nothing about the cycle."""
    last = Fired(tokens=10, size=2_000_000, by_size=True)
    sizes = (2_000_000, 3_999_999, 4_000_000)
    assert [check_flush(10, USUAL, size=size, last=last).flush for size in sizes] == [False, False, True]
    assert check_flush(176_000, USUAL, size=2_100_000, last=last).flush


def test_fewer_tokens_mean_a_compaction():
    """Fewer than what called for the flush."""
    last = Fired(tokens=176_500)
    assert [is_over(tokens, USUAL, last) for tokens in (176_500, 176_200, 45_000)] == [False, False, True]
