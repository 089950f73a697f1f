"""Who and what a sentence names."""

import pytest

from memoracle.learn.entities import entities_of, names_of


@pytest.mark.seed("S2.024")
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I met my sister Anna yesterday", "Anna"),
        ("I work at Helix Robotics", "Helix Robotics"),
        ("I live in New York", "New York"),
        ("the deadline of Project Heron", "Project Heron"),
        ("ping @mossgarden about it", "@mossgarden"),
        ("Anna works there", "Anna"),
        ("ask Dr. Lindqvist", "Dr. Lindqvist"),
    ],
)
def test_names(text, name):
    """People, places, organisations, projects and handles, by their shape and the words around them."""
    assert list(entities_of(text)) == [name]


def test_identifiers_stay_whole():
    """robot_5 and robot_50 are two robots."""
    assert names_of("robot_5 works, robot_50 does not, ABC-123 waits") == ("robot_5", "robot_50", "ABC-123")


@pytest.mark.parametrize(
    "text", ["Robert Smith (also known as Bob) is here", "Robert Smith, aka Bob, is here"]
)
def test_aliases(text):
    """Another name of the same thing goes with it."""
    assert entities_of(text)["Robert Smith"] == ("Bob",)


@pytest.mark.parametrize("text", ["The weather is fine.", "Today I slept.", "Thanks a lot", "I think so"])
def test_sentences_without_names(text):
    """A capital letter at the beginning names nobody."""
    assert entities_of(text) == {}
