"""Relative days are told as dates, beside the words they were said in; a plan whose day has passed is no open item."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from memoracle.interfaces.cli import main
from memoracle.learn.times import dated
from support.files import write

FRIDAY = datetime(2026, 3, 13, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My exam is next Friday.", "My exam is next Friday [2026-03-20]."),
        ("Dentist tomorrow at 3pm", "Dentist tomorrow [2026-03-14] at 3pm"),
        ("I moved here last year", "I moved here last year [2025]"),
        ("in two weeks we launch", "in two weeks [2026-03-27] we launch"),
        ("the report is due by Monday", "the report is due by Monday [2026-03-16]"),
        ("this weekend or next month", "this weekend [2026-03-14 to 2026-03-15] or next month [2026-04]"),
        ("下周五考试", "下周五[2026-03-20]考试"),
        ("下週五考試", "下週五[2026-03-20]考試"),
        ("明天去上海，下个月回来", "明天[2026-03-14]去上海，下个月[2026-04]回来"),
        ("周三下午三点开会", "周三[2026-03-18]下午三点开会"),
        ("去年搬到杭州", "去年[2025]搬到杭州"),
        ("下下个月底交稿", "下下个月底[2026-05-31]交稿"),
        ("下周二到周五出差", "下周二[2026-03-17]到周五出差"),
        ("I got it for my 30th yesterday", "I got it for my 30th yesterday [2026-03-12]"),
        ("明年底退休", "明年底[2027-12]退休"),
        (
            "Dentist on Monday, mum arrives on Tuesday",
            "Dentist on Monday [2026-03-16], mum arrives on Tuesday [2026-03-17]",
        ),
        (
            "I run every day. The visa is due by Monday",
            "I run every day. The visa is due by Monday [2026-03-16]",
        ),
        ("see you next Friday the 20th", "see you next Friday [2026-03-20] the 20th"),
    ],
)
def test_a_relative_day_gets_its_date(said, told):
    """In both languages, whole weeks, months and years too."""
    assert dated(said, FRIDAY, UTC) == told


@pytest.mark.parametrize(
    "said",
    [
        "We deploy every Friday.",
        "Deploys always run on Thursday.",
        "I swim in the summer.",
        "My birthday is on May 5.",
        "I was born in 1984.",
        "We meet on 2026-04-01.",
        "The last week of May was fun.",
        "The back door is open.",
        "每周五开会",
        "我周三健身",
        "以前我住北京",
        "天下无双",
        "四月底答辩",
        "去武汉是十一月底的事",
        "2029 年底还清",
        "正月初八回老家",
        "農曆三月初五",
        "下周二28號交表",
        "9号，明天，要体检",
        "材料6日前交",
        "见面是几天前的事",
        "每个月底盘点",
        "工资月底发",
        "周一下午两点、周三下午两点都要值日",
        "星期一三五晚上七点练琴",
        "周五晚上有课",
        "See you by Friday the 27th.",
        "I moved in a couple of weeks ago.",
        "I have not had one in a year.",
        "The play is on Monday, April 6.",
        "I coach on Monday and Wednesday.",
        "Office days: on Tues/Thurs, else remote",
        "Bins go out on Sunday nights.",
        "My shift is on Saturday.",
        "Payday is at the end of the month.",
        "We meet on the third Monday of the month.",
    ],
)
def test_what_is_no_relative_day_is_left_alone(said):
    """What recurs, what is a date already or another calendar's, what is vague or told otherwise, and look-alikes."""
    assert dated(said, FRIDAY, UTC) == said


@pytest.fixture
def heard(cli, tmp_path):
    """Has memory hear these sentences, each said so many days ago, and understand them."""

    def hear(*said, days=0):
        at = datetime.now(UTC) - timedelta(days=days, minutes=30)
        lines = [{"role": "user", "content": one, "timestamp": at.isoformat()} for one in said]
        path = write(tmp_path, f"chat-{days}.jsonl", "\n".join(map(json.dumps, lines)))
        assert cli("ingest", path).status == cli("consolidate").status == 0
        return at

    return hear


def test_the_hot_file_and_the_context_say_which_day(cli, root, heard):
    """From a conversation to what an agent reads."""
    today = heard("My exam is next Friday.", "明天我要去上海出差。").date()
    friday = today + timedelta(days=7 - today.weekday() + 4)
    for shown in ((root / "MEMORY.md").read_text("utf-8"), cli("context").out, cli("snapshot").out):
        assert f"My exam is next Friday [{friday}]." in shown
        assert f"明天[{today + timedelta(days=1)}]我要去上海出差。" in shown


def test_a_turn_that_is_told_says_which_day(cli, heard):
    """It was said a month ago, and so was its tomorrow."""
    said = heard("The plumber comes tomorrow to look at the boiler.", days=30).date()
    assert f"tomorrow [{said + timedelta(days=1)}] to look" in cli("context", "plumber boiler").out


def test_a_plan_whose_day_has_passed_is_not_open(root, capsys):
    """It is still found by whoever asks."""
    long_ago = (datetime.now(UTC) - timedelta(days=40)).isoformat()
    for text in ("Book the hotel next Friday", "Water the plants every Friday", "Learn to sail"):
        kept = ["remember", text, "--kind", "task", "--observed", long_ago]
        assert main(["--root", str(root), *kept]) == 0
    capsys.readouterr()
    main(["--root", str(root), "context"])
    shown = capsys.readouterr().out
    assert "Book the hotel" not in shown
    assert "Water the plants every Friday" in shown
    assert "Learn to sail" in shown
    main(["--root", str(root), "recall", "book the hotel"])
    assert "Book the hotel next Friday" in capsys.readouterr().out
