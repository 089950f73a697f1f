"""When a record holds."""

import pytest

from memoracle.model.record import Validity
from support.build import days
from support.clock import START


@pytest.mark.parametrize(
    ("validity", "holds"),
    [
        (Validity(), True),
        (Validity(since=START), True),
        (Validity(since=START + days(1)), False),
        (Validity(until=START), False),
        (Validity(until=START + days(1)), True),
        (Validity(expires=START), False),
        (Validity(expires=START + days(1)), True),
        (Validity(since=START - days(2), until=START - days(1)), False),
    ],
)
@pytest.mark.seed("S4.061")
def test_a_record_holds_from_its_first_instant_to_before_its_last(validity, holds):
    """`since` is inside, `until` and `expires` are outside."""
    assert validity.holds_at(START) is holds
