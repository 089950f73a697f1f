"""What is shown is masked, too: a root that somebody else filled, with secrets in clear in every sort of file."""

import json

import pytest

from interfaces.mcp.conftest import raw_server
from memoracle.store.layouts import layout_named
from support.processes import run_here

from .samples import made

KEY = made("sk-proj-", 56)
PLAIN = "blue-horse-" + "77-lamp"
SECRETS = (KEY, PLAIN)


@pytest.fixture(params=["native", "clawseat", "memory-system"])
def adopted(request, tmp_path):
    """A directory as other programs left it: notes, pages, records, the credentials of a machine."""
    root = tmp_path / "root"
    layout = request.param
    machine = (root / layout_named(layout)["machine"]).parent
    machine.mkdir(parents=True)
    held = {"keys": {"OPENAI_API_KEY": {"value": KEY, "source": "~/.env"}, "WIFI": {"value": PLAIN}}}
    (machine / "credentials.json").write_text(json.dumps(held, indent=1))
    assert run_here("init", root, "--layout", layout)[0] == 0
    for folder in ("notes", "projects/arena/decision", "layer2/active"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "notes/keys.md").write_text(
        f"# Keys\n\nThe robot's OpenAI key is {KEY} since May.\n\nPassword: {PLAIN}\n"
    )
    (root / "MEMORY.md").write_text(f"# Memory\n\nThe robot uses {KEY} every day.\n")
    page = (
        f"---\nid: d1\nkind: decision\nproject: arena\ntitle: Robot key\n---\n\nThe robot listens to {KEY}.\n"
    )
    (root / "projects/arena/decision/robot.md").write_text(page)
    line = {
        "id": "f_1",
        "content": f"The robot's key is {KEY}",
        "importance": 0.9,
        "api_key": KEY,
        "password": PLAIN,
    }
    record = root / layout_named(layout)["facts"]
    record.parent.mkdir(parents=True, exist_ok=True)
    record.write_text(json.dumps(line) + "\n")
    return root


def test_no_verb_prints_a_secret(adopted):
    """As text and as JSON: looking up, listing, asking, telling, checking."""
    asked = (
        *(("get", key) for key in ("credentials.keys.OPENAI_API_KEY.value", "credentials.keys.WIFI.value", "credentials")),
        *(("get", "--file", "credentials"), ("get", "--search", "OPENAI"), ("get", "--search", KEY[:12])),
        *(("recall", "What does the robot listen to?"), ("search", "robot key"), ("search", "robot", "--explain")),
        *(("list",), ("show", "f_1"), ("history", "f_1"), ("why", "f_1"), ("inspect", "f_1"), ("context",)),
        *(("snapshot",), ("recover",), ("check",), ("status",), ("health",), ("page", "list"), ("entity", "robot")),
        *(("graph", "robot"), ("links",), ("digest",), ("review",), ("audit", "show")),
    )  # fmt: skip
    for words in asked:
        for more in ((), ("--json",)):
            _, out, err = run_here("--root", adopted, *words, *more)
            assert not any(secret in out + err for secret in SECRETS), (words, more, out, err)


def test_looking_up_still_answers(adopted):
    """The value is masked, its place and the rest of the document are told."""
    status, out, _ = run_here("--root", adopted, "get", "credentials.keys.OPENAI_API_KEY.value")
    assert (status, "[secret:openai-key:" in out, "machine/credentials.json#keys.OPENAI_API_KEY" in out) == (
        0,
        True,
        True,
    )
    assert "~/.env" in run_here("--root", adopted, "get", "credentials.keys.OPENAI_API_KEY.source")[1]


def test_check_says_where_they_stand(adopted):
    """Path and line, and the type; never the value."""
    _, out, err = run_here("--root", adopted, "check")
    told = [line for line in out.splitlines() if "secret-in-clear" in line]
    assert any("machine/credentials.json#L" in line for line in told), out + err
    assert any("MEMORY.md#L3" in line for line in told), out + err
    assert any("facts.jsonl#L1" in line for line in told), out + err


def test_no_tool_and_no_resource_hands_one_over(adopted):
    """Every way in over MCP, by hand."""
    with raw_server(adopted) as raw:
        raw.shake_hands()
        said = [
            raw.call("memory_get", key="credentials.keys.OPENAI_API_KEY.value"),
            raw.call("memory_get", key="credentials.keys.WIFI.value"),
            raw.call("memory_get", key="credentials"),
            raw.call("memory_get", id="f_1"),
            raw.call("memory_get", path="machine/credentials.json"),
            raw.call("memory_get", path="notes/keys.md"),
            raw.call("memory_get", path="MEMORY.md"),
            raw.call("memory_search", query="What does the robot listen to?"),
            raw.ask("resources/list"),
        ]
        uris = [one["uri"] for one in said[-1].get("result", {}).get("resources", [])]
        said += [raw.ask("resources/read", uri=uri) for uri in uris]
    assert uris
    assert not any(secret in json.dumps(said) for secret in SECRETS), said


@pytest.mark.parametrize("event", ["session-start", "prompt"])
def test_no_hook_tells_one(adopted, event):
    """What a host is told unasked."""
    given = {"session_id": "s", "cwd": str(adopted), "hook_event_name": event, "prompt": "the robot's key?"}
    _, out, err = run_here(
        "--root", adopted, "hook", event, "--host", "claude-code", stdin=json.dumps(given).encode()
    )
    assert not any(secret in out + err for secret in SECRETS)
