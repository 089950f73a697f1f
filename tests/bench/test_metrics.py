"""The metrics, on values worked out by hand."""

import math

import pytest
from benchmarks.scores import (
    all_at,
    auroc,
    flatten,
    hit_at,
    mean_of,
    ndcg_at,
    percentile,
    recall_at,
    reciprocal_rank,
)


def test_recall_is_the_share_of_gold_in_the_first_places():
    """Two of three gold turns stand in the first four places, one in the first."""
    places = ["a", "x", "b", "y", "c"]

    assert [recall_at(places, ["a", "b", "c"], k) for k in (1, 4, 5)] == [1 / 3, 2 / 3, 1.0]


def test_all_wants_every_gold_turn():
    """One missing turn is a miss."""
    assert [all_at(["a", "b"], gold, 2) for gold in (["a"], ["b", "a"], ["a", "c"])] == [1.0, 1.0, 0.0]


def test_hit_counts_distinct_sessions():
    """Ten turns of one session are one session."""
    sessions = ["s1"] * 10 + ["s2", "s3"]

    assert [hit_at(sessions, ["s3"], k) for k in (2, 3)] == [0.0, 1.0]


def test_ndcg_discounts_by_the_place():
    """Gold on places two and four of a perfect one and two."""
    expected = (1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3))

    assert ndcg_at(["x", "a", "y", "b"], ["a", "b"], 10) == pytest.approx(expected)


def test_ndcg_of_more_gold_than_places_can_still_be_perfect():
    """The ideal ranking is cut at k as well."""
    assert ndcg_at(["a", "b"], ["a", "b", "c"], 2) == 1.0


def test_ndcg_gives_a_turn_its_gain_once():
    """Overlapping chunks repeat turns; only the first meeting counts."""
    assert ndcg_at(["a", "a"], ["a", "b"], 10) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_reciprocal_rank_looks_for_the_first_gold_turn():
    """Third place is a third; nowhere is nothing."""
    assert [reciprocal_rank(["x", "y", "a"], gold) for gold in (["a"], ["b"])] == [1 / 3, 0.0]


def test_a_chunk_uses_up_as_many_places_as_it_has_turns():
    """The gold turn stands fourth, behind a chunk of three."""
    places = flatten([("x", "y", "z"), ("a",)])

    assert [recall_at(places, ["a"], k) for k in (2, 3, 4)] == [0.0, 0.0, 1.0]


def test_turns_met_again_still_use_up_places():
    """Overlap is paid for."""
    assert flatten([("a", "b"), ("b", "c")]) == ("a", "b", "b", "c")


def test_auroc_counts_pairs_and_halves_ties():
    """Of six pairs, four are won, one is lost and one is level."""
    assert auroc([0.9, 0.5, 0.8], [0.5, 0.6]) == pytest.approx(4.5 / 6)


def test_auroc_needs_both_kinds():
    """Without unanswerable questions there is nothing to tell apart."""
    assert auroc([0.9], []) is None


def test_percentile_lies_between_neighbours():
    """The median of four is halfway between the middle two."""
    values = [4.0, 1.0, 3.0, 2.0]

    assert [percentile(values, share) for share in (0.0, 0.5, 0.99, 1.0)] == [
        1.0,
        2.5,
        pytest.approx(3.97),
        4.0,
    ]


def test_the_mean_over_packs_is_unweighted_and_skips_what_a_pack_lacks():
    """A pack without unanswerable questions has no say in the AUROC."""
    rows = [{"mrr": 0.2, "auroc": None}, {"mrr": 0.6, "auroc": 0.7}]

    assert mean_of(rows) == {"mrr": pytest.approx(0.4), "auroc": 0.7}
