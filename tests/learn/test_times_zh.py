"""Chinese times are meant from the moment they are said, where the owner lives."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memoracle.learn.times import resolve

SAID = datetime(2026, 3, 4, 2, 0, tzinfo=UTC)  # a Wednesday, ten in the morning in Shanghai
SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("明天要去医院", "2026-03-05", "2026-03-05"), ("后天", "2026-03-06", "2026-03-06"), ("大后天", "2026-03-07", "2026-03-07"),
        ("昨天买了车", "2026-03-03", "2026-03-03"), ("前天", "2026-03-02", "2026-03-02"), ("上周", "2026-02-23", "2026-03-01"),
        ("下周三", "2026-03-11", "2026-03-11"), ("这周五", "2026-03-06", "2026-03-06"), ("周五交", "2026-03-06", "2026-03-06"),
        ("上周五", "2026-02-27", "2026-02-27"), ("下下周一", "2026-03-16", "2026-03-16"), ("下个月5号", "2026-04-05", "2026-04-05"),
        ("月底前交", "2026-03-31", "2026-03-31"), ("三天后", "2026-03-07", "2026-03-07"), ("两周后", "2026-03-18", "2026-03-18"),
        ("两个月前", "2026-01-04", "2026-01-04"), ("5月20日", "2026-05-20", "2026-05-20"), ("五月二十号", "2026-05-20", "2026-05-20"),
        ("3月1日去了北京", "2026-03-01", "2026-03-01"), ("2027年8月1日", "2027-08-01", "2027-08-01"), ("明年三月", "2027-03-01", "2027-03-31"),
        ("周末", "2026-03-07", "2026-03-08"), ("年底", "2026-12-01", "2026-12-31"), ("20号体检", "2026-03-20", "2026-03-20"),
        ("這個月", "2026-03-01", "2026-03-31"), ("下禮拜二", "2026-03-10", "2026-03-10"), ("後天", "2026-03-06", "2026-03-06"),
        ("十一月底交稿", "2026-11-30", "2026-11-30"), ("3月底", "2026-03-31", "2026-03-31"), ("12月中旬", "2026-12-11", "2026-12-20"),
        ("2028 年底退休", "2028-12-01", "2028-12-31"), ("下下个月底", "2026-05-31", "2026-05-31"), ("2027 年 5 月 1 日", "2027-05-01", "2027-05-01"),
        ("去年", "2025-01-01", "2025-12-31"), ("10天内", "2026-03-04", "2026-03-14"), ("8月", "2026-08-01", "2026-08-31"),
    ],
)  # fmt: skip
def test_days(text, first, last):
    """Relative and named days, in both scripts."""
    span = resolve(text, SAID, SHANGHAI)
    assert (str(span.first.date()), str(span.last.date())) == (first, last)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("明天下午三点开会", "03-05 15:00"), ("后天上午十点半", "03-06 10:30"), ("今晚八点", "03-04 20:00"), ("明早7点", "03-05 07:00"),
        ("周五15:30", "03-06 15:30"), ("中午12点", "03-04 12:00"), ("明天凌晨2点", "03-05 02:00"), ("明天三点一刻", "03-05 15:15"),
        ("下禮拜二下午兩點", "03-10 14:00"),
    ],
)  # fmt: skip
def test_times_of_day(text, clock):
    """Parts of the day decide between its two halves; a bare small hour is the afternoon's."""
    span = resolve(text, SAID, SHANGHAI)
    assert (span.clocked, span.first.strftime("%m-%d %H:%M")) == (True, clock)


@pytest.mark.parametrize(
    "text",
    [
        "每周三开会",
        "我有两点意见",
        "三点建议",
        "一号线很挤",
        "2月30日",
        "没有时间",
        "正月初八上坟",
        "农历九月初九登高",
        "臘月廿三祭灶",
    ],
)
def test_what_is_no_time(text):
    """Habits, counted points, numbered lines, days that no calendar has, and those of the lunar one."""
    assert resolve(text, SAID, SHANGHAI) is None
