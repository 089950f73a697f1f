"""OpenClaw's hooks: a session is found in its database, and who started a turn is heard."""

import json

from hosts.samples import OPENCLAW, make_database
from memoracle.interfaces.hooks.entry import read_payload
from support.files import write


def test_the_session_of_a_hook_is_read_from_the_database(home):
    """The host names no file: every session of an agent stands in one database."""
    for agent, session in (("main", "one"), ("other", "two")):
        folder = home.folder / f".openclaw/agents/{agent}/agent"
        folder.mkdir(parents=True)
        make_database(folder / "openclaw-agent.sqlite", {session: OPENCLAW})
    home.call("stop", {"sessionId": "two", "sessionKey": "agent:other:main"}, "--host", "openclaw")
    home.settle()
    with home.open() as memory:
        memory.search("anything")
        (read,) = memory.store.sessions.by_path()
        assert (read.split("/")[-3], memory.index.counts()["turns"] > 0, home.log()) == ("other", True, "")


def test_a_turn_is_enough_to_be_learnt_from(home):
    """A session lasts for weeks: what other hosts are told unasked does not wait for its end."""
    folder = home.folder / ".openclaw/agents/main/agent"
    said = {"type": "message", "id": "m1", "timestamp": "2026-07-02T09:00:00.000Z"}
    said["message"] = {"role": "user", "content": [{"type": "text", "text": "I am allergic to peanuts."}]}
    chat = write(
        home.folder, "said.jsonl", OPENCLAW.read_text("utf-8").split("\n")[0] + "\n" + json.dumps(said)
    )
    folder.mkdir(parents=True)
    make_database(folder / "openclaw-agent.sqlite", {"one": chat})
    home.call("stop", {"sessionId": "one", "sessionKey": "agent:main:main"}, "--host", "openclaw")
    home.settle()
    with home.open() as memory:
        assert [one.passage.text for one in memory.list()] == ["I am allergic to peanuts."]


def test_who_started_a_turn_is_heard():
    """A heartbeat in a chat with the owner is nobody's turn; a sub-agent's words are its starter's."""
    heard = read_payload(b'{"sessionKey": "agent:main:main", "trigger": "heartbeat"}', "openclaw")
    helper = read_payload(b'{"sessionKey": "agent:main:subagent:7", "trigger": "user"}', "openclaw")
    assert (heard.is_attended, helper.is_attended, helper.is_subagent) == (False, True, True)


def test_the_prompt_does_not_repeat_what_the_start_told(home):
    """It stands before every prompt and in no transcript, so the plugin hands it over."""
    with home.open() as memory:
        memory.remember("Berta teaches the owner violin on Tuesdays.")
        memory.search("anything")
    session = {"sessionId": "one", "sessionKey": "agent:main:main"}
    start = json.loads(home.call("session-start", session, "--host", "openclaw").out)["prependContext"]
    asked = session | {"prompt": "Who teaches the owner violin?"}
    assert "Berta" in start
    elsewhere = asked | {"sessionId": "two"}
    assert "Berta" in home.call("prompt", elsewhere, "--host", "openclaw").out
    assert home.call("prompt", asked | {"told": start}, "--host", "openclaw").out == ""


def test_what_the_host_says_behind_a_task_asks_for_nothing(home):
    """A job is asked with its own words; the time and the manners of unattended runs stand behind them."""
    with home.open() as memory:
        memory.remember("Berta teaches the owner violin on Tuesdays.")
        memory.search("anything")
    told = []
    for task in ("Water the plants.", "Who teaches violin?"):
        prompt = f"[cron:7 job] {task}\nCurrent time: Tuesday\n\nThis is unattended: Berta teaches violin on Tuesdays."
        asked = {"sessionId": "one", "sessionKey": "agent:main:cron:7", "trigger": "cron", "prompt": prompt}
        told.append("Berta" in home.call("prompt", asked, "--host", "openclaw").out)
    assert told == [False, True]
