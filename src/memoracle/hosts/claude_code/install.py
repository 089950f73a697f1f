"""Claude Code: hooks in its settings, the server in its list, the skill, and the same as a plugin folder beside it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from memoracle import __version__
from memoracle.hosts.install.apply import HostAbsent
from memoracle.hosts.install.moments import claude_code_hooks, codex_hooks, skill
from memoracle.hosts.install.plan import Entry, Member, Target, Whole, Wishes, server

# One folder that Claude Code, Codex and OpenClaw load as a plugin: manifest, skill, hooks, server.

_ABOUT = (
    "Long-term memory that its owner can read, own and trust: recall with evidence, kept on this machine."
)


def plugin_folder(environment: Mapping[str, str], home: str) -> str:
    """Where the folder stands: beside a person's memory, never in it."""
    data = environment.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(data, "memoracle-plugin")


def plugin_files(entry: Entry) -> dict[str, str]:
    """The files by name. Hooks are lines, the one form that all hosts know; which host calls shows in what it says."""
    about = {"name": "memoracle", "version": __version__, "description": _ABOUT}
    hooks: dict[str, Any] = {item.path[1]: [item.value] for item in codex_hooks(entry, host="")}
    market = {
        "name": "memoracle-local",
        "owner": {"name": "memoracle"},
        "plugins": [{"name": "memoracle", "source": "./", "description": _ABOUT}],
    }
    return {
        ".claude-plugin/plugin.json": _json(about),
        ".claude-plugin/marketplace.json": _json(market),
        ".codex-plugin/plugin.json": _json(about),
        ".mcp.json": _json({"mcpServers": {"memoracle": server(entry)}}),
        "hooks/hooks.json": _json({"description": "Memoracle at the moments that matter", "hooks": hooks}),
        "skills/memoracle/SKILL.md": skill(entry),
    }


def plugin_targets(entry: Entry, folder: str) -> tuple[Target, ...]:
    """The folder as files to be written."""
    return tuple(
        Target(path=os.path.join(folder, *name.split("/")), wants=(Whole(text=text),))
        for name, text in plugin_files(entry).items()
    )


def how_to_use(folder: str) -> tuple[str, ...]:
    """How each host loads it."""
    return (
        f"the same as a plugin, instead of these entries and not beside them: {folder}",
        f"  Claude Code: /plugin marketplace add {folder}, then /plugin install memoracle@memoracle-local",
        f"  Codex: codex plugin marketplace add {folder}, then install `memoracle` from it",
        f"  OpenClaw: openclaw plugins install {folder}  (skill and tools; it passes over the hooks)",
    )


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def wishes(entry: Entry, environment: Mapping[str, str], home: str, *, insist: bool = True) -> Wishes:
    """What Claude Code should have; `insist` on its being there."""
    named = environment.get("CLAUDE_CONFIG_DIR")
    folder = os.path.abspath(os.path.expanduser(named)) if named else os.path.join(home, ".claude")
    listing = os.path.join(folder if named else home, ".claude.json")
    if insist and not os.path.isdir(folder) and not os.path.exists(listing):
        raise HostAbsent("Claude Code", folder, "CLAUDE_CONFIG_DIR")
    plugin = plugin_folder(environment, home)
    return Wishes(
        targets=(
            Target(path=os.path.join(folder, "settings.json"), wants=claude_code_hooks(entry)),
            Target(
                path=listing,
                wants=(Member(path=("mcpServers", "memoracle"), value={"type": "stdio", **server(entry)}),),
            ),
            Target(
                path=os.path.join(folder, "skills", "memoracle", "SKILL.md"),
                wants=(Whole(text=skill(entry)),),
            ),
            *plugin_targets(entry, plugin),
        ),
        notes=(
            "sessions that are open take it up when they are started again; `/hooks` and `/mcp` show it",
            *how_to_use(plugin),
        ),
    )
