"""The synthetic memory."""

from itertools import islice
from random import Random

from benchmarks.latency import SEED, ask, synthetic_turns


def test_the_same_seed_makes_the_same_memory():
    """Two machines measure the same thing."""
    assert list(synthetic_turns(200, Random(SEED))) == list(synthetic_turns(200, Random(SEED)))


def test_one_session_in_four_is_chinese():
    """Both ways of cutting words and both vector spaces take part."""
    turns = list(synthetic_turns(24 * 8, Random(SEED)))

    assert sum(not turn.text.isascii() for turn in turns) == 24 * 2


def test_questions_use_the_words_of_the_memory():
    """A question nobody could answer would be cheap."""
    said = {
        word for turn in synthetic_turns(5000, Random(SEED)) for word in turn.text.lower().rstrip(".").split()
    }
    questions = [question for question in islice(ask(Random(1)), 50) if question.isascii()]
    wanted = [word for question in questions for word in question.rstrip("?").split()[5:]]

    assert sum(word in said for word in wanted) / len(wanted) > 0.9
