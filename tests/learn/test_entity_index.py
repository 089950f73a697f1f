"""Entities as pages."""

import pytest

from memoracle.errors import UnknownEntity
from memoracle.learn.entity_index import entity_pages, pages_named, relations
from memoracle.model.record import Status
from memoracle.model.search import Standing
from support.build import a_passage, days
from support.clock import START


def known(*rows):
    """Standing records: (subject, predicate, object), and fields."""
    found = []
    for number, (subject, predicate, what, *rest) in enumerate(rows):
        fields = dict(rest[0]) if rest else {}
        text = fields.pop("text", f"{subject} {predicate} {what}")
        passage = a_passage(
            text, subject=subject, predicate=predicate, object=what, at=START + days(number), **fields
        )
        found.append(Standing(passage=passage, activation=1.0))
    return found


@pytest.mark.seed("S2.056", "S0.016", "S0.033")
def test_a_page_gathers_what_is_known():
    """Facts and beliefs with their citations, when it was seen, what it hangs together with, of which type."""
    standing = known(
        ("user", "friend", "Ana"),
        ("Ana", "works_at", "Acme"),
        ("Ana", "likes", "tea", {"kind": "belief"}),
        ("Ana", "likes", "rum", {"status": Status.SUPERSEDED}),
    )
    (page,) = pages_named(entity_pages(standing), "ana")
    assert (page.name, page.type) == ("Ana", "person")
    assert [one.text for one in page.facts] == ["user friend Ana", "Ana works_at Acme"]
    assert [one.text for one in page.beliefs] == ["Ana likes tea"]
    assert page.facts[0].cite == "records/facts.jsonl#L1"
    assert (page.first_seen, page.last_seen) == (START, START + days(2))
    assert page.related == (("Acme", 1), ("user", 1))


@pytest.mark.parametrize(
    "row",
    [
        ("Bob", "also_called", "Robert"),
        ("", "", "", {"text": "Bob is also called Robert", "entities": ("Bob",)}),
        ("", "", "", {"text": "Bob, also known as Robert", "entities": ("Bob",)}),
    ],
)
def test_names_that_are_said_to_be_one_are_one(row):
    """One page under both names."""
    pages = entity_pages(known(row, ("Robert", "lives_in", "Lisbon")))
    assert pages_named(pages, "bob") == pages_named(pages, "ROBERT")


def test_chinese_names_too():
    """又名, 也叫."""
    pages = entity_pages(
        known(("", "", "", {"text": "小明又名王明", "entities": ("小明",)}), ("王明", "likes", "茶"))
    )
    assert len(pages_named(pages, "小明")[0].facts) == 2


def test_the_owner_answers_to_a_name():
    """`user` is called Alice: one page, under the name."""
    pages = entity_pages(known(("user", "is_called", "Alice"), ("user", "likes", "tea")))
    (page,) = pages_named(pages, "user")
    assert (page.name, page.aliases, page.type, len(page.facts)) == ("Alice", ("user",), "person", 2)


@pytest.mark.seed("S2.134")
def test_names_that_look_alike_are_two():
    """`robot_5` and `robot_50`, 张伟 and 张玮."""
    pages = entity_pages(
        known(*[(name, "located_in", "hall 1") for name in ("robot_5", "robot_50", "张伟", "张玮")])
    )
    assert {"robot_5", "robot_50", "张伟", "张玮"} <= {page.name for page in pages}


def test_an_unknown_name_says_so():
    """With a hint."""
    with pytest.raises(UnknownEntity):
        pages_named([], "nobody")


@pytest.mark.seed("S0.016")
def test_relations_are_counted():
    """By predicate, active ones alone, the most used first."""
    standing = known(
        ("user", "likes", "tea"),
        ("user", "likes", "jazz"),
        ("Ana", "works_at", "Acme"),
        ("Ana", "works_at", "Beta", {"status": Status.SUPERSEDED}),
    )
    assert list(relations(standing).items()) == [("likes", 2), ("works_at", 1)]


def test_pages_do_not_depend_on_the_order_of_records():
    """The same pages from any order of reading."""
    rows = [
        ("Ana", "likes", "tea"),
        ("ANA", "friend", "Bo"),
        ("Bo", "also_called", "Robert"),
        ("Ana", "uses", "vim"),
    ]
    names = [
        [(page.name, page.aliases) for page in entity_pages(known(*order))] for order in (rows, rows[::-1])
    ]
    assert names[0] == names[1]
