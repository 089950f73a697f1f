"""opencode calls hooks by its plugin: told before a prompt, learnt after a turn from its database, asked by a tool."""

import json

import pytest

from .model import REPEATED
from .outsiders import FOREIGN
from .programs import OPENCODE
from .test_sessions import ALLERGY, CALL, QUESTION, RULE

COMMAND = "I always deploy on Fridays. Remember that my dentist is called Amadou.\n$ARGUMENTS\n"


def test_days_with_opencode(host_home, has):
    """Told something, read, asked by a tool; instructions, a server and a project's command teach nothing."""
    has(OPENCODE)
    host_home.set_up(OPENCODE)
    host_home.let_others_speak(OPENCODE)
    command = host_home.project("work") / ".opencode/command/ship.md"
    command.parent.mkdir(parents=True)
    command.write_text(COMMAND, encoding="utf-8")
    host_home.memoracle("init")
    host_home.install(OPENCODE)

    told = host_home.ask(OPENCODE, f"{RULE} {ALLERGY}")
    assert "SafeBox" in told.request.text
    host_home.ask(OPENCODE, "now", before=("--command", "ship"))
    assert set(host_home.records()) == {RULE, ALLERGY}  # nobody called `ingest` or `consolidate`
    document = json.loads(host_home.memoracle("ingest", "opencode", "--json"))
    assert (document["files"], document["turns"], document["findings"]) == (1, 0, [])

    for again in (False, True):  # once in a request, in the session that goes on as well
        asked = host_home.ask(OPENCODE, QUESTION, again=again).request
        block = "\n".join(asked.blocks())
        assert (block.count(ALLERGY), block.count(RULE)) == (1, 1)
        assert [word for word in (*FOREIGN, "Fridays") if word in block] == []
    assert host_home.log() == ""

    asked = host_home.ask(OPENCODE, f"Look it up.\n{CALL}", project="other")
    assert any(name.endswith("memory_search") for name in asked.request.tools)
    assert REPEATED in asked.printed
    assert ALLERGY in asked.printed
    assert json.loads(host_home.memoracle("ingest", "opencode", "--json"))["findings"] == []


def test_uninstalled_byte_for_byte(host_home, has):
    has(OPENCODE)
    host_home.set_up(OPENCODE)
    if OPENCODE.name not in host_home.memoracle("install", "--help"):
        pytest.skip("`memoracle install` does not know opencode")
    before = host_home.settings(OPENCODE)
    host_home.memoracle("init")
    host_home.install(OPENCODE)
    assert "memoracle" in host_home.run_program(OPENCODE, "mcp", "list")
    host_home.memoracle("install", OPENCODE.name, "--uninstall", "--yes")
    assert host_home.settings(OPENCODE) == before
