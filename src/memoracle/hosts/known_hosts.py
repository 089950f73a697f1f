"""The hosts by name: what they call the moments at which they call us, how long they wait, what they cut off.

A table and nothing else, since a hook has a few milliseconds: how a host's transcripts are read and what is installed
into it stands in its own module.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from memoracle.model.value import value


class Shape(StrEnum):
    """The forms in which conversations come."""

    OPENCLAW = "openclaw"
    OPENCLAW_DB = "openclaw-db"
    OPENCODE_DB = "opencode-db"
    CLAUDE = "claude"
    CODEX = "codex"
    GEMINI = "gemini"
    GEMINI_FILE = "gemini-file"
    PLAIN = "plain"
    PLAIN_FILE = "plain-file"
    MARKDOWN = "markdown"
    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"
    PACK = "pack"


DATABASES = frozenset({Shape.OPENCLAW_DB, Shape.OPENCODE_DB})


class HookEvent(StrEnum):
    """What happens."""

    SESSION_START = "session-start"
    PROMPT = "prompt"
    STOP = "stop"
    PRE_COMPACT = "pre-compact"
    POST_COMPACT = "post-compact"
    SESSION_END = "session-end"


@value
class Host:
    """One host: its name, what `ingest` and its transcripts call it, and the module that knows it."""

    name: str
    alias: str
    module: str
    hooks: Mapping[HookEvent, tuple[str, int]] = MappingProxyType({})
    """What it calls a moment, and the seconds it gives us; reading hooks are waited for, so they are given little."""
    signs: tuple[str, ...] = ()
    """What the paths of its transcripts hold."""
    most_characters: int = 30_000
    """Where it cuts what one hook says."""
    most_tokens: int | None = None


CLAUDE_CODE = Host(
    name="claude-code",
    alias="claude",
    module="memoracle.hosts.claude_code",
    hooks={
        HookEvent.SESSION_START: ("SessionStart", 5),
        HookEvent.PROMPT: ("UserPromptSubmit", 3),
        HookEvent.STOP: ("Stop", 60),
        HookEvent.PRE_COMPACT: ("PreCompact", 20),
        HookEvent.POST_COMPACT: ("PostCompact", 20),
        HookEvent.SESSION_END: ("SessionEnd", 5),
    },
    signs=("/.claude/",),
    most_characters=9_500,
)
CODEX = Host(
    name="codex",
    alias="codex",
    module="memoracle.hosts.codex",
    # It gives the end of a session three seconds at most.
    hooks={
        HookEvent.SESSION_START: ("SessionStart", 5),
        HookEvent.PROMPT: ("UserPromptSubmit", 3),
        HookEvent.STOP: ("Stop", 5),
        HookEvent.PRE_COMPACT: ("PreCompact", 5),
        HookEvent.POST_COMPACT: ("PostCompact", 5),
        HookEvent.SESSION_END: ("SessionEnd", 3),
    },
    signs=("/.codex/", "/rollout-"),
    most_characters=9_500,
    most_tokens=2_300,
)
GEMINI = Host(
    name="gemini",
    alias="gemini",
    module="memoracle.hosts.gemini",
    hooks={
        HookEvent.SESSION_START: ("SessionStart", 5),
        HookEvent.PROMPT: ("BeforeAgent", 3),
        HookEvent.STOP: ("AfterAgent", 5),
        HookEvent.PRE_COMPACT: ("PreCompress", 5),
        HookEvent.SESSION_END: ("SessionEnd", 5),
    },
    signs=("/.gemini/",),
)
OPENCLAW = Host(
    name="openclaw", alias="openclaw", module="memoracle.hosts.openclaw.install", signs=("/.openclaw",)
)
OPENCODE = Host(name="opencode", alias="opencode", module="memoracle.hosts.opencode")
HOSTS = {host.name: host for host in (OPENCLAW, CLAUDE_CODE, CODEX, GEMINI)}
CALLERS = {**HOSTS, OPENCODE.name: OPENCODE}
"""Those whose plugins or settings call our hooks."""
ENDLESS = frozenset({OPENCLAW.name, OPENCODE.name})
"""Their sessions last for weeks, and their plugins pass on what a hook tells."""
BY_ALIAS = {host.alias: host for host in (*HOSTS.values(), OPENCODE)}
