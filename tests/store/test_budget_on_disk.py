"""Today's ledger on disk, which several processes share."""

import os

import pytest

from memoracle.model.report import Ledger
from memoracle.store.inbox import change_ledger, read_ledger
from support.processes import start
from support.stores import a_store

TODAY = Ledger(day="2026-05-15", spent=120, reserved=30, calls=2, failures=1)


def test_a_ledger_is_read_as_it_was_written(root):
    """And what the change tells is handed on."""
    store = a_store(root)
    assert (change_ledger(store, lambda _: (TODAY, "told")), read_ledger(store)) == ("told", TODAY)


def test_no_ledger_is_an_empty_one(root):
    """Reading makes no file."""
    store = a_store(root)
    assert (read_ledger(store), os.path.exists(store.state_path("ledger.json"))) == (Ledger(), False)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b'{"day":"x"}',
        b'{"day":"2026-05-15","spent":-1,"reserved":0,"calls":0,"failures":0}',
        b"\xff",
        b"[" * 100_000,
    ],
)
def test_a_damaged_ledger_is_an_empty_one(root, content):
    """It is only a day old; nothing stops for it."""
    store = a_store(root)
    change_ledger(store, lambda _: (TODAY, None))
    with open(store.state_path("ledger.json"), "wb") as file:
        file.write(content)
    assert read_ledger(store) == Ledger()


SPENDER = """
import sys
from datetime import UTC, datetime
from memoracle.learn.asking import Budget
from memoracle.times import system_clock
from memoracle.model.ids import IdSource
from memoracle.store.store import Store, Unguarded

store = Store(sys.argv[1], clock=system_clock, ids=IdSource(), guard=Unguarded())
purse = Budget(store=store, tokens=1000, zone=UTC, clock=lambda: datetime(2026, 5, 15, tzinfo=UTC))
print("ready", flush=True)
sys.stdin.readline()
spent = 0
while (held := purse.reserve(30)) is not None:
    purse.settle(held, spent=20, failed=False)
    spent += 20
print(spent)
"""


def test_two_processes_never_spend_more_than_there_is(root):
    """Reserving and settling at the same time, until the day has nothing left: every token is counted once."""
    spenders = [start(SPENDER, root) for _ in range(2)]
    for one in spenders:
        assert one.stdout.readline() == "ready\n"
    for one in spenders:
        one.stdin.write("go\n")
        one.stdin.flush()
    ends = [one.communicate(timeout=120) for one in spenders]
    assert [err for _, err in ends] == ["", ""]
    spent = sum(int(out) for out, _ in ends)
    held = read_ledger(a_store(root))
    assert (held.spent, held.reserved, 20 * held.calls) == (spent, 0, spent)
    assert 970 < spent <= 1000
