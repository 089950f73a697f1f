"""Claude Code: hooks in its settings, the server in its list, the skill, and the same as a plugin folder beside it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memoracle.interfaces.install.entry import Entry
from memoracle.interfaces.install.host import HostAbsent
from memoracle.interfaces.install.moments import claude_code_hooks
from memoracle.interfaces.install.plugin import how_to_use, plugin_folder, plugin_targets
from memoracle.interfaces.install.texts import skill
from memoracle.interfaces.install.wants import Member, Target, Whole, Wishes, server


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
