"""OpenClaw: skill, server, a section in AGENTS.md, prompt files where it has them, its own cron; search paths if asked.

The exclusive memory slot is never touched: whoever holds it keeps it. Its config is checked strictly, so a key is only
written where this version of it is known to have one. Search paths are part of the scope of its index: where they
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
from memoracle.interfaces.install.entry import Entry
from memoracle.interfaces.install.openclaw_setup import Setup, at, look
from memoracle.interfaces.install.programs import call, find
from memoracle.interfaces.install.shelves import Shelves
from memoracle.interfaces.install.texts import section, skill
from memoracle.interfaces.install.wants import Item, Member, Section, Target, Whole, Wishes, server, snippet

JOB = "Memory Consolidation"
_AT = "0 3 * * *"
# No hook tells us of its sessions: the nightly run looks for what is new in them.
_NIGHTLY = ("consolidate", "--ingest", "openclaw")
_TOOL = "memory_search (memoracle__memory_search for this memory alone)"
_NOTE = "restart the gateway, then `openclaw doctor`; the memory slot stays with whoever holds it"
_INDEX = ("memory", "index")
_INDEX_PATIENCE_S = 300
_SCOPES = (("memory", "search", "extraPaths"), ("agents", "defaults", "memorySearch", "extraPaths"))
_OLDER = "this OpenClaw is older than its `mcp.servers`; its agent uses the commands of the skill instead"


def wishes(
    entry: Entry,
    environment: Mapping[str, str],
    home: str,
    *,
    shelves: Shelves,
    now: datetime,
    insist: bool = True,
    searches: bool = False,
) -> Wishes:
    """What OpenClaw should have, as far as this version of it knows how; `insist` on its being there.

    With `searches` its own memory search reads the notes of this memory, too.
    """
    listed = Member(path=("mcp", "servers", "memoracle"), value=server(entry))
    setup = look(environment, home, paste=snippet(Target(path="", wants=(listed,))), insist=insist)
    in_config = (*((listed,) if setup.has_servers else ()), *_paths(entry, setup, shelves, searches=searches))
    targets = [
        Target(
            path=os.path.join(setup.workspace, "skills", "memoracle", "SKILL.md"),
            wants=(Whole(text=skill(entry)),),
        ),
        Target(path=os.path.join(setup.workspace, "AGENTS.md"), wants=(Section(text=section(entry, _TOOL)),)),
        Target(path=setup.path, wants=in_config),
    ]
    notes = [_NOTE] if setup.has_servers else [_NOTE, _OLDER]
    if setup.jobs:
        targets.append(Target(path=setup.jobs, wants=(Item(path=("jobs",), value=_job(entry, now)),)))
    else:
        notes.append(f"for its own cron, once: {cron_line(entry)}")
    return Wishes(targets=tuple(target for target in targets if target.wants), notes=tuple(notes))


def cron_line(entry: Entry) -> str:
    """How a person adds the job where jobs are not in a file."""
    words = json.dumps(entry.calling(*_NIGHTLY), ensure_ascii=False)
    return shlex.join(["openclaw", "cron", "add", "--name", JOB, "--cron", _AT, "--command-argv", words])


def scope(environment: Mapping[str, str], home: str) -> object:
    """What its own search reads beside the workspace, as its config says now."""
    try:
        config = look(environment, home, paste="", insist=False).config
    except MemoracleError:
        return None
    return [at(config, *path) for path in _SCOPES]


def index_again(environment: Mapping[str, str]) -> str:
    """Have it index its memory again, since its search pauses when the scope has changed; what to tell of it."""
    line = shlex.join(("openclaw", *_INDEX))
    program = find("openclaw", environment)
    if program is None:
        return f"what its own search reads has changed: run `{line}`, until then that search pauses"
    said = call(program, *_INDEX, environment=environment, patience=_INDEX_PATIENCE_S)
    if said.status != 0:
        return f"what its own search reads has changed and `{line}` failed: run it, until then that search pauses"
    return f"what its own search reads has changed: `{line}` was run"


def _paths(entry: Entry, setup: Setup, shelves: Shelves, *, searches: bool) -> list[Item]:
    """Files for its system prompt, where it has them, and for its own search if that was asked for."""
    wants: list[Item] = []
    if searches and os.path.realpath(entry.root) != os.path.realpath(setup.workspace):
        # A root that is the workspace is searched already.
        key = ("memory", "search") if setup.has_tables else ("agents", "defaults", "memorySearch")
        wants += [Item(path=(*key, "extraPaths"), value=path) for path in shelves.searched]
    return wants + [Item(path=where, value=shelves.snapshot) for where in setup.prompt_files]


def _job(entry: Entry, now: datetime) -> dict[str, Any]:
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
