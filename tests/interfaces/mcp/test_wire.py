"""The wire itself: what is imported before the first answer, batches, progress, garbage, and a thousand calls at once."""

import json
import random
import subprocess
import time

import pytest

from interfaces.mcp.conftest import QUICK, document, raw_server
from support.processes import PYTHON, surroundings

HEAVY = (
    "numpy",
    "sqlite3",
    "asyncio",
    "mcp",
    "pydantic",
    "argparse",
    "memoracle.memory",
    "memoracle.compose",
)
META = "io.modelcontextprotocol/"


def asked(request_id, method, **params):
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def saving(request_id, text, **more):
    return asked(request_id, "tools/call", name="memory_save", arguments={"text": text}, **more)


def test_the_handshake_waits_for_no_library(root):
    """`initialize`, `tools/list` and the prompts are answered before anything that a memory needs is imported."""
    code = (
        "import os, sys, memoracle.interfaces.mcp.stdio as s\n"
        "s._Connection.warm = lambda self: None\n"
        "send = s._Connection._send\n"
        "def told(self, message):\n"
        f"    message['loaded'] = [name for name in {HEAVY} if name in sys.modules]\n"
        "    send(self, message)\n"
        "s._Connection._send = told\n"
        "from memoracle.interfaces.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    methods = [
        "initialize",
        "tools/list",
        "prompts/list",
        "resources/templates/list",
        "ping",
        "server/discover",
    ]
    lines = [asked(number, method) for number, method in enumerate(methods)]
    done = subprocess.run(
        [PYTHON, "-c", code, "--root", str(root), "mcp"],
        input="\n".join(map(json.dumps, lines)), capture_output=True, check=True, text=True, timeout=60,
        env=surroundings(**QUICK),
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["id"], one["loaded"]) for one in answers] == [(number, []) for number in range(len(methods))]


def test_a_memory_is_opened_behind_the_handshake(raw):
    """Nobody has to call a tool for it: the first call finds it ready."""
    raw.shake_hands()
    raw.ask("tools/list")
    maps = f"/proc/{raw.process.pid}/maps"
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with open(maps) as held:
            if "sqlite" in held.read():
                return
        time.sleep(0.05)
    pytest.fail("no memory was opened")


def test_a_request_of_the_newest_version_says_who_asks(raw):
    """No handshake: results are stamped as that version has it, and a save is kept under the name in its envelope."""
    envelope = {f"{META}protocolVersion": "2026-07-28", f"{META}clientCapabilities": {}}
    envelope |= {f"{META}clientInfo": {"name": "a-new-host", "version": "1"}}
    found = raw.ask("server/discover", _meta=envelope)["result"]
    listed = raw.ask("tools/list", _meta=envelope)["result"]
    raw.say(saving(3, "the cat is called Miso", _meta=envelope))
    kept = document(raw.hear())
    shown = raw.document("memory_get", id=kept["id"])
    old = raw.ask("tools/list", _meta={f"{META}protocolVersion": "2031-01-01"})["error"]
    assert (found["supportedVersions"], found["resultType"], listed["cacheScope"]) == (
        ["2026-07-28"],
        "complete",
        "private",
    )
    assert listed["_meta"][f"{META}serverInfo"]["name"] == "memoracle"
    assert (shown["who"], old["code"], old["data"]["supported"]) == ("a-new-host", -32022, ["2026-07-28"])


def test_a_batch_is_answered_in_one_line(raw):
    """Requests, a notification, an answer and nonsense: one list, with an answer for each that wants one."""
    raw.shake_hands("2025-03-26")
    batch = [
        asked(1, "ping"),
        saving(2, "the cat is called Miso"),
        {"jsonrpc": "2.0", "method": "notifications/whatever"},
        {"jsonrpc": "2.0", "id": 9, "result": {}},
        5,
        asked("x", "no/such/method"),
    ]
    raw.say(batch)
    answers = raw.hear()
    codes = {str(one["id"]): one.get("error", {}).get("code") for one in answers}
    assert codes == {"1": None, "2": None, "None": -32600, "x": -32601}
    raw.say([{"jsonrpc": "2.0", "method": "notifications/whatever"}])  # nothing to say is not said
    assert raw.ask("ping", 7)["id"] == 7


@pytest.mark.long
def test_a_call_that_takes_long_is_told_to_go_on(raw, root):
    """Progress that grows, for who gave a token and for nobody else; none after the answer."""
    import fcntl

    raw.shake_hands()
    raw.call("memory_save", text="the first one makes the lock file")
    with (root / "state/write.lock").open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        raw.say(saving(5, "waiting", _meta={"progressToken": "a-token"}))
        told = [raw.hear()["params"] for _ in range(2)]
    answer = raw.hear()
    while "id" not in answer:
        answer = raw.hear()
    assert [one["progressToken"] for one in told] == ["a-token"] * 2
    assert (told[0]["progress"] < told[1]["progress"], answer["id"]) == (True, 5)
    assert raw.leave()[1] == []


@pytest.mark.long
def test_nothing_more_is_told_of_what_was_taken_back(raw, root):
    """Though the write that had begun goes on."""
    import fcntl

    raw.shake_hands()
    raw.call("memory_save", text="the first one makes the lock file")
    with (root / "state/write.lock").open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        raw.say(saving(5, "waiting", _meta={"progressToken": "a-token"}))
        assert raw.hear()["method"] == "notifications/progress"
        raw.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}})
        time.sleep(3)
        assert raw.ask("ping", 6)["id"] == 6


def test_garbage_is_answered_and_nothing_breaks(raw):
    """Two hundred lines of noise, broken messages and odd values: each line gets at most one line, then all is well."""
    chance = random.Random(7)
    whole = json.dumps(asked(1, "tools/call", name="memory_search", arguments={"query": "x"})).encode()
    odd = [None, True, 1.5, -1, "", "\ud800", [], {}, [[]], {"a": None}, 10**30, "长" * 50]
    raw.shake_hands()
    for number in range(200):
        kind = number % 4
        if kind == 0:
            line = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 80)))
        elif kind == 1:
            line = whole[: chance.randrange(1, len(whole))]
        elif kind == 2:
            names = ("jsonrpc", "id", "method", "params")
            line = json.dumps({name: chance.choice([*odd, "2.0", "tools/call"]) for name in names}).encode()
        else:
            params = {"name": chance.choice(["memory_get", *odd]), "arguments": chance.choice(odd)}
            line = json.dumps(asked(number, "tools/call", **params)).encode()
        raw.say(line.replace(b"\n", b" ").replace(b"\r", b" "))
    assert raw.ask_for(9999, "ping")["result"] == {}
    assert raw.process.poll() is None


def test_a_line_without_end_is_refused_and_forgotten(raw):
    """Seventeen megabytes are answered in one sentence; what stands behind them is served."""
    raw.shake_hands()
    raw.say(b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * (17 << 20) + b'"}')
    assert raw.hear()["error"]["code"] == -32600
    assert raw.ask("ping", 2)["result"] == {}


def test_a_thousand_calls_at_once(root):
    """Every one is answered, each once, but those taken back while they waited; who only writes is not waited for."""
    with raw_server(root) as one:
        one.shake_hands()
        lines = [
            asked(n, "tools/call", name="memory_search", arguments={"query": f"cat {n}"}) for n in range(1000)
        ]
        lines += [
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": n}}
            for n in range(900, 1000)
        ]
        for line in lines:
            one.process.stdin.write(json.dumps(line).encode() + b"\n")
        status, answers, err = one.leave()
    ids = [answer["id"] for answer in answers]
    assert (status, err, len(ids), set(range(900)) <= set(ids)) == (0, "", len(set(ids)), True)
    assert len(ids) < 1000


def test_nothing_reaches_a_program_that_a_tool_calls(root):
    """A child that reads stdin finds it empty, and does not eat the next request."""
    code = (
        "import subprocess, sys, memoracle.memory as m\n"
        "from memoracle.interfaces.cli import main\n"
        "real = m.Memory.search\n"
        "m.Memory.search = lambda *a, **k: subprocess.call(['cat']) or real(*a, **k)\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    lines = [asked(n, "tools/call", name="memory_search", arguments={"query": "x"}) for n in range(3)]
    done = subprocess.run(
        [PYTHON, "-c", code, "--root", str(root), "mcp"],
        input="\n".join(map(json.dumps, lines)), capture_output=True, check=True, text=True, timeout=60,
        env=surroundings(**QUICK),
    )  # fmt: skip
    assert sorted(json.loads(line)["id"] for line in done.stdout.splitlines()) == [0, 1, 2]
