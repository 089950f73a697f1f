"""What speaks for a passage, on a small view whose rows are counted from 1."""

import numpy as np
import pytest

from memoracle.recall import signals
from memoracle.recall.question import Ask, Window
from memoracle.recall.signals import REACH
from support.build import a_passage, days
from support.clock import START
from support.views import a_turn, a_view


def words(number, mark):
    """So many different words."""
    return " ".join(f"{mark}{chr(97 + n // 26)}{chr(97 + n % 26)}zq" for n in range(number))


def looked_at(view, row, ask="alpha beta"):
    """The terms of an ask, the neighbourhood of a row, and the counts in it."""
    arrays = view.ranking()
    passages = arrays.passages()
    terms = signals.read_terms(Ask(text=ask), arrays, passages.count)
    near = signals.neighbourhood(np.array([row]), passages)
    return terms, near, signals.counts_around(terms, near, arrays, len(passages.flags))


# Neighbours


def test_neighbours_stand_beside_the_candidate():
    """Before it to the left, after it to the right, nobody beyond the ends."""
    passages = a_view(*(a_turn(f"turn {n}") for n in range(5))).ranking().passages()
    table = signals.neighbourhood(np.array([2, 5]), passages).table
    assert table[:, REACH - 2 : REACH + 3].tolist() == [[0, 1, 2, 3, 4], [3, 4, 5, 0, 0]]


def test_short_neighbours_belong_to_the_window():
    """Whole, at seven tenths, and less with every step."""
    view = a_view(*(a_turn(words(5, mark), who="") for mark in "abcde"))
    shares, _ = signals.window_shares(
        signals.neighbourhood(np.array([3]), view.ranking().passages()).table, view.ranking().passages()
    )
    assert shares[0, REACH - 2 : REACH + 3].tolist() == pytest.approx([0.595, 0.7, 1, 0.7, 0.595])


def test_of_a_long_neighbour_only_some_words_belong_to_it():
    """Forty words on each side; what is beyond them counts nothing."""
    view = a_view(
        a_turn(words(5, "a"), who=""), a_turn(words(80, "b"), who=""), a_turn(words(5, "c"), who="")
    )
    passages = view.ranking().passages()
    shares, length = signals.window_shares(signals.neighbourhood(np.array([3]), passages).table, passages)
    assert shares[0, REACH - 2 : REACH + 1].tolist() == pytest.approx([0, 0.35, 1])
    assert length[0] == pytest.approx(5 + 0.35 * 80)


def test_a_window_reaches_for_words_beside_it():
    """A turn without a word of the ask is worth something beside one that has it, and nothing far away."""
    view = a_view(a_turn("alpha"), a_turn("other"), *(a_turn(f"filler {n}") for n in range(8)))
    passages = view.ranking().passages()
    found = []
    for row in (1, 2, 10):
        terms, near, counts = looked_at(view, row)
        found.append(float(signals.window(terms, counts, near, passages)[0]))
    assert found[0] > found[1] > found[2] == 0


def test_coverage_counts_neighbours_less():
    """Its own words whole, those beside it three fifths, those two turns earlier three tenths."""
    view = a_view(a_turn("alpha"), a_turn("beta"), a_turn("gamma"))
    terms, _, counts = looked_at(view, 3, "alpha beta gamma")
    own, wide = signals.coverage(terms, counts)
    share = dict(zip(terms.words, terms.worth / terms.whole, strict=True))
    assert own[0] == pytest.approx(share["gamma"])
    assert wide[0] == pytest.approx(share["gamma"] + 0.6 * share["beta"] + 0.3 * share["alpha"])


def test_coverage_looks_ahead_by_one():
    """An answer may stand in the next turn; the one after it no longer counts."""
    view = a_view(a_turn("alpha"), a_turn("beta"), a_turn("gamma"))
    terms, _, counts = looked_at(view, 1, "alpha beta gamma")
    share = dict(zip(terms.words, terms.worth / terms.whole, strict=True))
    assert signals.coverage(terms, counts)[1][0] == pytest.approx(share["alpha"] + 0.6 * share["beta"])


def test_whoever_holds_everything_covers_everything():
    """The whole ask is one."""
    view = a_view(a_turn("alpha beta"), a_turn("other"))
    own, wide = signals.coverage(*looked_at(view, 1)[::2])
    assert (own[0], wide[0]) == (pytest.approx(1), pytest.approx(1))


def test_unknown_words_count_against():
    """Half of the ask is worth half, though the store does not know the other half."""
    view = a_view(a_turn("alpha"), a_turn("other"), a_turn("more"))
    own, _ = signals.coverage(*looked_at(view, 1, "alpha zeppelin")[::2])
    assert 0 < own[0] < 0.6


def test_words_around_an_ask_weigh_no_more_than_the_ask():
    """However many there are."""
    view = a_view(a_turn("alpha beta gamma delta epsilon"), a_turn("other"))
    ask = Ask(text="alpha", around="beta gamma delta epsilon")
    terms = signals.read_terms(ask, view.ranking(), 2)
    worth = dict(zip(terms.words, terms.worth.tolist(), strict=True))
    assert worth.pop("alpha") == pytest.approx(sum(worth.values()))


# Stretches


def test_words_that_stand_together_are_worth_more():
    """Both words in one chunk beat the same words far apart."""
    filler = ". ".join(words(25, mark) for mark in "abc")
    view = a_view(
        a_turn(f"Alpha beta here. {filler}.", who=""), a_turn(f"Alpha here. {filler}. Then beta.", who="")
    )
    arrays = view.ranking()
    terms = signals.read_terms(Ask(text="alpha beta"), arrays, 2)
    tokens = arrays.tokens([1, 2])
    together, apart = signals.best_chunk(terms, [tokens[1], tokens[2]], arrays.passages()).tolist()
    assert together > 1.5 * apart > 0


def test_the_best_chunk_of_nothing_is_nothing():
    """No words asked, no words said, or none in common."""
    view = a_view(a_turn("alpha", who=""), a_turn("???", who=""))
    arrays = view.ranking()
    passages, tokens = arrays.passages(), arrays.tokens([1, 2])
    asks = [signals.read_terms(Ask(text=text), arrays, 2) for text in ("zeppelin", "alpha")]
    said = [tokens[1], tokens[2]]
    found = [signals.best_chunk(terms, said, passages).tolist() for terms in asks]
    assert (found[0], found[1][0] > 0, found[1][1]) == ([0, 0], True, 0)


def test_a_chunk_does_not_depend_on_who_else_is_looked_at():
    """Alone or among others, its worth is the same."""
    view = a_view(*(a_turn(f"alpha {words(n, 'q')}", who="") for n in range(1, 6)))
    arrays = view.ranking()
    terms, tokens = signals.read_terms(Ask(text="alpha"), arrays, 5), arrays.tokens([1, 2, 3, 4, 5])
    every = signals.best_chunk(terms, list(tokens.values()), arrays.passages())
    alone = [signals.best_chunk(terms, [one], arrays.passages())[0] for one in tokens.values()]
    assert every.tolist() == alone


# Days


def test_a_day_that_fits_counts():
    """Wholly inside, less outside, not at all without a day."""
    view = a_view(
        a_turn("inside", session="a"),
        a_turn("outside", session="b", at=START + days(10)),
        a_turn("undated", session="c", at=None),
    )
    today = START.toordinal()
    found = signals.moments([Window(first=today, last=today)], np.array([1, 2, 3]), view.ranking().passages())
    assert (found[0], 0 < found[1] < 0.2, found[2]) == (1.0, True, 0.0)


def test_without_a_time_no_day_counts():
    """A question that names none."""
    view = a_view(a_turn("inside"))
    assert signals.moments([], np.array([1]), view.ranking().passages()).tolist() == [0.0]


# Manner


def manner(view, text, *rows, named=()):
    passages = view.ranking().passages()
    speakers = view.ranking().speakers()
    numbers = [speakers[name] for name in named]
    found = signals.manner(text, numbers, np.array(rows), passages, speakers)
    return {name: values.tolist() for name, values in found.items()}


def test_who_opens_asks_and_answers():
    """The first of a run of talk opens, a question asks, what follows it answers."""
    view = a_view(a_turn("where is it?"), a_turn("in the box"), a_turn("fine"))
    found = manner(view, "box", 1, 2, 3)
    assert (found["opens"], found["asks"], found["follows_question"]) == ([1, 0, 0], [1, 0, 0], [0, 1, 0])


def test_a_record_opens_nothing():
    """Only talk has a beginning."""
    assert manner(a_view(a_passage("alone")), "alone", 1)["opens"] == [0]


def test_without_an_assistant_nobody_is_the_owner():
    """People among themselves are all alike."""
    assert "owner" not in manner(a_view(a_turn("one"), a_turn("two")), "one", 1, 2)


@pytest.mark.parametrize(
    ("asked", "told", "addressed"),
    [("what did you recommend", 1, 0), ("do you know the tea", 0, 1), ("which tea is it", 0, 0)],
)
def test_the_assistant_is_preferred_when_it_is_asked_about(asked, told, addressed):
    """What it said, or merely "you"."""
    view = a_view(a_turn("green tea", who="user"), a_turn("oolong tea", who="assistant", channel="agent"))
    found = manner(view, asked, 1, 2)
    assert (found["owner"], found["agent_asked"], found["agent_addressed"]) == (
        [1, 0],
        [0, told],
        [0, addressed],
    )


def test_named_speakers_and_others():
    """A record is nobody's turn: it is not "other"."""
    view = a_view(a_turn("one", who="Mei"), a_turn("two", who="Bob"), a_passage("three"))
    found = manner(view, "what did Mei say", 1, 2, 3, named=["Mei"])
    assert (found["speaker_named"], found["speaker_other"]) == ([1, 0, 0], [0, 1, 0])


def test_when_everybody_is_named_nobody_is_another():
    """Then the names tell nothing."""
    view = a_view(a_turn("one", who="Mei"), a_turn("two", who="Bob"))
    assert "speaker_other" not in manner(view, "Mei and Bob", 1, 2, named=["Mei", "Bob"])


@pytest.mark.parametrize(
    ("asked", "of_another"),
    [("where do I live", [0, 1, 0]), ("我住哪儿", [0, 1, 0]), ("who lives in Turku", None)],
)
def test_who_asks_of_themselves_means_their_own_words(asked, of_another):
    """Somebody else's home is not the owner's; where nobody is the owner, nobody is another."""
    said = [a_turn("I live in Turku", who=who) for who in ("user", "Bob")]
    agent = a_turn("Turku it is", who="assistant", channel="agent")
    assert manner(a_view(*said, agent), asked, 1, 2, 3).get("of_another") == of_another
    assert "of_another" not in manner(a_view(a_turn("I live in Turku", who="Bob")), asked, 1)


@pytest.mark.parametrize(
    ("asked", "signal", "fits"),
    [
        ("when was it", "time_wanted", "we met last Tuesday"),
        ("什么时候", "time_wanted", "昨天见的"),
        ("how many were there", "number_wanted", "there were seven"),
        ("where was it", "place_wanted", "it was in Hangzhou"),
    ],
)
def test_the_sort_of_thing_that_is_wanted(asked, signal, fits):
    """A time, a number, a name; and only when it is wanted."""
    view = a_view(a_turn(fits), a_turn("nothing of that sort"))
    assert manner(view, asked, 1, 2)[signal] == [1, 0]
    assert signal not in manner(view, "tell me about it", 1, 2)


def test_distinct_numbers_ascend():
    """Each once."""
    assert signals.distinct(np.array([5, 1, 5, 3, 1])).tolist() == [1, 3, 5]
    assert signals.distinct(np.array([], dtype=np.int64)).tolist() == []


def test_repetition_counts_less_and_less():
    """And a long passage needs more of it."""
    counts = np.array([0, 1, 2, 3], dtype=np.float32)
    short = signals.saturated(counts, np.full(4, 0.5, dtype=np.float32))
    long = signals.saturated(counts, np.full(4, 2.0, dtype=np.float32))
    steps = np.diff(short)
    assert short[0] == 0
    assert (steps[:-1] > steps[1:]).all()
    assert (short[1:] > long[1:]).all()


def test_a_rare_term_tells_more():
    """And even one that everybody says tells a little."""
    assert signals.idf(1, 1000) > signals.idf(500, 1000) > signals.idf(1000, 1000) > 0
