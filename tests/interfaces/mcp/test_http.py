"""Many clients on one port: the token, the address, and writing at the same time."""

import json
import urllib.error
import urllib.request

import anyio
import pytest

from interfaces.mcp.conftest import TOKEN, call, http_client, raw_server, refusal
from memoracle.errors import BadInput
from memoracle.interfaces.mcp.http import Address, listen, read_address, token_of
from support.processes import surroundings

HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}  # fmt: skip


def post(url, *, headers, body=HELLO):
    """The status of a plain request."""
    told = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    request = urllib.request.Request(url, json.dumps(body).encode(), told)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, dict(refused.headers)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_official_client_over_http(url, mode):
    """Keep, find and fetch, in both eras."""

    async def story():
        async with http_client(url, mode=mode) as client:
            kept = await call(client, "memory_save", text="我的猫叫咪咪")
            found = await call(client, "memory_search", query="猫")
            error = await refusal(client, "memory_get", id="mem_NOPE")
            return kept["id"], found["results"][0]["id"], error["code"]

    kept, hit, code = anyio.run(story)
    assert (kept, code) == (hit, "unknown-record")


def test_without_the_token_nothing_is_served(url):
    """401 for no token, a wrong one and two of them; what is asked does not matter."""
    good = {"Authorization": f"Bearer {TOKEN}"}
    assert post(url, headers=good)[0] == 200
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}):
        status, told = post(url, headers=headers)
        assert (status, told["www-authenticate"]) == (401, "Bearer")
    assert post(url.replace("/mcp", "/anything"), headers={})[0] == 401


def test_a_page_in_a_browser_cannot_reach_it(url):
    """A foreign origin or host is refused even with the token."""
    good = {"Authorization": f"Bearer {TOKEN}"}
    assert post(url, headers=good | {"Origin": "https://evil.example"})[0] == 403
    assert post(url, headers=good | {"Host": "evil.example"})[0] == 421


def test_clients_that_write_at_the_same_time_lose_nothing(url, root):
    """Eight clients, ten saves each, searching in between: everything is kept, nobody sees an error."""
    many, each = 8, 10

    async def write(number):
        async with http_client(url) as client:
            for turn in range(each):
                await call(client, "memory_save", text=f"client {number} says item {turn}")
                await call(client, "memory_search", query=f"client {number}")

    async def story():
        async with anyio.create_task_group() as tasks:
            for number in range(many):
                tasks.start_soon(write, number)
        async with http_client(url) as client:
            return await call(client, "memory_search", maxResults=200)

    texts = {item["text"] for item in anyio.run(story)["results"]}
    assert texts == {f"client {number} says item {turn}" for number in range(many) for turn in range(each)}


def test_it_makes_a_token_when_it_is_given_none(root):
    """Said once, on stderr; it works."""
    with raw_server(root, "--http", "0", env=surroundings()) as one:
        token = one.process.stderr.readline().decode().removeprefix("token: ").strip()
        url = one.process.stderr.readline().decode().split()[1]
        assert (len(token) > 30, post(url, headers={"Authorization": f"Bearer {token}"})[0]) == (True, 200)
        one.process.terminate()
        assert one.process.wait(30) is not None


# Addresses


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:8765", ("127.0.0.1", 8765)),
        (":8765", ("127.0.0.1", 8765)),
        ("8765", ("127.0.0.1", 8765)),
        ("localhost:0", ("127.0.0.1", 0)),
        ("[::1]:8765", ("::1", 8765)),
    ],
)
def test_addresses_of_this_machine(text, address):
    """Without a host it is this machine."""
    assert read_address(text, remote=False) == Address(host=address[0], port=address[1])


@pytest.mark.parametrize("text", ["0.0.0.0:8765", "192.168.1.5:80", "[::]:80", "example.com:80"])
def test_an_address_that_others_reach_has_to_be_wanted(text):
    """Refused, unless the call says so."""
    with pytest.raises(BadInput, match="others could reach"):
        read_address(text, remote=False)
    assert not read_address(text, remote=True).is_local


@pytest.mark.parametrize("text", ["", "localhost", "127.0.0.1:", "127.0.0.1:port", "127.0.0.1:99999", ":-1"])
def test_what_is_no_address(text):
    """One sentence."""
    with pytest.raises(BadInput):
        read_address(text, remote=True)


def test_a_short_token_is_refused():
    """It could be guessed."""
    with pytest.raises(BadInput):
        token_of("short")


def test_small_answers_are_not_held_back():
    """The socket says that it speaks TCP; otherwise asyncio leaves the delay on, and every call costs 40 ms."""
    import socket

    with listen(Address(host="127.0.0.1", port=0)) as listening:
        assert listening.proto == socket.IPPROTO_TCP
