"""How moments are written and read."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoracle.errors import InvalidTime
from memoracle.times import read_span, read_time, read_until, system_clock, write_time


def test_now_is_utc():
    """The present moment knows its zone."""
    assert system_clock().utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-05-15", datetime(2026, 5, 15, tzinfo=UTC)),
        ("2026-05-15T09:30:00Z", datetime(2026, 5, 15, 9, 30, tzinfo=UTC)),
        ("2026-05-15T09:30:00", datetime(2026, 5, 15, 9, 30, tzinfo=UTC)),
        (" 2026-05-15 09:30 ", datetime(2026, 5, 15, 9, 30, tzinfo=UTC)),
        ("2026-05-15T09:30:00+08:00", datetime(2026, 5, 15, 1, 30, tzinfo=UTC)),
    ],
)
def test_times_people_write(text, moment):
    """Dates, times, zones; no zone means UTC, a bare date is its first instant."""
    assert read_time(text) == moment


@pytest.mark.seed("F-32")
def test_moments_are_compared_as_instants():
    """23:30 in California is later than midnight of the next day in UTC."""
    assert read_time("2026-04-18T23:30-08:00") > read_time("2026-04-19")


@pytest.mark.parametrize(
    "text",
    ["", "tomorrow", "2026-13-01", "2026-02-30", "15.5.2026", "0001-01-01T00:00:00+14:00", "9" * 40, "\0"],
)
def test_what_is_not_a_time_is_said_so(text):
    """An unreadable time is an error of ours, whatever was written."""
    with pytest.raises(InvalidTime):
        read_time(text)


def test_until_a_day_means_its_last_instant():
    """`--until 2026-05-15` includes that day."""
    assert read_until("2026-05-15") == datetime(2026, 5, 15, 23, 59, 59, 999999, tzinfo=UTC)


def test_until_a_time_means_that_time():
    """`--until` with a clock time is exact."""
    assert read_until("2026-05-15T08:00Z") == datetime(2026, 5, 15, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("90m", timedelta(minutes=90)),
        ("12h", timedelta(hours=12)),
        ("7d", timedelta(days=7)),
        ("2w", timedelta(weeks=2)),
    ],
)
def test_spans_people_write(text, span):
    """Minutes, hours, days and weeks."""
    assert read_span(text) == span


@pytest.mark.parametrize(
    "text", ["", "d", "7", "7y", "-7d", "1.5d", "7 days", "99999999999999999999d", "9999999d"]
)
def test_what_is_not_a_span_is_said_so(text):
    """Other units, signs and lengths beyond the calendar are refused."""
    with pytest.raises(InvalidTime):
        read_span(text)


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_written_moment_is_read_back(moment):
    """Files keep every microsecond, end in Z, and sort as text like the moments themselves."""
    assert read_time(write_time(moment)) == moment


@given(st.datetimes(timezones=st.timezones()), st.datetimes(timezones=st.timezones()))
def test_written_moments_sort_like_moments(one, other):
    """The text of two moments compares as the moments do, whatever their zones."""
    try:
        texts = (write_time(one), write_time(other))
    except OverflowError:
        return  # the zone pushes the moment out of the calendar
    assert (texts[0] < texts[1]) == (read_time(texts[0]) < read_time(texts[1]))


def test_the_hour_that_comes_twice_is_written_twice():
    """Equal to Python, an hour apart in life."""
    first = datetime(2025, 10, 26, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert [write_time(first)[11:13], write_time(first.replace(fold=1))[11:13]] == ["00", "01"]
