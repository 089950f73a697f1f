"""The vocabulary of tags: added to deliberately, with a reason, and nothing else in the file is touched."""

import pytest

from memoracle.errors import BadInput
from memoracle.extensions.notebook.vocabulary import NEUTRAL, VOCABULARY, add_tag, nearest_tag, read_reasons
from support.files import write
from support.stores import a_store


@pytest.fixture
def store(root):
    return a_store(root)


def added(store, tag, because="why not", **more):
    with store.writing():
        return add_tag(store, tag, because, **more)


@pytest.mark.seed("F-65", "S3.041", "S3.042")
def test_a_vocabulary_begins_neutral_with_what_is_in_use(store, root):
    """Nobody's server names; and no tag that notes carry already becomes a stranger."""
    assert added(store, "garden", "what grows", used=["Old-Tag", "猫"])
    reasons, problem = read_reasons(store)
    assert (set(reasons) - set(NEUTRAL), reasons["garden"], problem) == (
        {"garden", "old-tag", "猫"},
        "what grows",
        "",
    )


def test_a_tag_is_added_where_it_belongs(store, root):
    """At the end of its table; comments and other tables stay as they are."""
    before = '# mine\n[tags]\na = "x" # why\n\n[other]\nb = 1\n'
    write(root, VOCABULARY, before)
    added(store, "花园", '它 "长" 的\n东西')
    assert (root / VOCABULARY).read_text() == (
        '# mine\n[tags]\na = "x" # why\n"花园" = "它 \\"长\\" 的 东西"\n\n[other]\nb = 1\n'
    )
    assert read_reasons(store)[0] == {"a": "x", "花园": '它 "长" 的 东西'}


def test_a_known_tag_stays_as_it_is(store, root):
    """Whatever its case."""
    write(root, VOCABULARY, '[tags]\ngarden = "first"\n')
    assert (added(store, "#Garden"), read_reasons(store)[0]) == (False, {"garden": "first"})


@pytest.mark.parametrize("tag", ["", "two words", "a,b", "x" * 61, "]\nb = 1", '"', "#"])
def test_what_cannot_be_a_tag_is_refused(store, root, tag):
    """And nothing is written."""
    with pytest.raises(BadInput):
        added(store, tag)
    assert not (root / VOCABULARY).exists()


def test_a_reason_is_needed(store):
    """Deliberately means: somebody says why."""
    with pytest.raises(BadInput):
        added(store, "garden", "  ")


@pytest.mark.parametrize("text", ['tags = ["a"]\n', "[tags\n", 'tags = {a = "x"}\n', "other = 1\n"])
def test_a_shape_that_cannot_be_added_to_is_left_alone(store, root, text):
    """Its owner is told to do it by hand."""
    write(root, VOCABULARY, text)
    with pytest.raises(BadInput):
        added(store, "garden")
    assert (root / VOCABULARY).read_text() == text


def test_the_nearest_tag_is_suggested():
    """Or how to add it."""
    assert nearest_tag("Gardn", ["garden", "tools"]) == "did you mean `garden`?"
    assert "add `zzz" in nearest_tag("zzz", ["garden"])
