"""Work over threads keeps its order."""

import threading
import time

import pytest

from memoracle.inference.bert import spread


@pytest.mark.parametrize("workers", [0, 1, 2, 50])
def test_results_come_in_order(workers):
    """However many work, the first result belongs to the first batch."""

    def slow_first(number):
        time.sleep(0.02 if number == 0 else 0)
        return number * 2

    assert list(spread(slow_first, range(5), workers=workers)) == [0, 2, 4, 6, 8]


def test_one_worker_is_this_thread():
    """A single batch never starts a thread."""
    assert list(spread(lambda _: threading.current_thread(), [1], workers=8)) == [threading.current_thread()]


def test_a_failure_is_raised():
    """What one batch raises reaches the caller."""
    with pytest.raises(ZeroDivisionError):
        list(spread(lambda n: 1 / n, [1, 0], workers=2))
