"""A value that was recognised once is masked at every mention: in its text, in later texts, in later processes."""

import json
import subprocess

import pytest

from hosts.samples import claude_line, write_lines
from memoracle.guard.secrets import KnownSecrets, mask
from support.processes import PYTHON, run, run_here, surroundings

from .samples import made, salt
from .test_canary import everything_under

TOKEN = made("", 24)
PASSWORD = "Tr0ub" + "4dor&3"
SHORT = "Xk29" + "vLq8"


def holds(root, value):
    """Where the value stands under a root, in any spelling of JSON."""
    return [place for place, content in everything_under(root) if value.encode() in content]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"The API key is {TOKEN}. So run: deploy --with {TOKEN} now", TOKEN),
        (f"password: {PASSWORD}\nThen type {PASSWORD} twice.", PASSWORD),
        (f"密码是 {SHORT}，登录时输入 {SHORT}", SHORT),
        (f"token = '{TOKEN}' | '{TOKEN}'", TOKEN),
        (f"Try {TOKEN} first. It is my api key: {TOKEN}", TOKEN),
        (f"secret={TOKEN}; see https://example.org/?a=1&k={TOKEN}#x", TOKEN),
    ],
)
def test_every_mention_in_a_text_is_masked(root, text, value):
    """By the command, on disk: before the name as well as after it."""
    status, out, err = run_here("--root", root, "remember", text)
    assert (status, value in out + err, holds(root, value)) == (0, False, [])


def test_a_value_named_once_is_masked_in_later_runs(root):
    """Every run is a process of its own: what it recognised is kept as a fingerprint, never in clear."""
    assert run("--root", root, "remember", f"The deploy token is {TOKEN}")[0] == 0
    for words in (
        ("remember", f"Use {TOKEN} on the new host"),
        ("note", f"ran it with {TOKEN} again"),
        ("buffer", "add", f"next: {TOKEN} on the second host"),
    ):
        status, out, err = run("--root", root, *words)
        assert (status, TOKEN in out) == (0, False), (words, err)
    assert holds(root, TOKEN) == []


@pytest.mark.parametrize("keep", [(), ("--keep",)])
@pytest.mark.parametrize("order", [(3, 7), (7, 3)])
def test_a_conversation_names_it_in_one_turn_and_mentions_it_in_another(root, tmp_path, keep, order):
    """Whichever comes first; in the view, in records, in tool output and in kept copies."""
    named, bare = f"The API key is {TOKEN}, keep it safe", f"I deployed the service with {TOKEN} today"
    said = {number: f"We talked about the garden, part {number}" for number in range(10)}
    said |= {order[0]: named, order[1]: bare}
    lines = [claude_line(f"u{n}", f"u{n - 1}" if n else None, text) for n, text in said.items()]
    answer = claude_line("tool", "u9", "x")
    answer["message"]["content"] = [
        {"type": "tool_result", "tool_use_id": "t", "content": f"Authenticated as {TOKEN} ok"}
    ]
    chat = write_lines(tmp_path / "chat.jsonl", *lines, answer)
    for words in (
        ("ingest", chat, *keep),
        ("consolidate",),
        ("recall", "What did I deploy the service with?"),
    ):
        status, out, err = run_here("--root", root, *words)
        assert (status, TOKEN in out + err) == (0, False), (words, out, err)
    assert holds(root, TOKEN) == []


def test_a_conversation_that_goes_on_tomorrow(root, tmp_path):
    """The name was read in an earlier run; what is added to the file later is masked all the same."""
    chat = write_lines(tmp_path / "chat.jsonl", claude_line("u0", None, f"My API key is {TOKEN}"))
    for words in (("ingest", chat), ("recall", "key")):
        run("--root", root, *words)
    with chat.open("a", encoding="utf-8") as opened:
        opened.write(json.dumps(claude_line("u1", "u0", f"The robot listens to {TOKEN} on Mondays")) + "\n")
    for words in (("ingest", chat), ("consolidate",), ("search", "robot")):
        status, out, err = run("--root", root, *words)
        assert (status, TOKEN in out + err) == (0, False), (words, out, err)
    assert holds(root, TOKEN) == []


def test_one_server_remembers_what_it_recognised(root):
    """Two saves over one connection: the second has no name beside it."""
    hello = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *(
            {
                "jsonrpc": "2.0",
                "id": number,
                "method": "tools/call",
                "params": {"name": "memory_save", "arguments": {"text": text}},
            }
            for number, text in enumerate((f"api_key={TOKEN}", f"The printer wants {TOKEN} at start"), 1)
        ),
    ]
    pytest.importorskip("mcp")
    with subprocess.Popen(
        [PYTHON, "-m", "memoracle", "--root", str(root), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=surroundings(),
    ) as server:
        heard = []
        for line in lines:
            server.stdin.write(json.dumps(line) + "\n")
            server.stdin.flush()
            if "id" in line:
                heard.append(server.stdout.readline())
        server.stdin.close()
        assert server.wait(60) == 0
    assert (len(heard), TOKEN in "".join(heard), holds(root, TOKEN)) == (3, False, [])


@pytest.mark.parametrize("value", ["admin", "1234", "2026", "sunshine", "python3", "postgres"])
def test_a_common_value_does_not_spread(root, value):
    """“password: admin” hides that one; every other admin stays."""
    run_here("--root", root, "remember", f"The password: {value}\nIn May {value} was used here")
    status, out, _ = run_here("--root", root, "remember", f"My colleague wrote {value} on the board")
    assert status == 0
    assert f"colleague wrote {value} on" in run_here("--root", root, "search", "colleague board")[1] + out


def test_a_longer_word_that_begins_alike_is_none():
    """A mention ends where the value ends."""
    known = KnownSecrets(salt)
    mask(f"password={SHORT}", salt, known=known)
    assert mask(f"not {SHORT}7x nor x{SHORT}", salt, known=known).found == ()
    assert mask(f"but ({SHORT}) is", salt, known=known).types == ("password",)


def test_many_secrets_and_a_long_text_take_linear_work():
    """Counted: how many places are looked at grows with the text, whatever is known."""
    known = KnownSecrets(salt)
    for number in range(600):
        mask(f"api_key={made('', 20 + number % 40, seed=number)}", salt, known=known)
    text = "\n".join(made("", 64, seed=-number) for number in range(4000))
    assert "known" not in {one.rule for one in mask(text, salt, known=known).found}


def test_what_an_agent_asks_a_hook_for_holds_no_mention(root):
    """A request is written down by the hook itself, in a process of its own."""
    assert run("--root", root, "remember", f"The deploy password is {SHORT}")[0] == 0
    said = f"It runs with {SHORT} now.\n[DELIVER:seat=planner, task_id=T-7, project=arena, summary=used {SHORT} twice]"
    given = {"session_id": "s", "hook_event_name": "Stop", "cwd": str(root), "last_assistant_message": said}
    status, out, err = run(
        "--root", root, "hook", "stop", "--host", "claude-code", stdin=json.dumps(given).encode()
    )
    assert (status, SHORT in out + err, holds(root, SHORT)) == (0, False, [])
    assert any("requests" in place for place, _ in everything_under(root))
