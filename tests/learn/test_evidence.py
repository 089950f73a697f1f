"""Same, contained, alike, apart."""

import pytest

from memoracle.learn.evidence import dates, holds, is_same, looks_alike, marks, negations, overlap


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("jazz", "Jazz"),
        ("the cat", "cat"),
        ("cats", "cat"),
        ("a black  cat.", "Black cat"),
        ("ＡＣＭＥ", "acme"),
        ("“爵士”", "爵士"),
        ("berries", "berry"),
        ("boxes", "box"),
    ],
)
def test_the_same_thing(one, other):
    """Case, width, quotes, articles and plain plurals make no difference."""
    assert is_same(one, other)


@pytest.mark.seed("S2.134")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("robot_5", "robot_50"),
        ("v1.2", "v1.20"),
        ("张伟", "张玮"),
        ("James", "Jame"),
        ("C++", "C"),
        (".NET", "NET"),
        ("5 cats", "6 cats"),
        ("bus", "bu"),
        ("glass", "glas"),
        ("1,000", "1.000"),
    ],
)
def test_different_things(one, other):
    """Identifiers, numbers, names and endings that are no plural are compared exactly."""
    assert not is_same(one, other)


@pytest.mark.parametrize(
    ("whole", "part", "answer"),
    [
        ("black coffee", "coffee", True),
        ("coffee", "black coffee", False),
        ("爵士乐", "爵士", True),
        ("robot_50", "robot_5", False),
        ("v1.20", "v1.2", False),
        ("anything", "", True),
    ],
)
def test_holding(whole, part, answer):
    """All terms of the part are in the whole."""
    assert holds(whole, part) is answer


@pytest.mark.seed("S2.133")
def test_likeness_needs_common_words_and_the_same_identifiers():
    """Thirty per cent of the terms; `robot_5` never resembles `robot_50`."""
    assert overlap("hiking in the Alps", "hiking in the Andes") == pytest.approx(1 / 3)
    assert looks_alike("周末去爬山", "周末爬山")
    assert not looks_alike("charge robot_5 daily", "charge robot_50 daily")


def test_marks_negations_and_dates():
    """What keeps two sentences apart whatever else they share."""
    assert marks("v1.2 on port 80") == ("1.2", "80", "v1.2")
    assert (negations("I don't and never will"), negations("我不喜欢")) == (2, 1)
    assert (dates("on Mondays in March"), dates("三月的周一")) == (("march", "mondays"), ("三月", "周一"))


@pytest.mark.parametrize(
    "hostile", ["1,2" * 300_000, "n't" * 300_000, "一" * 900_000, "a" * 900_000, "Monday" * 150_000]
)
def test_a_megabyte_on_one_line_comes_to_an_end(hostile):
    """No pattern tries the same letters again and again: this test would not end."""
    assert (len(marks(hostile)) <= 2, negations(hostile) <= 1, len(dates(hostile)) <= 1) == (True, True, True)
