"""Claude Code: hooks without a shell, a server for every project, a skill; what it asks leave for."""

import json
import os
import subprocess

import pytest

from support.processes import PYTHON

from .conftest import hooks_of, write


@pytest.fixture
def settings(cli, furnished):
    cli("install", "claude-code")
    return json.loads((furnished / ".claude/settings.json").read_text())


def test_hooks_are_words_for_a_program(settings, root):
    """The exec form: this interpreter, this root, no shell; the budgets of each moment."""
    ours = hooks_of(settings).by_event
    assert {
        event: (hook["args"][-3], hook["timeout"], hook.get("async", False)) for event, hook in ours.items()
    } == {
        "SessionStart": ("session-start", 5, False),
        "UserPromptSubmit": ("prompt", 3, False),
        "Stop": ("stop", 60, True),
        "PreCompact": ("pre-compact", 20, False),
        "PostCompact": ("post-compact", 20, False),
        "SessionEnd": ("session-end", 5, False),
    }
    assert [ours["Stop"]["command"], *ours["Stop"]["args"]] == [
        PYTHON, "-P", "-m", "memoracle", "--root", str(root), "hook", "stop", "--host", "claude-code",
    ]  # fmt: skip


def test_what_was_there_is_still_there(settings):
    """Somebody's hook on the same event, settings that we do not know."""
    assert settings["hooks"]["Stop"][0] == {"hooks": [{"type": "command", "command": "afplay done.aiff"}]}
    assert settings["somethingNew"] == {"a": [1, 2.5, 1000.0], "名": "值"}


def test_the_server_is_listed_for_every_project(cli, furnished, root):
    """In the person's own scope, beside the others."""
    cli("install", "claude-code")
    listed = json.loads((furnished / ".claude.json").read_text())["mcpServers"]
    words = ["-P", "-m", "memoracle", "--root", str(root), "mcp"]
    assert (set(listed), listed["memoracle"]) == (
        {"github", "memoracle"},
        {"type": "stdio", "command": PYTHON, "args": words},
    )


def test_another_place_of_its_settings_is_followed(cli, home, monkeypatch, tmp_path):
    """CLAUDE_CONFIG_DIR moves everything, the list too."""
    place = tmp_path / "elsewhere"
    place.mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(place))
    cli("install", "claude-code")
    names = {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}
    assert (names, (home / ".claude").exists()) == (
        {"settings.json", ".claude.json", "skills/memoracle/SKILL.md"},
        False,
    )


def test_every_installed_hook_runs(cli, furnished, settings, root):
    """As Claude Code would run them, on what it would say: nothing but JSON, and always 0."""
    for event, hook in hooks_of(settings).by_event.items():
        said = {
            "session_id": "s1",
            "transcript_path": str(furnished / ".claude/projects/x/s1.jsonl"),
            "cwd": str(furnished),
            "hook_event_name": event,
            "prompt": "what is the cat called?",
            "source": "startup",
        }
        done = subprocess.run(
            [hook["command"], *hook["args"]],
            input=json.dumps(said).encode(),
            capture_output=True,
            timeout=60,
            check=False,
            env={"HOME": str(furnished), "PATH": os.defpath},
        )
        assert (event, done.returncode, done.stderr) == (event, 0, b"")
        assert not done.stdout or json.loads(done.stdout)


def test_old_hooks_of_ours_are_brought_up_to_date_in_place(cli, furnished, root):
    """Another interpreter, another root: one entry, where the old one stood."""
    old = {
        "type": "command",
        "command": "/old/python",
        "args": ["-P", "-m", "memoracle", "--root", "/old", "hook", "stop"],
    }
    document = {"hooks": {"Stop": [{"hooks": [old]}, {"hooks": [{"type": "command", "command": "true"}]}]}}
    path = write(furnished / ".claude/settings.json", json.dumps(document, indent=2))
    cli("install", "claude-code")
    first, second = json.loads(path.read_text())["hooks"]["Stop"]
    assert (first["hooks"][0]["command"], second["hooks"][0]["command"]) == (PYTHON, "true")


def test_the_names_of_the_tools_that_only_read_are_told(cli, furnished):
    """Claude Code asks before each tool: what to allow is said in its own names, and no more once it stands there."""
    names = [f"mcp__memoracle__memory_{tool}" for tool in ("search", "get", "context")]
    told = cli("install", "claude-code").out
    assert all(name in told for name in names)
    path = furnished / ".claude/settings.json"
    path.write_text(path.read_text().replace('"Bash(git status)"', '"Bash(git status)", "mcp__memoracle"'))
    assert "mcp__memoracle__" not in cli("install", "claude-code").out


def test_a_hook_that_a_person_added_to_our_group_is_theirs(cli, furnished, root, tmp_path):
    """As the menu of the host puts it: ours are brought level there and not put in twice, and go without it."""
    place = furnished / ".claude/settings.json"
    cli("install", "claude-code")
    document = json.loads(place.read_text())
    group = document["hooks"]["SessionStart"][0]
    group["hooks"].append({"type": "command", "command": "beep"})
    place.write_text(json.dumps(document, indent=2))
    before = place.read_bytes()
    cli("install", "claude-code")
    assert place.read_bytes() == before
    other = tmp_path / "other"
    cli("init", at=other)
    cli("install", "claude-code", at=other)
    (found,) = json.loads(place.read_text())["hooks"]["SessionStart"]
    assert [str(other) in json.dumps(hook) for hook in found["hooks"]] == [True, False]
    cli("install", "claude-code", "--uninstall")
    left = json.loads(place.read_text())["hooks"]
    assert left["SessionStart"] == [{"hooks": [{"type": "command", "command": "beep"}]}]
    assert "memoracle" not in place.read_text()
