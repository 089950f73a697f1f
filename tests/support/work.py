"""Work, counted: what a call does to a text of some size and to one twice as long.

Hostile sizes are judged by how work grows, never by a clock on the wall: calls are counted one by one, and what
happens inside a regular expression, where nothing can be counted, by the processor time of this thread alone.
"""

import signal
import sys
import time
from contextlib import contextmanager

_FLOOR = 0.004
"""Below this many seconds of processor time a difference says nothing."""


def calls(act):
    """How many functions, of Python or C, are called while `act` runs."""
    count = 0

    def see(_frame, event, _what):
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


def spent(act, *, patience, runs=3):
    """The least processor time of some runs, in seconds; an act that takes `patience` fails instead of hanging."""
    least = patience
    for _ in range(runs):
        with _within(patience):
            began = time.thread_time()
            act()
            least = min(least, time.thread_time() - began)
        if least < _FLOOR:
            break
    return least


def assert_linear(act, make, size, *, patience=20.0):
    """Twice as much to read is about twice the work: fails on work that grows with the square.

    `make(size)` gives what is read, `act` reads it.
    """
    small, large = make(size), make(2 * size)
    act(small)  # what is compiled or kept once is not counted
    one, two = calls(lambda: act(small)), calls(lambda: act(large))
    assert two <= 2.5 * one + 200, f"{one:,} calls for {size:,}, {two:,} for twice as much"
    short, long = spent(lambda: act(small), patience=patience), spent(lambda: act(large), patience=patience)
    assert long <= 3.2 * max(short, _FLOOR), f"{short:.3f} s for {size:,}, {long:.3f} s for twice as much"


@contextmanager
def _within(seconds):
    """An assertion when the processor has worked for longer, even inside a regular expression."""

    def stop(_signal, _frame):
        message = f"more than {seconds} s of work"
        raise AssertionError(message)

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
