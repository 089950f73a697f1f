"""The hosts by name: what each should have, and what a person would paste. OpenClaw has a module of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime
from importlib.util import find_spec
from typing import Any

from memoracle import __version__
from memoracle.hosts.install import config_text, openclaw
from memoracle.hosts.install.apply import HostAbsent, read_text
from memoracle.hosts.install.config_text import Unclear
from memoracle.hosts.install.moments import (
    claude_code_hooks,
    codex_hooks,
    gemini_hooks,
    section,
    shelves_of,
    skill,
)
from memoracle.hosts.install.plan import (
    ConfigEntry,
    ConfigMember,
    ConfigSection,
    Table,
    Target,
    Whole,
    Wishes,
    carried,
    server,
    snippet,
)
from memoracle.model.value import replace

HOSTS = ("openclaw", "claude-code", "codex", "gemini")
_NO_SERVER = "the tools need the MCP server: pip install 'memoracle[mcp]'"


def wishes_of(
    host: str,
    entry: ConfigEntry,
    *,
    layout: str,
    environment: Mapping[str, str],
    home: str,
    now: datetime,
    insist: bool = True,
    searches: bool = False,
) -> Wishes:
    """What a host should have; `insist` on its being there. `searches`: its own search reads the notes, too."""
    entry = carried(entry)
    if host == "openclaw":
        shelves = shelves_of(entry.root, layout)
        wishes = openclaw.wishes(
            entry, environment, home, shelves=shelves, now=now, insist=insist, searches=searches
        )
    else:
        wishes = _WISHES[host](entry, environment, home, insist=insist)
    if find_spec("mcp") is None:
        wishes = replace(wishes, notes=(*wishes.notes, _NO_SERVER))
    return wishes


def printed(wishes: Wishes) -> str:
    """Every file with what it should hold, to be pasted by hand."""
    parts = [f"# {target.path}\n{snippet(target)}" for target in wishes.targets]
    parts += [f"# {note}\n" for note in wishes.notes]
    return "\n".join(parts)


# One folder that Claude Code, Codex and OpenClaw load as a plugin: manifest, skill, hooks, server.

_ABOUT = (
    "Long-term memory that its owner can read, own and trust: recall with evidence, kept on this machine."
)


def _plugin_folder(environment: Mapping[str, str], home: str) -> str:
    """Where the folder stands: beside a person's memory, never in it."""
    data = environment.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(data, "memoracle-plugin")


def _plugin_files(entry: ConfigEntry) -> dict[str, str]:
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


def _plugin_targets(entry: ConfigEntry, folder: str) -> tuple[Target, ...]:
    """The folder as files to be written."""
    return tuple(
        Target(path=os.path.join(folder, *name.split("/")), wants=(Whole(text=text),))
        for name, text in _plugin_files(entry).items()
    )


def _how_to_use(folder: str) -> tuple[str, ...]:
    """How each host loads it."""
    return (
        f"the same as a plugin, instead of these entries and not beside them: {folder}",
        f"  Claude Code: /plugin marketplace add {folder}, then /plugin install memoracle@memoracle-local",
        f"  Codex: codex plugin marketplace add {folder}, then install `memoracle` from it",
        f"  OpenClaw: openclaw plugins install {folder}  (skill and tools; it passes over the hooks)",
    )


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _claude_code(entry: ConfigEntry, environment: Mapping[str, str], home: str, *, insist: bool) -> Wishes:
    """Hooks in its settings, the server in its list, the skill, and the same as a plugin folder beside it."""
    named = environment.get("CLAUDE_CONFIG_DIR")
    folder = os.path.abspath(os.path.expanduser(named)) if named else os.path.join(home, ".claude")
    listing = os.path.join(folder if named else home, ".claude.json")
    if insist and not os.path.isdir(folder) and not os.path.exists(listing):
        raise HostAbsent("Claude Code", folder, "CLAUDE_CONFIG_DIR")
    plugin = _plugin_folder(environment, home)
    return Wishes(
        targets=(
            Target(path=os.path.join(folder, "settings.json"), wants=claude_code_hooks(entry)),
            Target(
                path=listing,
                wants=(
                    ConfigMember(path=("mcpServers", "memoracle"), value={"type": "stdio", **server(entry)}),
                ),
            ),
            Target(
                path=os.path.join(folder, "skills", "memoracle", "SKILL.md"),
                wants=(Whole(text=skill(entry)),),
            ),
            *_plugin_targets(entry, plugin),
        ),
        notes=(
            "sessions that are open take it up when they are started again; `/hooks` and `/mcp` show it",
            *_how_to_use(plugin),
        ),
    )


def _codex(entry: ConfigEntry, environment: Mapping[str, str], home: str, *, insist: bool) -> Wishes:
    """The server in config.toml, hooks in hooks.json, a section in its AGENTS.md, the skill."""
    named = environment.get("CODEX_HOME")
    folder = os.path.abspath(os.path.expanduser(named)) if named else os.path.join(home, ".codex")
    if insist and not os.path.isdir(folder):
        raise HostAbsent("Codex", folder, "CODEX_HOME")
    override = os.path.join(folder, "AGENTS.override.md")
    rules = override if os.path.exists(override) else os.path.join(folder, "AGENTS.md")
    return Wishes(
        targets=(
            Target(
                path=os.path.join(folder, "config.toml"),
                wants=(Table(path=("mcp_servers", "memoracle"), value=server(entry)),),
            ),
            Target(path=os.path.join(folder, "hooks.json"), wants=codex_hooks(entry)),
            Target(path=rules, wants=(ConfigSection(text=section(entry)),)),
            Target(
                path=os.path.join(folder, "skills", "memoracle", "SKILL.md"),
                wants=(Whole(text=skill(entry)),),
            ),
        ),
        notes=("Codex runs new hooks once you have trusted them: open it and answer, or use `/hooks`",),
    )


def _gemini(entry: ConfigEntry, environment: Mapping[str, str], home: str, *, insist: bool) -> Wishes:
    """The server and hooks in its settings, a section in the file that it always reads."""
    named = environment.get("GEMINI_CLI_HOME")
    folder = os.path.join(os.path.abspath(os.path.expanduser(named)) if named else home, ".gemini")
    if insist and not os.path.isdir(folder):
        raise HostAbsent("Gemini CLI", folder, "GEMINI_CLI_HOME")
    settings = os.path.join(folder, "settings.json")
    held = read_text(settings) or "{}"
    notes = ["sessions that are open take it up when they are started again"]
    if _at(held, "hooksConfig", "enabled") is False or _at(held, "hooks", "enabled") is False:
        notes.append("hooks are switched off in its settings; the memory is reached by its tools alone")
    return Wishes(
        targets=(
            Target(
                path=settings,
                wants=(
                    ConfigMember(path=("mcpServers", "memoracle"), value=server(entry)),
                    *gemini_hooks(entry),
                ),
            ),
            Target(path=os.path.join(folder, _rules(held)), wants=(ConfigSection(text=section(entry)),)),
        ),
        notes=tuple(notes),
    )


def _rules(held: str) -> str:
    """The file that it always reads, which its settings may name."""
    named = _at(held, "context", "fileName") or _at(held, "contextFileName")
    first = named[0] if isinstance(named, list) and named else named
    is_plain = isinstance(first, str) and first and os.path.basename(first) == first
    return str(first) if is_plain else "GEMINI.md"


def _at(text: str, *path: str) -> Any:
    try:
        found = config_text.find(text, path)
    except Unclear:
        return None  # the edit itself will say what is wrong
    return found.value if found else None


_WISHES = {"claude-code": _claude_code, "codex": _codex, "gemini": _gemini}
