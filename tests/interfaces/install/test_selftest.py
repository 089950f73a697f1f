"""`memoracle doctor`: hosts' own entries are begun as the host would, and nothing of it stays in the memory."""

import json
import os
import time

import pytest

from memoracle.hosts.install import selftest
from memoracle.hosts.install.selftest import payload_of
from memoracle.hosts.known_hosts import CLAUDE_CODE, CODEX, GEMINI, HookEvent
from memoracle.interfaces.hooks.entry import read_payload
from support.files import contents

from .conftest import write


def of_truth(root):
    """Every file but those of the view, which may be built at any time."""
    return {name: held for name, held in contents(root).items() if not str(name).startswith("index")}


def trials(done, host):
    """What was tried of a host, by name."""
    (found,) = [one for one in done.json["items"] if one["host"] == host]
    return {one["what"]: one for one in found["trials"]}


@pytest.mark.long
@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "opencode", "zed"])
def test_what_was_installed_works(cli, furnished, root, host):
    """Server, recall and hooks answer by the words that stand in the host's files; the memory is as it was."""
    cli("remember", "The owner's cat is called Miso")
    cli("install", host)
    cli("search", "cat")
    before = of_truth(root)
    done = cli("doctor", host, "--json")
    found = trials(done, host)
    assert (done.status, done.json["ok"], of_truth(root)) == (0, True, before)
    assert set(found) == {"entries", "server", "recall"} | (
        {"hooks"} if host in ("claude-code", "codex", "gemini") else set()
    )
    assert (found["entries"]["says"], found["server"]["ms"] > 0) == ("there and current", True)


def test_a_host_without_it_is_broken_only_when_it_is_asked_for(cli, furnished):
    """Nobody has to connect every program."""
    everything, one = cli("doctor"), cli("doctor", "codex")
    assert (everything.status, "memoracle setup" in everything.out) == (0, True)
    assert (one.status, "memoracle install codex" in one.out) == (1, True)
    assert cli("doctor", "emacs").status == 2


@pytest.mark.parametrize(
    ("break_it", "what"),
    [
        (lambda listed: listed | {"command": "/nowhere/python"}, "server"),
        (
            lambda listed: listed | {"args": ["-c", "print('memoracle mcp')", "-m", "memoracle", "mcp"]},
            "server",
        ),
        (lambda listed: listed | {"args": [*listed["args"][:-2], "/nowhere", "mcp"]}, "recall"),
    ],
)
def test_an_entry_that_does_not_work_is_found(cli, furnished, break_it, what):
    """Another interpreter that is gone, a program that talks, a memory that is not there."""
    path = furnished / ".cursor/mcp.json"
    cli("install", "cursor")
    document = json.loads(path.read_text())
    document["mcpServers"]["memoracle"] = break_it(document["mcpServers"]["memoracle"])
    path.write_text(json.dumps(document))
    done = cli("doctor", "cursor", "--json")
    found = trials(done, "cursor")
    assert (done.status, found["server"]["ok"] and found.get("recall", {}).get("ok", False)) == (1, False), (
        what
    )
    assert "another version, memory or interpreter" in found["entries"]["says"]


def test_a_hook_that_does_not_reach_the_memory_is_found(cli, furnished, monkeypatch):
    """It always ends with 0, so its silence tells nothing: it has to say that it was there."""
    monkeypatch.setattr(selftest, "try_server", lambda *_: ())
    cli("install", "codex")
    path = furnished / ".codex/hooks.json"
    path.write_text(path.read_text().replace("hook stop", "hook stopp"))
    found = trials(cli("doctor", "codex", "--json"), "codex")
    assert (found["hooks"]["ok"], "Stop" in found["hooks"]["says"]) == (False, True)


def test_missing_entries_are_named(cli, furnished, monkeypatch):
    """Somebody took the hooks out, or a section of the rules."""
    monkeypatch.setattr(selftest, "try_server", lambda *_: ())
    cli("install", "codex")
    (furnished / ".codex/hooks.json").write_text('{"hooks": {}}')
    found = trials(cli("doctor", "codex", "--json"), "codex")["entries"]
    assert (found["ok"], ".codex/hooks.json" in found["says"], ".codex/AGENTS.md" in found["says"]) == (
        False,
        True,
        False,
    )


def test_a_damaged_file_is_told_and_no_more(cli, furnished):
    """What cannot be read is not guessed at."""
    cli("install", "cursor")
    (furnished / ".cursor/mcp.json").write_text('{"mcpServers": {')
    done = cli("doctor")
    assert (done.status, ".cursor/mcp.json" in done.out) == (1, True)


def test_what_only_a_person_can_do_is_said_until_it_is_done(cli, furnished, monkeypatch):
    """Codex notes what it trusts by the file and the moment."""
    monkeypatch.setattr(selftest, "try_server", lambda *_: ())
    cli("install", "codex")
    assert "trusted" in cli("doctor", "codex").out
    hooks, config = furnished / ".codex/hooks.json", furnished / ".codex/config.toml"
    rows = [
        f'[hooks.state."{hooks}:{event}:0:0"]\ntrusted_hash = "sha256:0"\n'
        for event in ("session_start", "stop", "session_end")
    ]
    config.write_text(config.read_text() + "\n" + "\n".join(rows))
    assert "trusted" not in cli("doctor", "codex").out


@pytest.mark.parametrize("host", [CLAUDE_CODE, CODEX, GEMINI])
def test_a_payload_is_the_hosts_own(host):
    """Without being told, a hook knows whose it is."""
    for event in host.hooks:
        read = read_payload(json.dumps(payload_of(host, event, "/home/me")).encode())
        assert (event, read.host.name, read.folder) == (event, host.name, "/home/me")
    assert (
        read_payload(json.dumps(payload_of(host, HookEvent.PROMPT, "/")).encode()).prompt == selftest.QUESTION
    )


# Plugins beside entries.


def enable(home, host):
    """The plugin as the host notes it."""
    if host == "claude-code":
        write(home / ".claude/settings.json", '{"enabledPlugins": {"memoracle@memoracle": true}}')
    elif host == "codex":
        write(home / ".codex/config.toml", '[plugins."memoracle@memoracle"]\nenabled = true\n')
    else:
        write(home / ".gemini/extensions/memoracle/gemini-extension.json", "{}")


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
def test_entries_are_refused_beside_a_plugin(cli, furnished, host):
    """An agent is told things once; taking entries out still works."""
    enable(furnished, host)
    before = contents(furnished)
    done = cli("install", host)
    assert (done.status, "plugin" in done.err, contents(furnished)) == (5, True, before)
    assert cli("install", host, "--uninstall").status == 0


@pytest.mark.long
@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
def test_a_plugin_is_tried_as_it_is_called(cli, furnished, root, monkeypatch, host):
    """The program on the PATH, with the person's own memory."""
    enable(furnished, host)
    program = write(
        furnished / "bin/memoracle", f'#!/bin/sh\nexec "{os.sys.executable}" -P -m memoracle "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("MEMORACLE_ROOT", str(root))
    done = cli("doctor", host, "--json")
    assert (done.status, {name: one["ok"] for name, one in trials(done, host).items()}) == (
        0,
        {"entries": True, "server": True, "recall": True, "hooks": True},
    )


def test_an_entry_of_somebody_elses_is_not_called_current(cli, furnished):
    """It has our name and does not call us: install leaves it alone, so setup and doctor say that it does not work."""
    listed = {"command": "docker", "args": ["run", "-i", "memories"]}
    write(furnished / ".cursor/mcp.json", json.dumps({"mcpServers": {"memoracle": listed}}))
    found, done = cli("doctor", "cursor", "--json"), cli("setup", "--host", "cursor", "--json")
    assert (found.status, "leaves it alone" in trials(found, "cursor")["entries"]["says"]) == (1, True)
    (plan,) = done.json["hosts"]
    assert (done.status, done.json["ok"], plan["state"]) == (1, False, "stuck")


def test_one_written_by_hand_is_tried(cli, furnished, monkeypatch):
    """As the pages on the server show it: the program on the PATH."""
    begun = []
    monkeypatch.setattr(selftest, "try_server", lambda listed, _machine: begun.append(listed) or ())
    listed = {"command": "memoracle", "args": ["mcp"]}
    write(furnished / ".cursor/mcp.json", json.dumps({"mcpServers": {"memoracle": listed}}))
    assert (cli("doctor", "cursor").status, begun) == (0, [listed])


def test_an_environment_of_numbers_is_told_as_words(cli, furnished):
    """Hosts take `"PORT": 1`."""
    cli("install", "cursor")
    path = furnished / ".cursor/mcp.json"
    document = json.loads(path.read_text())
    document["mcpServers"]["memoracle"] |= {"command": "/nowhere", "env": {"PORT": 1}}
    path.write_text(json.dumps(document))
    assert "No such file" in cli("doctor", "cursor").out


def test_what_a_server_began_is_not_waited_for(cli, furnished, monkeypatch):
    """A shell that ends leaves a program with the pipe."""
    monkeypatch.setattr(selftest, "_PATIENCE_S", 0.2)
    monkeypatch.setattr(selftest, "_GOODBYE_S", 0.2)
    listed = {"command": "/bin/sh", "args": ["-c", "sleep 20 | cat", "-m", "memoracle", "mcp"]}
    write(furnished / ".cursor/mcp.json", json.dumps({"mcpServers": {"memoracle": listed}}))
    began = time.monotonic()
    assert (cli("doctor", "cursor").status, time.monotonic() - began < 10) == (1, True)
