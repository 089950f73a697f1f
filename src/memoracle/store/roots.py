"""The roots a person has on this machine: one small list in their own configuration, for questions across roots.

It holds paths, nothing of what stands there. A list that is absent or damaged is empty; being unable to write it
keeps nobody from making a memory.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import AbstractContextManager
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput
from memoracle.model.value import value
from memoracle.resolve import FILE
from memoracle.settings import load_settings, owner_names
from memoracle.store import durable
from memoracle.store.disk import DiskVolume
from memoracle.store.layouts import layout_named, layout_names, layout_of
from memoracle.store.machine_state import begin_anew, own_state
from memoracle.store.volume import TEMPORARY, read_document, write_document

if TYPE_CHECKING:
    from memoracle.store.store import Store

# Making a root: folders, a settings file, and what git needs to merge it line by line.

_GITATTRIBUTES = "# A line is a whole version, so merging by lines never loses one.\n*.jsonl merge=union\n"
_HOT = "# Memory\n\n"
_FOLDERS = ("facts", "archived_facts", "daily", "semantic", "procedural", "usage")


@value
class Born:
    """A root, and what was made to make it one; nothing when it was there already."""

    root: str
    layout: str
    made: tuple[str, ...]
    adopted: int | None = None
    """How many records stood there already; None when nothing was adopted."""


def create_root(root: str, layout: str, *, profile: str = "") -> Born:
    """Make what is missing; what exists is never touched."""
    table = layout_named(layout)
    durable.make_folder(root)
    volume = DiskVolume(root)
    made: list[str] = []
    for name in (*_FOLDERS, "state"):
        folder = table[name] if name == "state" else os.path.dirname(table[name])
        if folder and volume.make_folder(folder):
            made.append(folder + "/")
    for path, content in {
        table["settings"]: "# Settings of this memory; docs/reference/settings.md lists them all.\n"
        f'layout = "{layout}"\n' + (f'profile = "{profile}"\n' if profile else ""),
        table["hot"]: _HOT,
        ".gitattributes": _GITATTRIBUTES,
        ".gitignore": f"# Derived, or this machine's own.\n/{table['index']}/\n/{table['state']}/\n"
        f"/{_machine(table)}/\n",
    }.items():
        if not volume.has(path):
            volume.replace(path, content.encode())
            made.append(path)
    if table["settings"] in made:
        begin_anew(os.path.realpath(root))
    own_state(os.path.realpath(root), table["state"], first_list=f"{table['sessions']}/transcripts.json")
    return Born(root=root, layout=layout, made=tuple(made))


def add_for_git(root: str, layout: str) -> None:
    """Add what git needs to files that were there before; their owner's lines stay as they are."""
    table, volume = layout_named(layout), DiskVolume(root)
    # The audit trail merges by lines too, where its name does not say so.
    trail = () if table["events"].endswith(".jsonl") else (f"/{table['events']} merge=union",)
    wanted = {
        ".gitattributes": ("*.jsonl merge=union", *trail),
        ".gitignore": (
            f"/{table['index']}/",
            f"/{table['state']}/",
            f"/{_machine(table)}/",
            f"*{TEMPORARY}",
        ),
    }
    for name, lines in wanted.items():
        content = volume.read(name)
        held = {line.strip() for line in content.decode("utf-8", "replace").split("\n")}
        if missing := [line for line in lines if line not in held]:
            fence = b"" if not content or content.endswith(b"\n") else b"\n"
            volume.replace(name, content + fence + "".join(f"{line}\n" for line in missing).encode())


def _machine(table: Mapping[str, str]) -> str:
    """The folder of what scanners saw of this machine: another one's is not this one's."""
    return os.path.dirname(table["machine"])


VARIABLE = "MEMORACLE_ROOTS"


@value
class _KnownRoot:
    """A root that was made or adopted here, and whether it is there now."""

    path: str
    name: str
    present: bool


def book_path(environment: Mapping[str, str], *, home: str) -> str:
    """Where the list stands: what the variable names, or the person's configuration folder."""
    if named := environment.get(VARIABLE):
        return os.path.abspath(os.path.expanduser(named))
    folder = environment.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return os.path.join(folder, "memoracle", "roots.json")


def known_roots(book: str) -> list[_KnownRoot]:
    """The roots of the list, in the order in which they came."""
    return [
        _KnownRoot(
            path=path,
            name=str(row.get("name") or os.path.basename(path)),
            present=os.path.isfile(os.path.join(path, FILE)),
        )
        for row in _rows(book)
        if isinstance(path := row.get("path"), str) and os.path.isabs(path)
    ]


def add_root(book: str, root: str, *, name: str = "") -> bool:
    """Put a root on the list; False when it stands there already."""
    place = os.path.realpath(root)
    with _locked(book):
        rows = _rows(book)
        same = next((row for row in rows if row.get("path") == place), None)
        if same is not None and (not name or same.get("name") == name):
            return False
        others = [row for row in rows if row.get("path") != place]
        entry = {"path": place, "name": name or os.path.basename(place)}
        write_document(*_place(book), {"version": 1, "roots": [*others, entry]})
        return same is None


def remove_root(book: str, root: str) -> bool:
    """Take a root off the list; the root itself stays. False when it was not there."""
    place = os.path.realpath(root)
    with _locked(book):
        rows = _rows(book)
        left = [row for row in rows if row.get("path") not in {root, place} and row.get("name") != root]
        if len(left) == len(rows):
            return False
        write_document(*_place(book), {"version": 1, "roots": left})
        return True


def _place(book: str) -> tuple[DiskVolume, str]:
    """The folder of the list, and its name there."""
    folder, name = os.path.split(book)
    return DiskVolume(folder), name


def _locked(book: str) -> AbstractContextManager[None]:
    volume, name = _place(book)
    return volume.locked(f"{name}.lock", timeout=10.0)


def _rows(book: str) -> list[dict[str, Any]]:
    held = read_document(*_place(book)).get("roots")
    return [row for row in held if isinstance(row, dict)] if isinstance(held, list) else []


def name_owner(root: str, name: str) -> bool:
    """Set down that the owner goes by this name in conversations; False when that was known."""
    import re

    settings = load_settings(root, {}).settings
    name = name.strip()
    if not name or any(ch in name for ch in ',"\\') or not name.isprintable():
        raise BadInput(f"`{name}` cannot be a name here", "one name, without commas and quotation marks")
    if name.casefold() in owner_names(settings):
        return False
    volume = DiskVolume(root)
    text = volume.read(FILE).decode()
    line = f'owner = "{", ".join(filter(None, [settings.owner, name]))}"\n'
    kept = re.sub(r"(?m)^owner\s*=[^\n]*\n?", "", text)
    volume.replace(FILE, (line + kept).encode())
    return True


# Which layout an existing directory already has.
#
# Reads names only, by the signs of each layout: no file is opened, no link is followed, nothing is written. What the
# settings of a root say about its layout goes before any of this.


def detect(root: str) -> str | None:
    """The layout a directory has; None when it is empty, absent or nothing we know."""
    known = [(sign.rank, name, sign) for name in layout_names() for sign in layout_of(name).signs]
    known.sort(key=lambda one: one[:2])
    for _, name, sign in known:
        if (
            all(_exists(root, path) for path in sign.needs)
            and any(_exists(root, path) for path in sign.any_of)
            and not any(_exists(root, path) for path in sign.never)
        ):
            return name
    return None


def _exists(folder: str, path: str) -> bool:
    """True when the path, or one that fits its wildcard, is a plain file or folder."""
    step, _, rest = path.partition("/")
    names = _names_in(folder) if {"*", "?"} & set(step) else [step]
    return any(
        (_exists(os.path.join(folder, name), rest) if rest else True)
        for name in names
        if fnmatchcase(name, step) and _is_plain(os.path.join(folder, name), is_folder=bool(rest))
    )


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _is_plain(path: str, *, is_folder: bool) -> bool:
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and not is_folder)


# `state/repositories.json`: where the repositories of projects stand, as this machine was told.

_HERE = "repositories.json"


def note_repository(store: Store, name: str, path: str) -> None:
    """Have it known on this machine where a project's repository stands. The caller holds the lock."""
    here = store.state_name(_HERE)
    write_document(store.volume, here, {**read_document(store.volume, here), name: path})


def repository_here(store: Store, name: str) -> str:
    """Where this machine was told that it stands: the registry travels, and names nothing that is read here."""
    return str(read_document(store.volume, store.state_name(_HERE)).get(name, ""))


def names_here(store: Store, root: str) -> list[str]:
    """The projects whose repository, as this machine was told, stands in that folder."""
    held = read_document(store.volume, store.state_name(_HERE))
    return sorted(
        name
        for name, path in held.items()
        if isinstance(path, str) and path and os.path.realpath(os.path.expanduser(path)) == root
    )
