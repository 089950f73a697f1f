"""Which reader understands which file.

The first lines decide; the name of the file helps only where they leave it open. Looking reads at most
256 KiB and never more than the beginning.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from memoracle.errors import BadInput, UnreadableSource
from memoracle.hosts import plain
from memoracle.hosts.hygiene import READ_HERE, export_of, looks_like
from memoracle.hosts.lines import UNPACK_ERRORS, parse, read_start
from memoracle.model.report import Finding, Severity
from memoracle.model.value import value

_LOOK = 256 * 1024
_MOST_LINES = 40
_SQLITE = b"SQLite format 3\0"


class Shape(StrEnum):
    """The forms in which conversations come."""

    OPENCLAW = "openclaw"
    OPENCLAW_DB = "openclaw-db"
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


@value
class Source:
    """A file and the form it has."""

    path: Path
    shape: Shape


_CLAUDE_TYPES = frozenset(
    """summary file-history-snapshot queue-operation custom-title ai-title last-prompt agent-name
    content-replacement pr-link permission-mode""".split()
)
_OPENCLAW_TYPES = frozenset(
    """session compaction custom custom_message branch_summary model_change thinking_level_change label
    session_info leaf reset""".split()
)
_CODEX_TYPES = frozenset(
    {"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"}
)
# For a first line too long to be parsed: keys that only one host writes.
_SIGNS = (
    (b'"parentUuid"', Shape.CLAUDE),
    (b'"type":"session_meta"', Shape.CODEX),
    (b'"payload":{', Shape.CODEX),
    (b'"parentId"', Shape.OPENCLAW),
    (b'"type":"session","', Shape.OPENCLAW),
    (b'"projectHash"', Shape.GEMINI),
    (b'"haystack_sessions"', Shape.LONGMEMEVAL),
    (b'"dia_id"', Shape.LOCOMO),
    (b'"spaces"', Shape.PACK),
)
_DOCUMENTS = (
    (b'"haystack_session', Shape.LONGMEMEVAL),
    (b'"conversation"', Shape.LOCOMO),
    (b'"spaces"', Shape.PACK),
    (b'"projectHash"', Shape.GEMINI_FILE),
    (b'"sessionId"', Shape.GEMINI_FILE),
)
_NAMES = (
    (re.compile(r"(?:^|/)rollout-[^/]*\.jsonl"), Shape.CODEX),
    (re.compile(r"/agents/[^/]+/sessions/(?:[^/]+/)?[^/]+\.jsonl"), Shape.OPENCLAW),
    (re.compile(r"/projects/[^/]+/(?:[^/]+/subagents/)?[^/]+\.jsonl"), Shape.CLAUDE),
    (re.compile(r"/chats/(?:[^/]+/)?[^/]+\.jsonl"), Shape.GEMINI),
)


def recognise(path: Path) -> Source | Finding:
    """The source at `path`, or the finding that says why it is none."""
    try:
        start = read_start(path, _LOOK)
    except UNPACK_ERRORS as error:
        return _finding("unreadable-file", path, f"could not be read: {error}")
    shape = shape_of(path, start)
    if shape is None:
        stranger = looks_like(start)
        because = f"it looks like {stranger}" if stranger else "no conversation was recognised in it"
        return _finding("unread-export" if export_of(start) else "unknown-shape", path, because)
    return Source(path=path, shape=shape)


def shape_of(path: Path, start: bytes) -> Shape | None:
    """The form of a file that begins with `start`."""
    if start.startswith(_SQLITE):
        return Shape.OPENCLAW_DB
    start = start.lstrip(b"\0").removeprefix(b"\xef\xbb\xbf")
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if ".md" in suffixes or ".markdown" in suffixes or ".txt" in suffixes:
        return Shape.MARKDOWN if plain.looks_like_chat(start.decode("utf-8", "replace")) else None
    shape = _shape_of_lines(start)
    if shape in {None, Shape.PLAIN}:
        if export_of(start):
            return None  # its words would be read as somebody else's, or not at all
        if ".jsonl" not in suffixes:
            shape = _shape_of_document(start) or shape
    return shape or _shape_by_name(path)


def _shape_of_lines(start: bytes) -> Shape | None:
    votes: Counter[Shape] = Counter()
    for raw in start.split(b"\n")[:_MOST_LINES]:
        entry, _ = parse(raw)
        vote = None if entry is None else _shape_of_entry(entry)
        if vote is not None:
            votes[vote] += 1
    # One line of a known host outweighs any number that could be anybody's.
    hosts = Counter({shape: count for shape, count in votes.items() if shape is not Shape.PLAIN})
    if hosts or votes:
        return (hosts or votes).most_common(1)[0][0]
    if not start.lstrip().startswith(b"{"):
        return None
    first = start.split(b"\n", 1)[0]
    return next((shape for sign, shape in _SIGNS if sign in first), None)


def _shape_of_entry(entry: dict[str, Any]) -> Shape | None:
    kind = entry.get("type")
    if "parentUuid" in entry or ("uuid" in entry and "sessionId" in entry) or kind in _CLAUDE_TYPES:
        return Shape.CLAUDE
    if kind in _CODEX_TYPES and isinstance(entry.get("payload"), dict):
        return Shape.CODEX
    if "$set" in entry or "$rewindTo" in entry or ("sessionId" in entry and "startTime" in entry):
        return Shape.GEMINI_FILE if entry.get("messages") else Shape.GEMINI
    if kind in _OPENCLAW_TYPES and ("id" in entry or "timestamp" in entry):
        return Shape.OPENCLAW
    if kind == "message":
        return _shape_of_message(entry)
    if kind in {"user", "gemini"} and "content" in entry and "id" in entry and "role" not in entry:
        return Shape.GEMINI
    if isinstance(entry.get("spaces"), list):
        return Shape.PACK
    if isinstance(entry.get("messages"), list) or _speaks(entry):
        return Shape.PLAIN
    return None


def _shape_of_message(entry: dict[str, Any]) -> Shape | None:
    if isinstance(entry.get("message"), dict) or "parentId" in entry:
        return Shape.OPENCLAW
    content = entry.get("content")
    blocks = content if isinstance(content, list) else []
    kinds = {block.get("type") for block in blocks if isinstance(block, dict)}
    if kinds & {"input_text", "output_text"}:
        return Shape.CODEX
    return Shape.OPENCLAW if "role" in entry else None


def _speaks(entry: dict[str, Any]) -> bool:
    return any(key in entry for key in plain.WHO) and any(key in entry for key in plain.WHAT)


def _shape_of_document(start: bytes) -> Shape | None:
    stripped = start.lstrip()
    if stripped[:1] not in {b"[", b"{"}:
        return None
    for sign, shape in _DOCUMENTS:
        if sign in start:
            return shape
    names = {json.dumps(key).encode() for key in (*plain.WHO, *plain.WHAT, "messages")}
    return Shape.PLAIN_FILE if any(name in start for name in names) else None


def _shape_by_name(path: Path) -> Shape | None:
    name = path.as_posix()
    return next((shape for pattern, shape in _NAMES if pattern.search(name)), None)


def _finding(code: str, path: Path, message: str) -> Finding:
    return Finding(
        code=code,
        severity=Severity.WARNING,
        path=str(path),
        message=message,
        hint=f"what can be read: {READ_HERE}" if code != "unreadable-file" else None,
    )


# Where agents keep their transcripts on this machine.


class Host(StrEnum):
    """The agents whose transcripts are found without being told where."""

    OPENCLAW = "openclaw"
    CLAUDE = "claude"
    CODEX = "codex"
    GEMINI = "gemini"


@value
class _Listing:
    """A transcript as its folder shows it."""

    source: Source
    size: int
    mtime_ns: int


@value
class _Discovery:
    """The transcripts of a host, oldest first, and folders that could not be looked into."""

    listings: tuple[_Listing, ...]
    findings: tuple[Finding, ...] = ()


# `.reset.<time>`, `.deleted.<time>` and `.bak.<time>` are what OpenClaw leaves of finished sessions.
_LEFT = r"(?:\.(?:reset|deleted|bak)\.[^/]{1,60})?"
_PACKED = r"(?:\.gz|\.zst)?$"
_HOSTS_NAMES: dict[Host, tuple[tuple[re.Pattern[str], Shape], ...]] = {
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
) -> _Discovery:
    """The transcripts of a host; those of sub-agents only when asked for."""
    found: dict[str, _Listing] = {}
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
            found[os.path.realpath(entry.path)] = _Listing(
                source=source, size=state.st_size, mtime_ns=state.st_mtime_ns
            )
    listings = sorted(found.values(), key=lambda listing: (listing.mtime_ns, str(listing.source.path)))
    return _Discovery(listings=tuple(listings), findings=tuple(findings))


def _expand(text: str, home: Path) -> Path:
    return home / text[2:] if text.startswith("~/") else Path(text)


def _shape(host: Host, name: str) -> Shape | None:
    return next((shape for pattern, shape in _HOSTS_NAMES[host] if pattern.match(name)), None)


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
            findings.append(_unlisted(error))
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


# What `ingest` is pointed at: a host by name, a folder, or one file.

_ENDINGS = (".jsonl", ".json", ".md", ".markdown", ".txt", ".sqlite", ".gz", ".zst")


def sources_at(
    target: str, *, home: Path, environment: Mapping[str, str]
) -> tuple[list[Source], list[Finding]]:
    """The conversations at a target, and what there was not recognised; raises where there is none at all."""
    if target in set(Host):
        found = discover(Host(target), home, environment)
        if not found.listings:
            raise UnreadableSource(f"{target} keeps no conversations on this machine")
        return [listing.source for listing in found.listings], list(found.findings)
    path = Path(target).expanduser()
    if not path.exists():
        raise BadInput(
            f"there is nothing at {target}", f"give a file, a folder, or a host: {', '.join(sorted(Host))}"
        )
    findings: list[Finding] = []
    files = _files_below(path, findings) if path.is_dir() else [path]
    sources: list[Source] = []
    for file in files:
        known = recognise(Path(os.path.realpath(file)))
        if isinstance(known, Source):
            sources.append(known)
        else:
            findings.append(known)
    if not sources:
        raise _nothing_at(path, files, findings)
    return sources, findings


def _nothing_at(path: Path, files: list[Path], findings: list[Finding]) -> UnreadableSource:
    hint = f"what can be read: {READ_HERE}"
    if not path.is_dir():
        return UnreadableSource(f"nothing can be read in {path}: {findings[0].message}", hint)
    if not files:
        return UnreadableSource(f"there is nothing to read in {path}", hint)
    told = sorted({f"{os.path.basename(one.path)}: {one.message}" for one in findings if one.path})
    more = f" (and {len(told) - 3} more)" if len(told) > 3 else ""
    return UnreadableSource(
        f"none of {len(files)} files in {path} is a conversation: {'; '.join(told[:3])}{more}", hint
    )


def _unlisted(problem: OSError) -> Finding:
    return Finding(
        code="unreadable-folder",
        severity=Severity.WARNING,
        path=str(problem.filename),
        message=f"could not be listed: {problem.strerror}",
    )


def _files_below(folder: Path, findings: list[Finding]) -> list[Path]:
    def note(problem: OSError) -> None:
        findings.append(_unlisted(problem))

    found: list[Path] = []
    for where, folders, names in os.walk(folder, onerror=note):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        places = (os.path.join(where, name) for name in folders)
        findings += [_link(place) for place in places if os.path.islink(place)]
        found += [Path(where) / n for n in sorted(names) if n.lower().endswith(_ENDINGS) and n[0] != "."]
    return found


def _link(path: str) -> Finding:
    return Finding(
        code="link-not-followed",
        severity=Severity.WARNING,
        path=path,
        message="it is a link to a folder, and was passed over",
        hint=f"name the folder itself: `memoracle ingest {os.path.realpath(path)}`",
    )
