"""Whether to ask first, and what."""

import pytest

from memoracle.extensions.seats.manners.intake import assess
from support.work import assert_linear

CLEAR = [
    "Rename `load` to `read_all` in store/notes.py and update its three callers",
    "Add a test for #412 that fails without the fix",
    "把 scan.py 里的 `_since` 改成支持 2w，并补一个测试",
    "Show me the last 20 lines of events.jsonl",
    "将超时从 30 秒改为 60 秒",
]


@pytest.mark.seed("S1.232")
@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ("make it better", "vague"),
        ("optimize the search", "vague"),
        ("优化一下搜索", "vague"),
        ("fix it", "vague"),
        ("处理一下", "vague"),
        ("Maybe cache it in Redis, or something like that, for the login endpoint", "ambiguous"),
        ("登录接口用缓存还是直接查？", "ambiguous"),
        ("Add the discount to the checkout page, the API and the database schema", "cross-layer"),
        ("前端页面和数据库表结构都加上折扣字段", "cross-layer"),
        ("Rewrite the importer from scratch in Rust", "costly"),
        ("把整个系统迁移到新框架", "costly"),
        ("Delete all records older than a year", "irreversible"),
        ("把用户表清空", "irreversible"),
        ("force-push main", "irreversible"),
        ("Help me think this through: which queue do we need?", "think-along"),
        ("帮我想想怎么命名这个模块", "think-along"),
    ],
)
def test_what_must_be_clarified(request_, reason):
    """In both languages, with the reason and a card of two to four options."""
    found = assess(request_)
    assert (found.needed, reason in found.reasons) == (True, True)
    assert 2 <= len(found.card.options) <= 4
    assert [option.id for option in found.card.options] == list("ABCD")[: len(found.card.options)]


@pytest.mark.seed("S1.232")
@pytest.mark.parametrize("request_", CLEAR)
def test_what_is_clear_is_begun(request_):
    """No question for a request that says what, where and how it is seen."""
    assert assess(request_) == assess("Add a test for #412 that fails without the fix")
    assert assess(request_).needed is False


@pytest.mark.seed("S1.232")
@pytest.mark.parametrize(
    "request_",
    ["Rewrite the importer, just do it", "优化一下，别问了，直接做", "clean up the tests, no questions"],
)
def test_told_to_just_do_it(request_):
    """The questions stop; what speaks against it is still named."""
    found = assess(request_)
    assert (found.needed, found.stopped, found.card, bool(found.reasons)) == (False, True, None, True)


@pytest.mark.seed("S1.232")
def test_one_question_per_turn():
    """After one there is no second card in the same turn."""
    assert (assess("make it better", asked=1).needed, assess("make it better", asked=1).card) == (True, None)


@pytest.mark.parametrize("request_", ["hello", "继续", "yes", "B", "谢谢！", "go on"])
def test_answers_and_greetings_are_no_requests(request_):
    """There is nothing to clarify about them."""
    assert assess(request_).needed is False


def test_the_card_speaks_the_requests_language():
    """Unless another one is wanted."""
    assert "怎样" in assess("优化一下搜索的速度").card.question
    assert assess("please improve the search").card.question.startswith("How")
    assert "怎样" in assess("please improve the search", language="zh").card.question


def test_what_cannot_be_taken_back_is_asked_first():
    """However many reasons there are."""
    found = assess("Maybe delete the whole codebase and rewrite it from scratch")
    assert (found.reasons[0], "cannot be taken back" in found.card.question) == ("irreversible", True)


@pytest.mark.parametrize("piece", ["either ", "maybe or ", "a", "还是", "`", "_", "send it to "])
def test_a_long_request_is_read_in_work_that_grows_with_it(piece):
    """Patterns are bounded: fifty thousand letters, and twice as many."""
    assert_linear(assess, lambda size: (piece * size)[:size], 50_000)
