"""Where an OpenClaw keeps its things, and which keys this version of it knows. Reads, never writes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from memoracle.interfaces.install import json5
from memoracle.interfaces.install.host import CannotEdit, HostAbsent, read_text
from memoracle.model.value import value

# From here on sessions and jobs are in SQLite, and `memory.search` is the key.
_TABLES_SINCE = (2026, 7, 2)
_SERVERS_SINCE = (2026, 4, 0)


@value
class Setup:
    """One OpenClaw: its folders, its config as it stands, and what it knows."""

    state: str
    path: str
    config: Mapping[str, Any]
    workspace: str
    has_tables: bool
    has_servers: bool

    @property
    def jobs(self) -> str | None:
        """The file of its cron, where it still has one."""
        path = os.path.join(self.state, "cron", "jobs.json")
        return path if not self.has_tables and os.path.isfile(path) else None

    @property
    def prompt_files(self) -> list[tuple[str, ...]]:
        """Where its config lists files for the system prompt; most versions have no such key."""
        places = [
            ("systemPromptFiles",),
            ("agent", "systemPromptFiles"),
            ("agents", "defaults", "systemPromptFiles"),
        ]
        entries = at(self.config, "agents", "entries")
        if isinstance(entries, Mapping):
            places += [("agents", "entries", str(name), "systemPromptFiles") for name in entries]
        return [place for place in places if isinstance(at(self.config, *place), list)]


def look(environment: Mapping[str, str], home: str, *, paste: str, insist: bool) -> Setup:
    """The OpenClaw of this person; `insist` on its being there."""
    state = _state(environment, home)
    if insist and not os.path.isdir(state):
        raise HostAbsent("OpenClaw", state, "OPENCLAW_STATE_DIR")
    path = environment.get("OPENCLAW_CONFIG_PATH") or _config(state)
    config = _read(path, paste)
    version = _version(config)
    return Setup(
        state=state,
        path=path,
        config=config,
        workspace=_workspace(config, environment, home, state),
        has_tables=_has_tables(config, version, state),
        has_servers="mcp" in config or not version or version >= _SERVERS_SINCE,
    )


def at(config: Mapping[str, Any], *path: str) -> Any:
    """What a config says at a path; None when nothing."""
    found: Any = config
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _state(environment: Mapping[str, str], home: str) -> str:
    if named := environment.get("OPENCLAW_STATE_DIR"):
        return os.path.abspath(os.path.expanduser(named))
    if profile := environment.get("OPENCLAW_PROFILE"):
        return os.path.join(home, f".openclaw-{profile}")
    states = [os.path.join(home, name) for name in (".openclaw", ".clawdbot")]
    return next((state for state in states if os.path.isdir(state)), states[0])


def _config(state: str) -> str:
    names = [os.path.join(state, name) for name in ("openclaw.json", "clawdbot.json")]
    return next((name for name in names if os.path.exists(name)), names[0])


def _workspace(config: Mapping[str, Any], environment: Mapping[str, str], home: str, state: str) -> str:
    named = environment.get("OPENCLAW_WORKSPACE_DIR") or at(config, "agents", "defaults", "workspace")
    named = named or at(config, "agent", "workspace")
    if isinstance(named, str) and named:
        return os.path.abspath(os.path.join(home, named[2:]) if named.startswith("~/") else named)
    return os.path.join(state, "workspace")


def _read(path: str, paste: str) -> Mapping[str, Any]:
    text = read_text(path, paste)
    if text is None or not text.strip("\ufeff \t\r\n"):
        return {}
    try:
        found = json5.read(text).value
    except json5.Unclear as problem:
        raise CannotEdit(path, str(problem), paste) from None
    return found if isinstance(found, dict) else {}


def _has_tables(config: Mapping[str, Any], version: tuple[int, ...], state: str) -> bool:
    """Whether this is the OpenClaw of tables: its config says it best, then its version, then its files."""
    if at(config, "memory", "search") is not None or at(config, "agents", "entries") is not None:
        return True
    if (
        at(config, "agents", "defaults", "memorySearch") is not None
        or at(config, "agents", "list") is not None
    ):
        return False
    if version:
        return version >= _TABLES_SINCE
    return os.path.exists(os.path.join(state, "state", "openclaw.sqlite"))


def _version(config: Mapping[str, Any]) -> tuple[int, ...]:
    said = str(at(config, "meta", "lastTouchedVersion") or "")
    parts = said.partition("-")[0].split(".")
    is_plain = len(parts) == 3 and all(part.isdigit() for part in parts)
    return tuple(int(part) for part in parts) if is_plain else ()
