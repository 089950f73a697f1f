"""The moments at which hosts call us, how each host names them, and how long it may wait. Tables and shapes; pure."""

from __future__ import annotations

import shlex
from typing import Any

from memoracle.interfaces.install.entry import Entry
from memoracle.interfaces.install.wants import Item
from memoracle.model.value import value


@value
class Moment:
    """One event of a host: its name there and ours, the seconds it gives us, and whether it goes on meanwhile."""

    name: str
    event: str
    seconds: int
    is_async: bool = False


# Reading hooks are waited for, so they are given little; writing hooks leave a line in the spool and are done.
CLAUDE_CODE = (
    Moment(name="SessionStart", event="session-start", seconds=5),
    Moment(name="UserPromptSubmit", event="prompt", seconds=3),
    Moment(name="Stop", event="stop", seconds=60, is_async=True),
    Moment(name="PreCompact", event="pre-compact", seconds=20),
    Moment(name="PostCompact", event="post-compact", seconds=20),
    Moment(name="SessionEnd", event="session-end", seconds=5),
)
# Codex passes over asynchronous hooks, and gives the end of a session three seconds at most.
CODEX = (
    Moment(name="SessionStart", event="session-start", seconds=5),
    Moment(name="UserPromptSubmit", event="prompt", seconds=3),
    Moment(name="Stop", event="stop", seconds=5),
    Moment(name="PreCompact", event="pre-compact", seconds=5),
    Moment(name="PostCompact", event="post-compact", seconds=5),
    Moment(name="SessionEnd", event="session-end", seconds=3),
)
GEMINI = (
    Moment(name="SessionStart", event="session-start", seconds=5),
    Moment(name="BeforeAgent", event="prompt", seconds=3),
    Moment(name="AfterAgent", event="stop", seconds=5),
    Moment(name="PreCompress", event="pre-compact", seconds=5),
    Moment(name="SessionEnd", event="session-end", seconds=5),
)


def claude_code_hooks(entry: Entry) -> tuple[Item, ...]:
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
        items.append(Item(path=("hooks", moment.name), value={"hooks": [hook]}))
    return tuple(items)


def codex_hooks(entry: Entry, host: str = "codex") -> tuple[Item, ...]:
    """Groups with one quoted line: Codex knows no other form."""
    return tuple(
        Item(
            path=("hooks", moment.name),
            value={
                "hooks": [
                    {"type": "command", "command": _line(entry, moment, host), "timeout": moment.seconds}
                ]
            },
        )
        for moment in CODEX
    )


def gemini_hooks(entry: Entry) -> tuple[Item, ...]:
    """Groups with a name and milliseconds."""
    return tuple(
        Item(
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


def _line(entry: Entry, moment: Moment, host: str) -> str:
    words = ["hook", moment.event] + (["--host", host] if host else [])
    return shlex.join(entry.calling(*words))
