"""The times a question names, in both languages. It is asked on Friday, 15 May 2026."""

from datetime import date, timedelta

import pytest

from memoracle.recall.question import Window, fits, windows

ASKED = date(2026, 5, 15)


def spans(question, asked=ASKED):
    """The first and last day of every window."""
    return [
        (date.fromordinal(one.first), date.fromordinal(one.last))
        for one in windows(question, asked)
        if one.first
    ]


def day(year, month, number):
    return (date(year, month, number),) * 2


def back(first, last):
    """From so many days ago to so many days ago."""
    return (ASKED - timedelta(days=first), ASKED - timedelta(days=last))


@pytest.mark.parametrize(
    "text",
    [
        "what happened on 2024-03-05?",
        "on 2024/3/5",
        "2024.3.5 发生了什么",
        "2024年3月5日发生了什么",
        "am 5.3.2024",
        "on 5 March 2024",
        "the 5th of March 2024",
        "on March 5, 2024",
        "Mar 5th 2024",
    ],
)
def test_a_day(text):
    """However it is written, and only once."""
    assert spans(text) == [day(2024, 3, 5)]


@pytest.mark.parametrize("text", ["in March 2024", "2024年3月做了什么", "Mar. 2024"])
def test_a_month_of_a_year(text):
    """All of its days."""
    assert spans(text) == [(date(2024, 3, 1), date(2024, 3, 31))]


@pytest.mark.parametrize(
    ("text", "month", "number"),
    [
        ("in July", 7, 0),
        ("in May", 5, 0),
        ("7月做了什么", 7, 0),
        ("July 4", 7, 4),
        ("the 4th of July", 7, 4),
        ("7月4日", 7, 4),
        ("7月4号", 7, 4),
    ],
)
def test_a_time_without_a_year_is_every_years(text, month, number):
    """A month, or a day of it."""
    assert [(one.month, one.day) for one in windows(text, ASKED)] == [(month, number)]


@pytest.mark.parametrize("text", ["what may I eat", "march on", "the second one", "21 cats", "第3个"])
def test_words_that_only_look_like_times(text):
    """Nothing is read into them; a month in small letters is still a month."""
    assert windows(text, ASKED) == (() if "march" not in text else (Window(month=3),))


@pytest.mark.parametrize(
    "text",
    [
        "between 2024-03-01 and 2024-03-10",
        "从2024年3月1日到2024年3月10日",
        "from 1 March 2024 to 10 March 2024",
    ],
)
def test_both_ends_of_a_range(text):
    """Each is a time of its own."""
    assert spans(text) == [day(2024, 3, 1), day(2024, 3, 10)]


def test_a_range_of_months():
    """Two months, both whole."""
    assert spans("from March 2024 to May 2024") == [
        (date(2024, 3, 1), date(2024, 3, 31)),
        (date(2024, 5, 1), date(2024, 5, 31)),
    ]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("today", back(0, 0)),
        ("今天吃了什么", back(0, 0)),
        ("yesterday", back(1, 1)),
        ("昨天吃了什么", back(1, 1)),
        ("前天吃了什么", back(2, 2)),
        ("3 days ago", back(4, 2)),
        ("three days ago", back(4, 2)),
        ("三天前", back(4, 2)),
        ("3天之前", back(4, 2)),
        ("十天前", back(11, 9)),
        ("十二天前", back(13, 11)),
        ("二十天前", back(21, 19)),
        ("二十五天以前", back(26, 24)),
        ("a week ago", back(10, 4)),
        ("two weeks ago", back(17, 11)),
        ("a couple of weeks ago", back(17, 11)),
        ("两周前", back(17, 11)),
        ("两个星期前", back(17, 11)),
        ("2 months ago", back(72, 48)),
        ("两个月前", back(72, 48)),
        ("a year ago", back(485, 245)),
        ("一年前", back(485, 245)),
        ("last week", back(13, 3)),
        ("上周做了什么", back(13, 3)),
        ("上个星期做了什么", back(13, 3)),
        ("last month", back(45, 0)),
        ("上个月", back(45, 0)),
        ("last year", back(730, 180)),
        ("去年", back(730, 180)),
    ],
)
def test_times_counted_back_from_today(text, span):
    """The further back, the wider."""
    assert spans(text) == [span]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("last Tuesday", date(2026, 5, 12)),
        ("last Friday", date(2026, 5, 8)),
        ("this past Thursday", date(2026, 5, 14)),
        ("周二", date(2026, 5, 12)),
        ("这周二", date(2026, 5, 12)),
        ("上周二", date(2026, 5, 5)),
        ("上星期日", date(2026, 5, 10)),
        ("上礼拜天", date(2026, 5, 10)),
        ("上个星期二", date(2026, 5, 5)),
        ("上上周二", date(2026, 4, 28)),
        ("上上个礼拜二", date(2026, 4, 28)),
    ],
)
def test_a_day_of_the_week(text, expected):
    """In English the last one that was; in Chinese the one of the named week, and not the week itself."""
    assert spans(text) == [(expected, expected)]


def test_the_leap_day():
    """Only where there was one."""
    assert (spans("2024-02-29"), windows("2023-02-29", ASKED)) == ([day(2024, 2, 29)], ())


@pytest.mark.parametrize(
    "text",
    [
        "2024-13-45",
        "99.99.2024",
        "2024年13月",
        "31 February 2024",
        "13月",
        "0月5日",
        "0000-01-01",
        f"{'9' * 500} days ago",
        f"{'9' * 5000} days ago",
        f"{'9' * 5000}天前",
        f"{'十' * 5000}天前",
        f"{'九' * 500}年前",
    ],
)
def test_nonsense_is_no_time(text):
    """It is passed over; nothing breaks."""
    assert windows(text, ASKED) == ()


def test_without_a_day_of_asking_nothing_is_counted_back():
    """What the calendar says is still read."""
    assert (windows("yesterday 三天前 last Friday", None), spans("2024-03-05", None)) == (
        (),
        [day(2024, 3, 5)],
    )


def test_no_time_is_no_window():
    """Most questions name none."""
    assert windows("what is the cat called? 猫叫什么？", ASKED) == ()


def test_two_times_are_two_windows():
    """Either may be meant."""
    assert spans("yesterday or on 2024-03-05") == [day(2024, 3, 5), back(1, 1)]


def test_a_day_inside_fits_wholly():
    """Both ends are inside."""
    window = Window(first=100, last=110)
    assert [fits(window, number) for number in (100, 105, 110)] == [1.0, 1.0, 1.0]


def test_a_day_outside_fits_less_the_further_it_is():
    """On both sides alike."""
    window = Window(first=100, last=110)
    assert fits(window, 112) == fits(window, 98)
    assert 1 > fits(window, 111) > fits(window, 115) > fits(window, 140) > 0


def test_every_years_month_fits():
    """Its days do, other months do not."""
    july = Window(month=7)
    found = [
        fits(july, date(year, month, 9).toordinal()) for year, month in ((2020, 7), (2026, 7), (2026, 8))
    ]
    assert found == [1.0, 1.0, 0.0]


def test_every_years_day_fits():
    """The very day best, its neighbours somewhat."""
    (window,) = windows("July 4", ASKED)
    on, beside, far = (
        fits(window, date(2023, month, number).toordinal()) for month, number in ((7, 4), (7, 6), (9, 4))
    )
    assert on == 1.0 > beside > 0.1 > far


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("what changed since 2026-05-01?", date(2026, 5, 1)),
        ("what happened after March 5, 2026", date(2026, 3, 5)),
        ("since March", date(2026, 3, 1)),
        ("since October", date(2025, 10, 1)),
        ("2026年3月以来做了什么", date(2026, 3, 1)),
        ("in the last three weeks", ASKED - timedelta(days=21)),
        ("over the past few days", ASKED - timedelta(days=3)),
        ("最近两周做了什么", ASKED - timedelta(days=14)),
        ("过去10天", ASKED - timedelta(days=10)),
    ],
)
def test_since_a_day_and_the_last_days_reach_up_to_now(text, first):
    """A month without a year is the last there was."""
    assert spans(text) == [(first, ASKED)]


@pytest.mark.parametrize(
    "text", ["before March 5, 2026", "until 5 March 2026", "2026年3月5日之前", "before March 5"]
)
def test_before_a_day_is_all_that_came_before_it(text):
    """The last days before it fit best, what came after it does not."""
    (window,) = windows(text, ASKED)
    edge = date(2026, 3, 5).toordinal()
    assert fits(window, edge - 1) == 1
    assert (
        fits(window, edge - 1) > fits(window, edge - 90) > fits(window, edge - 300) > fits(window, edge + 9)
    )


@pytest.mark.parametrize(
    "text", ["the latest price", "what did we say last time", "最新的价格", "上次说了什么"]
)
def test_the_latest_is_the_newest(text):
    """Newer fits better, as far back as one likes."""
    (window,) = windows(text, ASKED)
    today = ASKED.toordinal()
    assert fits(window, today) > fits(window, today - 30) > fits(window, today - 400) > 0
