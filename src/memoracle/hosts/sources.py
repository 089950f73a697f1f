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
from pathlib import Path
from typing import Any

from memoracle.errors import BadInput, UnreadableSource
from memoracle.hosts import claude_code, codex, gemini, opencode, plain
from memoracle.hosts.hygiene import READ_HERE, export_of, looks_like
from memoracle.hosts.known_hosts import BY_ALIAS, Host, Shape
from memoracle.hosts.lines import UNPACK_ERRORS, parse, read_start
from memoracle.hosts.openclaw import transcript
from memoracle.model.report import Finding, Severity
from memoracle.model.value import value
from memoracle.resolve import FILE

FORMATS = (claude_code.FORMAT, codex.FORMAT, gemini.FORMAT, transcript.FORMAT, opencode.FORMAT)
"""How each host keeps its conversations; a line is the first one's that knows it."""

_LOOK = 256 * 1024
_MOST_LINES = 40
_SQLITE = b"SQLite format 3\0"


@value
class Source:
    """A file and the form it has."""

    path: Path
    shape: Shape


_SIGNS = (
    *((sign, form.names[0][1]) for form in FORMATS for sign in form.signs),
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


def recognise(path: Path) -> Source | Finding:
    """The source at `path`, or the finding that says why it is none."""
    try:
        start = read_start(path, _LOOK)
    except UNPACK_ERRORS as error:
        return _warning("unreadable-file", path, f"could not be read: {error}")
    shape = shape_of(path, start)
    if shape is None:
        stranger = looks_like(start)
        because = f"it looks like {stranger}" if stranger else "no conversation was recognised in it"
        code = "unread-export" if export_of(start) else "unknown-shape"
        return _warning(code, path, because, hint=f"what can be read: {READ_HERE}")
    return Source(path=path, shape=shape)


def shape_of(path: Path, start: bytes) -> Shape | None:
    """The form of a file that begins with `start`."""
    if start.startswith(_SQLITE):
        is_opencode = re.search(opencode.FORMAT.path, path.as_posix()) or b"CREATE TABLE `part`" in start
        return Shape.OPENCODE_DB if is_opencode else Shape.OPENCLAW_DB
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
    if shape:
        return shape
    name = path.as_posix()
    return next((form.names[0][1] for form in FORMATS if re.search(form.path, name)), None)


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
    for form in FORMATS:
        if shape := form.shape(entry):
            return shape
    if isinstance(entry.get("spaces"), list):
        return Shape.PACK
    speaks = any(key in entry for key in plain.WHO) and any(key in entry for key in plain.WHAT)
    return Shape.PLAIN if speaks or isinstance(entry.get("messages"), list) else None


def _shape_of_document(start: bytes) -> Shape | None:
    stripped = start.lstrip()
    if stripped[:1] not in {b"[", b"{"}:
        return None
    for sign, shape in _DOCUMENTS:
        if sign in start:
            return shape
    names = {json.dumps(key).encode() for key in (*plain.WHO, *plain.WHAT, "messages")}
    return Shape.PLAIN_FILE if any(name in start for name in names) else None


def _warning(code: str, path: Path | str, message: str, *, hint: str | None = None) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, path=str(path), message=message, hint=hint)


# Where agents keep their transcripts on this machine.

_PACKED = r"(?:\.gz|\.zst)?$"
_CHECKPOINT = re.compile(r"\.checkpoint\.[0-9a-fA-F-]{8,40}\.jsonl")
_SUBAGENT = re.compile(r"/subagents/|/agent-[^/]*\.jsonl|/chats/[^/]+/[^/]+\.jsonl")
_DEEPEST = 8


def discover(host: Host, home: Path, environment: Mapping[str, str]) -> tuple[list[Source], list[Finding]]:
    """The transcripts of a host, oldest first, without those of sub-agents; folders that could not be looked into."""
    form = next(form for form in FORMATS if form.host is host)
    found: dict[str, tuple[int, str, Shape]] = {}
    findings: list[Finding] = []
    for folder in form.folders(home, environment):
        for entry, name in _walk(folder, findings):
            shapes = [shape for pattern, shape in form.names if re.match(pattern + _PACKED, name)]
            if not shapes or _CHECKPOINT.search(name) or _SUBAGENT.search(f"/{name}"):
                continue
            try:
                changed = entry.stat().st_mtime_ns
            except OSError:
                continue  # it was removed while we looked
            found[os.path.realpath(entry.path)] = (changed, entry.path, shapes[0])
    return [Source(path=Path(path), shape=shape) for _, path, shape in sorted(found.values())], findings


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
                # Only the folders that hold transcripts are entered: a state folder may hold whole workspaces.
                if depth < _DEEPEST and name.split("/", 1)[0] in _TOPS:
                    waiting.append((entry.path, f"{name}/", depth + 1))
            elif entry.is_file():
                yield entry, name


_TOPS = frozenset({"agents", "projects", "sessions", "archived_sessions", "tmp"})


# What `ingest` is pointed at: a host by name, a folder, or one file.

_ENDINGS = (".jsonl", ".json", ".md", ".markdown", ".txt", ".sqlite", ".db", ".gz", ".zst")


def sources_at(
    target: str, *, home: Path, environment: Mapping[str, str]
) -> tuple[list[Source], list[Finding]]:
    """The conversations at a target, and what there was not recognised; raises where there is none at all."""
    if host := BY_ALIAS.get(target):
        kept, findings = discover(host, home, environment)
        if not kept:
            raise UnreadableSource(f"{target} keeps no conversations on this machine")
        return kept, findings
    path = Path(target).expanduser()
    if not path.exists():
        raise BadInput(
            f"there is nothing at {target}",
            f"give a file, a folder, or a host: {', '.join(sorted(BY_ALIAS))}",
        )
    findings = []
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
    return _warning("unreadable-folder", problem.filename, f"could not be listed: {problem.strerror}")


def _files_below(folder: Path, findings: list[Finding]) -> list[Path]:
    found: list[Path] = []
    for where, folders, names in os.walk(folder, onerror=lambda error: findings.append(_unlisted(error))):
        # A memory in there keeps what was said already, and copies of it.
        kept = {name for name in folders if os.path.isfile(os.path.join(where, name, FILE))}
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in kept)
        for place in (os.path.join(where, name) for name in folders):
            if os.path.islink(place):
                says = "it is a link to a folder, and was passed over"
                hint = f"name the folder itself: `memoracle ingest {os.path.realpath(place)}`"
                findings.append(_warning("link-not-followed", place, says, hint=hint))
        found += [Path(where) / n for n in sorted(names) if n.lower().endswith(_ENDINGS) and n[0] != "."]
    return found
