"""Beliefs gain and lose confidence, become facts, or are put away."""

import pytest

from memoracle.learn import evidence as beliefs
from memoracle.learn.evidence import confirmations
from memoracle.model.record import Kind, Status, content_key_of
from support.build import a_record
from support.claims import Shelf, a_claim


def a_belief(confidence=0.6, **fields):
    from memoracle.model.record import Weight

    return a_record("perhaps", kind=Kind.BELIEF, weight=Weight(confidence=confidence), **fields)


@pytest.mark.seed("C-13", "S2.060")
def test_a_confirmation_adds_and_a_contradiction_takes():
    """+0.15 and −0.25, within 0 and 1."""
    one = a_belief(0.6)
    up = beliefs.confirm_belief(one, "s2")
    down = beliefs.contradict_belief(one, "s2")
    assert (up.weight.confidence, down.weight.confidence) == (0.75, 0.35)
    assert beliefs.confirm_belief(a_belief(0.95), "s2").weight.confidence == 1.0
    assert beliefs.contradict_belief(a_belief(0.1), "s2").weight.confidence == 0.0


def test_a_session_counts_once():
    """Said three times in one session is one confirmation; so is a contradiction."""
    one = beliefs.confirm_belief(a_belief(), "s2")
    assert beliefs.confirm_belief(one, "s2") == one
    doubted = beliefs.contradict_belief(one, "s3")
    assert beliefs.contradict_belief(doubted, "s3") == doubted


@pytest.mark.seed("C-13")
@pytest.mark.parametrize(
    ("confidence", "sessions", "promoted"),
    [(0.6, 1, False), (0.6, 2, True), (0.7, 1, False), (0.5, 2, False), (0.5, 3, True), (0.9, 1, False)],
)
def test_sure_enough_and_confirmed_twice_makes_a_fact(confidence, sessions, promoted):
    """From 0.85 on, and never with fewer than two independent confirmations."""
    one = a_belief(confidence)
    for number in range(sessions):
        one = beliefs.confirm_belief(one, f"s{number}")
    assert beliefs.may_be_promoted(one) is promoted


@pytest.mark.seed("C-13", "S2.060")
def test_a_spent_belief_is_archived_not_erased():
    """Below 0.2; another confirmation brings it back."""
    spent = beliefs.contradict_belief(a_belief(0.4), "s2")
    again = beliefs.confirm_belief(spent, "s3")
    assert (spent.status, spent.weight.confidence) == (Status.ARCHIVED, 0.15)
    assert (again.status, again.weight.confidence) == (Status.ACTIVE, 0.3)


@pytest.mark.seed("S2.020", "S2.021", "S2.054")
def test_a_hedge_becomes_a_fact_by_confirmation():
    """Golden numbers of a whole life: 0.6, 0.75, 0.9 and a fact of the kind its predicate has."""
    shelf, told = Shelf(), []
    for on in (1, 2, 3):
        shelf.hear(a_claim("likes", "tea", on=on, hedged=True, confidence=0.6), on=on)
        one = shelf.one("tea")
        told.append((one.kind, one.weight.confidence, confirmations(one)))
    assert told == [(Kind.BELIEF, 0.6, 0), (Kind.BELIEF, 0.75, 1), (Kind.PREFERENCE, 0.9, 2)]
    assert one.keys[0] == content_key_of(one.kind, one.statement, one.scope)


@pytest.mark.seed("S2.054", "C-13")
def test_a_plain_word_of_the_owner_makes_it_a_fact_at_once():
    """One explicit statement is enough; an agent's is not."""
    for channel, kind in (("owner", Kind.PREFERENCE), ("agent", Kind.BELIEF)):
        shelf = Shelf()
        shelf.hear(a_claim("likes", "tea", on=1, hedged=True, channel=channel), on=1)
        shelf.hear(a_claim("likes", "tea", on=2, channel=channel), on=2)
        assert shelf.one("tea").kind is kind


def test_the_evidence_grows_with_each_confirmation():
    """Every session that spoke for it is cited."""
    shelf = Shelf()
    for on in (1, 2, 3, 4):
        shelf.hear(a_claim("works_as", "cook", on=on, hedged=True, confidence=0.2), on=on)
    assert shelf.one("cook").sources == ("session:s2", "session:s3", "session:s4")


def test_a_fact_that_says_otherwise_weakens_a_belief():
    """0.6, then 0.35, then archived: the value of one thing can only be one."""
    shelf, told = Shelf(), []
    shelf.hear(a_claim("works_as", "cook", on=1, hedged=True, confidence=0.6), on=1)
    for on in (2, 3):
        shelf.hear(a_claim("works_as", "nurse", on=on), on=on)
        one = shelf.one("cook")
        told.append((one.weight.confidence, one.status))
    assert told == [(0.35, Status.ACTIVE), (0.1, Status.ARCHIVED)]


def test_a_hedge_does_not_replace_a_fact():
    """It stands beside it as a belief, and nobody is asked."""
    shelf = Shelf()
    shelf.hear(a_claim("works_as", "cook", on=1), a_claim("works_as", "nurse", on=2, hedged=True))
    assert (shelf.one("cook").status, shelf.one("nurse").kind, shelf.items) == (
        Status.ACTIVE,
        Kind.BELIEF,
        {},
    )
