"""JSON over HTTP: what the rooms that use it do not already show."""

import pytest

from memoracle.inference import http_client as wire
from memoracle.inference.http_client import Patience, is_http, post_json
from support.chat import ChatServer


@pytest.fixture
def server():
    running = ChatServer()
    running.answers = ["good"]
    yield running
    running.close()


def test_this_machine_is_asked_without_a_proxy(server, monkeypatch):
    """Words for a local model do not take a detour."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("all_proxy", "http://127.0.0.1:9")
    assert post_json(server.url, {}).because == ""


class Body:
    """A body that never ends."""

    def __init__(self, **headers):
        self.headers = headers

    def read1(self, size):
        return b"x" * size


def test_a_server_that_trickles_is_as_slow_as_one_that_is_silent():
    """Every read is quick, and the answer never ends: the time for all of it counts."""
    with pytest.raises(TimeoutError):
        wire._read(Body(), 0.0)


def test_an_answer_has_an_end(monkeypatch):
    """What is longer than any answer is not read to its end."""
    monkeypatch.setattr(wire, "_LONGEST_ANSWER", 1 << 20)
    with pytest.raises(ValueError):
        wire._read(Body(), 60.0)


def test_no_more_is_read_than_was_announced():
    """A server that keeps the connection open is not waited for."""
    assert len(wire._read(Body(**{"Content-Length": str(wire._BLOCK)}), 60.0)) == wire._BLOCK


@pytest.mark.parametrize(("pays_once", "asked"), [(True, 1), (False, 3)])
def test_a_lost_answer_is_asked_for_again_unless_it_is_paid_for(server, pays_once, asked):
    """Vectors may be asked for twice; a model's answer may not."""
    server.answers = [(200, {"Content-Length": "9999"}, "short")]
    patience = Patience(attempts=3, pays_once=pays_once)
    answer = post_json(server.url, {}, patience=patience, sleep=lambda _: None)
    assert (answer.was_lost, len(server.asked)) == (True, asked)


@pytest.mark.parametrize(
    ("url", "does"),
    [
        ("http://h/v1", True),
        ("https://h", True),
        ("HTTP://h", True),
        ("h/v1", False),
        ("http://a:b@h", False),
        ("http://[", False),
    ],
)
def test_addresses(url, does):
    """Plain http, and no password in it."""
    assert is_http(url) is does
