"""Whether words stand in a fragment."""

import pytest

from memoracle.learn.ask_model import is_negated, stands_in


@pytest.mark.parametrize(
    ("words", "said", "does"),
    [
        ("Boston", "I moved to Boston last year", True),
        ("the green teas", "I like Green tea", True),
        ("Hangzhou", "I moved to Boston last year", False),
        ("Boston Massachusetts", "I moved to Boston last year", False),
        ("杭州", "我去年搬到杭州了", True),
        ("州杭", "我去年搬到杭州了", False),
        ("上海", "我去年搬到杭州了", False),
        ("robot_50", "robot_5 is in the hall", False),
        ("ＰＯＳＴＧＲＥＳ", "we kept postgres", True),
    ],
)
def test_words_that_were_said(words, said, does):
    """Case, width and endings do not matter; order of Chinese characters does."""
    assert stands_in(words, said) is does


@pytest.mark.parametrize(
    "text",
    [
        "I don't eat meat",
        "I don’t",
        "never again",
        "I cannot",
        "我不喜欢茶",
        "我对花生不过敏",
        "还没去",
        "别打扰我",
    ],
)
def test_denials(text):
    """In both languages."""
    assert is_negated(text)


@pytest.mark.parametrize(
    "text",
    [
        "I can swim",
        "we won",
        "I like tea",
        "特别喜欢茶",
        "味道不错",
        "他住在无锡",
        "未来的计划",
        "不过我喜欢茶",
        "分别在两地",
    ],
)
def test_words_that_only_look_like_denials(text):
    """Part of another word, or no denial without its ending."""
    assert not is_negated(text)


@pytest.mark.parametrize("part", ["不过", "特别", "no ", "don'", "a-", "无锡"])
def test_a_megabyte_is_read_once(part):
    """Whatever it repeats; a pattern that looked back and forth would not come to an end here."""
    assert stands_in("tea", part * (1_000_000 // len(part))) is False
    assert is_negated(part * (1_000_000 // len(part))) is (part == "no ")
