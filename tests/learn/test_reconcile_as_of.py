"""What reconciliation wrote, asked for as of a day: the real files, the real view."""

from itertools import permutations

import pytest

from memoracle.learn.reconcile import reconcile
from memoracle.model.search import Filters
from support.claims import Shelf, a_claim, a_run, day

TOWNS = {1: "Boston", 10: "Hangzhou", 20: "Lisbon"}


def hear(memory, shelf, claim, on):
    """Reconcile one claim, and write what follows into the store."""
    done = reconcile([claim], shelf, a_run(on))
    with memory.store.writing():
        memory.store.append(done.versions)
    shelf.take(done.versions)


def told(memory, moment=None):
    found = memory.search("user lives town", filters=Filters(as_of=moment), now=day(90))
    return sorted(hit.passage.object for hit in found.hits)


@pytest.mark.seed("F-49")
@pytest.mark.parametrize("order", list(permutations(TOWNS)))
def test_every_day_has_its_town(memory, clock, order):
    """Read in any order: now the last one, as of a day the one of that day, before the first nothing."""
    shelf = Shelf()
    for number, on in enumerate(order):
        claim = a_claim("located_in", TOWNS[on], on=on, text=f"user lives in the town {TOWNS[on]}")
        hear(memory, shelf, claim, on=50 + number)
    clock.now = day(90)
    assert told(memory) == ["Lisbon"]
    assert [told(memory, day(moment)) for moment in (0, 5, 15, 25)] == [
        [],
        ["Boston"],
        ["Hangzhou"],
        ["Lisbon"],
    ]
