"""Who and what a sentence names."""

import pytest

from memoracle.learn.entities import EntityType, entities_of, names_of


@pytest.mark.seed("S2.024")
@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("I met my sister Anna yesterday", "Anna", EntityType.PERSON),
        ("I work at Helix Robotics", "Helix Robotics", EntityType.ORGANIZATION),
        ("I live in New York", "New York", EntityType.LOCATION),
        ("the deadline of Project Heron", "Project Heron", EntityType.PROJECT),
        ("ping @mossgarden about it", "@mossgarden", EntityType.PERSON),
        ("Anna works there", "Anna", EntityType.PERSON),
        ("ask Dr. Lindqvist", "Dr. Lindqvist", EntityType.PERSON),
    ],
)
def test_names_and_types(text, name, kind):
    """People, places, organisations, projects and handles, by the words around them."""
    assert [(entity.name, entity.type) for entity in entities_of(text)] == [(name, kind)]


def test_identifiers_stay_whole():
    """robot_5 and robot_50 are two robots."""
    assert names_of("robot_5 works, robot_50 does not, ABC-123 waits") == ("robot_5", "robot_50", "ABC-123")


@pytest.mark.parametrize(
    "text", ["Robert Smith (also known as Bob) is here", "Robert Smith, aka Bob, is here"]
)
def test_aliases(text):
    """Another name of the same thing goes with it."""
    assert entities_of(text)[0].aliases == ("Bob",)


@pytest.mark.parametrize("text", ["The weather is fine.", "Today I slept.", "Thanks a lot", "I think so"])
def test_sentences_without_names(text):
    """A capital letter at the beginning names nobody."""
    assert entities_of(text) == []
