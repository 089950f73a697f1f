"""What a host should have, as values: a member, an item, a table, a section, a whole file. Pure.

What is ours is known by what it calls, whatever somebody changed about it; prose only when nobody did.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from memoracle.errors import BadInput
from memoracle.interfaces.install import toml_text
from memoracle.interfaces.install.entry import Entry
from memoracle.interfaces.install.marked import section
from memoracle.model.value import value


@value
class Member:
    """A value at a path of a JSON file."""

    path: tuple[str, ...]
    value: Any


@value
class Item:
    """One item of the list at a path of a JSON file."""

    path: tuple[str, ...]
    value: Any


@value
class Table:
    """A table of a TOML file."""

    path: tuple[str, ...]
    value: Any


@value
class Section:
    """A marked section of a Markdown file."""

    text: str


@value
class Whole:
    """A file that is ours from its first byte to its last."""

    text: str


Want = Member | Item | Table | Section | Whole


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


def carried(entry: Entry) -> Entry:
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


def server(entry: Entry) -> dict[str, Any]:
    """How a host begins the MCP server."""
    command, *rest = entry.calling("mcp")
    return {"command": command, "args": rest}


def is_ours(found: Any, want: Member | Item | Table) -> bool:
    """Whether what stands in a file is what we put there, or would."""
    if found == want.value:
        return True
    if not isinstance(want, Item):
        return _calls(found, "mcp")
    if not isinstance(found, Mapping) or not isinstance(want.value, Mapping):
        return False
    if "id" in want.value:
        return bool(found.get("id") == want.value["id"])
    hooks = found.get("hooks")
    return isinstance(hooks, list) and bool(hooks) and all(_calls(hook, "hook") for hook in hooks)


def is_same(found: Any, want: Member | Item | Table) -> bool:
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
        if isinstance(want, Member | Item):
            holder = document
            for key in want.path[:-1]:
                holder = holder.setdefault(key, {})
            if isinstance(want, Item):
                holder.setdefault(want.path[-1], []).append(want.value)
            else:
                holder[want.path[-1]] = want.value
        elif isinstance(want, Table):
            texts.append(toml_text.written(want.path, want.value))
        else:
            texts.append(section(want.text) if isinstance(want, Section) else want.text)
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
