"""Where each logical file stands, layout by layout: tables of path templates, and the notes that stand there.

`native` is our own. Others are registered by extensions: they put the same logical files where the users of another
design already have them, so that such a directory is adopted in place. No file is opened here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from string import Formatter
from types import MappingProxyType

from memoracle import registry
from memoracle.errors import BadInput, InvalidName, InvalidTime, OutsideRoot, UnknownLayout
from memoracle.model.record import check_name
from memoracle.model.value import value
from memoracle.store.volume import FileEntry, Folder, Stat, Volume

_NATIVE: Mapping[str, str] = {
    "settings": "memoracle.toml",
    "adopted": "adopted.json",
    "found": "found.json",
    "hot": "MEMORY.md",
    "facts": "records/facts.jsonl",
    "beliefs": "records/beliefs.jsonl",
    "summaries": "records/summaries.jsonl",
    "archived_facts": "archive/records/facts.jsonl",
    "archived_beliefs": "archive/records/beliefs.jsonl",
    "archived_summaries": "archive/records/summaries.jsonl",
    "daily": "notes/daily/{date}.md",
    "archived_daily": "archive/notes/daily/{date}.md",
    "semantic": "notes/semantic/{name}.md",
    "procedural": "notes/procedural/{name}.md",
    "buffer": "notes/working-buffer.md",
    "page": "projects/{project}/{seat}/{name}.md",
    "learnings": "learnings/{name}.md",
    "shared_page": "shared/{kind}/{name}.md",
    "registry": "projects/registry.json",
    "reflections": "projects/{project}/reflections.jsonl",
    "project_fact": "projects/{project}/{name}.json",
    "north_star": "projects/{project}/north-star.toml",
    "machine": "machine/{name}.json",
    "privacy": "machine/privacy.md",
    "machine_scans": "machine/_scans/{month}.jsonl",
    "project_scans": "projects/{project}/_scans/{month}.jsonl",
    "sessions": "sessions",
    "usage": "usage/{month}.jsonl",
    "events": "events.jsonl",
    "archive": "archive",
    "responses": "responses/{name}.json",
    "handoffs": "handoffs/{project}/{name}.json",
    "quarantine": "quarantine",
    "trash": "trash",
    "state": "state",
    "index": "index",
}

COLLECTIONS = ("facts", "beliefs", "summaries")


def record_files(layout: Mapping[str, str]) -> list[str]:
    """The relative paths of all record files, live ones first.

    Where another program reads the files too they hold what stands, one line each; earlier versions have a file apart.
    """
    places = [layout[f"{prefix}{name}"] for prefix in ("", "archived_") for name in COLLECTIONS]
    return [*places, layout["history"]] if "history" in layout else places


class NoteRole(StrEnum):
    """What a Markdown file is for."""

    HOT = "hot"
    BUFFER = "buffer"
    DAILY = "daily"
    PROCEDURAL = "procedural"
    SEMANTIC = "semantic"
    PAGE = "page"
    ARCHIVED = "archived_daily"


@value
class Sign:
    """Paths that give a layout away: all of `needs`, one of `any_of`, none of `never`; the lowest `rank` first.

    Names that only one design uses have a lower one than names that many use: a workspace with `MEMORY.md` and
    `memory/` may hold several designs, one with `layer2/active` only one.
    """

    any_of: tuple[str, ...]
    needs: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    rank: int = 50


@value
class NoteHome:
    """A place where notes of one role stand; `*` in the pattern also reaches into folders."""

    role: NoteRole
    folder: str
    pattern: str
    is_whole: bool = False
    """Every folder in it is its owner's, whatever it is called: nothing is put away or derived there."""

    @property
    def is_one_file(self) -> bool:
        """The pattern is a plain name."""
        return "*" not in self.pattern

    def holds(self, relative: str) -> bool:
        """True for a note that belongs here; what is hidden, derived or put away does not."""
        prefix = f"{self.folder}/" if self.folder else ""
        rest = relative.removeprefix(prefix)
        if not relative.startswith(prefix) or not fnmatchcase(rest, self.pattern):
            return False
        *folders, file = rest.split("/")
        return (
            not file.startswith(".")
            and all(map(self.enters, folders))
            and (self.is_whole or file not in _DERIVED_FILES)
            and file.casefold() not in NEVER_WRITTEN
        )

    def enters(self, folder: str) -> bool:
        """True for the name of a folder that notes may stand below: not what is hidden, derived or put away."""
        return folder[0] != "." and (self.is_whole or folder not in _PUT_AWAY | _DERIVED)

    def holds_in(self, folder: str) -> Callable[[str], bool] | None:
        """What tells of a name whether it is a note that belongs here and stands in that folder; None: no name is.

        The same answer as `holds`, with what depends on the folder alone looked at once for all its names.
        """
        prefix = f"{folder}/" if folder else ""
        if self.is_whole or not _ANY_NAME.fullmatch(self.pattern):
            return lambda name: self.holds(f"{prefix}{name}")
        return _is_note if self.holds(f"{prefix}x.md") else None


@value
class _Layout:
    """A design's places. What it has no place for stands in its `.memoracle/` folder, which walks pass over."""

    places: Mapping[str, str]
    homes: tuple[NoteHome, ...] = ()
    """Notes that its users also have, beyond the places we would write to ourselves."""
    signs: tuple[Sign, ...] = ()
    """How a directory of its own is known."""


def adopting(*, homes: tuple[NoteHome, ...] = (), signs: tuple[Sign, ...] = (), **places: str) -> _Layout:
    """A design's own places, over a shelter for everything it has no place for.

    The settings say which layout a root has, so they stand at the same place in all of them.
    """
    sheltered = {name: f".memoracle/{template}" for name, template in _NATIVE.items()}
    everywhere = {name: _NATIVE[name] for name in ("settings", "hot")}
    return _Layout(places=MappingProxyType(sheltered | everywhere | places), homes=homes, signs=signs)


_OWN = _Layout(
    places=MappingProxyType(_NATIVE),
    homes=(NoteHome(role=NoteRole.SEMANTIC, folder="notes", pattern="*.md", is_whole=True),),
    signs=(
        Sign(
            rank=0,
            any_of=(
                "records/facts.jsonl",
                "records/beliefs.jsonl",
                "records/summaries.jsonl",
                "notes/daily",
                "notes/semantic",
                "notes/procedural",
            ),
        ),
        Sign(rank=20, any_of=("memoracle.toml",), never=(".memoracle",)),
    ),
)


@cache
def layout_of(name: str) -> _Layout:
    """A layout by its name."""
    found: _Layout | None = _OWN if name == "native" else registry.layout(name)
    if found is None:
        raise UnknownLayout(name, layout_names())
    return found


def layout_names() -> list[str]:
    """The layouts there are."""
    return sorted(["native", *registry.layout_names()])


def layout_named(name: str) -> Mapping[str, str]:
    """The table of a layout."""
    return layout_of(name).places


def resolve(layout: Mapping[str, str], name: str, /, **parts: str) -> str:
    """The relative path of a logical file; every part of it is checked, `date` also gives year and month."""
    template = layout.get(name)
    if template is None:
        raise BadInput(f"this layout has no place for `{name}`", f"it knows: {', '.join(sorted(layout))}")
    checked = {part: _CHECKS.get(part, check_name)(part, value) for part, value in parts.items()}
    if day := checked.get("date"):
        checked |= {"year": day[:4], "mm": day[5:7]}
    wanted = [field for _, field, _, _ in Formatter().parse(template) if field]
    if missing := [field for field in wanted if field not in checked]:
        raise BadInput(f"the path of `{name}` also needs: {', '.join(missing)}")
    return template.format_map(checked)


def _check_folder(part: str, value: str) -> str:
    if value.casefold() in _PUT_AWAY:
        raise InvalidName(part, value, "a folder of that name holds what was put away")
    return check_name(part, value)


def _check_date(_part: str, value: str) -> str:
    try:
        is_plain = date.fromisoformat(value).isoformat() == value  # Python also reads 20260515 and 2026-W20-5
    except ValueError:
        is_plain = False
    if not is_plain:
        raise InvalidTime(value)
    return value


def _check_month(_part: str, value: str) -> str:
    _check_date("date", f"{value}-01")
    return value


def _check_flat(part: str, value: str) -> str:
    """A page's or an entity's address, encoded into one file name by the code that owns the links."""
    if not re.fullmatch(r"[^\W_][\w.+%\-]*", value) or ".." in value or len(value.encode()) > 200:
        raise InvalidName(part, value[:40], "it is not an encoded address")
    return value


_CHECKS: Mapping[str, Callable[[str, str], str]] = {
    "date": _check_date,
    "month": _check_month,
    "flat": _check_flat,
    "project": _check_folder,
    "seat": _check_folder,
}


_PUT_AWAY = frozenset({"archive", "trash"})
_DERIVED = frozenset({"_index", "_links", "_backlinks"})
_DERIVED_FILES = frozenset(f"{name}.md" for name in _DERIVED)
NEVER_WRITTEN = frozenset({"soul.md"})
"""Files that stay their owner's alone, in lower case: readable, never listed, never written."""


def _is_note(name: str) -> bool:
    return (
        name.endswith(".md")
        and name[0] != "."
        and name not in _DERIVED_FILES
        and name.casefold() not in NEVER_WRITTEN
    )


# Of such a pattern the folders alone decide: what it says of one plain name it says of all.
_ANY_NAME = re.compile(r"(?:\*/)*\*\.md")
DATED = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*.md"


@cache
def note_homes(name: str) -> tuple[NoteHome, ...]:
    """The places of a layout that hold notes; the first that holds a file gives the file its role."""
    known = layout_of(name)
    layout = known.places
    shared = (_home_of(NoteRole.PAGE, layout[place]) for place in ("learnings", "shared_page"))
    return (*(_home_of(role, layout[role]) for role in NoteRole), *known.homes, *shared)


def _home_of(role: NoteRole, template: str) -> NoteHome:
    fixed = template.partition("{")[0]
    folder = fixed.rpartition("/")[0]
    rest = template[len(folder) + 1 :] if folder else template
    pattern = DATED if role is NoteRole.DAILY else re.sub(r"\{\w+\}", "*", rest)
    return NoteHome(role=role, folder=folder, pattern=pattern)


# What stands in the folders of a root, each listed once, however many ask.
#
# A tree is for one look: whoever wants to know how things are later makes a new one. Links are never followed: that a
# folder is none is checked for the first folder of a walk, and read from the listing for every folder below it.


class NoteTree:
    """The folders of one root at one moment."""

    def __init__(self, volume: Volume) -> None:
        self._volume = volume
        self._listed: dict[str, Folder] = {}
        self._safe: set[str] = set()

    def folder(self, relative: str) -> Folder:
        """What stands in a folder; nothing in one that is absent, closed to us, or a link."""
        found = self._listed.get(relative)
        if found is None:
            found = self._listed[relative] = self._volume.list(relative, trusted=relative in self._safe)
            self._safe.update(f"{relative}/{name}" if relative else name for name in found.folders)
        return found

    def below(
        self, relative: str, enters: Callable[[str], bool]
    ) -> Iterator[tuple[str, Sequence[FileEntry]]]:
        """A folder and those below it whose names may be entered, each with its files."""
        here = self.folder(relative)
        if here.files:
            yield relative, here.files
        for name in here.folders:
            if enters(name):
                yield from self.below(f"{relative}/{name}" if relative else name, enters)


class NoteFiles:
    """The Markdown people edit, in one root: which files there are."""

    def __init__(self, volume: Volume, layout: str) -> None:
        self._volume = volume
        self._homes = note_homes(layout)

    def files(self, *roles: NoteRole) -> dict[str, NoteRole]:
        """Their relative paths, with the role of each; of some roles alone, if named."""
        homes = self._homes
        if roles:
            # The first home that holds a file decides, so those behind the last that counts need no look.
            homes = homes[: max(at for at, home in enumerate(homes, start=1) if home.role in roles)]
        found = list_notes(self._volume, homes)
        return {path: role for path, role in found.items() if role in roles} if roles else found

    def holds(self, path: str) -> bool:
        """True when that is the relative path of a note; no other file is looked at."""
        if not any(home.holds(path) for home in self._homes):
            return False
        with suppress(OutsideRoot):
            found = self._volume.stat(path)
            return found is not None and found.is_plain
        return False


def list_notes(volume: Volume, homes: Iterable[NoteHome]) -> dict[str, NoteRole]:
    """Every note of a root with its role, each file once, in the order of the homes."""
    return {path: role for path, role, _ in find_notes(volume, NoteTree(volume), homes)}


def find_notes(
    volume: Volume, tree: NoteTree, homes: Iterable[NoteHome]
) -> Iterator[tuple[str, NoteRole, Stat]]:
    """The same, with what the file system says of each."""
    seen: set[tuple[int, int]] = set()
    alone: set[str] = set()
    for home in homes:
        for relative, status in _files_of(volume, tree, home):
            # Two names of one file, as on a disk that ignores case, are one note; so is what two homes hold.
            if (node := (status.device, status.inode)) not in seen and relative not in alone:
                seen.add(node)
                if home.is_one_file:
                    alone.add(relative)  # it may be replaced before its folder is listed
                yield relative, home.role, status


def is_text(name: str) -> bool:
    """True for a name that is text: one whose bytes are none could be cited by nobody."""
    return not any("\ud800" <= ch <= "\udfff" for ch in name)


def _files_of(volume: Volume, tree: NoteTree, home: NoteHome) -> Iterator[tuple[str, Stat]]:
    if home.is_one_file:
        relative = f"{home.folder}/{home.pattern}" if home.folder else home.pattern
        with suppress(OutsideRoot):
            status = volume.stat(relative)
            if status is not None and status.is_plain and home.holds(relative):
                yield relative, status
        return
    for folder, files in tree.below(home.folder, home.enters):
        if not is_text(folder):
            continue
        is_note = home.holds_in(folder)
        for entry in files if is_note else ():
            if not is_note or not is_note(entry.name) or not is_text(entry.name):
                continue
            if (status := entry.stat()) is not None and status.is_plain:
                yield f"{folder}/{entry.name}" if folder else entry.name, status


PROJECT_KINDS = ("dev_env", "runtime", "tests", "deploy", "ci", "lint", "structure", "env_templates")
INDEX = "index"
"""The machine's own list of its scans: nobody else writes it, and it holds no facts."""


def find_facts(tree: NoteTree, layout: Mapping[str, str]) -> dict[str, FileEntry]:
    """The documents a root is asked about: what scanners saw of machine and projects, a design's records."""
    machine = os.path.dirname(layout["machine"])
    found = {f"{machine}/{one.name}": one for one in _documents(tree, machine) if one.name != f"{INDEX}.json"}
    if template := layout.get("project_fact"):
        projects = template.partition("/{project}")[0]
        wanted = frozenset(f"{kind}.json" for kind in PROJECT_KINDS)
        for project in tree.folder(projects).folders:
            folder = f"{projects}/{project}"
            own = _documents(tree, folder)
            found |= {
                f"{folder}/{one.name}": one for one in own if one.name in wanted or _NUMBERED.search(one.name)
            }
            found |= {
                f"{folder}/{one.name}": one for one in tree.folder(folder).files if one.name == REFLECTIONS
            }
            if "project_record" in layout:
                found |= _kept_below(tree, folder)
    if template := layout.get("shared"):
        found |= _kept_below(tree, template.partition("/{")[0])
    return found


REFLECTIONS = "reflections.jsonl"
"""What was thought over in a project, one record on each line."""
_NUMBERED = re.compile(r"-[0-9a-f]{8}\.json\Z")
"""How a published design ends the name of a record that has no folder of its own."""


def _kept_below(tree: NoteTree, folder: str) -> dict[str, FileEntry]:
    """The documents in the folders of a folder: a design keeps one record in each."""
    inner = (
        f"{folder}/{name}"
        for name in tree.folder(folder).folders
        if name[0] not in "._" and name not in _PUT_AWAY
    )
    return {f"{one}/{entry.name}": entry for one in inner for entry in _documents(tree, one)}


def _documents(tree: NoteTree, folder: str) -> list[FileEntry]:
    return [one for one in tree.folder(folder).files if one.name.endswith(".json") and one.name[0] != "."]
