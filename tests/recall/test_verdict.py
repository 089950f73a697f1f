"""Is this evidence enough?"""

from itertools import pairwise

import numpy as np
import pytest

from memoracle.compose import open_memory
from memoracle.model.search import Verdict
from memoracle.recall.rank import WITH_VECTORS, WORDS_ONLY, RankedRows
from memoracle.recall.verdict import FOUND, WEAK, confidence_of, judge
from support.views import a_transcript

BALANCED = {"MEMORACLE_RECIPE": "balanced", "MEMORACLE_EMBEDDER": "none"}


@pytest.fixture
def memory(root, clock):
    with open_memory(str(root), environment=BALANCED, clock=clock) as opened:
        yield opened


def a_ranking(score=3.0, *, coverage=(0.5,), is_unspaced=False, weights=WORDS_ONLY, **signals):
    """A ranking whose best passage has this score."""
    size = len(coverage)
    return RankedRows(
        rows=np.arange(1, size + 1),
        scores=np.full(size, score, dtype=np.float32),
        signals={name: np.array(values, dtype=np.float32) for name, values in signals.items()},
        weights=weights,
        own_coverage=np.array(coverage, dtype=np.float32),
        is_unspaced=is_unspaced,
    )


def sure(ranking, *, is_small=False, of_record=False):
    return confidence_of(ranking, is_small=is_small, of_record=of_record)


@pytest.mark.parametrize("vectors", [False, True])
def test_more_evidence_makes_surer(vectors):
    """Always, and never beyond certainty."""
    more = {"vector": [0.3], "weights": WITH_VECTORS} if vectors else {}
    found = [sure(a_ranking(score, **more)) for score in (-50, -5, 0, 2, 5, 10, 20)]
    assert all(one < other for one, other in pairwise(found))
    assert 0 <= found[0] < found[-1] <= 1


@pytest.mark.parametrize("prior", ["owner", "agent_asked", "opens"])
def test_what_speaks_for_any_passage_is_no_evidence(prior):
    """Being the owner's, or the first of a talk, lifts a passage, and tells nothing about the question."""
    lifted = a_ranking(3.0 + WORDS_ONLY[prior], **{prior: [1.0]})
    assert sure(lifted) == pytest.approx(sure(a_ranking(3.0)))


def test_the_wrong_speaker_makes_unsure():
    """When somebody else covers the question better than the one it names."""
    right = a_ranking(coverage=(0.9, 0.3), speaker_named=[1, 0], speaker_other=[0, 1])
    wrong = a_ranking(coverage=(0.9, 0.3), speaker_named=[0, 1], speaker_other=[1, 0])
    assert sure(right) > sure(a_ranking(coverage=(0.9, 0.3))) > sure(wrong)


def test_a_speaker_who_says_nothing_is_no_lead():
    """With nobody to compare, the names tell nothing."""
    alone = a_ranking(coverage=(0.9,), speaker_named=[0], speaker_other=[1])
    assert sure(alone) == sure(a_ranking(coverage=(0.9,)))


def test_what_is_carried_is_enough_in_a_small_store():
    """There, and for records, the share of the question that is covered is evidence by itself."""
    ranking = a_ranking(-20.0, coverage=(0.2, 0.95))
    assert sure(ranking) < 0.1
    assert sure(ranking, is_small=True) == sure(ranking, of_record=True) == pytest.approx(0.95)


def test_nothing_is_no_evidence():
    """An empty ranking."""
    assert sure(a_ranking(coverage=()), is_small=True, of_record=True) == 0.0


@pytest.mark.parametrize(
    ("confidence", "verdict"),
    [
        (1.0, Verdict.FOUND),
        (FOUND, Verdict.FOUND),
        (FOUND - 1e-9, Verdict.WEAK),
        (WEAK, Verdict.WEAK),
        (WEAK - 1e-9, Verdict.NOT_IN_MEMORY),
        (0.0, Verdict.NOT_IN_MEMORY),
    ],
)
def test_judging(confidence, verdict):
    """Two lines divide found, weak and unknown."""
    assert judge(confidence) is verdict


@pytest.mark.parametrize(
    ("kept", "asked"),
    [("The cat is called Miso", "What is the cat called?"), ("我对花生过敏", "我对什么过敏？")],
)
def test_the_only_record_is_found(memory, kept, asked):
    """A memory of one thing is sure of it."""
    memory.remember(kept)
    found = memory.search(asked)
    assert (found.verdict, [hit.passage.text for hit in found.hits]) == (Verdict.FOUND, [kept])


@pytest.mark.seed("S1.112")
@pytest.mark.parametrize("asked", ["Which submarine do I own?", "我的潜水艇叫什么？", "zeppelin"])
def test_the_unknown_is_said_to_be_unknown(memory, tmp_path, asked):
    """In a memory of records and conversations alike, with confidence below the line and no hits."""
    memory.remember("The cat is called Miso")
    memory.ingest(
        str(a_transcript(tmp_path / "t.jsonl", *(("user", f"we ate noodles, bowl {n}") for n in range(100)))),
        embed=False,
    )
    found = memory.search(asked)
    assert (found.verdict.value, found.hits, found.confidence < WEAK) == ("not_in_memory_db", (), True)


def test_confidence_falls_with_what_is_missing(memory, tmp_path):
    """The more of a question nobody ever said, the less sure is the answer."""
    memory.ingest(
        str(
            a_transcript(
                tmp_path / "t.jsonl",
                ("Mei", "I keep the spare key under the blue flowerpot"),
                *(("Mei", f"we ate noodles, bowl {n}") for n in range(100)),
            )
        ),
        embed=False,
    )
    asked = (
        "spare key under the blue flowerpot",
        "spare key under the zeppelin submarine",
        "key trombone zeppelin submarine gondola",
    )
    found = [memory.search(question).confidence for question in asked]
    assert found[0] > found[1] > found[2]
