"""Servers as hosts start them, spoken to by hand; and in the test's own process, spoken to by the SDK's client."""

import json
import subprocess
from contextlib import asynccontextmanager, contextmanager
from unittest import mock

import anyio
import pytest

from support.processes import PYTHON, run_here, surroundings

pytest.importorskip("mcp_types")

from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.types import Implementation

from memoracle.interfaces.mcp.server import build

TOKEN = "a-token-that-only-tests-know"
QUICK = {"MEMORACLE_RECIPE": "quick"}


def words_of(root, *more):
    return ["-m", "memoracle", "--root", str(root), "mcp", *more]


def serve_here(root, body, *words, mode="legacy", cwd=None):
    """What an async function gives with a client of a server that was started with these words, in this process.

    All but the standard streams is as a host has it; those are for `raw_server` and its tests.
    """
    given = []

    async def talk(service):
        who = Implementation(name="by-hand", version="1")
        async with Client(build(service), mode=mode, client_info=who) as client:
            given.append(await body(client))

    with mock.patch("memoracle.interfaces.mcp.stdio.run", lambda service: anyio.run(talk, service)):
        status, out, err = run_here("--root", root, "mcp", *words, env=surroundings(**QUICK), cwd=cwd)
    assert (status, out) == (0, ""), err
    return given[0]


@pytest.fixture
def story(root):
    """Runs an async function with a connected client of a server of its own."""
    return lambda body, *words, mode="legacy": serve_here(root, body, *words, mode=mode)


class Raw:
    """A client that speaks by hand, one JSON line after the other."""

    def __init__(self, root, *words, env=None):
        self.process = subprocess.Popen(
            [PYTHON, *words_of(root, *words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env or surroundings(**QUICK),
        )

    def say(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else json.dumps(line).encode())
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def hear(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, request_id=1, **params):
        self.say({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
        return self.hear()

    def ask_for(self, request_id, method, **params):
        """The answer to a request, whatever is said before it."""
        answer = self.ask(method, request_id, **params)
        while answer.get("id") != request_id:
            answer = self.hear()
        return answer

    def shake_hands(self, version="2024-11-05"):
        told = {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "by-hand", "version": "1"},
        }
        answer = self.ask("initialize", 0, **told)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer["result"]

    def call(self, name, request_id=1, **arguments):
        return self.ask("tools/call", request_id, name=name, arguments=arguments)

    def document(self, name, **arguments):
        """What a tool gives."""
        return document(self.call(name, **arguments))

    def leave(self):
        """Close stdin; everything the server still says, and how it ended."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, [json.loads(line) for line in out.splitlines()], err.decode()


def document(answer):
    """The document in the answer to a call."""
    return json.loads(answer["result"]["content"][0]["text"])


@contextmanager
def raw_server(root, *words, **options):
    one = Raw(root, *words, **options)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait()
        for stream in (one.process.stdin, one.process.stdout, one.process.stderr):
            stream.close()


@pytest.fixture
def raw(root):
    """A server that is spoken to by hand."""
    with raw_server(root) as one:
        yield one


@pytest.fixture
def url(root):
    """The address of a server that many clients share."""
    env = surroundings(MEMORACLE_MCP_TOKEN=TOKEN, **QUICK)
    with raw_server(root, "--http", "127.0.0.1:0", env=env) as one:
        said = one.process.stderr.readline().decode()
        assert said.startswith("listening: "), said
        yield said.split()[1]
        one.process.terminate()
        one.process.wait(30)


@asynccontextmanager
async def http_client(url, *, mode="legacy", token=TOKEN):
    """A client of a server on a port."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        create_mcp_http_client(headers=headers) as speaker,
        Client(streamable_http_client(url, http_client=speaker), mode=mode) as client,
    ):
        yield client


async def call(client, name, **arguments):
    """The document of a tool's answer; what it refuses fails the test."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content or json.loads(result.content[0].text)


async def refusal(client, name, **arguments):
    """The error of a tool that refuses."""
    result = await client.call_tool(name, arguments)
    assert result.is_error, result.content[0].text
    return json.loads(result.content[0].text)["error"]
