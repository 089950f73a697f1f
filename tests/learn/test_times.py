"""Times are meant from the moment they are said, where the owner lives."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memoracle.learn.times import resolve

SAID = datetime(2026, 3, 4, 15, 30, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("see you tomorrow", "2026-03-05", "2026-03-05"),
        ("yesterday I moved", "2026-03-03", "2026-03-03"),
        ("the day after tomorrow", "2026-03-06", "2026-03-06"),
        ("by Friday", "2026-03-06", "2026-03-06"),
        ("next Tuesday", "2026-03-10", "2026-03-10"),
        ("last Monday", "2026-03-02", "2026-03-02"),
        ("I met her on Monday", "2026-03-02", "2026-03-02"),
        ("in two weeks", "2026-03-18", "2026-03-18"),
        ("three days ago", "2026-03-01", "2026-03-01"),
        ("two months ago", "2026-01-04", "2026-01-04"),
        ("on May 5", "2026-05-05", "2026-05-05"),
        ("on the 5th of May 2027", "2027-05-05", "2027-05-05"),
        ("on 14 April at dawn", "2026-04-14", "2026-04-14"),
        ("I was there on 1 February", "2026-02-01", "2026-02-01"),
        ("before the 21st, or on the 21st", "2026-03-21", "2026-03-21"),
        ("this past Monday", "2026-03-02", "2026-03-02"),
        ("my trip last September", "2025-09-01", "2025-09-30"),
        ("four years ago", "2022-01-01", "2022-12-31"),
        ("last month", "2026-02-01", "2026-02-28"),
        ("next month", "2026-04-01", "2026-04-30"),
        ("this week", "2026-03-02", "2026-03-08"),
        ("next weekend", "2026-03-14", "2026-03-15"),
        ("in December", "2026-12-01", "2026-12-31"),
        ("next summer", "2026-06-01", "2026-08-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("in 2019", "2019-01-01", "2019-12-31"),
        ("2026-07-01", "2026-07-01", "2026-07-01"),
    ],
)
def test_days(text, first, last):
    """Relative and named days, with the year that is meant."""
    span = resolve(text, SAID, UTC)
    assert (str(span.first.date()), str(span.last.date())) == (first, last)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("tomorrow at 3pm", "2026-03-05 15:00"), ("tomorrow at 06:40", "2026-03-05 06:40"), ("on Friday at noon", "2026-03-06 12:00"),
        ("on Friday at 3", "2026-03-06 15:00"), ("on Friday at 9", "2026-03-06 09:00"), ("at 4pm", "2026-03-04 16:00"),
        ("at 9am", "2026-03-05 09:00"), ("Friday afternoon", "2026-03-06 12:00"),
    ],
)  # fmt: skip
def test_times_of_day(text, clock):
    """A time that has passed today is tomorrow's."""
    assert resolve(text, SAID, UTC).first.strftime("%Y-%m-%d %H:%M") == clock


def test_the_day_begins_where_the_owner_lives():
    """At 23:30 in London it is tomorrow in Shanghai already."""
    said = datetime(2026, 3, 4, 23, 30, tzinfo=UTC)
    span = resolve("tomorrow", said, ZoneInfo("Asia/Shanghai"))
    assert span.first == datetime(2026, 3, 6, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    "text", ["no time at all", "version 3.9", "may I", "on May 35", "99999 days from now", "1/0"]
)
def test_what_is_no_time(text):
    """Numbers, the verb “may” and days that no calendar has."""
    assert resolve(text, SAID, UTC) is None
