"""The plugins of the markets: they say what the code says, and real hosts take them."""

import json
import os
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from memoracle import __version__
from memoracle.hosts.known_hosts import CODEX, GEMINI
from support.processes import PYTHON, surroundings

PROJECT = Path(__file__).parents[3]
HOSTS = Path(os.environ.get("MEMORACLE_HOSTS", PROJECT / ".hosts"))
BOTH, EXTENSION = PROJECT / "plugins/memoracle", PROJECT / "plugins/gemini"


def lines(folder):
    """The hooks of a plugin: what the host calls a moment, to the line and the time it is given."""
    held = json.loads((folder / "hooks/hooks.json").read_text())["hooks"]
    return {
        name: (groups[0]["hooks"][0]["command"], groups[0]["hooks"][0]["timeout"])
        for name, groups in held.items()
    }


def test_they_are_as_the_code_writes_them():
    """Version, skill, hooks and texts."""
    written = runpy.run_path(str(PROJECT / "scripts/plugins.py"))
    assert written["stale"]() == [], "run `python scripts/plugins.py`"
    about = json.loads((BOTH / ".claude-plugin/plugin.json").read_text())
    assert (about["version"], about["author"]["name"]) == (__version__, "The Memoracle authors")


@pytest.mark.parametrize(("folder", "host", "second"), [(BOTH, CODEX, 1), (EXTENSION, GEMINI, 1000)])
def test_hooks_are_those_of_the_table(folder, host, second):
    """Every moment, with the time that host gives it."""
    found = {name: seconds for name, (_, seconds) in lines(folder).items()}
    assert found == {name: seconds * second for name, seconds in host.hooks.values()}


@pytest.fixture
def home(tmp_path, root):
    """A home with the program on its PATH and its own memory."""
    program = tmp_path / "bin/memoracle"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{PYTHON}" -P -m memoracle "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}:{HOSTS}/node_modules/node/bin:{HOSTS}/node_modules/.bin:{os.environ['PATH']}"
    quiet = {"NO_PROXY": "127.0.0.1,localhost", "DISABLE_AUTOUPDATER": "1", "CI": "1"}
    return tmp_path, surroundings(HOME=str(tmp_path), PATH=path, MEMORACLE_ROOT=str(root), **quiet)


def call(line, environment, stdin=b"{}"):
    """A line as a host calls it."""
    return subprocess.run(
        ["/bin/sh", "-c", line], input=stdin, capture_output=True, timeout=60, check=False, env=environment
    )


@pytest.mark.parametrize("folder", [BOTH, EXTENSION])
def test_a_line_says_nothing_without_the_program(folder, tmp_path):
    """A plugin that came alone does no harm."""
    for line, _ in lines(folder).values():
        done = call(line, {"HOME": str(tmp_path), "PATH": "/bin:/usr/bin"})
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_plugin_keeps_silent_beside_entries(cli, home):
    """The same session is told once, by the host's own settings; by the plugin when these were emptied by hand."""
    folder, environment = home
    cli("remember", "The owner's cat is called Miso", "--pin", "--importance", "0.9")
    cli("search", "cat")
    line, _ = lines(BOTH)["UserPromptSubmit"]
    said = {"session_id": "s", "prompt_id": "p", "permission_mode": "default", "cwd": str(folder)}
    said |= {"hook_event_name": "UserPromptSubmit", "prompt": "What is the owner's cat called?"}
    alone = call(line, environment, json.dumps(said).encode())
    (folder / ".claude").mkdir()
    installed = subprocess.run(
        [PYTHON, "-m", "memoracle", "install", "claude-code", "--yes"],
        env=environment,
        check=False,
        capture_output=True,
    )
    beside = call(line, environment, json.dumps(said).encode())
    assert (b"Miso" in alone.stdout, installed.returncode, beside.stdout) == (True, 0, b"")
    (folder / ".claude/settings.json").write_text("{}", encoding="utf-8")
    assert b"Miso" in call(line, environment, json.dumps(said).encode()).stdout


def real(name, environment):
    """The real program, or the test is skipped by its name."""
    found = shutil.which(name, path=environment["PATH"])
    if not found or not (HOSTS / "node_modules").is_dir():
        pytest.skip(f"{name} is not installed (MEMORACLE_HOSTS names a folder with node_modules)")
    return found


def ask(program, environment, *words, stdin=b""):
    """What a real program does and says."""
    done = subprocess.run(
        [program, *map(str, words)], input=stdin, capture_output=True, timeout=120, check=False, env=environment,
        cwd=environment["HOME"],
    )  # fmt: skip
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


@pytest.mark.long
def test_claude_code_takes_it(home):
    """Its own check without a warning, the market, the plugin, and a server that answers."""
    _, environment = home
    claude = real("claude", environment)
    for words in (["--profile", "directory", BOTH], [PROJECT]):
        status, said = ask(claude, environment, "plugin", "validate", "--strict", *words)
        assert status == 0, said
    assert ask(claude, environment, "plugin", "marketplace", "add", PROJECT)[0] == 0
    assert ask(claude, environment, "plugin", "install", "memoracle@memoracle")[0] == 0
    assert "Connected" in ask(claude, environment, "mcp", "list")[1]


@pytest.mark.long
def test_codex_takes_it(home):
    """The market, the plugin, its server."""
    folder, environment = home
    codex = real("codex", environment)
    (folder / ".codex").mkdir()
    assert ask(codex, environment, "plugin", "marketplace", "add", PROJECT)[0] == 0
    status, said = ask(codex, environment, "plugin", "add", "memoracle@memoracle")
    assert status == 0, said
    assert "memoracle" in ask(codex, environment, "mcp", "list")[1]


@pytest.mark.long
def test_gemini_takes_it(home):
    """Its own check, then the extension with its server and context."""
    _, environment = home
    gemini = real("gemini", environment)
    status, said = ask(gemini, environment, "extensions", "validate", EXTENSION)
    assert status == 0, said
    status, said = ask(gemini, environment, "extensions", "install", EXTENSION, "--consent", stdin=b"y\n")
    assert status == 0, said
    listed = ask(gemini, environment, "extensions", "list")[1]
    assert ("memoracle" in listed, "GEMINI.md" in listed) == (True, True)


@pytest.mark.long
def test_opencode_connects_to_the_entry(home):
    """`install opencode`, and the real program shakes hands."""
    folder, environment = home
    opencode = real("opencode", environment)
    (folder / ".config/opencode").mkdir(parents=True)
    words = [PYTHON, "-m", "memoracle", "install", "opencode", "--yes"]
    assert subprocess.run(words, env=environment, check=False, capture_output=True).returncode == 0
    status, said = ask(opencode, environment, "mcp", "list")
    assert (status, "connected" in said) == (0, True), said
