"""Where agents keep their transcripts on this machine.

The home folder and the environment come in as arguments; nothing is created and links to folders are not
followed. A listing only looks at names, sizes and times.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path

from memoracle.ingest.sources import Shape, Source
from memoracle.model.report import Finding, Severity
from memoracle.model.value import value


class Host(StrEnum):
    """The agents whose transcripts are found without being told where."""

    OPENCLAW = "openclaw"
    CLAUDE = "claude"
    CODEX = "codex"
    GEMINI = "gemini"


@value
class Listing:
    """A transcript as its folder shows it."""

    source: Source
    size: int
    mtime_ns: int


@value
class Discovery:
    """The transcripts of a host, oldest first, and folders that could not be looked into."""

    listings: tuple[Listing, ...]
    findings: tuple[Finding, ...] = ()


# `.reset.<time>`, `.deleted.<time>` and `.bak.<time>` are what OpenClaw leaves of finished sessions.
_LEFT = r"(?:\.(?:reset|deleted|bak)\.[^/]{1,60})?"
_PACKED = r"(?:\.gz|\.zst)?$"
_NAMES: dict[Host, tuple[tuple[re.Pattern[str], Shape], ...]] = {
    Host.OPENCLAW: (
        (re.compile(r"agents/[^/]+/sessions/(?:[^/]+/)?[^/]+\.jsonl" + _LEFT + _PACKED), Shape.OPENCLAW),
        (re.compile(r"agents/[^/]+/agent/openclaw-agent\.sqlite$"), Shape.OPENCLAW_DB),
    ),
    Host.CLAUDE: ((re.compile(r"projects/[^/]+/(?:[^/]+/subagents/)?[^/]+\.jsonl" + _PACKED), Shape.CLAUDE),),
    Host.CODEX: ((re.compile(r"(?:archived_)?sessions/(?:.*/)?[^/]+\.jsonl" + _PACKED), Shape.CODEX),),
    Host.GEMINI: (
        (re.compile(r"tmp/[^/]+/chats/(?:[^/]+/)?[^/]+\.jsonl" + _PACKED), Shape.GEMINI),
        (re.compile(r"tmp/[^/]+/chats/[^/]+\.json" + _PACKED), Shape.GEMINI_FILE),
    ),
}
_CHECKPOINT = re.compile(r"\.checkpoint\.[0-9a-fA-F-]{8,40}\.jsonl")
_SUBAGENT = re.compile(r"/subagents/|/agent-[^/]*\.jsonl|/chats/[^/]+/[^/]+\.jsonl")
_DEEPEST = 8


def folders(host: Host, home: Path, environment: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """The folders in which a host keeps its state; a setting in the environment replaces the default."""
    given = environment or {}
    if host is Host.OPENCLAW:
        if given.get("OPENCLAW_STATE_DIR"):
            return (_expand(given["OPENCLAW_STATE_DIR"], home),)
        profiles = sorted(home.glob(".openclaw-*"))
        return (home / ".openclaw", *profiles, home / ".clawdbot")
    if host is Host.CLAUDE:
        if given.get("CLAUDE_CONFIG_DIR"):
            return (_expand(given["CLAUDE_CONFIG_DIR"], home),)
        return (home / ".claude", home / ".config" / "claude")
    if host is Host.CODEX:
        return (_expand(given.get("CODEX_HOME") or str(home / ".codex"), home),)
    return (_expand(given.get("GEMINI_CLI_HOME") or str(home), home) / ".gemini",)


def discover(
    host: Host, home: Path, environment: Mapping[str, str] | None = None, *, subagents: bool = False
) -> Discovery:
    """The transcripts of a host; those of sub-agents only when asked for."""
    found: dict[str, Listing] = {}
    findings: list[Finding] = []
    for folder in folders(host, home, environment):
        for entry, name in _walk(folder, findings):
            shape = _shape(host, name)
            if shape is None or _CHECKPOINT.search(name) or (not subagents and _SUBAGENT.search(f"/{name}")):
                continue
            try:
                state = entry.stat()
            except OSError:
                continue  # it was removed while we looked
            source = Source(path=Path(entry.path), shape=shape)
            found[os.path.realpath(entry.path)] = Listing(
                source=source, size=state.st_size, mtime_ns=state.st_mtime_ns
            )
    listings = sorted(found.values(), key=lambda listing: (listing.mtime_ns, str(listing.source.path)))
    return Discovery(listings=tuple(listings), findings=tuple(findings))


def _expand(text: str, home: Path) -> Path:
    return home / text[2:] if text.startswith("~/") else Path(text)


def _shape(host: Host, name: str) -> Shape | None:
    return next((shape for pattern, shape in _NAMES[host] if pattern.match(name)), None)


def _walk(folder: Path, findings: list[Finding]) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Every file below a folder with its name relative to it, links to folders left aside."""
    waiting = [(str(folder), "", 0)]
    while waiting:
        place, prefix, depth = waiting.pop()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            findings.append(
                Finding(
                    code="unreadable-folder",
                    severity=Severity.WARNING,
                    path=place,
                    message=f"could not be listed: {error.strerror}",
                )
            )
            continue
        for entry in entries:
            name = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if depth < _DEEPEST and _leads_on(name):
                    waiting.append((entry.path, f"{name}/", depth + 1))
            elif entry.is_file():
                yield entry, name


def _leads_on(name: str) -> bool:
    """Only the folders that hold transcripts are entered: a state folder may hold whole workspaces."""
    return name.split("/", 1)[0] in {"agents", "projects", "sessions", "archived_sessions", "tmp"}
