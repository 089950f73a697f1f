"""Codex: the server in config.toml, hooks in hooks.json, a section in its AGENTS.md, the skill."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memoracle.hosts.install.apply import HostAbsent
from memoracle.hosts.install.moments import codex_hooks, section, skill
from memoracle.hosts.install.plan import Entry, Section, Table, Target, Whole, Wishes, server


def wishes(entry: Entry, environment: Mapping[str, str], home: str, *, insist: bool = True) -> Wishes:
    """What Codex should have; `insist` on its being there."""
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
            Target(path=rules, wants=(Section(text=section(entry)),)),
            Target(
                path=os.path.join(folder, "skills", "memoracle", "SKILL.md"),
                wants=(Whole(text=skill(entry)),),
            ),
        ),
        notes=("Codex runs new hooks once you have trusted them: open it and answer, or use `/hooks`",),
    )
