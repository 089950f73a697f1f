"""`memoracle setup`: one screen, one question per host, and everything as it was when somebody says no or stops."""

import json
import os
import pty
import subprocess
import threading
from contextlib import suppress

import pytest

from memoracle.hosts.install import selftest
from memoracle.interfaces.cli import connect
from support.files import contents
from support.processes import PYTHON, surroundings

from .conftest import files, write


def of_truth(root):
    """Every file but those of the view, which may be built at any time."""
    return {name: held for name, held in contents(root).items() if not str(name).startswith("index")}


CHAT = [
    {"type": "user", "uuid": "u1", "sessionId": "s1", "parentUuid": None, "cwd": "/home/me/app",
     "timestamp": "2026-03-02T09:00:00Z", "message": {"role": "user", "content": "My cat is called Miso."}},
]  # fmt: skip


@pytest.fixture
def untried(monkeypatch):
    """Without beginning a server for each host."""
    monkeypatch.setattr(selftest, "try_server", lambda *_: ())
    monkeypatch.setattr(selftest, "_try_hooks", lambda *_: selftest._Trial(what="hooks", ok=True, says=""))


@pytest.fixture
def chat(furnished):
    """A conversation that Claude Code keeps."""
    lines = "".join(json.dumps(line) + "\n" for line in CHAT)
    return write(furnished / ".claude/projects/-home-me-app/s1.jsonl", lines)


def at_a_terminal(home, root, said, *words):
    """What a person sees and answers."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [PYTHON, "-m", "memoracle", "--root", str(root), "setup", *words],
        stdin=follower, stdout=subprocess.PIPE, stderr=follower,
        env=surroundings(HOME=str(home), PATH=os.defpath), cwd=str(home),
    )  # fmt: skip
    os.close(follower)
    os.write(leader, said)
    shown = []

    def look():
        with suppress(OSError):  # the other end is closed
            while piece := os.read(leader, 1 << 16):
                shown.append(piece)

    reading = threading.Thread(target=look)
    reading.start()
    out, _ = process.communicate(timeout=120)
    reading.join()
    os.close(leader)
    return process.returncode, out.decode(), b"".join(shown).decode()


def test_looking_says_everything_on_a_screen(cli, furnished, chat, root):
    """Hosts, files, conversations, notes; and changes nothing."""
    vault = furnished / "My Notes"
    vault.mkdir()
    folder = furnished / ("Library/Application Support" if os.sys.platform == "darwin" else ".config")
    write(folder / "obsidian/obsidian.json", json.dumps({"vaults": {"a": {"path": str(vault)}}}))
    before, own = files(furnished), of_truth(root)
    done = cli("setup", "--dry-run")
    for words in (
        "claude-code",
        "~/.codex/hooks.json: 6 hooks",
        "1 conversations are read",
        "~/My Notes: not read",
        f"memoracle import '{vault}'",
    ):
        assert words in done.out
    assert len(done.out.splitlines()) < 40
    assert "+++ " in cli("setup", "--dry-run", "--diff").out
    assert (files(furnished), of_truth(root)) == (before, own)


def test_one_document(cli, furnished, chat, untried):
    """`--json` prints it and nothing else, planned and done."""
    planned = cli("setup", "--dry-run", "--json").json
    assert {one["host"]: one["conversations"] for one in planned["hosts"]}["claude-code"] == 1
    assert {one["outcome"] for one in planned["hosts"]} == {"planned"}
    done = cli("setup", "--yes", "--json").json
    assert {one["outcome"] for one in done["hosts"]} == {"installed"}
    assert (done["dry_run"], done["ok"]) == (False, True)


def test_a_memory_is_made_and_conversations_are_read(cli, furnished, chat, untried, tmp_path):
    """Where there is none yet; the second time there is nothing to do."""
    place = tmp_path / "first"
    done = cli("setup", "--host", "claude-code", "--yes", at=place)
    assert (done.status, (place / "memoracle.toml").exists(), "1 new turns" in done.err) == (0, True, True)
    assert "Miso" in cli("search", "What is the cat called?", at=place).out
    before = files(furnished)
    again = cli("setup", "--host", "claude-code", "--yes", at=place)
    assert (again.status, "has it already" in again.err, files(furnished)) == (0, True, before)


def test_naming_a_host_is_a_yes_to_it_and_to_no_other(cli, furnished, untried):
    """Without a terminal."""
    before = files(furnished)
    assert cli("setup").status == 2
    assert files(furnished) == before
    assert cli("setup", "--host", "cursor").status == 0
    changed = {name for name, held in files(furnished).items() if before.get(name) != held}
    assert changed == {".cursor/mcp.json"}
    assert cli("setup", "--host", "emacs").status == 2


@pytest.mark.long
def test_each_host_is_asked_for_once(furnished, root):
    """A yes, the difference and a yes, and no to all the others."""
    before = files(furnished)
    status, out, shown = at_a_terminal(furnished, root, b"n\ny\nd\ny\n" + b"n\n" * 8)
    changed = {
        name for name, held in files(furnished).items() if before.get(name) != held and held is not None
    }
    assert (status, shown.count("Go on?")) == (0, 11), shown
    assert {name.split("/")[0] for name in changed} == {".claude.json", ".claude", ".codex"}
    assert ("+++ " in shown, "claude-code: works" in out, "codex: works" in out, "gemini" in out) == (
        True,
        True,
        True,
        False,
    )


@pytest.mark.long
def test_no_is_no(furnished, tmp_path):
    """Not even a memory is made."""
    before = contents(furnished)
    status, _, _ = at_a_terminal(furnished, tmp_path / "none", b"n\n" * 12)
    assert (status, contents(furnished), (tmp_path / "none").exists()) == (5, before, False)


def test_stopping_leaves_things_as_they_were(cli, furnished, untried, monkeypatch, tmp_path):
    """Ctrl-C between two hosts: the first is taken out again, the memory goes."""
    before, real, calls = files(furnished), connect.install, []

    def install(what, *given, dry_run, **more):
        calls.append(what)
        if what == "codex" and not dry_run and not more["remove"]:
            raise KeyboardInterrupt
        return real(what, *given, dry_run=dry_run, **more)

    monkeypatch.setattr(connect, "install", install)
    done = cli("setup", "--yes", at=tmp_path / "new")
    assert (done.status, files(furnished), (tmp_path / "new").exists()) == (130, before, False)


def test_a_host_that_cannot_be_changed_keeps_no_other(cli, furnished, untried):
    """It is left alone, and that is said."""
    (furnished / ".cursor/mcp.json").write_text("{,}")
    done = cli("setup", "--yes")
    assert ("left alone" in done.err, (furnished / ".cursor/mcp.json").read_text()) == (True, "{,}")
    assert "memoracle" in (furnished / ".codex/config.toml").read_text()


def test_a_program_that_was_never_started_is_told_of(cli, home, monkeypatch):
    """It keeps nothing yet: there is no place to put anything."""
    program = write(home / "bin/codex", "#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    done = cli("setup", "--dry-run")
    assert "start it once" in done.out


def test_stopping_leaves_a_host_with_the_memory_it_had(cli, furnished, untried, monkeypatch, tmp_path):
    """It was connected before, to another memory: it is again, and the new one is on no list."""
    cli("install", "codex")
    before, noted, real = (
        files(furnished),
        contents(furnished / ".local/state/memoracle/installed"),
        connect.install,
    )

    def install(what, *given, dry_run, **more):
        if what == "zed" and not dry_run:
            raise KeyboardInterrupt
        return real(what, *given, dry_run=dry_run, **more)

    monkeypatch.setattr(connect, "install", install)
    assert cli("setup", "--yes", at=tmp_path / "new").status == 130
    now = {name: held for name, held in files(furnished).items() if not name.startswith(".config/memoracle")}
    assert (now, contents(furnished / ".local/state/memoracle/installed")) == (before, noted)
    assert str(tmp_path / "new") not in cli("roots").out


def test_a_host_that_was_named_and_is_left_alone_is_a_failure(cli, home):
    """A script hears of it; one that was merely found keeps nobody."""
    assert cli("setup", "--host", "zed", "--yes").status == 1
    assert cli("setup", "--yes").status == 0


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "openclaw", "opencode", "zed"])
def test_another_memory_is_replaced_in_so_many_words(cli, furnished, root, tmp_path, host):
    """A host has one: the screen names the one that it would no longer have."""
    write(furnished / ".openclaw/openclaw.json", '{"meta": {"lastTouchedVersion": "2026.9.6"}}')
    cli("install", host)
    assert "in place of" not in cli("setup", "--host", host, "--dry-run").out
    assert (
        f"in place of the one for {root}"
        in cli("setup", "--host", host, "--dry-run", at=tmp_path / "new").out
    )
