"""The real OpenClaw with the plugin: told, learnt, searched, and taken out again. MEMORACLE_HOSTS names its node_modules."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from support.processes import PYTHON, surroundings

pytestmark = pytest.mark.long

# At import: while a test runs, nothing of the person's own is in the environment.
_HOSTS = os.environ.get("MEMORACLE_HOSTS", "")
_NOISE = "The weather report of that day follows, line by line, and says nothing else. " * 75


class ChatModel(BaseHTTPRequestHandler):
    """A model of few words: `CALL tool {json}` calls a tool, whose result it repeats."""

    def do_GET(self):
        self._answer(
            b'{"object": "list", "data": [{"id": "fake-model", "object": "model"}]}', "application/json"
        )

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.bodies.append(body)
        said = [str(one["content"]) for one in body["messages"] if one["role"] == "user"]
        asked = next((one for one in reversed(said) if "OPENCLAW_INTERNAL_CONTEXT" not in one), "")
        delta = {"role": "assistant", "content": "Understood."}
        # A session of the tests calls one tool: what follows its result is the host's own.
        if "CALL " in asked and all(one["role"] != "tool" for one in body["messages"]):
            name, _, given = asked[asked.rindex("CALL ") + 5 :].partition(" ")
            given, _ = json.JSONDecoder().raw_decode(given)
            call = {"index": 0, "id": f"call_{len(self.server.bodies)}", "type": "function"}
            call["function"] = {"name": name, "arguments": json.dumps(given)}
            delta = {"role": "assistant", "tool_calls": [call]}
        end = "tool_calls" if "tool_calls" in delta else "stop"
        pieces = [
            {
                "id": "c",
                "object": "chat.completion.chunk",
                "choices": [{"index": 0, "delta": one, "finish_reason": why}],
            }
            for one, why in ((delta, None), ({}, end))
        ]
        lines = [*(f"data: {json.dumps(one)}" for one in pieces), "data: [DONE]"]
        self._answer("".join(f"{line}\n\n" for line in lines).encode(), "text/event-stream")

    def _answer(self, content, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture
def node_modules():
    """Where npm put OpenClaw and the Node that it needs."""
    folder = Path(_HOSTS or ".hosts").resolve() / "node_modules"
    for name in ("openclaw/openclaw.mjs", "node/bin/node"):
        if not (folder / name).exists():
            pytest.skip(f"{name.partition('/')[0]} from npm is not in MEMORACLE_HOSTS")
    return folder


@pytest.fixture
def fake_model():
    with ThreadingHTTPServer(("127.0.0.1", 0), ChatModel) as server:
        server.bodies = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class OpenClawHome:
    """A scratch home with an OpenClaw in it and a memory beside."""

    def __init__(self, folder, modules, model):
        self.folder, self.modules, self.model = folder, modules, model
        self.root, self.state = folder / "memory", folder / ".openclaw"

    def _run(self, *words):
        quiet = {"HOME": str(self.folder), "NO_PROXY": "127.0.0.1,localhost", "MEMORACLE_EMBEDDER": "none"}
        quiet["XDG_STATE_HOME"] = str(self.folder / ".local/state")
        env = surroundings(**quiet)
        env["PATH"] = f"{self.modules / 'node/bin'}:{env['PATH']}"
        done = subprocess.run(
            [*map(str, words)],
            env=env,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        # 3: it is not in memory, yet.
        assert done.returncode in {0, 3}, (words, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout

    def openclaw(self, *words):
        return self._run(self.modules / "node/bin/node", self.modules / "openclaw/openclaw.mjs", *words)

    def memoracle(self, *words):
        return self._run(PYTHON, "-P", "-m", "memoracle", "--root", self.root, *words)

    def say(self, session, text):
        """One turn; what the model was sent last."""
        self.openclaw("agent", "--local", "--session-id", session, "--message", text)
        return self.model.bodies[-1]["messages"]

    def recalls(self, question, words):
        """Whether memory finds the words, once its worker is through."""
        for _ in range(60):
            if words in self.memoracle("recall", question, "--wide"):
                return True
            time.sleep(1)
        return False

    def own_search(self, question):
        """What its own command line finds in its own index."""
        return json.loads(self.openclaw("memory", "search", question, "--json"))

    def texts(self):
        """Every file that an installation may touch, byte for byte."""
        places = [self.state / "openclaw.json", *sorted((self.state / "workspace").rglob("*.md"))]
        return {str(one): one.read_bytes() for one in places}


@pytest.fixture
def host_home(tmp_path, node_modules, fake_model):
    """An OpenClaw that talks to our model, with a note of its own, and a memory that knows one thing."""
    home = OpenClawHome(tmp_path, node_modules, fake_model)
    url = f"http://127.0.0.1:{fake_model.server_port}/v1"
    model = ["--custom-base-url", url, "--custom-model-id", "fake-model", "--custom-api-key", "dummy"]
    skipped = [f"--skip-{one}" for one in "daemon channels health hooks search skills ui".split()]
    home.openclaw(
        "onboard", "--non-interactive", "--accept-risk", "--auth-choice", "custom-api-key", *model, *skipped
    )
    (home.state / "workspace/BOOTSTRAP.md").unlink(missing_ok=True)  # it takes that away itself after a turn
    (home.state / "workspace/MEMORY.md").write_text("- The boiler was serviced by Emil.\n")
    home.openclaw("memory", "index")
    home.memoracle("init", home.root)
    home.memoracle("remember", "Berta teaches the owner violin on Tuesdays.")
    return home


def tool_results(messages):
    return "\n".join(str(one["content"]) for one in messages if one["role"] == "tool")


def test_memory_lives_in_openclaw(host_home):
    """From the installation through two sessions to the last byte of the uninstallation."""
    home = host_home
    before, found = home.texts(), home.own_search("boiler")["results"]

    told = home.memoracle("install", "openclaw", "--yes")
    assert "init" in told
    assert "--layout openclaw" in told
    home.openclaw("config", "validate")
    assert home.own_search("boiler")["results"][0]["path"] == found[0]["path"] == "MEMORY.md"

    home.say("first", f"My dentist is Doctor Quill in Harbour Street. {_NOISE}")
    database = home.state / "agents/main/agent/openclaw-agent.sqlite"
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        assert connection.execute(
            "SELECT count(*) FROM transcript_events WHERE event_zstd IS NOT NULL"
        ).fetchone()[0]
    assert home.recalls("Who is my dentist?", "Doctor Quill")  # which stood in a packed event
    home.say("first", "My piano tuner is called Ottokar Lind.")
    assert home.recalls("What is my piano tuner called?", "Ottokar Lind")

    sent = str(home.say("second", "What is my piano tuner called, and who teaches me the violin?"))
    assert [sent.count(one) for one in ('after="start"', "Ottokar Lind", "Berta teaches")] == [1, 1, 1]

    sent = tool_results(
        home.say("third", 'CALL tool_call {"id": "memoracle_search", "args": {"query": "violin"}}')
    )
    assert "Berta teaches" in sent
    assert "UNTRUSTED" not in sent
    asked = {"id": "memory_search", "args": {"query": "violin", "corpus": "all"}}
    assert "memoracle/mem_" in tool_results(home.say("fourth", f"CALL tool_call {json.dumps(asked)}"))

    home.memoracle("install", "openclaw", "--uninstall", "--yes")
    assert home.texts() == before
    home.openclaw("config", "validate")
    assert home.own_search("boiler")["results"]


def test_a_missing_program_leaves_the_turn_unharmed(host_home):
    """The model is asked as if nothing had been installed."""
    home = host_home
    home.memoracle("install", "openclaw", "--yes")
    config = home.state / "openclaw.json"
    config.write_text(config.read_text().replace(f'"{PYTHON}"', '"/nowhere/python"'))

    sent = home.say("first", "Good morning, what is new?")

    assert "Good morning" in str(sent)
    assert "<memoracle" not in str(sent[1:])
