"""What an installation is made of: changes and copies, what a host calls, what its files should hold, a manifest.

The manifest is written before anything is done, one file per host in the person's state folder: `--uninstall` undoes
exactly that. It holds our own edits and digests, never a file of the host's.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import stat
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from memoracle.errors import BadInput, WriteFailed
from memoracle.hosts.install.config_text import Unclear, closed, written
from memoracle.model.value import value

# What would be put where: the old text, the new one, and the difference. Files are replaced whole.


@value
class ConfigChange:
    """One file or table of the person's, before and after; None means that it is not there."""

    name: str
    before: str | None
    after: str | None

    @property
    def is_needed(self) -> bool:
        """False when everything is as it should be."""
        return self.before != self.after


@value
class Installed:
    """What an installation did or would do: its changes as a diff, copies of what was there, what is left to do."""

    what: str
    done: bool
    diff: str
    backups: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def diff_of(changes: list[ConfigChange]) -> str:
    """The changes as a unified diff; empty when there are none."""
    from difflib import unified_diff

    lines: list[str] = []
    for change in changes:
        if change.is_needed:
            lines += unified_diff(
                (change.before or "").splitlines(),
                (change.after or "").splitlines(),
                change.name if change.before is not None else "/dev/null",
                change.name if change.after is not None else "/dev/null",
                lineterm="",
            )
    return "\n".join(lines)


def back_up(change: ConfigChange, folder: str, now: datetime) -> str:
    """Keep a copy of what was there; where it stands."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    name = os.path.basename(change.name)
    stem = os.path.join(folder, f"{name}.{now:%Y%m%dT%H%M%S%f}")
    place, count = f"{stem}.bak", 1
    while os.path.exists(place):
        place, count = f"{stem}.{count}.bak", count + 1
    write_file(place, change.before or "")
    return place


def write_file(path: str, text: str, *, mode: int = 0o600) -> None:
    """Put a whole text in place of a file, or leave what is there. A link stays a link, and a mode stays."""
    path = os.path.realpath(path)
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, exist_ok=True)
        with suppress(FileNotFoundError):
            mode = stat.S_IMODE(os.stat(path).st_mode)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".memoracle-")
        try:
            with os.fdopen(handle, "wb") as file:
                os.fchmod(handle, mode)
                file.write(text.encode("utf-8", "surrogateescape"))
                file.flush()
                os.fsync(handle)
            os.replace(temporary, path)
        finally:
            with suppress(OSError):
                os.unlink(temporary)
    except OSError as problem:
        raise WriteFailed(path, os.strerror(problem.errno or 0)) from None


def remove_file(path: str) -> None:
    """Take a file away; one that is not there is fine."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as problem:
        raise WriteFailed(path, os.strerror(problem.errno or 0)) from None


def backup_folder(environment: Mapping[str, str], home: str) -> str:
    """Where copies of what an installation replaces are kept."""
    state = environment.get("XDG_STATE_HOME") or os.path.join(home, ".local", "state")
    return os.path.join(state, "memoracle")


# What a scheduler or an agent's host calls: this interpreter, this package, one root.

EVERY_MINUTES = 15


@value
class ConfigEntry:
    """One root to be tended, and the interpreter that does it."""

    root: str
    python: str
    language: str = ""
    """The language its owner chose for replies; empty when none was chosen."""

    @property
    def words(self) -> tuple[str, ...]:
        """The command of a scheduler."""
        return self.calling("tend", "--heartbeat")

    def calling(self, *words: str) -> tuple[str, ...]:
        """A command on this root. `-P` keeps modules of the folder it happens to run in out of it."""
        return (self.python, "-P", "-m", "memoracle", "--root", self.root, *words)

    @property
    def name(self) -> str:
        """A name of its own: two roots have two entries."""
        return f"memoracle-{hashlib.sha256(os.fsencode(self.root)).hexdigest()[:8]}"


def entry_for(root: str, python: str, *, language: str = "") -> ConfigEntry:
    """The entry of a root; refuses names that a line cannot carry."""
    for path in (root, python):
        if any(ord(ch) < 32 or ord(ch) == 127 for ch in path):
            raise BadInput(f"`{path!r}` holds a control character, which no scheduler can carry")
    if not python:
        raise BadInput(
            "this interpreter does not know where it is", "call memoracle with an installed Python"
        )
    return ConfigEntry(root=os.path.abspath(root), python=os.path.abspath(python), language=language)


def cron_line(entry: ConfigEntry) -> str:
    """A line of a crontab: the shell's quoting, and cron's own for the percent sign."""
    command = shlex.join(entry.words).replace("%", r"\%")
    return f"*/{EVERY_MINUTES} * * * * {command} >/dev/null 2>&1"


def systemd_words(words: Sequence[str]) -> str:
    """A command in a unit file: quoted, with nothing that systemd would expand."""
    return " ".join(_systemd_word(word) for word in words)


def _systemd_word(word: str) -> str:
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"'


# A section of ours in a Markdown file of somebody's, between two markers.

_BEGIN = re.compile(r"^<!-- memoracle:begin ([0-9a-f]{12}) -->\r?\n", re.MULTILINE)
_END = re.compile(r"^<!-- memoracle:end -->\r?\n?", re.MULTILINE)


def section(body: str) -> str:
    """The section as it stands in a file."""
    body = body.strip("\n") + "\n"
    return f"<!-- memoracle:begin {_digest(body)} -->\n{body}<!-- memoracle:end -->\n"


def is_edited(text: str) -> bool:
    """Whether somebody changed what stands between the markers."""
    place = _place(text)
    return place is not None and _digest(place[2]) != place[3]


def put(text: str, body: str) -> str:
    """The text with the section: where it stood, or at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    new = section(body).replace("\n", newline)
    place = _place(text)
    if place:
        return text[: place[0]] + new + text[place[1] :]
    is_empty = not text.strip("\ufeff")
    return text + ("" if is_empty else newline if text.endswith("\n") else newline * 2) + new


def take(text: str) -> str:
    """The text without the section, and without the blank line before it."""
    place = _place(text)
    if place is None:
        return text
    return closed(text[: place[0]]) + text[place[1] :]


def _place(text: str) -> tuple[int, int, str, str] | None:
    """Start, end, content and stated digest; half a section, or two, is somebody's edit and stays."""
    begins, ends = list(_BEGIN.finditer(text)), list(_END.finditer(text))
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0].end():
        raise Unclear("the section between the `memoracle` markers is not whole")
    return begins[0].start(), ends[0].end(), text[begins[0].end() : ends[0].start()], begins[0][1]


def _digest(body: str) -> str:
    return hashlib.sha256(body.replace("\r\n", "\n").encode("utf-8", "surrogateescape")).hexdigest()[:12]


# What a host should have, as values: a member, an item, a table, a section, a whole file. Pure.


@value
class ConfigMember:
    """A value at a path of a JSON file."""

    path: tuple[str, ...]
    value: Any


@value
class ConfigItem:
    """One item of the list at a path of a JSON file."""

    path: tuple[str, ...]
    value: Any


@value
class Table:
    """A table of a TOML file."""

    path: tuple[str, ...]
    value: Any


@value
class ConfigSection:
    """A marked section of a Markdown file."""

    text: str


@value
class Whole:
    """A file that is ours from its first byte to its last."""

    text: str


Want = ConfigMember | ConfigItem | Table | ConfigSection | Whole


@value
class Target:
    """One file of a host, and what it should hold."""

    path: str
    wants: tuple[Want, ...]


@value
class Wishes:
    """Everything that an installation puts into a host, and what is left to the person."""

    targets: tuple[Target, ...]
    notes: tuple[str, ...] = ()


def carried(entry: ConfigEntry) -> ConfigEntry:
    """The entry, when a host's file can carry it as it is."""
    for path in (entry.root, entry.python):
        if "$" in path:
            raise BadInput(
                f"`{path}` holds a `$`, which hosts expand", "give the memory or the interpreter another name"
            )
        try:
            path.encode()
        except UnicodeEncodeError:
            raise BadInput(f"`{path!r}` is not UTF-8, and the files of hosts are") from None
    return entry


def server(entry: ConfigEntry) -> dict[str, Any]:
    """How a host begins the MCP server."""
    command, *rest = entry.calling("mcp")
    return {"command": command, "args": rest}


def is_ours(found: Any, want: ConfigMember | ConfigItem | Table) -> bool:
    """Whether what stands in a file is what we put there, or would."""
    if found == want.value:
        return True
    if not isinstance(want, ConfigItem):
        return _calls(found, "mcp")
    if not isinstance(found, Mapping) or not isinstance(want.value, Mapping):
        return False
    if "id" in want.value:
        return bool(found.get("id") == want.value["id"])
    hooks = found.get("hooks")
    return isinstance(hooks, list) and bool(hooks) and all(_calls(hook, "hook") for hook in hooks)


def is_same(found: Any, want: ConfigMember | ConfigItem | Table) -> bool:
    """Whether there is nothing to bring up to date; what hosts and people add to an entry of ours is theirs."""
    if not isinstance(found, Mapping) or not isinstance(want.value, Mapping):
        return bool(found == want.value)
    if "id" in want.value:
        return bool(found.get("payload") == want.value["payload"])
    if "hooks" in want.value:
        return _commands(found) == _commands(want.value)
    return all(found.get(key) == item for key, item in want.value.items())


def _commands(group: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    return [(hook.get("command"), hook.get("args")) for hook in group["hooks"]]


def snippet(target: Target) -> str:
    """What a person would paste to have the same."""
    document: dict[str, Any] = {}
    texts: list[str] = []
    for want in target.wants:
        if isinstance(want, ConfigMember | ConfigItem):
            holder = document
            for key in want.path[:-1]:
                holder = holder.setdefault(key, {})
            if isinstance(want, ConfigItem):
                holder.setdefault(want.path[-1], []).append(want.value)
            else:
                holder[want.path[-1]] = want.value
        elif isinstance(want, Table):
            texts.append(written(want.path, want.value))
        else:
            texts.append(section(want.text) if isinstance(want, ConfigSection) else want.text)
    if document:
        texts.append(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    return "\n".join(texts)


def _calls(found: Any, verb: str) -> bool:
    """Whether an entry calls this package with a verb, from whatever interpreter on whatever root."""
    if not isinstance(found, Mapping):
        return False
    command, rest = found.get("command"), found.get("args", [])
    if not isinstance(command, str) or not isinstance(rest, list):
        return False
    try:
        words = [command, *map(str, rest)] if rest else shlex.split(command)
    except ValueError:
        return False
    if "memoracle" not in words[1:] or words[words.index("memoracle", 1) - 1] != "-m":
        return False
    return verb in words[words.index("memoracle", 1) :]


_KINDS: Mapping[str, type] = {
    "member": ConfigMember,
    "item": ConfigItem,
    "table": Table,
    "section": ConfigSection,
    "whole": Whole,
}
_VERSION = 1


@value
class Trace:
    """What we did to one file: its digests before and after, where the copy is, and which containers we made."""

    path: str
    created: bool
    before: str
    """Empty when the file was not there, or when the way back byte for byte is gone."""
    after: str
    backup: str
    wants: tuple[Want, ...]
    made: tuple[tuple[str, ...], ...] = ()
    folders: tuple[str, ...] = ()
    """Folders that were not there before, the outermost first."""


def digest(text: str) -> str:
    """A name for exactly this text."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def manifest_path(folder: str, host: str) -> str:
    """Where it is kept."""
    return os.path.join(folder, "installed", f"{host}.json")


def read_manifest(folder: str, host: str) -> dict[str, Trace]:
    """What was done to a host's files, by path; nothing when that is not known."""
    try:
        with open(manifest_path(folder, host), encoding="utf-8") as file:
            document = json.load(file)
        return {one["path"]: _trace(one) for one in document["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def write_manifest(folder: str, host: str, traces: Mapping[str, Trace]) -> None:
    """Write it down, or take it away when there is nothing left to undo."""
    path = manifest_path(folder, host)
    if not traces:
        remove_file(path)
        return
    document = {"version": _VERSION, "host": host, "files": [_plain(trace) for trace in traces.values()]}
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    write_file(path, json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def _plain(trace: Trace) -> dict[str, Any]:
    return {
        "path": trace.path,
        "created": trace.created,
        "before": trace.before,
        "after": trace.after,
        "backup": trace.backup,
        "wants": [_plain_want(want) for want in trace.wants],
        "made": [list(path) for path in trace.made],
        "folders": list(trace.folders),
    }


def _plain_want(want: Want) -> dict[str, Any]:
    kind = next(name for name, known in _KINDS.items() if isinstance(want, known))
    if isinstance(want, ConfigSection | Whole):
        return {"kind": kind, "text": want.text}
    return {"kind": kind, "path": list(want.path), "value": want.value}


def _trace(one: dict[str, Any]) -> Trace:
    wants = tuple(_want(dict(want)) for want in one["wants"])
    made = tuple(tuple(path) for path in one["made"])
    kept = {key: one[key] for key in ("path", "created", "before", "after", "backup")}
    return Trace(**kept, wants=wants, made=made, folders=tuple(one["folders"]))


def _want(given: dict[str, Any]) -> Want:
    kind = _KINDS[given.pop("kind")]
    if "path" in given:
        given["path"] = tuple(given["path"])
    made: Want = kind(**given)
    return made
