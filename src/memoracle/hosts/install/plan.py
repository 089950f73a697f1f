"""What an installation is made of: what a host calls, what its files should hold, and what an agent is taught from.

Pure but for reading the texts of the skill: `apply` puts it into files and takes it out again. Readers of transcripts
stand beside what is installed into their hosts, so nothing heavy is imported before somebody installs.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from importlib import import_module
from itertools import pairwise
from typing import Any

from memoracle.errors import BadInput, MemoracleError
from memoracle.hosts.install.mcp_clients import CLIENTS, McpClient
from memoracle.hosts.known_hosts import HOSTS, HookEvent, Host
from memoracle.model.value import value


@value
class Machine:
    """Whose machine it is: the environment, the home, and the time there."""

    environment: Mapping[str, str]
    home: str
    now: datetime
    system: str = sys.platform

    def folder(self, variable: str, usual: str) -> str:
        """Where a host keeps its things: where a variable says, or in the home."""
        named = self.environment.get(variable)
        return os.path.abspath(os.path.expanduser(named)) if named else os.path.join(self.home, usual)

    def base(self, variable: str, *usual: str) -> str:
        """A folder of the XDG specification."""
        return self.environment.get(variable) or os.path.join(self.home, *usual)

    @property
    def applications(self) -> str:
        """Where programs with windows keep their settings."""
        if self.system == "darwin":
            return os.path.join(self.home, "Library", "Application Support")
        return self.base("XDG_CONFIG_HOME", ".config")

    @property
    def backups(self) -> str:
        """Where manifests and copies of what an installation replaces are kept."""
        return os.path.join(self.base("XDG_STATE_HOME", ".local", "state"), "memoracle")


@value
class ConfigEntry:
    """What a scheduler or a host calls: one root, and the interpreter that tends it."""

    root: str
    python: str
    language: str = ""
    """The language its owner chose for replies; empty when none was chosen."""
    layout: str = "native"
    searches: bool = False
    """Whether a host's own search shall read the notes, too."""
    slot: bool = False
    """Whether memory shall take the place of a host's own."""

    @property
    def words(self) -> tuple[str, ...]:
        """The command of a scheduler."""
        return self.calling("tend", "--heartbeat")

    def calling(self, *words: str) -> tuple[str, ...]:
        """A command on this root. `-P` keeps modules of the folder it happens to run in out of it.

        Without an interpreter it is the program on the PATH, on the person's own memory: so plugins call it.
        """
        if not self.python:
            return ("memoracle", *words)
        return (self.python, "-P", "-m", "memoracle", "--root", self.root, *words)

    @property
    def name(self) -> str:
        """A name of its own: two roots have two entries."""
        return f"memoracle-{hashlib.sha256(os.fsencode(self.root)).hexdigest()[:8]}"


def entry_for(
    root: str,
    python: str,
    *,
    language: str = "",
    layout: str = "native",
    searches: bool = False,
    slot: bool = False,
) -> ConfigEntry:
    """The entry of a root; refuses names that a line cannot carry."""
    for path in (root, python):
        if any(ord(ch) < 32 or ord(ch) == 127 for ch in path):
            raise BadInput(f"`{path!r}` holds a control character, which no scheduler can carry")
    if not python:
        raise BadInput(
            "this interpreter does not know where it is", "call memoracle with an installed Python"
        )
    root, python = os.path.abspath(root), os.path.abspath(python)
    return ConfigEntry(
        root=root, python=python, language=language, layout=layout, searches=searches, slot=slot
    )


class WantKind(StrEnum):
    """A value at a path of a JSON file, one item of the list there, a table of TOML, a section of Markdown, a file."""

    MEMBER = "member"
    ITEM = "item"
    TABLE = "table"
    SECTION = "section"
    WHOLE = "whole"


@value
class Want:
    """One thing that a file should hold; a section and a whole file have no path in it, and a text for a value."""

    kind: WantKind
    path: tuple[str, ...] = ()
    value: Any


@value
class Target:
    """One file of a host, and what it should hold: one thing, or several of a JSON file."""

    path: str
    wants: tuple[Want, ...]


@value
class Wishes:
    """Everything that an installation puts into a host, what that allows there, and what is left to the person."""

    targets: tuple[Target, ...]
    notes: tuple[str, ...] = ()
    grants: tuple[str, ...] = ()
    plugin: str = ""
    """The name under which our plugin is enabled there, which does the same."""


NOT_OURS = "is not ours and stays"
PLUGIN = "memoracle@"
"""How the name of our plugin begins, whatever market it came from."""


class PluginThere(MemoracleError):
    """Entries beside an enabled plugin would tell an agent everything twice."""

    status = 5

    def __init__(self, host: str, plugin: str) -> None:
        self.hint = (
            f"`memoracle doctor {host}` tells how it does; to have entries instead, remove the plugin first"
        )
        super().__init__(f"{host} has the plugin `{plugin}`, which does the same")


class HostAbsent(MemoracleError):
    """A host that keeps nothing where it should."""

    code = "host-absent"

    def __init__(self, host: str, place: str, variable: str = "") -> None:
        other = f"{variable} names another place; " if variable else ""
        self.hint = f"{other}`--print` shows what would be installed"
        super().__init__(f"{host} keeps nothing at {place}")


def wishes_of(host: str, entry: ConfigEntry, machine: Machine, *, insist: bool = True) -> Wishes:
    """What a host should have; `insist` on its being there."""
    for path in (entry.root, entry.python):
        if "$" in path:
            raise BadInput(
                f"`{path}` holds a `$`, which hosts expand", "give the memory or the interpreter another name"
            )
        try:
            path.encode()
        except UnicodeEncodeError:
            raise BadInput(f"`{path!r}` is not UTF-8, and the files of hosts are") from None
    if host in CLIENTS:
        return client_wishes(CLIENTS[host], entry, machine, insist=insist)
    wishes: Wishes = import_module(HOSTS[host].module).wishes(entry, machine, insist=insist)
    return wishes


def read_settings(path: str) -> Any:
    """What a host's JSON or TOML file says, to look at; nothing of one that cannot be read: its edit says why."""
    from memoracle.hosts.install import config_text

    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        return config_text.parsed(text) if path.endswith(".toml") else config_text.read(text).value
    except (OSError, ValueError, config_text.Unclear):
        return {}


def table_at(settings: Any, *path: str) -> Mapping[str, Any]:
    """A table of a host's settings; nothing where something else stands, or nothing does."""
    from memoracle.hosts.install.config_text import at

    found = at(settings, path)
    return found if isinstance(found, Mapping) else {}


def printed(wishes: Wishes) -> str:
    """Every file with what it should hold, to be pasted by hand."""
    parts = [f"# {target.path}\n{snippet(target)}" for target in wishes.targets]
    told = (*(f"this allows: {grant}" for grant in wishes.grants), *wishes.notes)
    return "\n".join(parts + [f"# {note}\n" for note in told])


def snippet(target: Target) -> str:
    """What a person would paste to have the same."""
    from memoracle.hosts.install import config_text

    document: dict[str, Any] = {}
    texts: list[str] = []
    for want in target.wants:
        if want.kind is WantKind.TABLE:
            texts.append(config_text.written(want.path, want.value))
        elif not want.path:
            texts.append(config_text.section(want.value) if want.kind is WantKind.SECTION else want.value)
        else:
            holder = document
            for key in want.path[:-1]:
                holder = holder.setdefault(key, {})
            if want.kind is WantKind.ITEM:
                holder.setdefault(want.path[-1], []).append(want.value)
            else:
                holder[want.path[-1]] = want.value
    return "\n".join([*texts, pretty(document)] if document else texts)


def summary_of(target: Target, before: str | None, after: str | None, *, remove: bool) -> str:
    """One line about a file: what goes into it or out of it, and what becomes of the rest."""
    hooks = sum(want.path[:1] == ("hooks",) for want in target.wants)
    parts = [f"{hooks} hooks"] if hooks else []
    for want in target.wants:
        if want.kind is WantKind.SECTION:
            parts.append("a marked section")
        elif calls(want.value, "mcp"):
            parts.append("the server" + _instead(target, want, before))
        elif want.path and want.path[0] != "hooks":
            parts.append(f"`{'.'.join(want.path)}`" + _instead(target, want, before))
    what = ", ".join(parts) or f"{len((after or before or '').splitlines())} lines of ours"
    if before is None or after is None:
        return f"{target.path}: {what}, {'the file goes' if after is None else 'a new file'}"
    return f"{target.path}: {what}{' out' if remove else ''}; the rest stays as it is"


def _instead(target: Target, want: Want, before: str | None) -> str:
    """That a host has another memory now: it has one at a time."""
    from memoracle.hosts.install.config_text import at, parsed, read

    if (
        want.kind is WantKind.ITEM
        or not isinstance(want.value, Mapping)
        or not (before or "").strip("\ufeff \t\r\n")
    ):
        return ""
    document = parsed(before or "") if target.path.endswith(".toml") else read(before or "").value
    old, new = (_root_of(held) for held in (at(document, want.path), want.value))
    return f" in place of the one for {old}" if old and old != new else ""


def _root_of(held: Any) -> str:
    words = plugin_words(held) or (words_of(held) if calls(held, "mcp") else [])
    return words[words.index("--root") + 1] if "--root" in words[:-1] else ""


def pretty(document: Any) -> str:
    """A JSON file of ours."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def is_ours(found: Any, want: Want) -> bool:
    """Whether what stands in a file is what we put there, or would."""
    if found == want.value:
        return True
    if want.kind is not WantKind.ITEM:
        return calls(found, "mcp") or bool(plugin_words(found))
    if not isinstance(found, Mapping) or not isinstance(want.value, Mapping):
        return False
    if "id" in want.value:
        return bool(found.get("id") == want.value["id"])
    return any(calls(hook, "hook") for hook in _hooks_in(found))


def is_same(found: Any, want: Want) -> bool:
    """Whether there is nothing to bring up to date; what hosts and people add to an entry of ours is theirs."""
    if not isinstance(found, Mapping) or not isinstance(want.value, Mapping):
        return bool(found == want.value)
    if "id" in want.value:
        return bool(found.get("payload") == want.value["payload"])
    if want.kind is WantKind.ITEM and "hooks" in want.value:
        commands = [
            [(hook.get("command"), hook.get("args")) for hook in _hooks_in(group) if calls(hook, "hook")]
            for group in (found, want.value)
        ]
        return commands[0] == commands[1]
    return _covers(found, want.value)


def without_ours(found: Any) -> dict[str, Any] | None:
    """A group with the hooks that a person added to ours; None when there are none, and it is ours to take."""
    left = [hook for hook in _hooks_in(found) if not calls(hook, "hook")]
    return {**found, "hooks": left} if left else None


def with_ours(found: Any, want: Want) -> Any:
    """An item as it should be; hooks that a person added to the group stay."""
    left = without_ours(found)
    return {**left, "hooks": [*want.value["hooks"], *left["hooks"]]} if left else want.value


def _hooks_in(group: Any) -> list[Any]:
    hooks = group.get("hooks") if isinstance(group, Mapping) else None
    return hooks if isinstance(hooks, list) else []


def _covers(found: Any, wanted: Any) -> bool:
    """Whether everything that is wanted stands there, whatever stands beside it."""
    if not isinstance(found, Mapping) or not isinstance(wanted, Mapping):
        return bool(found == wanted)
    return all(_covers(found.get(key), item) for key, item in wanted.items())


def words_of(found: Mapping[str, Any]) -> list[str]:
    """The command of an entry, however its host writes it; nothing when it is none."""
    command, rest = found.get("command"), found.get("args", [])
    if isinstance(command, list):
        return [str(word) for word in command]
    if not isinstance(command, str) or not isinstance(rest, list):
        return []
    try:
        return [command, *map(str, rest)] if rest else shlex.split(command)
    except ValueError:
        return []


def calls(found: Any, verb: str) -> bool:
    """Whether an entry calls this package with a verb, from whatever interpreter on whatever root."""
    if not isinstance(found, Mapping):
        return False
    words = words_of(found)
    if "memoracle" not in words[1:] or words[words.index("memoracle", 1) - 1] != "-m":
        return False
    return verb in words[words.index("memoracle", 1) :]


def plugin_words(found: Any) -> list[str]:
    """What the plugin of an entry calls; nothing when that is not this package."""
    config = found.get("config") if isinstance(found, Mapping) else None
    words = words_of(config) if isinstance(config, Mapping) else []
    return words if ("-m", "memoracle") in pairwise(words) else []


# What hosts have in common: the server, hooks, and texts that an agent is taught from (`hosts/skill/`).

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


def server(entry: ConfigEntry) -> dict[str, Any]:
    """How a host begins the MCP server."""
    command, *rest = entry.calling("mcp")
    return {"command": command, "args": rest}


def client_wishes(client: McpClient, entry: ConfigEntry, machine: Machine, *, insist: bool) -> Wishes:
    """The server in the list of a program that knows nothing else of us."""
    config = machine.base("XDG_CONFIG_HOME", ".config")
    folder = client.folder.format(home=machine.home, config=config, applications=machine.applications)
    if insist and not os.path.isdir(folder):
        raise HostAbsent(client.title, folder)
    paths = [os.path.join(folder, name) for name in client.files]
    words = {"command": list(entry.calling("mcp"))} if client.is_one_list else server(entry)
    listed = Want(kind=WantKind.MEMBER, path=(*client.path, "memoracle"), value={**client.fields, **words})
    path = next(filter(os.path.exists, paths), paths[-1])
    targets, grants = [Target(path=path, wants=(listed,))], tuple[str, ...]()
    if client.plugin:
        plugin = Want(kind=WantKind.WHOLE, value=_plugin_text(client, entry))
        targets.append(Target(path=os.path.join(folder, client.plugin), wants=(plugin,)))
        grants = _PLUGIN_GRANTS
    return Wishes(targets=tuple(targets), notes=(client.left,), grants=grants)


_PLUGIN_GRANTS = (
    "it runs the code in that file, which starts this program and nothing else",
    "after every turn its database is read, earlier conversations, too",
    "what memory holds stands before prompts, so the model in use there is sent it",
)


def _plugin_text(client: McpClient, entry: ConfigEntry) -> str:
    with open(os.path.join(os.path.dirname(_FOLDER), f"{client.name}_plugin.js"), encoding="utf-8") as file:
        return file.read().replace(f'"{_COMMAND}"', json.dumps(entry.calling(), ensure_ascii=False))


def hooks_of(host: Host, hook: Callable[[HookEvent, int], dict[str, Any]]) -> tuple[Want, ...]:
    """The hooks of a host's settings, each in the host's own form: what it calls, and how many seconds it waits."""
    return tuple(
        Want(kind=WantKind.ITEM, path=("hooks", name), value={"hooks": [hook(event, seconds)]})
        for event, (name, seconds) in host.hooks.items()
    )


def hook_line(entry: ConfigEntry, event: HookEvent, host: str) -> str:
    """What a hook calls, as a line for a shell; without the name of a host, what it says tells which it is."""
    return shlex.join(entry.calling("hook", event.value, *(["--host", host] if host else [])))


def line_hooks(host: Host, entry: ConfigEntry, name: str) -> tuple[Want, ...]:
    """Hooks with one quoted line, the form that every host knows."""
    return hooks_of(
        host,
        lambda event, seconds: {
            "type": "command",
            "command": hook_line(entry, event, name),
            "timeout": seconds,
        },
    )


def skill(entry: ConfigEntry) -> str:
    """The skill, as hosts load it from a folder of its name."""
    text = _filled("SKILL.md", entry)
    for mark, said in _UNCLEAR.items():
        text = text.replace(mark, said[entry.language])
    return text


def skill_file(folder: str, entry: ConfigEntry) -> Target:
    """The skill in the folder of a host."""
    path = os.path.join(folder, "skills", "memoracle", "SKILL.md")
    return Target(path=path, wants=(Want(kind=WantKind.WHOLE, value=skill(entry)),))


def section(entry: ConfigEntry, search: str = "memory_search") -> str:
    """The section for a file that an agent always reads; `search` is what it calls the tool."""
    return _filled("AGENTS.md", entry).replace(_SEARCH, search)


def section_in(path: str, entry: ConfigEntry, search: str = "memory_search") -> Target:
    """The section in such a file."""
    return Target(path=path, wants=(Want(kind=WantKind.SECTION, value=section(entry, search)),))


def _filled(name: str, entry: ConfigEntry) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read().replace(_COMMAND, shlex.join(entry.calling()))
