"""The hosts by name: what each should have, and what a person would paste."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from importlib.util import find_spec

from memoracle.hosts.claude_code import install as claude_code
from memoracle.hosts.codex import install as codex
from memoracle.hosts.gemini import install as gemini
from memoracle.hosts.install.moments import shelves_of
from memoracle.hosts.install.plan import Entry, Wishes, carried, snippet
from memoracle.hosts.openclaw import install as openclaw
from memoracle.model.value import replace

HOSTS = ("openclaw", "claude-code", "codex", "gemini")
_PLAIN = {"claude-code": claude_code.wishes, "codex": codex.wishes, "gemini": gemini.wishes}
_NO_SERVER = "the tools need the MCP server: pip install 'memoracle[mcp]'"


def wishes_of(
    host: str,
    entry: Entry,
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
        wishes = _PLAIN[host](entry, environment, home, insist=insist)
    if find_spec("mcp") is None:
        wishes = replace(wishes, notes=(*wishes.notes, _NO_SERVER))
    return wishes


def printed(wishes: Wishes) -> str:
    """Every file with what it should hold, to be pasted by hand."""
    parts = [f"# {target.path}\n{snippet(target)}" for target in wishes.targets]
    parts += [f"# {note}\n" for note in wishes.notes]
    return "\n".join(parts)
