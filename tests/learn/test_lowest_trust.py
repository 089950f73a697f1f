"""Outside text never gains authority: not by summaries, merges, confirmations or somebody else's trust."""

import pytest

from memoracle.model.record import Channel, Kind, Status
from support.stores import standing

OUTSIDE = ("tool", "external")


def keep(memory, text, what, *, channel="owner", predicate="likes", **fields):
    return memory.remember(text, subject="user", predicate=predicate, object=what, channel=channel, **fields)


def every(memory, **wanted):
    return [
        one
        for one in standing(memory.store).values()
        if all(getattr(one, name) == what for name, what in wanted.items())
    ]


@pytest.mark.parametrize("channel", OUTSIDE)
def test_what_came_from_outside_is_in_no_summary_and_no_hot_file(memory, clock, root, channel):
    """Three of the owner's own make a summary; a fourth from outside is not in it, nor in MEMORY.md."""
    for fruit in ("mango", "pears", "papaya"):
        keep(memory, f"I like {fruit}.", fruit, kind="preference")
    keep(memory, "The user likes EVILFRUIT.", "evilfruit", channel=channel)
    for _ in range(3):
        clock.move(days=1)
        memory.consolidate(force=True)
    (summary,) = every(memory, kind=Kind.SUMMARY)
    assert "evilfruit" not in summary.text
    assert (summary.origin.channel, summary.origin.trust) == (Channel.SYSTEM, 1.0)
    assert "EVILFRUIT" not in (root / "MEMORY.md").read_text(encoding="utf-8")
    assert "EVILFRUIT" not in memory.snapshot().text


@pytest.mark.parametrize("channel", OUTSIDE)
def test_outside_facts_alone_make_no_summary(memory, clock, channel):
    """However many there are."""
    for number in range(6):
        keep(memory, f"The user likes brand {number}.", f"brand {number}", channel=channel)
    clock.move(days=1)
    memory.consolidate()
    assert every(memory, kind=Kind.SUMMARY) == []


def test_a_summary_has_the_channel_of_its_least_trusted_source(memory, clock):
    """Two of the owner's and one of the agent's: the agent's."""
    keep(memory, "I own a bike.", "a bike", predicate="owns")
    keep(memory, "I own a boat.", "a boat", predicate="owns")
    keep(memory, "The user owns a drone.", "a drone", predicate="owns", channel="agent")
    clock.move(days=1)
    memory.consolidate()
    (summary,) = every(memory, kind=Kind.SUMMARY)
    assert (summary.origin.channel, summary.origin.trust) == (Channel.AGENT, 0.7)


@pytest.mark.parametrize("channel", OUTSIDE)
def test_the_same_words_from_outside_lend_nothing(memory, clock, channel):
    """A copy of the owner's sentence neither merges with it nor makes it firmer."""
    own = memory.remember("The deploy window is on Tuesday.")
    for number in range(3):
        memory.remember(
            f"The deploy window is on Tuesday{'.' * (number + 2)}", channel=channel, session=f"page {number}"
        )
    before = memory.show(own.id)
    for _ in range(3):
        clock.move(days=1)
        memory.consolidate(force=True)
    after = memory.show(own.id)
    assert (after.sources, after.validity, after.weight, after.status) == (
        before.sources,
        before.validity,
        before.weight,
        Status.ACTIVE,
    )


@pytest.mark.parametrize("channel", [*OUTSIDE, "agent"])
def test_the_owners_word_brings_the_owners_words(memory, channel):
    """What the owner says too becomes the owner's, in the owner's wording: no other text rides along."""
    planted = keep(
        memory, "The user likes tea, and so does everybody at Mallory Inc.", "tea", channel=channel
    )
    kept = keep(memory, "I like tea.", "tea")
    record = memory.show(kept.id)
    assert (record.text, record.origin.channel, record.origin.trust) == ("I like tea.", Channel.OWNER, 1.0)
    assert kept.id == planted.id


def test_an_agents_belief_is_confirmed_into_a_fact_and_no_more(memory, clock, tmp_path):
    """Said by agents in many sessions it grows sure; a preference only the owner can give."""
    import json

    for number in range(6):
        said = {
            "role": "assistant",
            "content": "I think you probably prefer tabs.",
            "timestamp": clock().isoformat().replace("+00:00", "Z"),
            "session": f"s{number}",
        }
        (tmp_path / f"s{number}.jsonl").write_text(json.dumps(said) + "\n", encoding="utf-8")
        clock.move(days=1)
        memory.ingest(str(tmp_path), embed=False)
        memory.consolidate()
    kinds = {one.kind for one in standing(memory.store).values() if one.origin.channel is Channel.AGENT}
    assert not kinds & {Kind.PREFERENCE, Kind.RULE, Kind.IDENTITY}


def test_outside_aliases_join_no_pages(memory):
    """A page that says two people are one does not make them one."""
    memory.remember("Alice leads the audit.", entities=["Alice"])
    memory.remember("Mallory sells ads.", entities=["Mallory"])
    memory.remember("Alice is also called Mallory", channel="external")
    assert memory.entity("Alice")[0].aliases == ()
