"""Vectors: kept by content, scanned as sign bits, rescored exactly."""

import sqlite3

import numpy as np
import pytest

from memoracle.index.api import EmbeddedChunk
from memoracle.index.sqlite import connection as vectors
from memoracle.index.sqlite.connection import signs_of
from memoracle.index.sqlite.view import SqliteIndex
from support.views import a_turn, a_view, told

SPACE = "toy@1:384"
MANY = 6000
RESCORED = 120


def a_vector(seed, dims=384):
    vector = np.random.default_rng(seed).normal(size=dims).astype(np.float32)
    return vector / np.linalg.norm(vector)


def chunk(vector, content):
    return EmbeddedChunk(content=content, vector=vector.astype("<f2").tobytes())


def give(view, row, *made, space=SPACE):
    """Give a passage one vector for each of these."""
    own = [chunk(vector, f"{space}-{row}-{n}") for n, vector in enumerate(made)]
    assert view.keep_vectors(space, {row: own})


def nearest(view, question, number=10, space=SPACE):
    """The rows the view calls nearest: all by sign bits, the best of them measured exactly."""
    scores, _ = view.ranking().nearness(space, question)
    best = np.argsort(-scores, kind="stable")[:RESCORED]
    exact = view.ranking().cosines(space, question, best.tolist())
    return sorted(exact, key=lambda row: -exact[row])[:number]


@pytest.fixture
def view():
    """Ten passages without a vector."""
    return a_view(*(a_turn(f"text {n}") for n in range(1, 11)))


# How good the scan is

THINGS = "cat dog river piano server invoice kitchen garden holiday bicycle doctor school train window coffee".split()
DEEDS = "sleeps breaks arrives costs grows leaks opens vanishes".split()


@pytest.fixture(scope="module")
def crowd(embedder):
    """Thousands of passages around real sentences, some near them, some far away."""
    sentences = [
        f"The {thing} {deed}" + " at night" * (n % 2) for n, thing in enumerate(THINGS) for deed in DEEDS
    ]
    real = embedder.embed(sentences)
    dice = np.random.default_rng(3)
    noise = dice.normal(size=(MANY, 384)).astype(np.float32) / np.sqrt(384)
    strength = dice.uniform(0.2, 2.0, size=(MANY, 1)).astype(np.float32)
    every = real[dice.integers(0, len(real), MANY)] + strength * noise
    every[: len(real)] = real
    every /= np.linalg.norm(every, axis=1, keepdims=True)
    view = told(SqliteIndex(None), *(a_turn(f"text {n}", who="") for n in range(MANY)))
    view.keep_vectors(SPACE, {n + 1: [chunk(vector, str(n))] for n, vector in enumerate(every)})
    asked = embedder.embed([f"Why does the {thing} {deed}?" for thing in THINGS[::2] for deed in DEEDS[::2]])
    return view, every.astype("<f2").astype(np.float32), asked


@pytest.mark.long
def test_the_scan_finds_what_measuring_everything_finds(crowd):
    """At least 98 of 100 of the ten nearest, among six thousand."""
    view, every, asked = crowd
    shared = 0
    for question in asked:
        truly = set((np.argsort(-(every @ question), kind="stable")[:10] + 1).tolist())
        shared += len(truly & set(nearest(view, question)))
    assert shared / (10 * len(asked)) >= 0.98


def test_rescoring_is_exact(crowd):
    """The cosine of the kept vector, to the last bit of its sixteen."""
    view, every, asked = crowd
    exact = view.ranking().cosines(SPACE, asked[0], [1, 17, MANY])
    assert [exact[row] for row in (1, 17, MANY)] == pytest.approx(
        [float(every[row - 1] @ asked[0]) for row in (1, 17, MANY)], abs=1e-5
    )


def test_the_background_is_the_average(crowd):
    """How near any passage is to a question."""
    view, every, asked = crowd
    _, background = view.ranking().nearness(SPACE, asked[0])
    assert background == pytest.approx(float((every @ asked[0]).mean()), abs=0.03)


# Adding, changing, taking out


def test_a_passage_with_a_vector_is_found_by_it(view):
    """Its own vector is as near as can be."""
    for row in range(1, 11):
        give(view, row, a_vector(row))
    assert nearest(view, a_vector(4), 1) == [4]
    assert view.ranking().cosines(SPACE, a_vector(4), [4])[4] == pytest.approx(1, abs=1e-3)


def test_what_has_no_vector_is_nowhere(view):
    """Neither near nor far: -2."""
    give(view, 3, a_vector(3))
    scores, _ = view.ranking().nearness(SPACE, a_vector(3))
    assert ([n for n, score in enumerate(scores) if score > -2], scores[4]) == ([3], -2)


def test_the_best_of_several_chunks_counts(view):
    """A long passage is as near as its nearest part."""
    give(view, 1, a_vector(100), a_vector(101), a_vector(102))
    give(view, 2, a_vector(103))
    assert [nearest(view, a_vector(seed), 1) for seed in (100, 101, 102, 103)] == [[1], [1], [1], [2]]


def test_a_removed_passage_leaves_the_scan(view):
    """The others keep their places; its number is never given again."""
    turns = [a_turn(f"more {n}") for n in range(3)]
    told(view, *turns)
    for row in (11, 12, 13):
        give(view, row, a_vector(row))
    told(view, withdrawn=[turns[1].ref])
    told(view, a_turn("newcomer"))
    give(view, 14, a_vector(14))
    found = [nearest(view, a_vector(seed), 1) for seed in (11, 13, 14)]
    assert (found, 12 in nearest(view, a_vector(12), 10)) == ([[11], [13], [14]], False)


def test_when_all_are_gone_nothing_is_near():
    """An empty space is asked without harm."""
    turn = a_turn("only")
    view = a_view(turn)
    give(view, 1, a_vector(1))
    told(view, withdrawn=[turn.ref])
    scores, background = view.ranking().nearness(SPACE, a_vector(1))
    assert (scores.max(), background, view.has_vectors()) == (-2, 0.0, False)


def test_words_that_change_get_another_vector(view):
    """A file read anew has no vector of its old words."""
    give(view, 1, a_vector(1))
    told(view, a_turn("other words"), whole=True)
    assert (nearest(view, a_vector(1)), view.count_pending()) == ([], 1)


def test_a_passage_removed_meanwhile_gets_no_vector(view):
    """It went away while its vector was computed."""
    turn = a_turn("short-lived")
    told(view, turn)
    told(view, withdrawn=[turn.ref])
    give(view, 11, a_vector(11))
    assert not view.has_vectors()


def test_spaces_do_not_meet(view):
    """Each has its own scan, whatever the dimensions."""
    give(view, 1, a_vector(1))
    give(view, 2, a_vector(1, dims=100), space="other@1:100")
    assert view.ranking().spaces() == ["other@1:100", SPACE]
    assert (nearest(view, a_vector(1)), nearest(view, a_vector(1, dims=100), space="other@1:100")) == (
        [1],
        [2],
    )


def test_leaving_other_spaces(view):
    """What had its vector from another model waits for a new one; what has one of this model keeps it."""
    give(view, 1, a_vector(1))
    give(view, 2, a_vector(2), space="old@1:384")
    give(view, 3, a_vector(3), space="older@1:384")
    assert (view.count_pending(), view.count_pending(SPACE)) == (7, 9)
    view.leave_other_spaces(SPACE)
    assert (view.spaces(), view.count_pending(), nearest(view, a_vector(1), 1)) == ({SPACE}, 9, [1])
    view.leave_other_spaces("new@1:64")
    assert (view.has_vectors(), view.spaces(), view.count_pending()) == (False, set(), 10)


def test_vectors_that_somebody_is_reading_are_dropped_the_next_time(tmp_path):
    """A vault that is locked is left as it is, without an error; later the old ones go."""
    view = told(SqliteIndex(str(tmp_path / "index")), a_turn("text 1"))
    give(view, 1, a_vector(1), space="old@1:384")
    view.vault.execute("PRAGMA busy_timeout = 10")
    other = sqlite3.connect(tmp_path / "index" / "vectors.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    view.drop_other_vectors(SPACE)
    other.execute("ROLLBACK")
    other.close()
    held = view.keeps_vectors()
    view.drop_other_vectors(SPACE)
    assert (held, view.keeps_vectors()) == (True, False)
    view.close()


# Waiting


def test_the_newest_are_embedded_first(view):
    """They are what is asked about next."""
    assert [item.text for item in view.pending(2)] == ["text 10", "text 9"]


def test_what_has_a_vector_does_not_wait(view):
    """And a repeated copy never did."""
    give(view, 10, a_vector(10))
    told(
        view,
        a_turn("text 10", ref="same", path="b.jsonl"),
        a_turn("text 10", ref="same", path="b.jsonl"),
        path="b.jsonl",
    )
    assert view.count_pending() == 9 + 1


# The vault


def test_vectors_are_known_by_content():
    """Of one space; more than fit into one question."""
    vault = sqlite3.connect(":memory:", isolation_level=None)
    vault.execute(vectors.SCHEMA)
    made = [EmbeddedChunk(content=f"c{n}", vector=bytes([n % 256, 0])) for n in range(1200)]
    vectors.keep_vectors(vault, "a", made)
    wanted = [one.content for one in made]
    assert vectors.known_vectors(vault, "a", [*wanted, "unknown"]) == {
        one.content: one.vector for one in made
    }
    assert vectors.known_vectors(vault, "b", wanted) == {}


def test_pruning_forgets_what_nobody_says_any_more(view):
    """And keeps the rest."""
    give(view, 1, a_vector(1))
    vectors.keep_vectors(view.vault, SPACE, [chunk(a_vector(2), "nobody's")])
    vectors.prune(view._connection, view.vault)
    assert list(vectors.known_vectors(view.vault, SPACE, ["nobody's", f"{SPACE}-1-0"])) == [f"{SPACE}-1-0"]


@pytest.mark.parametrize("dims", [8, 64, 100, 384, 512])
def test_one_bit_for_each_number(dims):
    """Set where it is above zero."""
    vector = a_vector(dims, dims=dims)
    bits = np.unpackbits(np.frombuffer(signs_of(vector.astype("<f2").tobytes()), dtype=np.uint8))[:dims]
    assert (bits == (vector.astype("<f2") > 0)).all()
