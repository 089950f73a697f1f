"""Gemini CLI: the server and hooks in its settings, a section in the file that it always reads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from memoracle.hosts.install import config_text as json_text
from memoracle.hosts.install.apply import HostAbsent, read_text
from memoracle.hosts.install.config_text import Unclear
from memoracle.hosts.install.moments import gemini_hooks, section
from memoracle.hosts.install.plan import Entry, Member, Section, Target, Wishes, server


def wishes(entry: Entry, environment: Mapping[str, str], home: str, *, insist: bool = True) -> Wishes:
    """What Gemini CLI should have; `insist` on its being there."""
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
                wants=(Member(path=("mcpServers", "memoracle"), value=server(entry)), *gemini_hooks(entry)),
            ),
            Target(path=os.path.join(folder, _rules(held)), wants=(Section(text=section(entry)),)),
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
        found = json_text.find(text, path)
    except Unclear:
        return None  # the edit itself will say what is wrong
    return found.value if found else None
