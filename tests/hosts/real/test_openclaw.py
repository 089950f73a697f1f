"""The real OpenClaw with the plugin, in embedded turns and behind its gateway: told, learnt, searched, and taken out again."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import time

import pytest

from support.processes import PYTHON, surroundings

from .gateway import GUEST, OWNER, PATIENCE, Chats, Gateway, free_port

pytestmark = pytest.mark.long

_NOISE = "The weather report of that day follows, line by line, and says nothing else. " * 75


class OpenClawHome:
    """A scratch home with an OpenClaw in it and a memory beside."""

    def __init__(self, folder, modules, model):
        self.folder, self.modules, self.model = folder, modules, model
        self.root, self.state = folder / "memory", folder / ".openclaw"
        self.program = [modules / "node/bin/node", modules / "openclaw/openclaw.mjs"]
        quiet = {"HOME": str(folder), "NO_PROXY": "127.0.0.1,localhost", "MEMORACLE_EMBEDDER": "none"}
        self.env = surroundings(**quiet, XDG_STATE_HOME=str(folder / ".local/state"))
        self.env["PATH"] = f"{modules / 'node/bin'}:{self.env['PATH']}"

    def _run(self, *words):
        for _ in range(30):
            done = subprocess.run(
                [*map(str, words)],
                env=self.env,
                cwd=self.folder,
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            if "has an active run" not in done.stderr:  # a timer may have begun one
                break
            time.sleep(1)
        # 3: it is not in memory, yet.
        assert done.returncode in {0, 3}, (words, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout

    def openclaw(self, *words):
        return self._run(*self.program, *words)

    def configure(self, change):
        """As its owner edits its config."""
        path = self.state / "openclaw.json"
        config = json.loads(path.read_text())
        change(config)
        path.write_text(json.dumps(config, indent=2))

    def memoracle(self, *words):
        return self._run(PYTHON, "-P", "-m", "memoracle", "--root", self.root, *words)

    def say(self, session, text):
        """One turn; what the model was sent last."""
        self.openclaw("agent", "--local", "--session-id", session, "--message", text)
        return self.model.requests[-1]

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
    for name in home.program:
        if not name.exists():
            pytest.skip(f"{name} is not installed: python3 dev.py hosts")
    url = f"{fake_model.url}/v1"
    model = ["--custom-base-url", url, "--custom-model-id", "fake-model", "--custom-api-key", "dummy"]
    skipped = [f"--skip-{one}" for one in "daemon channels health hooks search skills ui".split()]
    home.openclaw(
        "onboard", "--non-interactive", "--accept-risk", "--auth-choice", "custom-api-key", *model, *skipped
    )
    (home.state / "workspace/BOOTSTRAP.md").unlink(missing_ok=True)  # it takes that away itself after a turn
    (home.state / "workspace/MEMORY.md").write_text("- The boiler was serviced by Emil.\n")
    home.memoracle("init", home.root)
    home.memoracle("remember", "Berta teaches the owner violin on Tuesdays.")
    return home


def test_memory_lives_in_openclaw(host_home):
    """From the installation through two sessions to the last byte of the uninstallation."""
    home = host_home
    home.openclaw("memory", "index")
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

    told = "".join(
        home.say("second", "What is my piano tuner called, and who teaches me the violin?").blocks()
    )
    assert ('after="start"' in told, [told.count(one) for one in ("Ottokar Lind", "Berta")]) == (True, [1, 1])

    asked = {"id": "memoracle_search", "args": {"query": "violin"}}
    sent = home.say("third", f"Look.\nCALL tool_call {json.dumps(asked)}").asked.outputs[-1]
    assert "Berta teaches" in sent
    assert "UNTRUSTED" not in sent

    home.memoracle("install", "openclaw", "--uninstall", "--yes")
    assert home.texts() == before
    home.openclaw("config", "validate")
    assert home.own_search("boiler")["results"]


def test_a_missing_program_leaves_the_turn_unharmed(host_home):
    """The model is asked as if nothing had been installed."""
    home = host_home
    home.memoracle("install", "openclaw", "--yes")
    home.configure(
        lambda one: one["plugins"]["entries"]["memoracle"]["config"]["command"].__setitem__(0, "/no")
    )

    sent = home.say("first", "Good morning, what is new?")

    assert "Good morning" in sent.text
    assert sent.blocks() == []


@pytest.fixture
def chats():
    with Chats() as service:
        yield service
        service.shutdown()


MAIN = "agent:main:main"
SEARCH = 'Look.\nCALL tool_call {"id": "memory_search", "args": {"query": "violin", "corpus": "all"}}'


def behind(home, chats):
    """The gateway with people who write to it, one of them its owner."""

    def change(config):
        config["channels"] = {"telegram": chats.settings}
        config["gateway"]["port"] = free_port()
        config["commands"] = {"ownerAllowFrom": [f"telegram:{OWNER}"]}

    home.configure(change)
    return Gateway(home.program, home.env, home.folder)


def test_days_behind_the_gateway(host_home, chats):
    """Its owner and others write, a compaction and a reset come, timers start turns: only the owner is heard and told."""
    home = host_home
    home.memoracle("install", "openclaw", "--yes")

    def turn(sender, text, **where):
        known = len(home.model.requests)
        chats.write(sender, text, **where)
        said = text.splitlines()[-1][:40]
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:  # an answer may come in pieces, the last of them late
            for one in reversed(home.model.requests[known:]):
                if one.asked.outputs if "CALL" in text else said in one.text:
                    return one
            time.sleep(0.1)
        raise AssertionError(f"the model never heard {said!r}")

    def blocks(sender, text, **where):
        return "\n".join(turn(sender, text, **where).blocks())

    def turns_until(count):
        until = time.monotonic() + PATIENCE
        while len(home.model.requests) < count:
            assert time.monotonic() < until
            time.sleep(0.1)

    with behind(home, chats):
        assert "Berta" in blocks(OWNER, "My dentist is Doctor Quill in Harbour Street.")
        assert blocks(GUEST, "My cousin is called Rufus. Who teaches violin, Berta?") == ""
        assert blocks(GUEST, "I always pay in cash. Who teaches violin?", group=True) == ""
        for where in ({"group": True}, {}):
            assert "Berta" not in turn(GUEST, SEARCH, **where).asked.outputs[-1]
        found = turn(OWNER, SEARCH).asked.outputs[-1]
        assert ("memoracle/mem_" in found, "Berta teaches" in found) == (True, True)
        assert home.recalls("Who is my dentist?", "Doctor Quill")

        home.openclaw("sessions", "compact", MAIN)
        told = blocks(OWNER, "Good evening, who is the dentist, Doctor Quill?")
        assert ('after="compact"' in told, told.count("Doctor Quill")) == (True, 1)
        home.openclaw(
            "gateway", "call", "sessions.reset", "--params", json.dumps({"key": MAIN, "reason": "new"})
        )
        assert 'after="start"' in blocks(OWNER, "Good morning, what is to be done?")

        known = len(home.model.requests)
        job = (
            "--at",
            "20m",
            "--name",
            "job",
            "--session",
            "isolated",
            "--message",
            "My nurse is called Zelda.",
        )
        added = json.loads(home.openclaw("cron", "add", *job, "--json"))
        home.openclaw("cron", "run", added["id"])
        turns_until(known + 1)
        home.openclaw("system", "event", "--mode", "now", "--text", "My gardener is called Umberto.")
        turns_until(known + 2)
        assert 'after="prompt"' not in "".join(home.model.requests[-1].blocks())
        home.openclaw("agent", "--session-key", MAIN, "--message", "My piano tuner is called Ottokar Lind.")
        assert home.recalls("What is my piano tuner called?", "Ottokar Lind")

    kept = home.memoracle("list")
    assert [name for name in ("Quill", "Ottokar") if name not in kept] == []
    assert [name for name in ("Rufus", "cash", "Zelda", "Umberto") if name in kept] == []
    assert not (home.root / "state/hooks.log").exists()

    # Holding the slot it tells and answers the same; memory-core has stepped back.
    home.memoracle("install", "openclaw", "--yes", "--memory-slot")
    with behind(home, chats):
        assert "Quill" in blocks(OWNER, "Good morning, who is my dentist?")
        ours = SEARCH.replace("memory_search", "memoracle_search").replace(', "corpus": "all"', "")
        assert "Berta teaches" in turn(OWNER, ours).asked.outputs[-1]
