"""Races, kills and interruptions: one process at a time, and no command that hangs, repeats itself or is lost."""

import os
import signal
import socket

import pytest

from support.processes import start

pytestmark = pytest.mark.long
QUESTION = "What is the cat called?"


@pytest.fixture
def hanging(house):
    """An embedder that takes a question and never answers: a command that is at it until somebody ends it."""
    with house.open() as memory:
        memory.remember("one more")
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    yield listening, {"MEMORACLE_EMBEDDER": f"http://127.0.0.1:{listening.getsockname()[1]}/v1#none"}
    listening.close()


def test_of_many_that_start_one_stays(house):
    """And a question that comes meanwhile is answered."""
    started = [house.begin("resident", "serve") for _ in range(6)]
    assert "Miso" in house.run("search", QUESTION)[1]
    found = house.wait(house.about)
    house.wait(lambda: sum(one.poll() is None for one in started) == 1)
    assert [one.pid for one in started if one.poll() is None] == [found["pid"]]
    assert all(one.poll() in {0, None} for one in started)


def test_one_that_was_killed_is_followed_by_another(house):
    """Neither its socket nor its lock is in the way."""
    first = house.start()["pid"]
    os.kill(first, signal.SIGKILL)
    house.wait(lambda: not house.processes())
    assert "Miso" in house.run("search", QUESTION)[1]
    assert house.wait(house.about)["pid"] != first


def test_a_child_that_is_killed_while_it_works(house, hanging):
    """The command does it again by itself, and the next one is answered as ever."""
    listening, embedder = hanging
    parent = house.start()["pid"]
    asking = house.begin("search", QUESTION, env=embedder)
    held, _ = listening.accept()
    (busy,) = [pid for pid in house.processes() if pid != parent and _is_connected(pid, listening)]
    os.kill(busy, signal.SIGKILL)
    one, _ = listening.accept()  # the command itself
    listening.close()
    one.close()
    held.close()
    out, err = asking.communicate(timeout=60)
    assert (asking.returncode, out, err.count(b"is not available")) == (1, b"", 1)
    assert "Miso" in house.run("search", QUESTION)[1]


def test_ctrl_c_reaches_the_work(house, hanging):
    """It ends as it would have here."""
    listening, embedder = hanging
    house.start()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background ignores it
    asking = house.begin("search", QUESTION, env=embedder)
    signal.signal(signal.SIGINT, before)
    held, _ = listening.accept()
    asking.send_signal(signal.SIGINT)
    out, err = asking.communicate(timeout=60)
    assert (asking.returncode, out, b"stopped" in err) == (130, b"", True)
    held.close()


def test_work_that_nobody_waits_for_ends(house, hanging):
    """Whoever asked was killed."""
    listening, embedder = hanging
    parent = house.start()["pid"]
    asking = house.begin("search", QUESTION, env=embedder)
    held, _ = listening.accept()
    asking.kill()
    asking.communicate()
    house.wait(
        lambda: not [pid for pid in house.processes() if pid != parent and _is_connected(pid, listening)]
    )
    held.close()


def _is_connected(pid, listening):
    """True when this process has a connection to that port."""
    port = f":{listening.getsockname()[1]:04X}"
    with open("/proc/net/tcp", encoding="ascii") as file:
        nodes = {line.split()[9] for line in file.readlines()[1:] if line.split()[2].endswith(port)}
    handles = f"/proc/{pid}/fd"
    try:
        return any(
            os.readlink(f"{handles}/{one}") in {f"socket:[{node}]" for node in nodes}
            for one in os.listdir(handles)
        )
    except OSError:
        return False


def test_it_ends_when_nobody_asks_any_more(house):
    """And leaves nothing behind but its lock."""
    code = "import sys; from memoracle.interfaces.resident.server import serve; serve(sys.argv[1], 0.03)"
    process = start(code, house.root, env=house.surroundings())
    house.wait(lambda: process.poll() is not None)
    assert process.returncode == 0, process.communicate()
    assert {name.rpartition(".")[2] for name in os.listdir(house.folder)} == {"lock"}
