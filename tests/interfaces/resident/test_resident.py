"""With a resident process or without: the same answers, the same exits, and nobody else's."""

import errno
import json
import os
import re
import socket
import stat
import subprocess
import sys
import time
from contextlib import suppress
from threading import Thread
from unittest import mock

import pytest

from memoracle.interfaces.resident import client, server
from support.processes import PYTHON

ASKED = (
    ("recall", "What is the cat called?"),
    ("search", "What is the cat called?", "--json"),
    ("search", "小美对什么过敏？"),
    ("search", "How high is the tower of Pisa?"),
    ("search", "cat", "--limit", "none"),
    ("search", "cat", "--as-of", "never"),
    ("context", "What is the cat called?", "--after", "prompt"),
)


def without_time(ran):
    """A context says at which minute it was made, a hit how alive it is at this moment."""
    status, out, err = ran
    return status, re.sub(r'( at=\\?"|activation": )[^,"]+', "", out), err


@pytest.mark.long
def test_the_same_answers(house):
    """Output, errors and exit statuses; a write that was acknowledged is seen by the next question."""
    expected = [without_time(house.alone(*words)) for words in ASKED]
    asked = json.dumps({"prompt": "What is the cat called?", "session_id": "s", "cwd": "/"}).encode()
    told = house.alone("hook", "prompt", stdin=asked)[1]
    house.start()
    before = house.about()["answered"]
    assert [without_time(house.run(*words)) for words in ASKED] == expected
    assert without_time(house.run("hook", "prompt", stdin=asked)) == without_time((0, told, ""))
    assert "Miso" in told
    for number in range(3):
        house.run("remember", f"boat number {number} is called Swift{number}")
        assert f"Swift{number}" in house.run("search", f"What is boat number {number} called?")[1]
    assert house.about()["answered"] - before == len(ASKED) + 1 + 3


@pytest.mark.long
def test_it_comes_when_it_is_wanted_and_goes_when_it_is_told(house):
    """A question brings it, `status` shows it, `resident stop` ends it; only its owner can reach it."""
    assert house.run("resident")[1] == "none\n"
    assert house.run("search", "cat")[0] == 0
    found = house.wait(house.about)
    for _ in range(4):  # looking at it does not wear it out
        assert f"resident    process {found['pid']}" in house.run("status")[1]
    modes = {name: os.lstat(os.path.join(house.folder, name)).st_mode for name in os.listdir(house.folder)}
    assert stat.S_IMODE(os.stat(house.folder).st_mode) == 0o700
    assert {stat.S_IMODE(mode) for mode in modes.values() if stat.S_ISSOCK(mode)} == {0o600}
    assert not any(stat.S_IMODE(mode) & 0o077 for mode in modes.values())
    assert "stopped" in house.run("resident", "stop")[1]
    house.wait(lambda: not house.processes())
    assert [name for name in os.listdir(house.folder) if not name.endswith(".lock")] == []


def test_an_interpreter_by_another_name_has_the_same(house, monkeypatch):
    """`bin/python` of a hook and `bin/python3.11` of the command are one installation, and have one process."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", house.runtime)
    place = client.socket_of(str(house.root))
    monkeypatch.setattr(sys, "executable", f"{sys.executable}.11")
    assert (place is not None, client.socket_of(str(house.root))) == (True, place)


@pytest.mark.parametrize("by", ["variable", "settings", "seal", "another's folder"])
def test_when_there_is_none(house, by):
    """Switched off, in a sealed root, and where the folder of sockets is open to others."""
    more = {}
    if by == "variable":
        more = {"MEMORACLE_RESIDENT_MINUTES": "0"}
    elif by == "settings":
        with (house.root / "memoracle.toml").open("a", encoding="utf-8") as file:
            file.write("\nresident_minutes = 0\n")
        more = {"MEMORACLE_RESIDENT_MINUTES": None}
    elif by == "seal":
        (house.root / "state").mkdir(exist_ok=True)
        (house.root / "state/sealed.json").write_text('{"mode": "off"}', "utf-8")
    else:
        os.mkdir(house.folder, 0o755)
    assert "Miso" in house.run("search", "What is the cat called?", **more)[1]
    house.run("resident", "serve", **more)
    assert house.processes() == []
    assert not [
        name
        for name in (os.listdir(house.folder) if os.path.isdir(house.folder) else ())
        if ".lock" not in name
    ]


def test_none_is_started_where_none_could_live(house, monkeypatch):
    """Else every command would start one in vain: a Python or a kernel without the calls that it takes."""
    started = []
    monkeypatch.setattr(
        "memoracle.interfaces.hooks.capture.start_process", lambda *_, **__: started.append(1)
    )
    for name, said in house.surroundings().items():
        monkeypatch.setenv(name, said)
    server.start(str(house.root))
    assert started == [1]
    monkeypatch.setattr(os, "pidfd_open", mock.Mock(side_effect=OSError(errno.ENOSYS, "no such call")))
    server.start(str(house.root))
    monkeypatch.delattr(os, "pidfd_open")
    assert client.socket_of(str(house.root)) is None
    server.start(str(house.root))
    assert started == [1]


@pytest.mark.long
def test_whoever_wants_none_can_end_the_one_there_is(house):
    """The variable keeps a command from asking it and from starting it, not from saying that it is there."""
    found = house.start()
    assert json.loads(house.alone("resident", "--json")[1])["process"]["pid"] == found["pid"]
    assert house.alone("search", "cat")[0] == 0
    assert house.about()["answered"] == 0
    assert "stopped" in house.alone("resident", "stop")[1]
    house.wait(lambda: not house.processes())


def test_a_trial_leaves_none(house):
    """`doctor` calls the hooks, and nobody works there."""
    assert "Miso" in house.hook("What is the cat called?", MEMORACLE_TRIAL="1")[1]
    assert house.processes() == []


@pytest.mark.long
def test_it_ends_when_the_settings_change(house):
    """The answer that comes next is by the new ones already."""
    house.start()
    with (house.root / "memoracle.toml").open("a", encoding="utf-8") as file:
        file.write("\nlimit = 1\n")
    house.run("remember", "the second cat is called Suki")
    found = json.loads(house.run("search", "cat", "--json", MEMORACLE_RESIDENT_MINUTES="2")[1])
    assert len(found["hits"]) == 1
    house.wait(lambda: house.about() is None or house.about()["answered"] == 0)


class Pretender:
    """Somebody who listens in its place and does not do what it should."""

    def __init__(self, house, act):
        os.makedirs(house.folder, 0o700, exist_ok=True)
        old = os.environ.get("XDG_RUNTIME_DIR")
        os.environ["XDG_RUNTIME_DIR"] = house.runtime
        path = client.socket_of(str(house.root))
        os.environ.pop("XDG_RUNTIME_DIR")
        if old:
            os.environ["XDG_RUNTIME_DIR"] = old
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(path)
        self.listening.listen(4)
        self.heard = b""
        self.held = []
        if act:
            Thread(target=self.serve, args=(act,), daemon=True).start()

    def serve(self, act):
        while True:
            try:
                one, _ = self.listening.accept()
            except OSError:
                return
            self.held.append(one)
            with suppress(OSError):
                act(self, one)


def _hang(_, one):
    asked = one.makefile("rb")
    asked.read(int.from_bytes(asked.read(4), "big"))
    one.sendall(client.READY)


def _break(_, one):
    asked = one.makefile("rb")
    asked.read(int.from_bytes(asked.read(4), "big"))
    one.sendall(client.READY)
    asked.read(1)
    one.sendall(b"\0\0\0\0\0\0\0\x05\0\0\0\0Mi")
    one.shutdown(socket.SHUT_RDWR)


def _refuse(_, one):
    one.close()


@pytest.mark.parametrize("act", [None, _refuse, _break], ids=["silent", "refuses", "killed"])
def test_a_command_does_without(house, act):
    """Nobody accepts, it refuses, it is killed in the middle of an answer: the same is said, once."""
    expected = house.alone("search", "What is the cat called?", "--json")
    Pretender(house, act)
    assert (
        house.run("search", "What is the cat called?", "--json", MEMORACLE_RESIDENT_MINUTES="2") == expected
    )
    assert house.hook("What is the cat called?")[1].count("Miso") == 1


@pytest.mark.long
def test_a_hook_does_not_wait_for_one_that_hangs(house):
    """What the host said is not lost: the hook works by itself, within its time."""
    Pretender(house, _hang)
    began = time.monotonic()
    status, out, _ = house.hook("What is the cat called?")
    assert (status, "Miso" in out) == (0, True)
    assert time.monotonic() - began < 10


@pytest.mark.long
def test_a_socket_that_was_left_behind_is_no_hindrance(house):
    """As a process that was killed leaves one."""
    Pretender(house, None).listening.close()
    assert "Miso" in house.run("search", "What is the cat called?")[1]
    assert house.wait(house.about)


def _answer(_, one):
    asked = one.makefile("rb")
    asked.read(int.from_bytes(asked.read(4), "big"))
    one.sendall(client.READY)
    asked.read(1)
    one.sendall(b"\0\0\0\3\0\0\0\5\0\0\0\0Miso\n")


@pytest.mark.parametrize("words", [("search", "cat"), ("hook", "prompt")])
def test_asking_loads_next_to_nothing(house, words):
    """What a bare start of Python has, and a handful of modules."""
    Pretender(house, _answer)
    done = subprocess.run(
        [PYTHON, "-X", "importtime", "-m", "memoracle", *words],
        input=b"{}",
        capture_output=True,
        check=False,
        env=house.surroundings(),
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert (done.returncode, done.stdout) == (3, b"Miso\n")
    assert loaded & {"typing", "re", "json", "socket", "argparse", "numpy", "memoracle.errors"} == set()
