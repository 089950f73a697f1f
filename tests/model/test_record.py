"""Which version of a record stands, and what counts as the same content."""

import itertools

import pytest

from memoracle.model.record import Anchor, Kind, Scope, Statement, Status, content_key_of, newest
from support.build import a_change, a_record, days
from support.clock import START


def the_versions():
    same = {"id": "mem_X"}
    return [
        a_record("first", version=1, **same),
        a_record("second", version=2, change=a_change(at=START + days(1), writer="w_b"), **same),
        a_record("second elsewhere", version=2, change=a_change(at=START + days(1), writer="w_a"), **same),
        a_record("second, earlier", version=2, change=a_change(at=START, writer="w_z"), **same),
    ]


def test_the_newest_version_wins_in_any_order():
    """Version, then time, then writer decide; the place in the file never does."""
    winners = {newest(order).text for order in itertools.permutations(the_versions())}
    assert winners == {"second"}


def test_a_tombstone_wins_over_everything():
    """What was erased stays erased, even beside a higher version from another machine."""
    stone = a_record("", id="mem_X", version=2, status=Status.FORGOTTEN)
    later = a_record("still here", id="mem_X", version=9, change=a_change(at=START + days(9)))
    assert newest([later, stone]) is stone


@pytest.mark.seed("S0.031")
def test_a_record_without_an_anchor_is_fully_alive_when_created():
    """The anchor is 1.0 at creation unless the record says otherwise."""
    assert a_record(at=START).anchor == Anchor(value=1.0, at=START)


@pytest.mark.seed("F-41")
@pytest.mark.parametrize("kind", list(Kind))
def test_identity_health_and_safety_are_everlasting(kind):
    """So is anything pinned; everything else may fade."""
    fresh = a_record(kind=kind)
    assert fresh.is_everlasting == (kind in {Kind.IDENTITY, Kind.HEALTH, Kind.SAFETY})
    assert a_record(kind=kind, pinned=True).is_everlasting


def key(text="", *, kind=Kind.FACT, scope=None, **said):
    return content_key_of(kind, Statement(text=text, **said), scope or Scope())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (key("The cat  is called Miso"), key("the cat is called MISO")),
        (key("ＡＢＣ"), key("abc")),
        (key("x", subject="a", predicate="b", object="c"), key("y", subject="A", predicate="B", object="C")),
        (key("x", key="db.port", value="5432"), key("y", key="db.port", value="5432")),
    ],
)
def test_the_same_content_shares_a_key(one, other):
    """Case, width and spaces do not make it new; a statement is known by its structure."""
    assert one == other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (key("a"), key("b")),
        (key("a"), key("a", kind=Kind.BELIEF)),
        (key("a"), key("a", scope=Scope(project="arena"))),
        (key("", key="db.port", value="5432"), key("", key="db.port", value="5433")),
    ],
)
def test_other_content_has_another_key(one, other):
    """Other words, another kind, somebody else's memory."""
    assert one != other
