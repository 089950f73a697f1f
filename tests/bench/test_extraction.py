"""What was taken beside what should have been: the numbers."""

import pytest
from benchmarks.labelled import (
    Predicted,
    document_of,
    false_of,
    judge_turn,
    labelled_of,
    misses_of,
    numbers_of,
)

from memoracle.model.claim import Stance
from memoracle.model.predicates import Family


def a_turn(*facts, text="words", number=1):
    return labelled_of(
        {
            "id": f"en-d-{number:03d}",
            "role": "owner",
            "session": "interactive",
            "who": "",
            "said": "2026-03-04T10:00:00Z",
            "text": text,
            "facts": list(facts),
        }
    )


def fact(family, object_, **more):
    return {"family": family, "object": object_, **more}


def predicted(family, object_="", text="", **more):
    return Predicted(family=Family(family), object=object_, text=text, **more)


def tally(judged):
    return (len(judged.right), len(judged.missed), len(judged.false), len(judged.allowed))


@pytest.mark.parametrize(
    ("wanted", "taken", "expected"),
    [
        pytest.param("peanuts", ("health", "peanut"), (1, 0, 0, 0), id="another-form-of-the-word"),
        pytest.param("peanuts", ("health", "", "I can't have peanuts"), (1, 0, 0, 0), id="in-the-words-only"),
        pytest.param("peanuts", ("dislike", "peanuts"), (0, 1, 1, 0), id="another-family"),
        pytest.param("peanut butter", ("health", "peanuts"), (0, 1, 1, 0), id="half-of-it"),
        pytest.param("花生", ("health", "花生", "我对花生过敏"), (1, 0, 0, 0), id="chinese"),
        pytest.param("花生", ("health", "花和生菜"), (0, 1, 1, 0), id="the-same-letters-apart"),
    ],
)
def test_a_prediction_is_right_by_family_and_telling_terms(wanted, taken, expected):
    """All telling terms have to be there, in the object or in the words."""
    judged = judge_turn(a_turn(fact("health", wanted)), [predicted(*taken)])

    assert tally(judged) == expected


def test_any_of_several_families_counts():
    """Where two families are defensible, both are right."""
    said = a_turn(fact("plan", "Lisbon", families=["plan", "schedule"]))

    assert tally(judge_turn(said, [predicted("schedule", "Lisbon")])) == (1, 0, 0, 0)


def test_a_fact_is_met_once():
    """Saying the same thing twice is one right and one false."""
    twice = [predicted("name", "Tobias"), predicted("name", "Tobias")]

    assert tally(judge_turn(a_turn(fact("name", "Tobias")), twice)) == (1, 0, 1, 0)


def test_predictions_are_shared_out_so_that_most_facts_are_met():
    """One sentence gives both claims; the one that fits only one fact does not lose its place."""
    said = a_turn(fact("relationship", "Leo"), fact("relationship", "Mathilda"))
    both = [
        predicted("relationship", "Leo", "I have two kids, Leo and Mathilda"),
        predicted("relationship", "", "My son is Leo"),
    ]

    assert tally(judge_turn(said, both)) == (2, 0, 0, 0)


def test_the_object_goes_before_the_words():
    """Two claims of one sentence meet the facts they name, so that stances are compared like with like."""
    said = a_turn(fact("work", "Ferngrove", stance="correct"), fact("work", "Google", stance="deny"))
    text = "I left Google for Ferngrove"
    taken = [
        predicted("work", "Google", text, stance=Stance.DENY),
        predicted("work", "Ferngrove", text, stance=Stance.CORRECT),
    ]

    assert numbers_of([judge_turn(said, taken)])["stance_accuracy"] == 1.0


def test_optional_facts_neither_reward_nor_punish():
    """Taken or left, the numbers are the same."""
    said = a_turn(fact("place", "Perth", optional=True))
    kept = numbers_of([judge_turn(said, [predicted("place", "Perth")])])

    assert kept == numbers_of([judge_turn(said, [])])


def test_the_numbers_of_some_turns():
    """Precision, recall and F1 in all and per family; negatives that gave anything are counted."""
    turns = [
        judge_turn(
            a_turn(fact("health", "latex"), fact("place", "Oslo", belief=True)),
            [predicted("health", "latex"), predicted("place", "Oslo"), predicted("name", "Bob")],
        ),
        judge_turn(a_turn(fact("health", "asthma")), []),
        judge_turn(a_turn(), [predicted("name", "Teapot")]),
        judge_turn(a_turn(), []),
    ]

    found = numbers_of(turns)

    assert (found["turns"], found["negatives"], found["noisy_negatives"]) == (4, 2, 1)
    assert (found["precision"], found["recall"], found["f1"]) == (2 / 4, 2 / 3, 4 / 7)
    assert (found["stance_accuracy"], found["belief_accuracy"]) == (1.0, 0.5)
    assert {family: (row["precision"], row["recall"]) for family, row in found["families"].items()} == {
        "name": (0.0, None),
        "health": (1.0, 0.5),
        "place": (1.0, 1.0),
    }


def test_languages_stand_apart_and_together():
    """The document has each language and the sum of both."""
    right = judge_turn(a_turn(fact("name", "Ada")), [predicted("name", "Ada")])
    wrong = judge_turn(a_turn(fact("name", "艾达")), [])

    document = document_of("dev", {"en": [right], "zh": [wrong]})

    assert document["split"] == "dev"
    assert {language: row["recall"] for language, row in document["languages"].items()} == {
        "en": 1.0,
        "zh": 0.0,
    }
    assert document["overall"]["recall"] == 0.5


def test_misses_and_false_ones_can_be_listed():
    """With the turn they belong to and the rule that spoke."""
    said = a_turn(fact("name", "Ada"), text="I'm Ada, a teapot.", number=7)
    judged = [judge_turn(said, [predicted("identity", "teapot", because="en.is")])]

    assert misses_of(judged) == [
        {"turn": "en-d-007", "family": "name", "object": "Ada", "text": "I'm Ada, a teapot."}
    ]
    assert false_of(judged) == [
        {
            "turn": "en-d-007",
            "family": "identity",
            "object": "teapot",
            "because": "en.is",
            "text": "I'm Ada, a teapot.",
        }
    ]
