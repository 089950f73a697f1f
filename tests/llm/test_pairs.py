"""Do two statements say the same, or contradict each other."""

import json

import pytest

from memoracle.llm.caller import Caller
from memoracle.llm.pairs import Relation, is_in_two_minds, judge_pairs

PAIRS = [
    ("user lives in Boston", "user moved to Hangzhou"),
    ("我喜欢茶", "我爱喝茶"),
    ("robot_5 is here", "robot_50 is here"),
]


@pytest.mark.seed("S2.060")
@pytest.mark.parametrize(
    ("sure", "may"), [(0.39, False), (0.4, True), (0.5, True), (0.6, True), (0.61, False), (0.85, False)]
)
def test_a_model_is_asked_only_when_memory_is_in_two_minds(sure, may):
    """Confidence from 0.4 to 0.6."""
    assert is_in_two_minds(sure) is may


def test_three_pairs_are_one_question(model, server, purse):
    """Each gets its own answer, whatever their order."""
    said = [{"id": 3, "is": "unrelated"}, {"id": 1, "is": "contradicts"}, {"id": 2, "is": "same"}]
    server.answers = [json.dumps({"items": said})]
    found = judge_pairs(PAIRS, Caller(model, purse))
    assert (found, len(server.asked)) == ([Relation.CONTRADICTS, Relation.SAME, Relation.UNRELATED], 1)


@pytest.mark.parametrize(
    "answer",
    [
        500,
        "same, I think",
        '{"items":[{"id":1,"is":"maybe"}]}',
        '{"items":[{"id":9,"is":"same"}]}',
        '{"items":[{"id":true,"is":"same"}]}',
        '{"items":[{"id":1,"is":"same"},{"id":1,"is":"contradicts"}]}',
        '{"items":[{"id":1,"is":["same"]},[],1]}',
    ],
)
def test_no_usable_answer_is_no_answer(model, server, purse, answer):
    """Rules then go on as if nobody had been asked."""
    server.answers = [answer]
    assert judge_pairs(PAIRS[:1], Caller(model, purse)) == [None]


def test_without_a_model_there_is_no_answer(purse):
    """And no call."""
    assert judge_pairs(PAIRS, Caller(None, purse)) == [None, None, None]
