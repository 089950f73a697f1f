"""Several statements in one short sentence."""

import json

import pytest

from memoracle.llm.caller import Caller
from memoracle.llm.polish import summarise

SAID = ["the user likes green tea", "the user likes oolong tea", "the user drinks tea every morning"]


def asked(server, model, purse, sentence, said=SAID):
    server.answers = [
        sentence if isinstance(sentence, int) else json.dumps({"items": [sentence]}, ensure_ascii=False)
    ]
    return summarise(said, Caller(model, purse))


@pytest.mark.seed("S2.061")
def test_a_short_sentence_in_their_words_is_taken(model, server, purse):
    """At most fifty characters, nothing added."""
    assert (
        asked(server, model, purse, "The user likes green and oolong tea.")
        == "The user likes green and oolong tea."
    )
    assert asked(server, model, purse, "用户喜欢绿茶", ["我喜欢绿茶", "用户喜欢绿茶和乌龙"]) == "用户喜欢绿茶"


@pytest.mark.seed("S2.061")
@pytest.mark.parametrize(
    "sentence",
    [
        "The user likes coffee.",
        "The user is a tea lover from Japan.",
        "Does the user like tea?",
        "The user likes no tea.",
        "The user likes green tea and oolong tea and drinks tea every morning.",
        "",
        7,
        500,
    ],
)
def test_anything_else_is_not(model, server, purse, sentence):
    """Inference, questions, denials, too long, no sentence at all: the rules' own summary stands."""
    assert asked(server, model, purse, sentence) == ""
