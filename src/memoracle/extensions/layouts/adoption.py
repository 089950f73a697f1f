"""The adoption report: every file of a directory of another design by name, and what it becomes. Changes nothing.

What a place holds is read from the design's table; what only one design knows (its configuration, files beside its
root) is told by its function in `DESIGNS`.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

from memoracle.errors import BadSetting, MemoracleError
from memoracle.model.adoption import AdoptionReport, DesignSays, FoundFiles, Setting
from memoracle.model.ids import file_digest
from memoracle.model.record import Status
from memoracle.model.report import Finding, Severity
from memoracle.resolve import FILE
from memoracle.settings import HALF_LIVES, Settings, checked
from memoracle.store.disk import DiskVolume
from memoracle.store.journal import read_records
from memoracle.store.layouts import COLLECTIONS, NoteRole, layout_named, list_notes, note_homes, record_files

_SHELTER = ".memoracle/"
_OWN = frozenset({FILE, ".gitignore", ".gitattributes"})
_NOTES = {
    NoteRole.HOT: "stays its owner's; one generated block is added below",
    NoteRole.BUFFER: "the working buffer, as it is",
    NoteRole.DAILY: "read in place; a day's digest is added to new days alone",
}
_READ_IN_PLACE = "read in place"
_DERIVED = "made anew from the records once you agree; until then it stands as it is"
_BECOMES = {
    "activation": "how alive each record is, and when it was used last",
    **dict.fromkeys(
        "entities relations rankings keywords timeline entity_index entity snapshot root_index project_index "
        "project_timeline links backlinks".split(),
        _DERIVED,
    ),
    **dict.fromkeys(("vectors", "vector_ids"), "not read: vectors are computed anew, beside it"),
    "canaries": "the questions of `probe`",
    "health": "how the last run went; every run writes it again, as the design's own does",
    "consolidation": "when the scores were worked out; every run notes itself there, as the design's own does",
    "configuration": "its numbers become settings",
    "sessions": "conversations, read every hour; never changed",
    "events": "the trail goes on below its lines",
    "soul": "its owner's alone: readable, never written",
    "machine": "what scanners saw; read in place",
    "handoffs": "hand-offs, read in place",
    **dict.fromkeys(("project_record", "shared"), "records, each a page that is read in place"),
    "project_fact": "what a scanner saw of the repository, asked for by `get`",
    "reflections": "what was thought over, read in place",
    "north_star": "the goal that `drift` measures against",
    "responses": "answers to tasks, as they are",
    "archived_daily": "old notes, found on demand",
    "backups": "left alone",
}
"""What becomes of a file at a place of a layout's table."""


def survey(place: str, layout: str) -> AdoptionReport:
    """What stands in a directory of this layout. Reads every record line, and the names of everything else."""
    volume, table = DiskVolume(place), layout_named(layout)
    own = DESIGNS[layout](volume) if layout in DESIGNS else DesignSays()
    told = {one.place for one in own.found}
    files = [path for path in volume.walk("", ("",), hidden=True) if not _is_passed_over(path)]
    known: Counter[tuple[str, str, str]] = Counter({})
    notes = list_notes(volume, note_homes(layout))
    places = [(name, _pattern(template)) for name, template in table.items() if _is_theirs(template)]
    records = {path for path in record_files(table) if path in files}
    unknown: list[str] = []
    for path in files:
        if path in records or path in told:
            continue
        if path in notes:
            role = notes[path]
            known[f"{role} notes", _folder(path), _NOTES.get(role, _READ_IN_PLACE)] += 1
        elif name := next((name for name, pattern in places if pattern.fullmatch(path)), ""):
            known[name.replace("_", " "), _folder(path), _BECOMES.get(name, _READ_IN_PLACE)] += 1
        else:
            unknown.append(path)
    counted = _records(volume, table, records)
    return AdoptionReport(
        root=place,
        layout=layout,
        active=counted.active,
        archived=counted.archived,
        found=(
            *counted.found,
            *own.found,
            *(
                FoundFiles(what=what, place=at, becomes=becomes, files=n)
                for (what, at, becomes), n in known.items()
            ),
        ),
        settings=own.settings,
        sources=(os.path.join(place, table["sessions"]),) if _is_theirs(table["sessions"]) else (),
        findings=(*counted.findings, *own.findings),
        unknown=tuple(unknown),
        digests={path: file_digest(volume.read(path)) for path in files if path not in unknown},
    )


def _records(volume: DiskVolume, table: Mapping[str, str], present: set[str]) -> AdoptionReport:
    """The record files: how many stand in each, and which lines cannot be read."""
    places = record_files(table)
    live: set[str] = set()
    away: set[str] = set()
    found, findings = [], []
    for at, path in enumerate(places):
        if path not in present:
            continue
        reading = read_records(path, volume.read(path))
        cold = at >= len(COLLECTIONS)
        ids = {one.record.id for one in reading.versions}
        put_away = (
            ids
            if cold
            else {one.record.id for one in reading.versions if one.record.status is Status.ARCHIVED}
        )
        away |= put_away
        live |= ids - put_away
        findings += [piece.finding() for piece in reading.damage]
        becomes = "archived, found on demand" if cold else "records, their lines as they are"
        found.append(FoundFiles(what="records", place=path, becomes=becomes, holds=len(ids)))
    return AdoptionReport(
        root="",
        layout="",
        active=len(live),
        archived=len(away - live),
        found=tuple(found),
        findings=tuple(findings),
    )


def _is_passed_over(path: str) -> bool:
    return path in _OWN or path.startswith((_SHELTER, ".git/"))


def _is_theirs(template: str) -> bool:
    return not template.startswith(_SHELTER)


def _pattern(template: str) -> re.Pattern[str]:
    """The paths that a template stands for; a folder stands for all below it."""
    pieces = [re.escape(text) + ("[^/]+" if name else "") for text, name, _, _ in Formatter().parse(template)]
    return re.compile("".join(pieces) + r"(?:/.*)?")


def _folder(path: str) -> str:
    folder = path.rpartition("/")[0]
    return f"{folder}/" if folder else path


# What one design says in files of its own.


def _not_taken(path: str, name: str, because: str) -> Finding:
    return Finding(
        code="setting-not-taken", severity=Severity.INFO, path=path, message=f"`{name}`: {because}"
    )


def _configuration(path: str, holds: int) -> FoundFiles:
    return FoundFiles(what="configuration", place=path, becomes=_BECOMES["configuration"], holds=holds)


def _taken(path: str, wanted: Mapping[str, tuple[str, Any]]) -> tuple[dict[str, Setting], list[Finding]]:
    """The settings that differ from ours, by our names; what ours cannot be is told by theirs."""
    usual, settings, findings = Settings(), {}, []
    for theirs, (name, said) in wanted.items():
        try:
            given = checked(name, said, where=path)
        except BadSetting as problem:
            findings.append(_not_taken(path, theirs, str(problem)))
            continue
        if given != getattr(usual, name):
            settings[name] = given
    return settings, findings


_VM_SETTINGS = {
    "recall_boost": "recall_boost",
    "search_threshold": "search_floor",
    "prune_threshold": "archive_below",
    "max_facts": "max_active",
    "session_retention_days": "session_retention_days",
    "daily_retention_days": "daily_retention_days",
    "memory_md_max_lines": "hot_lines",
}
_VM_ELSEWHERE = {
    "data_path": "the directory itself says where it stands",
    "canary_check_interval": "canaries are asked on Sundays",
    "embedding_model": "the bundled model is used; MEMORACLE_EMBEDDER names another",
    "embedding_device": "the bundled model needs none",
}


def _vm_oracle(volume: DiskVolume) -> DesignSays:
    """The YAML block `memory_oracle:` of a configuration in the directory or beside it."""
    settings: dict[str, Setting] = {"profile": "vm-oracle"}
    found, findings = [], []
    for path, said in _yaml_blocks(volume.root, "memory_oracle"):
        wanted = {name: (ours, said[name]) for name, ours in _VM_SETTINGS.items() if name in said}
        wanted |= {
            f"half_life_days of {name}": (name, said["half_life_days"])
            for name in HALF_LIVES
            if "half_life_days" in said
        }
        taken, refused = _taken(path, wanted)
        settings |= {name: given for name, given in taken.items() if name not in HALF_LIVES or given != 30.0}
        findings += refused
        for name in sorted(said.keys() - _VM_SETTINGS.keys() - {"half_life_days"}, key=str):
            findings.append(
                _not_taken(path, str(name), _VM_ELSEWHERE.get(name, "no setting here is like it"))
            )
        found.append(_configuration(path, len(said)))
    return DesignSays(settings=settings, found=tuple(found), findings=tuple(findings))


def _yaml_blocks(root: str, block: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The blocks of this name in YAML files of a folder, and of the one above it where they mean this folder."""
    from memoracle.store.frontmatter import load_yaml

    for folder, shown in ((root, ""), (os.path.dirname(root), "../")):
        for name in sorted(one for one in _listed(folder) if one.endswith((".yaml", ".yml"))):
            try:
                held = load_yaml(Path(folder, name).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            said = held.get(block)
            if not isinstance(said, dict):
                continue
            means = os.path.realpath(os.path.expanduser(str(said.get("data_path", ""))))
            if not shown or means == os.path.realpath(root):
                yield f"{shown}{name}", said


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


_DAILY_CRON = re.compile(r"(\d{1,2}) (\d{1,2}) \* \* \*")
_IMPORTANCE = {
    "identity_health_safety": 1.0, "preference_relation_status": 0.8, "general_fact": 0.5, "temporary": 0.2,
}  # fmt: skip


def _memory_system(volume: DiskVolume) -> DesignSays:
    """`config.json`: rates of decay as half-lives, thresholds, the budget of the snapshot, the hour of the run."""
    # All that is active takes part in its searches, however faint.
    settings: dict[str, Setting] = {"search_floor": 0.05}
    path = "config.json"
    if not volume.has(path):
        return DesignSays(settings=settings)
    try:
        said = json.loads(volume.read(path) or b"null")
    except (ValueError, RecursionError, MemoracleError):
        said = None
    if not isinstance(said, dict):
        return DesignSays(settings=settings, findings=(_not_taken(path, path, "it is not a JSON object"),))
    wanted: dict[str, tuple[str, Any]] = {}
    findings = []
    for group, name, given in _leaves(said):
        shown = f"{group}.{name}" if group else name
        if group == "decay_rates" and name in {"fact", "belief", "summary"} and _is_rate(given):
            days = float(f"{math.log(2) / given:.4g}")
            # The design's own numbers are ours, rounded.
            if round(days) != round(getattr(Settings(), f"half_life_{name}")):
                wanted[shown] = (f"half_life_{name}", days)
        elif shown == "thresholds.archive":
            wanted[shown] = ("archive_below", given)
            settings["search_floor"] = given if isinstance(given, float) and 0 <= given <= 1 else 0.05
        elif shown == "thresholds.summary_trigger":
            wanted[shown] = ("summary_trigger", given)
        elif shown == "token_budget.layer1_total":
            wanted[shown] = ("hot_tokens", given)
        elif shown == "consolidation.schedule" and (cron := _DAILY_CRON.fullmatch(str(given))):
            at = f"{int(cron[2]):02}:{int(cron[1]):02}"
            if at != "03:00":
                wanted[shown] = ("consolidate_at", at)
        elif shown != "version" and _USUAL.get(shown) != given:
            findings.append(_not_taken(path, shown, f"{given!r} has no setting here that is like it"))
    taken, refused = _taken(path, wanted)
    row = _configuration(path, len(list(_leaves(said))))
    return DesignSays(settings=settings | taken, found=(row,), findings=(*refused, *findings))


_USUAL: Mapping[str, Any] = {
    "consolidation.fallback_hours": 48,
    "consolidation.model": "default",
    **{f"importance_rules.{name}": share for name, share in _IMPORTANCE.items()},
}


def _leaves(said: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for group, held in said.items():
        if isinstance(held, dict):
            yield from ((group, name, given) for name, given in held.items())
        else:
            yield "", group, held


def _is_rate(given: Any) -> bool:
    return isinstance(given, float) and 0 < given < 1


_DESKS = {
    "patrol/handoffs/*.json*": ("hand-offs", "read there, and new ones are written beside them"),
    "*/TODO.md": ("queues of seats", "new hand-offs are entered there too"),
    "*/DELIVERY.md": ("deliveries of seats", "read there; one that is replaced is kept in the archive first"),
    "peer-deliveries/**/DELIVERY.md": (
        "deliveries of peers",
        "told to the memory seat, cited and never copied",
    ),
}
"""What stands beside a memory of clawseat, by project."""


def _clawseat(volume: DiskVolume) -> DesignSays:
    """Secrets that its scanner left, and the tasks and profiles beside the memory."""
    beside = Path(volume.root).parent
    found = []
    for project in sorted(_listed(str(beside / "tasks"))):
        for pattern, (what, becomes) in _DESKS.items():
            if number := len(list((beside / "tasks" / project).glob(pattern))):
                place = f"../tasks/{project}/{pattern}"
                found.append(FoundFiles(what=what, place=place, becomes=becomes, files=number))
    if profiles := len(list(beside.glob("profiles/*-profile-dynamic.toml"))):
        words = "which seats take part in a rehearsal; never written"
        found.append(FoundFiles(what="profiles", place="../profiles/", becomes=words, files=profiles))
    path = "machine/credentials.json"
    try:
        held = json.loads(volume.read(path) or b"null")
    except (ValueError, RecursionError, MemoracleError):
        held = None
    keys = held.get("keys") if isinstance(held, dict) else None
    in_clear = [one for one in (keys or {}).values() if isinstance(one, dict) and one.get("value")]
    if in_clear:
        words = "told by name, never shown; `memoracle scan machine` puts fingerprints in their place"
        found.append(FoundFiles(what="secrets in clear", place=path, becomes=words, holds=len(in_clear)))
    return DesignSays(found=tuple(found))


_WORKSPACE = ("AGENTS.md", "USER.md", "IDENTITY.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md", "BOOT.md")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMPACTION = {"reserveTokensFloor": "reserve_tokens", "softThresholdTokens": "flush_soft_tokens"}


def _of_the_host(volume: DiskVolume) -> list[FoundFiles]:
    says = "its owner's and the host's; not read here, never written"
    return [FoundFiles(what="workspace", place=name, becomes=says) for name in _WORKSPACE if volume.has(name)]


def _v4(volume: DiskVolume) -> DesignSays:
    """The scripts of the design, whose work verbs do, and what an agent's host keeps beside them."""
    scripts = [
        path
        for folder in ("memory/scripts", "scripts")
        for path in volume.walk(folder, (".sh",))
        if volume.has(path)
    ]
    says = "left alone; `health`, `consolidate` and atomic writes do its work"
    rows = [FoundFiles(what="script", place=path, becomes=says) for path in scripts]
    return DesignSays(found=(*rows, *_of_the_host(volume)))


def _openclaw(volume: DiskVolume) -> DesignSays:
    """What the workspace's host keeps in it and beside it: instructions, its configuration, its conversations."""
    found, findings = _of_the_host(volume), []
    home = os.path.dirname(volume.root)
    settings: dict[str, Setting] = {}
    agents = os.path.join(home, "agents")
    for agent in sorted(_listed(agents)):
        many = sum(name.endswith(".jsonl") for name in _listed(os.path.join(agents, agent, "sessions")))
        if many:
            becomes = "conversations; `memoracle ingest openclaw` reads them, and upkeep goes on doing so"
            place = f"../agents/{agent}/sessions/"
            found.append(FoundFiles(what="sessions", place=place, becomes=becomes, files=many))
    if "openclaw.json" in _listed(home):
        path = "../openclaw.json"
        try:  # JSON5: only these numbers matter
            text = _COMMENT.sub("", Path(home, "openclaw.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            text = ""
        said = {name: re.search(rf"\b{name}[\"']?\s*:\s*(\d{{1,9}})\b", text) for name in _COMPACTION}
        wanted = {name: (_COMPACTION[name], int(one[1])) for name, one in said.items() if one}
        taken, refused = _taken(path, wanted)
        settings |= taken
        findings += refused
        found.append(_configuration(path, len(wanted)))
    return DesignSays(settings=settings, found=tuple(found), findings=tuple(findings))


DESIGNS: Mapping[str, Callable[[DiskVolume], DesignSays]] = {
    "vm-oracle": _vm_oracle,
    "memory-system": _memory_system,
    "clawseat": _clawseat,
    "v4": _v4,
    "openclaw": _openclaw,
}
"""What a design keeps that its table of places does not say, by layout."""
