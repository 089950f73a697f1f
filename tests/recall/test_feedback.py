"""What the best passages lend to the others."""

import numpy as np
import pytest

from memoracle.recall import signals
from memoracle.recall.question import Ask
from memoracle.recall.rank import pseudo_relevance_feedback
from support.views import a_turn, a_view, rows_of

BEST = "quokka saffron lantern"
TWIN = "lantern quokka saffron"
FAR = "saffron lantern kettle"
STRANGERS = [f"stranger number{n} wanders" for n in range(40)]


def lent(*texts, scores, ask="quokka"):
    """The two signals of these passages; the others are in the store, but no candidates."""
    every = dict.fromkeys([*texts, *STRANGERS])
    view = a_view(*(a_turn(text, who="", session=str(n)) for n, text in enumerate(every)))
    arrays = view.ranking()
    passages = arrays.passages()
    rows = np.array([rows_of(view)[text] for text in texts])
    terms = signals.read_terms(Ask(text=ask), arrays, passages.count)
    found = pseudo_relevance_feedback(terms, np.array(scores, dtype=np.float32), rows, arrays, passages)
    return found["feedback"], found["feedback_own"]


def test_who_says_the_same_is_lifted():
    """A passage that shares other words with the best one gains; a stranger gains nothing."""
    others, own = lent(BEST, FAR, STRANGERS[0], scores=[9, 0, -9])
    assert others[1] > 0.5 > others[2] == 0
    assert own[1] < 0.1


def test_a_passage_never_lifts_itself():
    """Its own words come back as `feedback_own`; what is left is what the others lend."""
    others, own = lent(BEST, FAR, STRANGERS[0], scores=[9, 0, -9])
    assert others[0] < 0.05 < own[0]


def test_own_and_lent_are_what_a_twin_would_get():
    """A passage with the same words that is not among the best gets the sum of both."""
    texts = (BEST, FAR, STRANGERS[0], TWIN)
    others, own = lent(*texts, scores=[9, 8, 7, -9])
    assert others[3] == pytest.approx(others[0] + own[0], rel=1e-5)
    assert own[3] == 0


def test_the_words_of_the_question_are_not_lent():
    """They have been counted already."""
    others, own = lent("quokka", "quokka house", STRANGERS[0], scores=[9, 8, -9])
    assert (others.tolist(), own.tolist()) == ([0, 0, 0], [0, 0, 0])


def test_words_of_one_passage_alone_lift_nobody():
    """A term must stand in at least two."""
    others, own = lent("quokka saffron", STRANGERS[0], STRANGERS[1], scores=[9, 0, -9])
    assert (others[0], own[0]) == (0, 0)


def test_nothing_found_lends_nothing():
    """No candidates, no signals."""
    others, own = lent(scores=[])
    assert (len(others), len(own)) == (0, 0)
