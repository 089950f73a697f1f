"""Where each logical file stands, layout by layout: tables of path templates.

`native` is our own. The others put the same logical files where the users of five published
designs already have them, so that such a directory is adopted in place; what a design has no
place for stands in its `.memoracle/` folder, which people can read and walks pass over. Names
that only one design knows are its projections. Pure data: nothing here touches a disk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from enum import StrEnum
from fnmatch import fnmatchcase
from string import Formatter
from types import MappingProxyType

from memoracle.errors import BadInput, InvalidName, InvalidTime, UnknownLayout
from memoracle.model.record import check_name
from memoracle.model.value import value

_NATIVE = {
    "settings": "memoracle.toml",
    "adopted": "adopted.json",
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

# The settings say which layout a root has, so they stand at the same place in all of them.
_EVERYWHERE = {"settings": "memoracle.toml", "hot": "MEMORY.md"}


def _adopted(**places: str) -> Mapping[str, str]:
    """A design's own places, over a shelter for everything it has no place for."""
    sheltered = {name: f".memoracle/{template}" for name, template in _NATIVE.items()}
    return MappingProxyType(sheltered | _EVERYWHERE | places)


_VM_ORACLE = _adopted(
    facts="knowledge-graph/facts.jsonl",
    archived_facts="knowledge-graph/archived-facts.jsonl",
    daily="daily/{date}.md",
    sessions="sessions",
    entities="knowledge-graph/entities.jsonl",
    relations="knowledge-graph/relations.jsonl",
    canaries="knowledge-graph/canary-facts.json",
    vectors="embeddings/index.bin",
    vector_ids="embeddings/metadata.jsonl",
    activation="activation-metadata.json",
    health="health.json",
    backups="backups",
)

_MEMORY_SYSTEM = _adopted(
    facts="layer2/active/facts.jsonl",
    beliefs="layer2/active/beliefs.jsonl",
    summaries="layer2/active/summaries.jsonl",
    archived_facts="layer2/archive/facts.jsonl",
    archived_beliefs="layer2/archive/beliefs.jsonl",
    archived_summaries="layer2/archive/summaries.jsonl",
    snapshot="layer1/snapshot.md",
    configuration="config.json",
    entity="layer2/entities/{name}.json",
    entity_index="layer2/entities/_index.json",
    keywords="layer2/index/keywords.json",
    timeline="layer2/index/timeline.json",
    relations="layer2/index/relations.json",
    consolidation="state/consolidation.json",
    rankings="state/rankings.json",
)

_V4 = _adopted(
    daily="memory/episodic/{date}.md",
    archived_daily="memory/archive/{year}/{mm}/{date}.md",
    semantic="memory/semantic/{name}.md",
    procedural="memory/procedural/{name}.md",
    buffer="memory/working-buffer.md",
    archive="memory/archive",
    learnings=".learnings/{name}.md",
    soul="SOUL.md",
)

_CLAWSEAT = _adopted(
    page="projects/{project}/{seat}/{name}.md",
    shared_page="shared/{kind}/{name}.md",
    machine="machine/{name}.json",
    machine_scans="machine/_scans/{month}.jsonl",
    project_scans="projects/{project}/_scans/{month}.jsonl",
    events="events.log",
    responses="responses/{name}.json",
    handoffs="tasks/{project}/patrol/handoffs/{name}.json",
    learnings="learnings/{name}.md",
    shared="shared/{kind}/{name}.json",
    project_record="projects/{project}/{kind}/{name}.json",
    project_fact="projects/{project}/{name}.json",
    reflections="projects/{project}/reflections.jsonl",
    north_star="projects/{project}/north-star.toml",
    spec="projects/{project}/spec/{name}/SPEC.md",
    privacy="machine/privacy.md",
    root_index="index.json",
    project_index="projects/{project}/_index/{name}.json",
    project_timeline="projects/{project}/_index/timeline.jsonl",
    links="_links/{flat}.jsonl",
    backlinks="_backlinks/{flat}.jsonl",
)

_OPENCLAW = _adopted(
    daily="memory/{date}.md",
    semantic="memory/semantic/{name}.md",
    procedural="memory/procedural/{name}.md",
    soul="SOUL.md",
)

LAYOUTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "native": MappingProxyType(_NATIVE),
        "vm-oracle": _VM_ORACLE,
        "clawseat": _CLAWSEAT,
        "memory-system": _MEMORY_SYSTEM,
        "v4": _V4,
        "openclaw": _OPENCLAW,
    }
)


def layout_named(name: str) -> Mapping[str, str]:
    """The table of a layout."""
    try:
        return LAYOUTS[name]
    except KeyError:
        raise UnknownLayout(name, sorted(LAYOUTS)) from None


def resolve(layout: Mapping[str, str], name: str, /, **parts: str) -> str:
    """The relative path of a logical file; every part of it is checked, `date` also gives year and month."""
    template = layout.get(name)
    if template is None:
        raise BadInput(f"this layout has no place for `{name}`", f"it knows: {', '.join(sorted(layout))}")
    checked = {part: _CHECKS.get(part, _check_plain)(part, value) for part, value in parts.items()}
    if day := checked.get("date"):
        checked |= {"year": day[:4], "mm": day[5:7]}
    wanted = [field for _, field, _, _ in Formatter().parse(template) if field]
    if missing := [field for field in wanted if field not in checked]:
        raise BadInput(f"the path of `{name}` also needs: {', '.join(missing)}")
    return template.format_map(checked)


def _check_plain(part: str, value: str) -> str:
    return check_name(part, value)


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


class NoteRole(StrEnum):
    """What a Markdown file is for."""

    HOT = "hot"
    BUFFER = "buffer"
    DAILY = "daily"
    PROCEDURAL = "procedural"
    SEMANTIC = "semantic"
    PAGE = "page"


_PUT_AWAY = frozenset({"archive", "trash"})
_DERIVED = frozenset({"_index", "_links", "_backlinks"})
_DERIVED_FILES = frozenset(f"{name}.md" for name in _DERIVED)
NEVER_WRITTEN = frozenset({"soul.md"})
"""Files that stay their owner's alone, in lower case: readable, never listed, never written."""


@value
class NoteHome:
    """A place where notes of one role stand; `*` in the pattern also reaches into folders."""

    role: NoteRole
    folder: str
    pattern: str

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
            not any(step.startswith(".") for step in (*folders, file))
            and not (_PUT_AWAY | _DERIVED).intersection(folders)
            and file.removesuffix(".md") not in _DERIVED
            and file.casefold() not in NEVER_WRITTEN
        )

    def holds_in(self, folder: str) -> Callable[[str], bool] | None:
        """What tells of a name whether it is a note that belongs here and stands in that folder; None: no name is.

        The same answer as `holds`, with what depends on the folder alone looked at once for all its names.
        """
        prefix = f"{folder}/" if folder else ""
        if not _ANY_NAME.fullmatch(self.pattern):
            return lambda name: self.holds(f"{prefix}{name}")
        return _is_note if self.holds(f"{prefix}x.md") else None


def enters(folder: str) -> bool:
    """True for the name of a folder that notes may stand below; what is hidden, derived or put away is not entered."""
    return folder[0] != "." and folder not in _PUT_AWAY and folder not in _DERIVED


def _is_note(name: str) -> bool:
    return (
        name.endswith(".md")
        and name[0] != "."
        and name not in _DERIVED_FILES
        and name.casefold() not in NEVER_WRITTEN
    )


# Of such a pattern the folders alone decide: what it says of one plain name it says of all.
_ANY_NAME = re.compile(r"(?:\*/)*\*\.md")
_DATED = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*.md"

# Notes that a design's users also have, beyond the places we would write to ourselves.
_ALSO: Mapping[str, tuple[NoteHome, ...]] = {
    "v4": (
        NoteHome(role=NoteRole.PROCEDURAL, folder=".learnings", pattern="*.md"),
        NoteHome(role=NoteRole.DAILY, folder="memory", pattern=_DATED),
        NoteHome(role=NoteRole.SEMANTIC, folder="memory", pattern="*.md"),
    ),
    "clawseat": (
        NoteHome(role=NoteRole.PROCEDURAL, folder="learnings", pattern="*.md"),
        NoteHome(role=NoteRole.SEMANTIC, folder="shared", pattern="*.md"),
        NoteHome(role=NoteRole.SEMANTIC, folder="research", pattern="*.md"),
    ),
    "openclaw": (
        NoteHome(role=NoteRole.HOT, folder="", pattern="memory.md"),
        NoteHome(role=NoteRole.SEMANTIC, folder="memory", pattern="*.md"),
    ),
}


def note_homes(name: str) -> tuple[NoteHome, ...]:
    """The places of a layout that hold notes; the first that holds a file gives the file its role."""
    layout = layout_named(name)
    shared = (_home_of(NoteRole.PAGE, layout[place]) for place in ("learnings", "shared_page"))
    return (*(_home_of(role, layout[role]) for role in NoteRole), *_ALSO.get(name, ()), *shared)


def _home_of(role: NoteRole, template: str) -> NoteHome:
    fixed = template.partition("{")[0]
    folder = fixed.rpartition("/")[0]
    rest = template[len(folder) + 1 :] if folder else template
    pattern = _DATED if role is NoteRole.DAILY else re.sub(r"\{\w+\}", "*", rest)
    return NoteHome(role=role, folder=folder, pattern=pattern)
