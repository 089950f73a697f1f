"""A home of its own with hosts in it, whose files look as real ones do."""

import json
import sys
from types import SimpleNamespace

import pytest

APPLICATIONS = "Library/Application Support" if sys.platform == "darwin" else ".config"
VARIABLES = (
    "CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME OPENCLAW_STATE_DIR OPENCLAW_WORKSPACE_DIR OPENCLAW_CONFIG_PATH "
    "OPENCLAW_PROFILE XDG_STATE_HOME XDG_DATA_HOME XDG_CONFIG_HOME"
).split()

CLAUDE_SETTINGS = """{
  "model": "opus",
  "permissions": { "allow": ["Bash(git status)"], "deny": [] },
  "somethingNew": {"a": [1, 2.50, 1e3], "名": "值"},
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "afplay done.aiff"}]}
    ]
  }
}
"""
CLAUDE_LIST = """{
  "numStartups": 12,
  "projects": {"/home/me/app": {"history": [], "mcpServers": {}}},
  "mcpServers": {
    "github": {"type": "http", "url": "https://example.org/mcp"}
  },
  "oauthAccount": {"emailAddress": "me@example.org"}
}"""
CODEX_CONFIG = """# my own settings
model = "gpt-5"   # the big one

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]

[projects."/home/me/app"]
trust_level = "trusted"
# the end
"""
CODEX_HOOKS = (
    '{"hooks":{"PreToolUse":[{"matcher":"^Bash$","hooks":[{"type":"command","command":"./check.sh"}]}]}}\n'
)
GEMINI_SETTINGS = """{
\t// comments are allowed here
\t"general": {"vimMode": true},
\t"mcpServers": {
\t\t"files": {"command": "npx", "args": ["files"]}, // the only one
\t},
}
"""
OPENCLAW_CONFIG = """// OpenClaw, written by hand
{
  meta: { lastTouchedVersion: '2026.9.5' },
  agents: {
    defaults: { workspace: "~/.openclaw/workspace", }, // where it lives
  },
  /* the slot is mine */
  plugins: { slots: { memory: "memory-core" } },
  gateway: { port: 0x4654, },
}
"""
OPENCODE_CONFIG = """{
  // written by hand
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "files": { "type": "local", "command": ["npx", "files"], /* mine */ },
  },
}
"""
ZED_SETTINGS = """// Zed settings
//
// see the documentation
{
  "theme": "One Dark", // for now
  "context_servers": {},
}
"""
SERVERS = '{"mcpServers":{"files":{"command":"npx","args":["files"]}}}'
VSCODE_LIST = """{
\t"servers": {
\t\t"files": { "type": "stdio", "command": "npx" }
\t},
\t"inputs": []
}
"""
RULES = "# My rules\n\nBe kind.\n"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Nobody's home; no host is named in the environment."""
    place = tmp_path / "home"
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return place


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.fixture
def furnished(home):
    """A home with every host."""
    write(home / ".claude/settings.json", CLAUDE_SETTINGS)
    write(home / ".claude.json", CLAUDE_LIST)
    write(home / ".codex/config.toml", CODEX_CONFIG)
    write(home / ".codex/hooks.json", CODEX_HOOKS)
    write(home / ".codex/AGENTS.md", RULES)
    write(home / ".gemini/settings.json", GEMINI_SETTINGS)
    write(home / ".gemini/GEMINI.md", RULES)
    write(home / ".openclaw/openclaw.json", OPENCLAW_CONFIG)
    write(home / ".openclaw/workspace/AGENTS.md", RULES)
    write(home / ".config/opencode/opencode.jsonc", OPENCODE_CONFIG)
    write(home / ".cursor/mcp.json", SERVERS)
    write(home / APPLICATIONS / "Code/User/mcp.json", VSCODE_LIST)
    write(home / ".codeium/windsurf/mcp_config.json", "{\n}\n")
    write(home / ".config/zed/settings.json", ZED_SETTINGS)
    write(home / APPLICATIONS / "Claude/claude_desktop_config.json", SERVERS)
    return home


def files(home):
    """Every file of the home that is not ours to keep: path to bytes; folders too, so that none is left behind."""
    kept = {}
    for path in sorted(home.rglob("*")):
        name = str(path.relative_to(home))
        if not name.startswith(".local"):
            kept[name] = path.read_bytes() if path.is_file() else None
    return kept


def hooks_of(document):
    """The hooks of a settings file that call us: event to hook."""
    ours = {}
    for event, groups in document["hooks"].items():
        for group in groups:
            for hook in group["hooks"]:
                if "memoracle" in json.dumps(hook):
                    ours[event] = hook
    return SimpleNamespace(by_event=ours, names=set(ours))


@pytest.fixture
def cli(cli):
    """The command line of a person who agreed beforehand; that nothing goes without it is in test_consent.py."""

    def run(*words, **options):
        return cli(*words, *(["--yes"] if words[0] == "install" and "--yes" not in words else []), **options)

    return run
