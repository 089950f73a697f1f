"""One client on the standard streams: the older handshake by hand, odd input, and how it ends."""

import json
import os
import signal
import subprocess

import pytest

from interfaces.mcp.conftest import QUICK, call, document, raw_server, refusal, words_of
from support.processes import PYTHON, surroundings


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_older_handshakes(raw, version):
    """Every version with a handshake is answered in kind, with instructions under 1.5 KB."""
    told = raw.shake_hands(version)
    assert (told["protocolVersion"], told["serverInfo"]["name"]) == (version, "memoracle")
    assert len(told["instructions"].encode()) <= 1536
    assert "记忆" in told["instructions"]


@pytest.mark.parametrize("version", ["2026-07-28", "1999-01-01", "", None])
def test_a_handshake_of_another_version_is_offered_the_newest(raw, version):
    """The client decides whether it can go on with it."""
    assert raw.shake_hands(version)["protocolVersion"] == "2025-11-25"


def test_the_name_of_a_run_is_no_secret(raw):
    """Saving plain words masks nothing: what the server cites of itself does not look like a key."""
    raw.shake_hands()
    kept = raw.document("memory_save", text="the cat is called Miso")
    shown = raw.document("memory_get", id=kept["id"])
    assert (kept["outcome"], kept["warnings"], "[secret:" in json.dumps(shown)) == ("accepted", [], False)


def test_an_unknown_method_is_answered_at_once(raw):
    """-32601, before the handshake and after it."""
    before = raw.ask("server/no-such-thing", 5)
    raw.shake_hands()
    after = raw.ask("no/such/method", 6)
    codes = [answer["error"]["code"] for answer in (before, after)]
    assert (codes, before["id"], after["id"]) == ([-32601, -32601], 5, 6)


def test_an_unknown_tool_is_a_protocol_error(raw):
    """-32602, and the tools there are."""
    raw.shake_hands()
    error = raw.call("memory_explode")["error"]
    assert (error["code"], "memory_search" in error["data"]["known"]) == (-32602, True)


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        (b"{not json", -32700, None),
        (b"\xff\xfe\x00", -32700, None),
        (b"[" * 10_000, -32700, None),
        (b"[]", -32600, None),
        (b'"hello"', -32600, None),
        (b'{"id": 7, "method": "ping"}', -32600, 7),
    ],
    ids=["not json", "not text", "deep", "an empty batch", "a string", "no version"],
)
def test_what_is_no_message_is_answered_and_the_next_one_is_served(raw, line, code, request_id):
    """A parse error or an invalid request, with the id where one can be made out."""
    raw.shake_hands()
    raw.say(line)
    answer = raw.hear()
    assert (answer["error"]["code"], answer["id"], raw.ask("ping", 8)["result"]) == (code, request_id, {})


def test_a_client_that_says_everything_and_leaves_gets_every_answer(raw):
    """What was asked before stdin closed is answered; then the process ends with 0 and nothing on stderr."""
    raw.shake_hands()
    for number in range(20):
        arguments = {"text": f"note number {number}"}
        raw.say(
            {"jsonrpc": "2.0", "id": number, "method": "tools/call",
             "params": {"name": "memory_save", "arguments": arguments}}
        )  # fmt: skip
    status, answers, err = raw.leave()
    kept = [answer for answer in answers if document(answer)["created"]]
    assert (status, sorted(answer["id"] for answer in kept), err) == (0, list(range(20)), "")


def test_an_interrupt_ends_it(raw):
    """Ctrl-C at a terminal leaves no process."""
    raw.shake_hands()
    raw.process.send_signal(signal.SIGINT)
    assert raw.process.wait(30) == -signal.SIGINT


def test_it_ends_when_its_client_is_killed(root):
    """A host that dies without a word leaves no server behind."""
    code = (
        "import json, subprocess, sys, time\n"
        "server = subprocess.Popen([sys.executable, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "hello = {'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}\n"
        "server.stdin.write(json.dumps(hello).encode() + b'\\n'); server.stdin.flush(); server.stdout.readline()\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    host = subprocess.Popen(
        [PYTHON, "-c", code, *words_of(root)], stdout=subprocess.PIPE, text=True, env=surroundings(**QUICK)
    )
    server = os.pidfd_open(int(host.stdout.readline()))
    host.kill()
    host.wait()
    host.stdout.close()
    try:
        assert _ended(server, seconds=30)
    finally:
        os.close(server)


def _ended(pidfd, *, seconds):
    import select

    return bool(select.select([pidfd], [], [], seconds)[0])


def test_a_cancelled_call_is_never_answered(raw, root):
    """A save that waits for the lock is taken back: no answer for it, and the next call is served."""
    import fcntl

    raw.shake_hands()
    raw.call("memory_save", text="the first one makes the lock file")
    with (root / "state/write.lock").open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        for number in (10, 11):  # the first waits for the lock, the second waits behind it
            raw.say(
                {"jsonrpc": "2.0", "id": number, "method": "tools/call",
                 "params": {"name": "memory_save", "arguments": {"text": f"waiting {number}"}}}
            )  # fmt: skip
        cancel = {"requestId": 11, "reason": "changed my mind"}
        raw.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel})
        assert raw.ask("ping", 12)["id"] == 12
        assert raw.call("memory_search", 13, query="waiting")["id"] == 13
    answered = raw.hear()
    status, rest, _ = raw.leave()
    assert (answered["id"], status, rest) == (10, 0, [])
    with raw_server(root) as again:
        again.shake_hands()
        items = again.document("memory_search")["results"]
    assert sorted(item["text"] for item in items) == ["the first one makes the lock file", "waiting 10"]


def test_a_locked_memory_is_a_clear_error_to_try_again(root):
    """`root-locked`, retriable; searching goes on meanwhile."""
    import fcntl

    with raw_server(root, env=surroundings(MEMORACLE_LOCK_TIMEOUT="0.2", **QUICK)) as one:
        one.shake_hands()
        one.call("memory_save", text="the cat is called Miso")
        with (root / "state/write.lock").open("r+") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            refused = one.call("memory_save", text="something else")["result"]
            found = one.document("memory_search", query="cat")
        error = json.loads(refused["content"][0]["text"])["error"]
        assert (refused["isError"], error["code"], error["retriable"]) == (True, "root-locked", True)
        assert found["verdict"] == "found"
        assert one.call("memory_save", text="something else")["result"]["isError"] is False


def test_a_megabyte_in(story):
    """Large input is refused in one sentence or taken, and the server goes on."""
    large = "长" * 350_000

    async def body(client):
        too_long = await refusal(client, "memory_save", text=large)
        asked = await refusal(client, "memory_search", query=large)
        deep = await refusal(client, "memory_save", text="x", tags=["t"] * 300_000)
        kept = await call(client, "memory_save", text="长" * 100_000)
        return too_long["code"], asked["code"], deep["code"], kept["created"]

    assert story(body) == ("invalid-draft", "bad-input", "invalid-draft", True)


def test_no_memory_is_said_to_who_asks_nothing(tmp_path):
    """One sentence and a hint on stderr, nothing on stdout, exit 1."""
    with raw_server(tmp_path / "nowhere") as one:
        status, out, err = one.leave()
    assert (status, out, "hint: `memoracle init`" in err) == (1, [], True)


def test_no_memory_is_said_at_once_at_a_terminal(tmp_path):
    """A person who starts it by hand does not have to speak JSON to hear it."""
    import pty

    held, terminal = pty.openpty()
    done = subprocess.run(
        [PYTHON, *words_of(tmp_path / "nowhere")],
        stdin=terminal, capture_output=True, check=False, text=True, timeout=60, env=surroundings(**QUICK),
    )  # fmt: skip
    os.close(held)
    os.close(terminal)
    assert (done.returncode, done.stdout, "hint: `memoracle init`" in done.stderr) == (1, "", True)


def test_without_a_memory_the_handshake_stands(tmp_path):
    """The tools are listed; whoever calls one is told what to tell the owner, and stderr has it for the host's log."""
    with raw_server(tmp_path / "nowhere") as one:
        one.shake_hands()
        listed = one.ask("tools/list")["result"]["tools"]
        refused = one.call("memory_search", query="cat")["result"]
        error = json.loads(refused["content"][0]["text"])["error"]
        resource = one.ask("resources/list")["error"]
        status, rest, err = one.leave()
    assert (len(listed), refused["isError"], error["code"], status, rest) == (8, True, "no-root", 0, [])
    assert "tell the owner: `memoracle init`" in error["hint"]
    assert (resource["code"], resource["data"]["code"]) == (-32603, "no-root")
    assert (err.count("no memory at"), "Traceback" in err) == (1, False)


def test_stray_output_never_reaches_the_wire(root):
    """What code below prints goes to stderr; every line on stdout is a message."""
    code = (
        "import sys, memoracle.memory as m\n"
        "from memoracle.interfaces.cli import main\n"
        "real = m.Memory.search\n"
        "def loud(self, *a, **k):\n"
        "    print('a stray word'); return real(self, *a, **k)\n"
        "m.Memory.search = loud\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    lines = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
         "params": {"name": "memory_search", "arguments": {"query": "cat"}}},
    ]  # fmt: skip
    done = subprocess.run(
        [PYTHON, "-c", code, "--root", str(root), "mcp"],
        input="\n".join(map(json.dumps, lines)).encode() + b"\n",
        capture_output=True,
        check=True,
        timeout=60,
        env=surroundings(**QUICK),
    )
    ids = [json.loads(line)["id"] for line in done.stdout.splitlines()]
    assert (ids, b"a stray word" in done.stderr) == ([0, 1], True)


def test_only_http_needs_the_sdk(root):
    """Without it the standard streams are served as ever; a port is `missing-extra`, exit 1, with its install line."""
    code = (
        "import sys; sys.modules['mcp'] = sys.modules['mcp_types'] = None\n"
        "from memoracle.interfaces.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )

    def started(*words):
        line = [PYTHON, "-c", code, "--root", str(root), "mcp", *words]
        ask = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
        return subprocess.run(
            line,
            input=ask,
            capture_output=True,
            check=False,
            text=True,
            timeout=60,
            env=surroundings(**QUICK),
        )

    streams, port = started(), started("--http", "0")
    assert (streams.returncode, "memory_search" in streams.stdout) == (0, True)
    assert (port.returncode, "pip install 'memoracle[server]'" in port.stderr) == (1, True)
