"""Documents that other designs expect: in their shapes, and the same bytes for the same records."""

import json
import random
from datetime import UTC

import pytest

from context.standing import one
from memoracle.extensions.layouts.projections import (
    MOST_RANKED,
    activations,
    by_entity,
    entity_id,
    entity_index,
    keywords,
    project,
    rankings,
    relation_lines,
    timeline,
)
from memoracle.learn.entity_index import entity_pages
from memoracle.model.record import Status
from support.build import days
from support.clock import START
from support.layouts import LAYOUTS


def made(layout, *records):
    return project(
        LAYOUTS[layout], list(records), now=START, zone=UTC, last_used={}, pages=entity_pages(records)
    )


@pytest.mark.seed("S0.021", "S0.047")
def test_activations_and_last_use():
    """By id; never used means when it was observed."""
    records = [one(ref="a", activation=0.123456), one(ref="b", activation=1.0)]
    assert activations(records, {"b": START + days(2)}) == {
        "a": {"activation": 0.1235, "last_accessed": "2026-05-15T09:30:00.000000Z"},
        "b": {"activation": 1.0, "last_accessed": "2026-05-17T09:30:00.000000Z"},
    }


@pytest.mark.seed("S2.016", "S2.087")
def test_rankings_hold_the_top_fifty():
    """By weight; nothing that must not be handed over."""
    records = [one(f"fact {number}", number / 100) for number in range(60)] + [one("tool", channel="tool")]
    ranked = rankings(records, START)["rankings"]
    assert ([row["rank"] for row in ranked], ranked[0]["content"]) == (
        list(range(1, MOST_RANKED + 1)),
        "fact 59",
    )


@pytest.mark.seed("S2.015")
def test_words_days_and_entities_lead_to_records():
    """In both languages; single characters and small words lead nowhere."""
    records = [
        one("The cat is called Miso", ref="a", entities=("Miso",)),
        one("猫叫味噌", ref="b", entities=("味噌", "miso"), at=START + days(1)),
    ]
    passages = [record.passage for record in records]
    words = keywords(passages)
    assert (words["miso"], words["味噌"], "the" in words, "猫" in words) == (["a"], ["b"], False, False)
    assert timeline(passages, UTC) == {"2026-05-15": ["a"], "2026-05-16": ["b"]}
    assert by_entity(entity_pages(records)) == {"Miso": ["a", "b"], "味噌": ["b"]}


@pytest.mark.seed("S2.014")
def test_near_names_stay_apart_and_every_name_gets_a_file():
    """robot_5 and robot_50, names that no file could have, names that differ in case alone."""
    names = ["robot_5", "robot_50", "Mei Li", "mei-li", "../up", "用户", "con", "a" * 400, "…"]
    pages = entity_pages([one(entities=tuple(names)), one(entities=("MEI LI",))])
    ids = [entity_id(page.name) for page in pages]
    assert (len(pages), len(set(ids))) == (len(names), len(names))
    assert {"robot_5", "robot_50", "用户", "mei-li"} <= set(ids)
    assert all("/" not in one_id and len(one_id) <= 80 for one_id in ids)
    assert entity_index(pages)["entities"][0].keys() == {"id", "name", "type", "memories"}


@pytest.mark.seed("S0.016")
def test_relation_types_are_counted():
    """Each predicate once."""
    passages = [one(predicate=name).passage for name in ("likes", "likes", "owns", "")]
    assert relation_lines(passages) == [{"relation": "likes", "count": 2}, {"relation": "owns", "count": 1}]


@pytest.mark.seed("S0.015", "S0.016", "S0.021", "S2.014", "S2.015", "S2.016")
def test_each_layout_gets_what_it_knows():
    """And nothing else."""
    record = one(entities=("Miso",))
    assert made("native", record).keys() == set()
    assert made("vm-oracle", record).keys() == {"activation", "entities", "relations"}
    expected = {"keywords", "timeline", "relations", "rankings", "entity_index", "entity/miso"}
    assert made("memory-system", record).keys() == expected


@pytest.mark.parametrize("layout", ["vm-oracle", "memory-system"])
def test_order_makes_no_difference(layout):
    """The same bytes for the same records; all of it can be parsed."""
    records = [
        one(
            f"the {word} is {number}",
            number / 40,
            entities=(word, "Mei"),
            predicate=word,
            at=START + days(number % 7),
        )
        for number, word in enumerate(["cat", "dog", "bird", "狗"] * 10)
    ]
    first = made(layout, *records)
    random.Random(3).shuffle(records)
    assert made(layout, *records) == first
    is_lines = {"entities", "relations"} if layout == "vm-oracle" else set()
    for name, content in first.items():
        assert all(map(json.loads, content.splitlines() if name in is_lines else [content]))


def test_only_what_is_active_is_projected():
    """Archived and superseded records stay out."""
    record = one(status=Status.ARCHIVED, entities=("Miso",))
    assert json.loads(made("vm-oracle", record)["activation"]) == {}
