"""One folder that Claude Code, Codex and OpenClaw load as a plugin: manifest, skill, hooks, server.

It lies there until somebody loads it, and is an alternative to the entries in a host's own files, not an addition.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from memoracle import __version__
from memoracle.interfaces.install.entry import Entry
from memoracle.interfaces.install.moments import codex_hooks
from memoracle.interfaces.install.texts import skill
from memoracle.interfaces.install.wants import Target, Whole, server

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
