"""The arithmetic of a daily budget."""

from datetime import date, timedelta

import pytest

from memoracle.inference.language import (
    LEDGER_MOST_FAILURES,
    most_cost,
    on_day,
    reserve,
    rest_of,
    settle,
)
from memoracle.model.report import Ledger, Reservation
from support.asking import a_case, a_passage

DAY = date(2026, 5, 15)
TODAY = Ledger(day="2026-05-15")


def test_the_default_budget_fits_a_day():
    """Sixty undecided remarks with all that stands beside them, and one call lost to a timeout."""
    from memoracle.learn.ask_model import AT_ONCE, SYSTEM, answer_room, question_of
    from memoracle.settings import Settings

    known = tuple(a_passage("the user keeps the spare key of the house under the blue pot") for _ in range(3))
    said = "I have moved the spare key to the neighbour, the one with the dog, for now"
    cases = [a_case(said, n, before=f"assistant: {said}?", known=known) for n in range(AT_ONCE)]
    cost = most_cost(SYSTEM, question_of(cases), answer_room(cases))
    assert 7 * cost <= Settings().llm_daily_tokens


@pytest.mark.parametrize(
    ("asked", "granted"), [(1_799, True), (1_800, True), (1_801, False), (0, False), (-5, False)]
)
def test_a_call_that_might_exceed_the_day_is_not_made(asked, granted):
    """At the edge: exactly the rest is granted, one more is not."""
    ledger, reservation = reserve(TODAY, asked, 1_800)
    assert (reservation is not None, ledger.tokens) == (granted, asked if granted else 0)


def test_what_was_not_needed_comes_back():
    """The real cost takes the place of what was set aside."""
    ledger, held = reserve(TODAY, 1_000, 1_800)
    after = settle(ledger, held, spent=240, failed=False)
    assert (after, rest_of(after, 1_800)) == (Ledger(day="2026-05-15", spent=240, calls=1), 1_560)


def test_a_call_that_cost_more_than_was_set_aside_is_counted_in_full():
    """The ledger says what is so; the next call finds less."""
    ledger, held = reserve(TODAY, 100, 1_800)
    after = settle(ledger, held, spent=5_000, failed=False)
    assert (after.spent, rest_of(after, 1_800)) == (5_000, 0)


def test_a_call_whose_process_died_counts_as_spent():
    """What was set aside and never settled is not given out again."""
    ledger, _ = reserve(TODAY, 1_500, 1_800)
    assert reserve(ledger, 301, 1_800)[1] is None


def test_a_new_day_has_a_new_budget():
    """And a call that was under way at midnight was paid by the day it began in."""
    ledger, held = reserve(TODAY, 1_800, 1_800)
    tomorrow = on_day(ledger, DAY + timedelta(days=1))
    assert (rest_of(tomorrow, 1_800), settle(tomorrow, held, spent=1_700, failed=True)) == (1_800, tomorrow)


def test_a_journey_west_gives_no_second_budget():
    """The day before today is no new day; a ledger from far ahead, as a wrong clock leaves it, is."""
    spent = Ledger(day="2026-05-15", spent=1_800)
    assert (on_day(spent, DAY - timedelta(days=1)), on_day(spent, DAY - timedelta(days=400)).spent) == (
        spent,
        0,
    )


def test_failures_end_the_day():
    """Whatever starts the calls: after so many failures there are no more."""
    ledger = TODAY
    calls = 0
    while True:
        ledger, held = reserve(ledger, 10, 1_000_000)
        if held is None:
            break
        calls += 1
        ledger = settle(ledger, held, spent=0, failed=True)
    assert (calls, ledger.failures, rest_of(ledger, 1_000_000)) == (
        LEDGER_MOST_FAILURES,
        LEDGER_MOST_FAILURES,
        0,
    )


def test_settling_twice_never_lends_tokens():
    """What is reserved does not go below nothing."""
    once = settle(TODAY, Reservation(day="2026-05-15", tokens=500), spent=0, failed=False)
    assert once.reserved == 0
