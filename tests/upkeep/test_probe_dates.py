"""One day, however it is written."""

from datetime import date

import pytest

from memoracle.upkeep.probe import dates_in, plain_words, says

FORMS = [
    "2026-05-15",
    "2026/5/15",
    "2026.05.15",
    "May 15, 2026",
    "may 15 2026",
    "May 15th, 2026",
    "15 May 2026",
    "15th of May 2026",
    "2026年5月15日",
    "2026 年 5 月 15 日",
    "2026年05月15号",
    "２０２６年５月１５日",
]


@pytest.mark.seed("F-06")
@pytest.mark.parametrize("written", FORMS)
@pytest.mark.parametrize("expected", FORMS)
def test_a_date_matches_every_other_form(written, expected):
    """Stored one way, expected another."""
    assert says(f"The contract ends on {written}, in Berlin", expected)


@pytest.mark.parametrize(
    "written", ["2026-05-16", "May 16, 2026", "2026年5月16日", "2025-05-15", "15 May", "nothing"]
)
def test_another_day_does_not_match(written):
    """Near is not equal."""
    assert not says(f"The contract ends on {written}", "May 15, 2026")


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("The Cat is called  MISO", "cat is called miso", True),
        ("猫叫Miso", "猫叫miso", True),
        ("合同2026年5月15日到期", "合同2026-05-15到期", True),
        ("the cat", "dog", False),
        ("anything", "   ", False),
    ],
)
def test_case_width_and_spaces_do_not_matter(text, expected, found):
    """Both languages."""
    assert says(text, expected) is found


def test_impossible_dates_stay_words():
    """30 February is no day."""
    assert (plain_words("February 30, 2026"), dates_in("2026-02-30, then 2026年3月1日")) == (
        "february 30, 2026",
        [date(2026, 3, 1)],
    )


@pytest.mark.parametrize(
    "line", ["5" * 1_000_000, "may " * 250_000, "2026年" * 200_000, " " * 1_000_000, "1-" * 500_000]
)
def test_hostile_lines_cost_no_more_than_their_length(line):
    """A megabyte is read in one pass."""
    assert dates_in(line) == []
