"""Making a root: folders, a settings file, and what git needs to merge it line by line."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memoracle.model.value import value
from memoracle.store import durable
from memoracle.store.disk import DiskVolume
from memoracle.store.layouts import layout_named
from memoracle.store.own_state import begin_anew, own_state
from memoracle.store.volume import TEMPORARY

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
        place = path
        if not volume.has(place):
            volume.replace(place, content.encode())
            made.append(path)
    if table["settings"] in made:
        begin_anew(os.path.realpath(root))
    own_state(os.path.realpath(root), table["state"], first_list=f"{table['sessions']}/transcripts.json")
    return Born(root=root, layout=layout, made=tuple(made))


def add_for_git(root: str, layout: str) -> None:
    """Add what git needs to files that were there before; their owner's lines stay as they are."""
    table, volume = layout_named(layout), DiskVolume(root)
    wanted = {
        ".gitattributes": ("*.jsonl merge=union", *_trail(table)),
        ".gitignore": (
            f"/{table['index']}/",
            f"/{table['state']}/",
            f"/{_machine(table)}/",
            f"*{TEMPORARY}",
        ),
    }
    for name, lines in wanted.items():
        place = name
        content = volume.read(place)
        held = {line.strip() for line in content.decode("utf-8", "replace").split("\n")}
        if missing := [line for line in lines if line not in held]:
            fence = b"" if not content or content.endswith(b"\n") else b"\n"
            volume.replace(place, content + fence + "".join(f"{line}\n" for line in missing).encode())


def _trail(table: Mapping[str, str]) -> tuple[str, ...]:
    """The audit trail merges by lines too, where its name does not say so."""
    return () if table["events"].endswith(".jsonl") else (f"/{table['events']} merge=union",)


def _machine(table: Mapping[str, str]) -> str:
    """The folder of what scanners saw of this machine: another one's is not this one's."""
    return os.path.dirname(table["machine"])
