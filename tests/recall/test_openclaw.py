"""The published hybrid formula, with the numbers it should have had."""

import pytest

from memoracle.extensions.layouts.hybrid import POOL, decay, diversify, hybrid, word_score


@pytest.mark.seed("S4.029", "S4.035")
@pytest.mark.parametrize(
    ("vector", "words", "score"),
    [
        (0.8, 0.5, 0.71),
        (None, 0.5, 0.5),
        (0.8, None, 0.8),
        (0.0, 1.0, 0.3),
        (1.0, 1.0, 1.0),
        (None, None, 0.0),
    ],
)
def test_golden_mix(vector, words, score):
    """0.7 vector and 0.3 words; with one side missing the other counts whole."""
    assert hybrid(vector, words) == pytest.approx(score)


@pytest.mark.seed("S4.028", "F-50")
@pytest.mark.parametrize(("rank", "score"), [(-3, 0.75), (-1, 0.5), (0, 0.0), (2, 0.0)])
def test_golden_word_scores(rank, score):
    """r/(1+r): a better rank is a higher score."""
    assert word_score(rank) == pytest.approx(score)


@pytest.mark.seed("S4.033", "F-51")
@pytest.mark.parametrize(("days", "left"), [(0, 1.0), (7, 0.8507), (30, 0.5), (90, 0.125), (-5, 1.0)])
def test_golden_decay(days, left):
    """Half is left after thirty days; the future counts as today."""
    assert decay(1.0, days) == pytest.approx(left, abs=5e-5)


@pytest.mark.seed("S4.030")
def test_the_pool_is_four_times_the_results():
    """On each side."""
    assert POOL == 4


ALIKE = [(1.0, frozenset("abc")), (0.9, frozenset("abc")), (0.5, frozenset("xyz"))]


@pytest.mark.seed("S4.032", "F-56")
@pytest.mark.parametrize(("diversity", "order"), [(1.0, [0, 1, 2]), (0.0, [0, 2, 1]), (0.5, [0, 2, 1])])
def test_diversity(diversity, order):
    """1.0 is relevance alone, 0.0 is difference alone; a twin of the best has to wait."""
    assert diversify(ALIKE, 3, diversity) == order


def test_equal_relevance_keeps_the_order():
    """Ties are stable."""
    assert diversify([(0.5, frozenset("a")), (0.5, frozenset("b"))], 2) == [0, 1]


def test_nothing_to_choose_from():
    """An empty list stays empty."""
    assert diversify([], 5) == []


@pytest.mark.seed("S4.034", "F-55")
def test_only_dated_notes_grow_old(memory, root, clock):
    """An undated note and a record keep their score; a dated one loses half in thirty days."""
    from support.files import write

    write(root, "notes/daily/2026-04-15.md", "# Day\n\nquokka in the old garden\n")
    write(root, "notes/semantic/zoo.md", "# Zoo\n#tags: zoo\n\nquokka in the new garden\n")
    found = memory.search("quokka garden", recipe="openclaw")
    legs = {hit.passage.path: hit.legs["hybrid"] for hit in (*found.hits, *found.near)}
    assert legs["notes/daily/2026-04-15.md"] / legs["notes/semantic/zoo.md"] == pytest.approx(0.5, rel=0.15)
