"""The moments at which hosts call us, how each host names them, and how long it may wait. Tables and shapes; pure."""

from __future__ import annotations

import os
import shlex
from typing import Any

from memoracle.hosts.install.plan import ConfigEntry, ConfigItem
from memoracle.model.value import value
from memoracle.store.layouts import layout_named


@value
class _Moment:
    """One event of a host: its name there and ours, the seconds it gives us, and whether it goes on meanwhile."""

    name: str
    event: str
    seconds: int
    is_async: bool = False


# Reading hooks are waited for, so they are given little; writing hooks leave a line in the spool and are done.
CLAUDE_CODE = (
    _Moment(name="SessionStart", event="session-start", seconds=5),
    _Moment(name="UserPromptSubmit", event="prompt", seconds=3),
    _Moment(name="Stop", event="stop", seconds=60, is_async=True),
    _Moment(name="PreCompact", event="pre-compact", seconds=20),
    _Moment(name="PostCompact", event="post-compact", seconds=20),
    _Moment(name="SessionEnd", event="session-end", seconds=5),
)
# Codex passes over asynchronous hooks, and gives the end of a session three seconds at most.
CODEX = (
    _Moment(name="SessionStart", event="session-start", seconds=5),
    _Moment(name="UserPromptSubmit", event="prompt", seconds=3),
    _Moment(name="Stop", event="stop", seconds=5),
    _Moment(name="PreCompact", event="pre-compact", seconds=5),
    _Moment(name="PostCompact", event="post-compact", seconds=5),
    _Moment(name="SessionEnd", event="session-end", seconds=3),
)
GEMINI = (
    _Moment(name="SessionStart", event="session-start", seconds=5),
    _Moment(name="BeforeAgent", event="prompt", seconds=3),
    _Moment(name="AfterAgent", event="stop", seconds=5),
    _Moment(name="PreCompress", event="pre-compact", seconds=5),
    _Moment(name="SessionEnd", event="session-end", seconds=5),
)


def claude_code_hooks(entry: ConfigEntry) -> tuple[ConfigItem, ...]:
    """Groups in the exec form: words go to the program as they are, and no shell sees them."""
    items = []
    for moment in CLAUDE_CODE:
        command, *rest = entry.calling("hook", moment.event, "--host", "claude-code")
        hook: dict[str, Any] = {
            "type": "command",
            "command": command,
            "args": rest,
            "timeout": moment.seconds,
        }
        if moment.is_async:
            hook["async"] = True
        items.append(ConfigItem(path=("hooks", moment.name), value={"hooks": [hook]}))
    return tuple(items)


def codex_hooks(entry: ConfigEntry, host: str = "codex") -> tuple[ConfigItem, ...]:
    """Groups with one quoted line: Codex knows no other form."""
    return tuple(
        ConfigItem(
            path=("hooks", moment.name),
            value={
                "hooks": [
                    {"type": "command", "command": _line(entry, moment, host), "timeout": moment.seconds}
                ]
            },
        )
        for moment in CODEX
    )


def gemini_hooks(entry: ConfigEntry) -> tuple[ConfigItem, ...]:
    """Groups with a name and milliseconds."""
    return tuple(
        ConfigItem(
            path=("hooks", moment.name),
            value={
                "hooks": [
                    {
                        "name": f"memoracle-{moment.event}",
                        "type": "command",
                        "command": _line(entry, moment, "gemini"),
                        "timeout": moment.seconds * 1000,
                    }
                ]
            },
        )
        for moment in GEMINI
    )


def _line(entry: ConfigEntry, moment: _Moment, host: str) -> str:
    words = ["hook", moment.event] + (["--host", host] if host else [])
    return shlex.join(entry.calling(*words))


# The files of a root that a host may search or show by itself, by the table of its layout.


@value
class Shelves:
    """What a host's own search should know, and what an agent should have before it."""

    searched: tuple[str, ...]
    snapshot: str


def shelves_of(root: str, layout: str) -> Shelves:
    """The shelves of a root."""
    table = layout_named(layout)
    notes = [os.path.dirname(table[name]) for name in ("daily", "semantic", "procedural")]
    return Shelves(
        searched=tuple(
            dict.fromkeys(os.path.join(root, name) for name in [table["hot"], *_outermost(notes)])
        ),
        snapshot=os.path.join(root, table.get("snapshot", table["hot"])),
    )


def _outermost(folders: list[str]) -> list[str]:
    """Folders that hold the others; `notes/daily` and `notes/semantic` are found under `notes`."""
    shared = os.path.commonpath(folders)
    return [shared] if shared else sorted(set(folders))


# The texts that an agent is taught from, with the command of this memory in them; see `interfaces/skill/`.

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "skill")
_COMMAND = "{{memoracle}}"
_SEARCH = "{{search}}"
_UNCLEAR = {
    "{{unclear}}": {
        "": "the conversation's so far, else the owner's usual one",
        "en": "in English",
        "zh": "in Chinese",
    },
    "{{不明}}": {
        "": "沿用对话的，否则用户惯用的",
        "en": "用英文",
        "zh": "用中文",
    },
}
"""What to do when the owner's last messages do not tell their language, as the owner chose."""


def skill(entry: ConfigEntry) -> str:
    """The skill, as hosts load it from a folder of its name."""
    text = _filled("SKILL.md", entry)
    for mark, said in _UNCLEAR.items():
        text = text.replace(mark, said[entry.language])
    return text


def section(entry: ConfigEntry, search: str = "memory_search") -> str:
    """The section for a file that an agent always reads; `search` is what it calls the tool."""
    return _filled("AGENTS.md", entry).replace(_SEARCH, search)


def _filled(name: str, entry: ConfigEntry) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read().replace(_COMMAND, shlex.join(entry.calling()))
