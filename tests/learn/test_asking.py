"""A root and its model: what it may spend, what waits for it, and what came of asking."""

import subprocess
from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

import pytest

from memoracle.inference.chat import ChatEndpoint
from memoracle.learn.asking import WAITS, Asking, Budget
from memoracle.model.inbox import Why
from memoracle.store.inbox import read_pending
from support.asking import QUICK, a_fragment
from support.chat import ChatServer, answer, dropped, kept
from support.processes import PYTHON, surroundings
from support.stores import a_store

TEA, KEYS = "I have been drinking green tea for years", "the landlord wants the keys back by Friday"


def asking(root, clock, model=None, tokens=100_000):
    budget = Budget(store=a_store(root), tokens=tokens, zone=UTC, clock=clock)
    return Asking(budget=budget, model=lambda: model, stops=lambda _: ())


@pytest.fixture
def server():
    running = ChatServer()
    yield running
    running.close()


@pytest.fixture
def model(server):
    return ChatEndpoint(server.url, "small", patience=QUICK, sleep=lambda _: None)


def texts(queue):
    return [one.fragment.text for one in queue.waiting]


def test_what_was_settled_waits_until_its_claims_are_safe(root, clock, server, model):
    """A kill between the answer and the write loses nothing; `finish` comes after the write."""
    server.answers = [answer(kept(1, "green tea"), *dropped(2))]
    ours = asking(root, clock, model)
    settled = ours.settle([a_fragment(TEA, 0), a_fragment(KEYS, 1)])
    assert (len(settled.claims), texts(read_pending(ours.budget.store))) == (1, [TEA, KEYS])
    ours.finish(settled.done)
    assert texts(read_pending(ours.budget.store)) == []


def test_nothing_waits_for_ever(root, clock):
    """What nobody has settled in a month waits no longer; what came later does."""
    asking(root, clock).settle([a_fragment(TEA, 0)])
    clock.now += WAITS
    assert texts(asking(root, clock).settle([a_fragment(KEYS, 1)])) == [TEA, KEYS]
    clock.now += timedelta(seconds=1)
    assert texts(asking(root, clock).settle()) == texts(read_pending(a_store(root))) == [KEYS]


@pytest.mark.seed("S2.137")
def test_what_waits_is_asked_about_the_next_time(root, clock, server, model):
    """Off, then down, then up: the fragment of the first day is settled on the third, and no sooner lost."""
    assert asking(root, clock).settle([a_fragment(TEA)]).waiting[0].why is Why.OFF
    server.answers = [503]
    assert asking(root, clock, model).settle().waiting[0].why is Why.DOWN
    assert read_pending(a_store(root)).waiting[0].why is Why.DOWN
    server.answers = [answer(kept(1, "green tea"))]
    settled = asking(root, clock, model).settle()
    assert [claim.draft.statement.object for claim in settled.claims] == ["green tea"]


def test_the_day_has_one_budget_however_often_somebody_asks(root, clock, server, model):
    """A hundred runs in an hour spend no more than one; the next day goes on."""
    server.answers = ["nonsense"]
    server.usage = {"prompt_tokens": 500, "completion_tokens": 100}
    fragments = [a_fragment(f"remark {n}", n) for n in range(40)]
    for _ in range(100):
        ours = asking(root, clock, model, tokens=1_800)
        ours.settle(fragments)
    today = ours.use()
    assert (today.tokens <= 1_800, today.calls, len(server.asked)) == (True, today.calls, today.calls)
    assert today.calls <= 3
    clock.move(days=1)
    assert asking(root, clock, model, tokens=1_800).use().tokens == 0


def test_a_model_that_is_down_all_day_is_not_asked_all_day(root, clock, server, model):
    """Twenty-four failed calls end the day, whatever starts them."""
    server.answers = [404]
    for _ in range(50):
        asking(root, clock, model).settle([a_fragment(TEA)])
    assert (len(server.asked), asking(root, clock, model).use().failures) == (24, 24)


def test_the_day_begins_where_the_owner_lives(root, clock):
    """Fourteen hours east of Greenwich a day ends at ten in the morning there."""
    store = a_store(root)
    clock.move(hours=1)  # 10:30 in Greenwich is half past midnight of the next day
    east = Budget(store=store, tokens=100, zone=ZoneInfo("Pacific/Kiritimati"), clock=clock)
    assert east.reserve(60) is not None
    assert (east.today().day, east.rest()) == ("2026-05-16", 40)
    clock.now += timedelta(hours=23, minutes=29)
    assert east.rest() == 40
    clock.now += timedelta(minutes=1)
    assert east.rest() == 100


def test_too_many_that_wait_are_counted(root, clock, monkeypatch):
    """The oldest wait no longer, and `pending` says how many."""
    from memoracle.store import inbox as pending

    monkeypatch.setattr(pending.add_pending, "__kwdefaults__", {"most": 3})
    ours = asking(root, clock)
    settled = ours.settle([a_fragment(f"remark {n}", n) for n in range(5)])
    assert [one.fragment.text for one in settled.waiting] == ["remark 2", "remark 3", "remark 4"]
    assert read_pending(ours.budget.store).compacted == 2


@pytest.mark.seed("F-11", "S0.120", "C-19")
def test_no_socket_is_opened_when_there_is_no_model(root):
    """Settling, waiting, status: a Python that cannot open sockets does all of it."""
    code = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise AssertionError('a socket was opened')\n"
        "socket.socket = socket.create_connection = refuse\n"
        "from memoracle.compose import open_memory\n"
        "from memoracle.learn.asking import asking_of\n"
        "from memoracle.model.claim import Fragment\n"
        "from memoracle.model.record import Channel\n"
        "said = Fragment(ref='t', ordinal=0, text='I have been drinking tea', session='s', who='',\n"
        "                channel=Channel.OWNER, at=None, where='chat#L1')\n"
        "with open_memory(sys.argv[1], environment={'MEMORACLE_RECIPE': 'quick'}) as memory:\n"
        "    settled = asking_of(memory.root).settle([said])\n"
        "    print([one.why.value for one in settled.waiting], memory.status().asking.waiting)\n"
        "    assert 'memoracle.inference.chat' not in sys.modules and 'urllib.request' not in sys.modules\n"
    )
    env = surroundings()
    done = subprocess.run(
        [PYTHON, "-c", code, str(root)], capture_output=True, text=True, check=False, env=env
    )
    assert (done.stdout, done.stderr) == ("['off'] 1\n", "")
