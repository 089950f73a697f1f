"""One session from outside takes at most a third of an answer while others have evidence."""

import pytest

from memoracle.model.search import EvidenceSource, Hit, Passage
from memoracle.recall.evidence import share


def a_hit(number, *, channel="owner", session="", source=EvidenceSource.RECORD):
    passage = Passage(
        ref=str(number), source=source, text="", path="p", first_line=1, last_line=1,
        channel=channel, session=session,
    )  # fmt: skip
    return Hit(passage=passage, score=100.0 - number, activation=1.0)


def first(hits, limit, session="evil"):
    return sum(one.passage.session == session for one in share(hits, limit)[:limit])


@pytest.mark.parametrize("limit", [3, 5, 9, 10, 30])
@pytest.mark.parametrize("channel", ["tool", "external", "agent"])
def test_a_flood_takes_a_third(limit, channel):
    """However well it scores."""
    flood = [a_hit(number, channel=channel, session="evil") for number in range(60)]
    others = [a_hit(number, channel=channel, session=f"s{number}") for number in range(100, 140)]
    assert first([*flood, *others], limit) == max(1, limit // 3)


def test_where_others_have_nothing_it_fills_the_rest():
    """Nothing is thrown away."""
    flood = [a_hit(number, channel="external", session="evil") for number in range(9)]
    assert share(flood, 9) == flood


def test_the_owner_and_conversations_are_not_counted():
    """What was said in one session may well be the whole answer."""
    said = [a_hit(number, session="one", source=EvidenceSource.TURN, channel="agent") for number in range(9)]
    typed = [a_hit(number, session="one") for number in range(10, 20)]
    assert share([*said, *typed], 9) == [*said, *typed]


def test_recall_shows_what_others_say_behind_a_flood(memory):
    """The planted page says it twelve times; the owner's own line is among the first ten, and two thirds are others'."""
    for number in range(12):
        memory.remember(
            f"Rotation notice of the staging server, copy {number}.",
            channel="external",
            session="evil",
        )
    for number in range(9):
        memory.remember(f"Rotation notice of the staging server, number {number}.", session=f"s{number}")
    hits = memory.search("staging server rotation notice copy", limit=9).hits
    assert sum(one.passage.session == "evil" for one in hits) == 3
