"""Each text is computed once."""

import numpy as np
import pytest

from memoracle.embed.api import Kind
from memoracle.embed.cached import Cached, digest
from memoracle.embed.rows import unit_rows


class Counting:
    """Embeds a text as its length and first letter, and remembers what it was asked."""

    name, dims = "counting@1:3", 3

    def __init__(self):
        self.asked = []

    def embed(self, texts, kind=Kind.PASSAGE):
        self.asked.append(list(texts))
        return unit_rows(np.array([[len(t), ord(t[0]), 1 / 3] for t in texts]))


@pytest.fixture
def inner():
    return Counting()


@pytest.fixture
def shelf():
    return {}


@pytest.fixture
def cached(inner, shelf):
    return Cached(inner, load=lambda keys: {k: shelf[k] for k in keys if k in shelf}, save=shelf.update)


def test_the_second_time_nothing_is_computed(cached, inner):
    """The same texts in another order come from the cache, with the very same numbers."""
    first = cached.embed(["b", "aa", "b"])
    second = cached.embed(["aa", "b"])

    assert inner.asked == [["b", "aa"]]
    assert second.tolist() == first[[1, 0]].tolist()


def test_half_precision_is_close_and_small(cached, inner, shelf):
    """Two bytes a number, and a cosine of 1 to what was computed."""
    found = cached.embed(["abc"])

    assert [len(vector) for vector in shelf.values()] == [6]
    assert float(found[0] @ inner.embed(["abc"])[0]) == pytest.approx(1, abs=1e-6)


def test_kind_and_model_keep_apart():
    """A question is not answered with a passage's vector, nor one model's with another's."""
    assert len({digest(n, k, "t") for n in ("a", "b") for k in Kind}) == 4


def test_damaged_entries_are_computed_again(cached, inner, shelf):
    """A vector of the wrong length is as good as none."""
    cached.embed(["abc"])
    shelf[digest(inner.name, Kind.PASSAGE, "abc")] = b"short"
    cached.embed(["abc"])

    assert inner.asked == [["abc"], ["abc"]]


def test_long_work_is_saved_and_told_as_it_goes(inner):
    """After each batch the cache has it and the listener hears of it; lengths stand together."""
    saved, told = [], []
    texts = ["x" * (1 + number % 7) + str(number) for number in range(600)]
    work = Cached(
        inner,
        load=lambda _: {},
        save=lambda items: saved.append(len(items)),
        progress=lambda *n: told.append(n),
    )
    work.embed(texts)

    assert (saved, told) == ([256, 256, 88], [(0, 600), (256, 600), (512, 600), (600, 600)])
    assert [len(t) for batch in inner.asked for t in batch] == sorted(map(len, texts))


def test_no_texts_ask_nothing(cached, inner):
    """An empty batch has the right width, and the name is the model's."""
    assert (cached.embed([]).shape, inner.asked, cached.name, cached.dims) == ((0, 3), [], inner.name, 3)


def test_any_text_has_a_digest(cached):
    """A lone surrogate, as broken files give them, does not stop a batch."""
    assert len(digest("m", Kind.QUERY, "\ud800")) == 16
