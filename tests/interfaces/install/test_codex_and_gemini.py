"""Codex and Gemini CLI: their formats, their places, their comments."""

import json
import os
import shlex
import subprocess
import tomllib

from support.processes import PYTHON

from .conftest import CODEX_CONFIG, GEMINI_SETTINGS, hooks_of, write

# Codex


def test_codex_gets_a_table_and_keeps_its_comments(cli, furnished, root):
    """Everything that was there stands first, as it was."""
    cli("install", "codex")
    text = (furnished / ".codex/config.toml").read_text()
    listed = tomllib.loads(text)["mcp_servers"]
    assert (text.startswith(CODEX_CONFIG), set(listed), listed["memoracle"]["command"]) == (
        True,
        {"docs", "memoracle"},
        PYTHON,
    )
    assert listed["memoracle"]["args"] == ["-P", "-m", "memoracle", "--root", str(root), "mcp"]


def test_codex_hooks_are_quoted_lines_that_run(cli, furnished):
    """No asynchronous hook, which Codex passes over; none beyond three seconds at the end of a session."""
    cli("install", "codex")
    ours = hooks_of(json.loads((furnished / ".codex/hooks.json").read_text())).by_event
    assert {event: hook["timeout"] for event, hook in ours.items()} == {
        "SessionStart": 5,
        "UserPromptSubmit": 3,
        "Stop": 5,
        "PreCompact": 5,
        "PostCompact": 5,
        "SessionEnd": 3,
    }
    assert all("async" not in hook for hook in ours.values())
    said = {"session_id": "s", "turn_id": "t", "transcript_path": None, "cwd": "/", "prompt": "the cat?"}
    for hook in ours.values():
        done = subprocess.run(
            ["/bin/sh", "-c", hook["command"]],
            input=json.dumps(said).encode(),
            capture_output=True,
            timeout=60,
            check=False,
            env={"HOME": str(furnished), "PATH": os.defpath},
        )
        assert (done.returncode, done.stderr) == (0, b"")


def test_codex_own_tables_below_ours_go_with_it(cli, furnished):
    """Tools that somebody switched off there are settings of our server; the rest stays."""
    cli("install", "codex")
    path = furnished / ".codex/config.toml"
    path.write_text(
        path.read_text() + "\n[mcp_servers.memoracle.tools.memory_forget]\nenabled = false\n\n[tui]\nx = 1\n"
    )
    cli("install", "codex", "--uninstall")
    assert path.read_text() == CODEX_CONFIG + "\n[tui]\nx = 1\n"


def test_codex_elsewhere_and_its_override(cli, home, monkeypatch, tmp_path):
    """CODEX_HOME is followed, and the rules file that Codex reads first."""
    place = tmp_path / "codex"
    write(place / "AGENTS.override.md", "mine\n")
    monkeypatch.setenv("CODEX_HOME", str(place))
    cli("install", "codex")
    assert ("## Memory" in (place / "AGENTS.override.md").read_text(), (place / "AGENTS.md").exists()) == (
        True,
        False,
    )
    assert not (home / ".codex").exists()


def test_codex_is_told_of_trust(cli, furnished):
    """Hooks run once somebody agreed; we do not agree for them."""
    assert "trusted" in cli("install", "codex").out


# Gemini


def test_gemini_gets_its_own_names_and_milliseconds(cli, furnished, root):
    """Beside what is there, with its comments and commas."""
    from memoracle.hosts.install import config_text as json5

    cli("install", "gemini")
    text = (furnished / ".gemini/settings.json").read_text()
    document = json5.read(text).value
    ours = hooks_of(document).by_event
    assert {event: (shlex.split(hook["command"])[7], hook["timeout"]) for event, hook in ours.items()} == {
        "SessionStart": ("session-start", 5000),
        "BeforeAgent": ("prompt", 3000),
        "AfterAgent": ("stop", 5000),
        "PreCompress": ("pre-compact", 5000),
        "SessionEnd": ("session-end", 5000),
    }
    assert set(document["mcpServers"]["memoracle"]) == {"command", "args"}
    assert all(line in text.splitlines() for line in GEMINI_SETTINGS.splitlines()[:3])
    assert "// the only one" in text


def test_gemini_elsewhere_and_another_name_of_its_rules(cli, home, monkeypatch, tmp_path):
    """GEMINI_CLI_HOME is followed; its settings may name the file that it always reads."""
    write(tmp_path / "g/.gemini/settings.json", '{"context": {"fileName": ["AGENTS.md", "GEMINI.md"]}}')
    monkeypatch.setenv("GEMINI_CLI_HOME", str(tmp_path / "g"))
    cli("install", "gemini")
    assert "## Memory" in (tmp_path / "g/.gemini/AGENTS.md").read_text()


def test_a_rules_file_outside_its_folder_is_not_followed(cli, furnished):
    """A name with a path in it could lead anywhere."""
    write(furnished / ".gemini/settings.json", '{"context": {"fileName": "../../etc/rules.md"}}')
    cli("install", "gemini")
    assert "## Memory" in (furnished / ".gemini/GEMINI.md").read_text()


def test_gemini_with_hooks_switched_off_is_told(cli, furnished):
    """They are written, and wait."""
    write(furnished / ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}')
    assert "switched off" in cli("install", "gemini").out
