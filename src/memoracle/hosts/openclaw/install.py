"""OpenClaw: the plugin beside this file, a skill, a section in AGENTS.md, its own cron; search paths and slot if asked.

An OpenClaw older than the plugin gets the server instead, and prompt files where it has them. Whoever holds the memory
slot keeps it. Its config is checked strictly, so a key is only written where this version of it is known to have
one. Search paths are part of the scope of its index: where they
change, its own search pauses until it has indexed again, so they are only written on demand and then it is told to.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from memoracle.errors import MemoracleError
from memoracle.hosts.install import config_text, plan
from memoracle.hosts.install.config_text import at
from memoracle.hosts.install.files import CannotEdit, read_text
from memoracle.hosts.install.plan import ConfigEntry, HostAbsent, Machine, Target, Want, WantKind, Wishes
from memoracle.hosts.install.schedulers import call, find
from memoracle.model.value import value
from memoracle.store.layouts import layout_named

# Where an OpenClaw keeps its things, and which keys this version of it knows. Reads, never writes.

# From here on sessions and jobs are in SQLite, and `memory.search` is the key.
_TABLES_SINCE = (2026, 7, 2)
_SERVERS_SINCE = (2026, 4, 0)
# The first version that the plugin was tried with.
_PLUGIN_SINCE = (2026, 9, 6)


@value
class _Setup:
    """One OpenClaw: its folders, its config as it stands, and what it knows."""

    state: str
    path: str
    config: Mapping[str, Any]
    workspace: str
    has_tables: bool
    has_servers: bool
    has_plugins: bool

    @property
    def slot(self) -> str:
        """Who holds the memory slot, where the config says it."""
        return str(at(self.config, ("plugins", "slots", "memory")) or "")

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
        entries = at(self.config, ("agents", "entries"))
        if isinstance(entries, Mapping):
            places += [("agents", "entries", str(name), "systemPromptFiles") for name in entries]
        return [place for place in places if isinstance(at(self.config, place), list)]


def look(machine: Machine, *, paste: str, insist: bool) -> _Setup:
    """The OpenClaw of this person; `insist` on its being there."""
    environment, home = machine.environment, machine.home
    if named := environment.get("OPENCLAW_STATE_DIR"):
        state = os.path.abspath(os.path.expanduser(named))
    elif profile := environment.get("OPENCLAW_PROFILE"):
        state = os.path.join(home, f".openclaw-{profile}")
    else:
        states = [os.path.join(home, name) for name in (".openclaw", ".clawdbot")]
        state = next(filter(os.path.isdir, states), states[0])
    if insist and not os.path.isdir(state):
        raise HostAbsent("OpenClaw", state, "OPENCLAW_STATE_DIR")
    names = [os.path.join(state, name) for name in ("openclaw.json", "clawdbot.json")]
    path = environment.get("OPENCLAW_CONFIG_PATH") or next(filter(os.path.exists, names), names[0])
    config = _read(path, paste)
    version = _version(config)
    workspace = (
        environment.get("OPENCLAW_WORKSPACE_DIR")
        or at(config, ("agents", "defaults", "workspace"))
        or at(config, ("agent", "workspace"))
    )
    if not isinstance(workspace, str) or not workspace:
        workspace = os.path.join(state, "workspace")
    elif workspace.startswith("~/"):
        workspace = os.path.join(home, workspace[2:])
    return _Setup(
        state=state,
        path=path,
        config=config,
        workspace=os.path.abspath(workspace),
        has_tables=_has_tables(config, version, state),
        has_servers="mcp" in config or not version or version >= _SERVERS_SINCE,
        has_plugins=version >= _PLUGIN_SINCE,
    )


def _read(path: str, paste: str) -> Mapping[str, Any]:
    text = read_text(path, paste)
    if text is None or not text.strip("\ufeff \t\r\n"):
        return {}
    try:
        found = config_text.read(text).value
    except config_text.Unclear as problem:
        raise CannotEdit(path, str(problem), paste) from None
    return found if isinstance(found, dict) else {}


def _has_tables(config: Mapping[str, Any], version: tuple[int, ...], state: str) -> bool:
    """Whether this is the OpenClaw of tables: its config says it best, then its version, then its files."""
    if at(config, ("memory", "search")) is not None or at(config, ("agents", "entries")) is not None:
        return True
    if (
        at(config, ("agents", "defaults", "memorySearch")) is not None
        or at(config, ("agents", "list")) is not None
    ):
        return False
    if version:
        return version >= _TABLES_SINCE
    return os.path.exists(os.path.join(state, "state", "openclaw.sqlite"))


def _version(config: Mapping[str, Any]) -> tuple[int, ...]:
    said = str(at(config, ("meta", "lastTouchedVersion")) or "")
    parts = said.partition("-")[0].split(".")
    is_plain = len(parts) == 3 and all(part.isdigit() for part in parts)
    return tuple(int(part) for part in parts) if is_plain else ()


JOB = "Memory Consolidation"
_AT = "0 3 * * *"
# No hook tells us of its sessions: the nightly run looks for what is new in them.
_NIGHTLY = ("consolidate", "--ingest", "openclaw")
_TOOL = "memory_search (memoracle__memory_search for this memory alone)"
_NATIVE_TOOL = 'memoracle_search (or memory_search with corpus "all")'
_NOTE = "restart the gateway, then `openclaw doctor`; the memory slot stays with whoever holds it"
_NATIVE_NOTE = (
    "restart the gateway, then `openclaw plugins inspect memoracle --runtime` shows what was loaded"
)
_PLUGIN, _SLOT = "memoracle", ("plugins", "slots", "memory")
_INDEX = ("memory", "index")
_INDEX_PATIENCE_S = 300
_SCOPES = (("memory", "search", "extraPaths"), ("agents", "defaults", "memorySearch", "extraPaths"))
_OLDER = "this OpenClaw is older than its `mcp.servers`; its agent uses the commands of the skill instead"


def wishes(entry: ConfigEntry, machine: Machine, *, insist: bool) -> Wishes:
    """What OpenClaw should have, as far as this version of it knows how."""
    listed = Want(kind=WantKind.MEMBER, path=("mcp", "servers", "memoracle"), value=plan.server(entry))
    setup = look(machine, paste=plan.snippet(Target(path="", wants=(listed,))), insist=insist)
    grants: list[str] = []
    if setup.has_plugins:
        wants, grants, notes = _native(entry, setup)
    else:
        wants = [listed] if setup.has_servers else []
        notes = [_NOTE] if setup.has_servers else [_NOTE, _OLDER]
    tool = _NATIVE_TOOL if setup.has_plugins else _TOOL
    targets = [
        plan.skill_file(setup.workspace, entry),
        plan.section_in(os.path.join(setup.workspace, "AGENTS.md"), entry, tool),
        Target(path=setup.path, wants=(*wants, *_paths(entry, setup))),
    ]
    if setup.jobs:
        job = Want(kind=WantKind.ITEM, path=("jobs",), value=_job(entry, machine.now))
        targets.append(Target(path=setup.jobs, wants=(job,)))
    else:
        notes.append(f"for its own cron, once: {cron_line(entry)}")
    if os.path.realpath(entry.root) != os.path.realpath(setup.workspace):
        adopting = shlex.join(entry.calling()[:4]), shlex.quote(setup.workspace)
        notes.append(
            "its workspace may be the memory itself, read in place and left again at any time: "
            "`{0} init {1} --layout openclaw`, then `{0} --root {1} install openclaw`".format(*adopting)
        )
    return Wishes(
        targets=tuple(target for target in targets if target.wants), notes=tuple(notes), grants=tuple(grants)
    )


def _native(entry: ConfigEntry, setup: _Setup) -> tuple[list[Want], list[str], list[str]]:
    """The plugin: what its config should hold, what that allows, and what is to be said."""
    takes_slot = entry.slot and setup.slot in {"", _PLUGIN}
    folder = os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "memory_slot" if takes_slot else "plugin"
    )
    held = {
        "enabled": True,
        "hooks": {"allowConversationAccess": True, "allowPromptInjection": True},
        "config": {"command": list(entry.calling())},
    }
    wants = [
        Want(kind=WantKind.ITEM, path=("plugins", "load", "paths"), value=folder),
        Want(kind=WantKind.MEMBER, path=("plugins", "entries", _PLUGIN), value=held),
    ]
    grants = [
        f"its gateway runs the code in {folder}, which starts this program and nothing else",
        "allowConversationAccess: the plugin hears of every turn; its database is read, earlier conversations, too",
        "allowPromptInjection: what memory holds stands before each prompt, so the model in use there is sent it",
        "its agents may search, read and add to this memory (memoracle_search, memoracle_get, memoracle_save)",
    ]
    notes = [_NATIVE_NOTE]
    if isinstance(at(setup.config, ("plugins", "allow")), list):
        wants.append(Want(kind=WantKind.ITEM, path=("plugins", "allow"), value=_PLUGIN))
        grants.append("its list of allowed plugins (plugins.allow) gets `memoracle`")
    denied = at(setup.config, ("plugins", "deny"))
    is_denied = isinstance(denied, list) and _PLUGIN in denied
    if is_denied or at(setup.config, ("plugins", "enabled")) is False:
        notes.append(
            "its config keeps plugins off (plugins.enabled, plugins.deny); until then nothing is loaded"
        )
    if takes_slot:
        wants.append(Want(kind=WantKind.MEMBER, path=_SLOT, value=_PLUGIN))
        grants.append(
            "it takes the memory slot: memory-core steps back, but for its dreaming where that is on"
        )
    elif entry.slot:
        notes.append(
            f"the memory slot stays with `{setup.slot}`, which its config names; take that out first"
        )
    return wants, grants, notes


def cron_line(entry: ConfigEntry) -> str:
    """How a person adds the job where jobs are not in a file."""
    words = json.dumps(entry.calling(*_NIGHTLY), ensure_ascii=False)
    return shlex.join(["openclaw", "cron", "add", "--name", JOB, "--cron", _AT, "--command-argv", words])


def scope(machine: Machine) -> object:
    """What its own search reads beside the workspace, as its config says now."""
    try:
        config = look(machine, paste="", insist=False).config
    except MemoracleError:
        return None
    return [at(config, path) for path in _SCOPES]


def index_again(environment: Mapping[str, str]) -> str:
    """Have it index its memory again, since its search pauses when the scope has changed; what to tell of it."""
    line = shlex.join(("openclaw", *_INDEX))
    program = find("openclaw", environment)
    if program is None:
        return f"what its own search reads has changed: run `{line}`, until then that search pauses"
    status, _, _ = call(program, *_INDEX, environment=environment, patience=_INDEX_PATIENCE_S)
    if status != 0:
        return f"what its own search reads has changed and `{line}` failed: run it, until then that search pauses"
    return f"what its own search reads has changed: `{line}` was run"


def _paths(entry: ConfigEntry, setup: _Setup) -> list[Want]:
    """Files for its system prompt, where it has them, and for its own search if that was asked for."""
    table = layout_named(entry.layout)
    wants: list[tuple[tuple[str, ...], str]] = []
    if entry.searches and os.path.realpath(entry.root) != os.path.realpath(setup.workspace):
        # A root that is the workspace is searched already.
        key = ("memory", "search") if setup.has_tables else ("agents", "defaults", "memorySearch")
        folders = [os.path.dirname(table[name]) for name in ("daily", "semantic", "procedural")]
        # `notes/daily` and `notes/semantic` are found under `notes`.
        shared = os.path.commonpath(folders)
        searched = dict.fromkeys([table["hot"], *([shared] if shared else sorted(set(folders)))])
        wants += [((*key, "extraPaths"), name) for name in searched]
    wants += [(where, table.get("snapshot", table["hot"])) for where in setup.prompt_files]
    return [Want(kind=WantKind.ITEM, path=path, value=os.path.join(entry.root, name)) for path, name in wants]


def _job(entry: ConfigEntry, now: datetime) -> dict[str, Any]:
    """A job of the file era: a system event to the main session. Its id follows from the root."""
    stamp = int(now.timestamp() * 1000)
    command = shlex.join(entry.calling(*_NIGHTLY))
    text = f"{JOB}: run `{command}`. Say nothing to anybody unless it fails; otherwise answer NO_REPLY."
    return {
        "id": str(uuid5(NAMESPACE_URL, f"memoracle:{entry.root}")),
        "agentId": "main",
        "name": JOB,
        "enabled": True,
        "createdAtMs": stamp,
        "updatedAtMs": stamp,
        "schedule": {"kind": "cron", "expr": _AT},
        "sessionTarget": "main",
        "wakeMode": "next-heartbeat",
        "payload": {"kind": "systemEvent", "text": text},
        "state": {},
    }
