"""Moving out: the standing records and the notes of a root, written where another program, or a person, reads them.

The target lies outside the root and is new, empty or agreed to. What stays at home is counted by its reason; records of
sensitivity `secret` stay unless they are asked for. `import` reads every one of these shapes back.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memoracle.errors import BadInput, MemoracleError, NeedsConsent, Refused, WriteFailed
from memoracle.extensions.exchange import shapes
from memoracle.extensions.exchange.imports.item import differs, home_in, lost, sheet_of
from memoracle.model.manifest import Role
from memoracle.model.record import Record, Sensitivity, Status, newest
from memoracle.model.report import Exported, WantedImport
from memoracle.model.search import Passage
from memoracle.model.value import to_plain
from memoracle.store import durable, sealed
from memoracle.store.disk import inside
from memoracle.store.generated import owners_text
from memoracle.store.layouts import NoteRole, layout_named
from memoracle.store.line import encode
from memoracle.store.store import COLLECTIONS, Store
from memoracle.store.volume import content_of
from memoracle.text import normalise
from memoracle.times import write_time

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from memoracle.model.report import Finding
    from memoracle.root import Root


# Everything about one entity in one JSON document: records with their evidence, and passages that mention it.

_READ = {Role.NOTE: "notes", Role.TRANSCRIPT: "turns"}


def mentioning(store: Store, names: Sequence[str]) -> dict[str, list[Passage]]:
    """The passages of notes and conversations that name one of these, by sort."""
    found: dict[str, list[Passage]] = {"notes": [], "turns": []}
    is_named = _naming(names)
    for state in store.manifest():
        if state.role in _READ:
            loaded = store.load(state.path, state.role)
            found[_READ[state.role]] += [
                one for one in loaded.passages if is_named.search(normalise(one.text))
            ]
    return found


def dossier(
    names: Sequence[str],
    records: Sequence[Record],
    places: Mapping[str, str],
    passages: Mapping[str, Sequence[Passage]],
) -> bytes:
    """The document."""
    document = {
        "entity": names[0],
        "names": list(names),
        "records": [{**to_plain(one), "cite": places.get(one.id, "")} for one in records],
        **{sort: [_row(one) for one in held] for sort, held in passages.items()},
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def _row(passage: Passage) -> dict[str, str]:
    row = {
        "cite": passage.cite,
        "who": passage.who,
        "at": passage.at.isoformat() if passage.at else "",
        "session": passage.session,
        "channel": passage.channel,
        "text": passage.text,
    }
    return {name: item for name, item in row.items() if item}


def _naming(names: Sequence[str]) -> re.Pattern[str]:
    """What finds a name as a whole word; between letters without spaces, wherever it stands."""
    return re.compile("|".join(sorted(_patterns(names), key=len, reverse=True)) or r"(?!)")


def _patterns(names: Sequence[str]) -> Iterator[str]:
    for name in map(normalise, names):
        if name.strip():
            yield rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name)


# Which file of a target holds what, shape by shape. Pure: records in, files out.

_HOT = frozenset({"preference", "rule", "identity", "health", "safety"})
_ODD = re.compile(r"[^\w.\-]+")
_MOST_HOT = 18_000


def in_lines(shape: str, records: Sequence[Record]) -> Iterator[tuple[str, bytes]]:
    """Record files in the design's own lines, or one document per record."""
    layout = layout_named(shape)
    if shape == "clawseat":
        for record in records:
            fields = shapes.fields_in(shape, record)
            folder = f"projects/{record.scope.project}" if record.scope.project else "shared"
            name = _ODD.sub("-", fields["id"]).strip("-.")
            document = json.dumps(fields, ensure_ascii=False, indent=2).encode() + b"\n"
            yield f"{folder}/{record.kind.value}/{name}.json", document
        projects = sorted({record.scope.project for record in records if record.scope.project})
        yield (
            "index.json",
            json.dumps({"version": 1, "projects": projects}, ensure_ascii=False).encode() + b"\n",
        )
        return
    own = shape == "memory-system"
    homes: dict[str, list[bytes]] = {layout[name]: [] for name in COLLECTIONS if own or name == "facts"}
    activations = {}
    for record in records:
        name = (
            {"belief": "beliefs", "summary": "summaries"}.get(record.kind.value, "facts") if own else "facts"
        )
        cold = record.status is Status.ARCHIVED
        line = shapes.line_in(shape, record)
        homes.setdefault(layout[f"archived_{name}" if cold else name], []).append(line)
        fields = json.loads(line)
        if not cold:
            seen = {"activation": fields.get("activation"), "last_accessed": write_time(record.anchor.at)}
            activations[fields["id"]] = seen
    yield from ((path, b"".join(lines)) for path, lines in homes.items())
    if place := layout.get("consolidation"):
        state = dict.fromkeys(("last_run", "last_success", "current_phase")) | {
            "phase_data": {},
            "retry_count": 0,
        }
        yield (
            place,
            json.dumps(state, indent=2).encode() + b"\n",
        )  # its own program does not start without one
    if place := layout.get("activation"):
        yield place, json.dumps(activations, ensure_ascii=False, indent=1).encode() + b"\n"


def in_notes(shape: str, records: Sequence[Record], notes: Mapping[str, bytes]) -> dict[str, bytes]:
    """Bullets in the notes where the design keeps such things; what an agent must know stands in MEMORY.md."""
    layout, openclaw = layout_named(shape), shape == "openclaw"
    files = dict(notes)
    held: dict[str, tuple[str, list[str]]] = {}
    hot: list[str] = []
    for record in records:
        line = shapes.bullet(record, openclaw=openclaw)
        is_hot = openclaw and (record.kind.value in _HOT or record.pinned) and record.status is Status.ACTIVE
        if is_hot and sum(map(len, hot)) + len(line) <= _MOST_HOT:
            hot.append(line)
            continue
        role, name = shapes.home_of(record.kind)
        path = layout[role].format(name=name)
        path = path.replace(".md", "-records.md") if path in notes else path
        held.setdefault(path, (name, []))[1].append(line)
    files |= {path: shapes.note_of(name, lines).encode() for path, (name, lines) in held.items()}
    if hot:
        before = files.get("MEMORY.md", b"# Memory\n").decode().rstrip("\n")
        files["MEMORY.md"] = (f"{before}\n\n## Known\n\n" + "\n".join(hot) + "\n").encode()
    return files


def for_people(records: Sequence[Record], places: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """One page per kind and one per entity, every line with its citation."""
    kinds: dict[str, list[str]] = {}
    entities: dict[str, tuple[str, list[str]]] = {}
    for record in records:
        line = shapes.cited(record, places.get(record.id, ""))
        kinds.setdefault(record.kind.value, []).append(line)
        for name in record.entities:
            file = _ODD.sub("-", name).strip("-._")[:60] or "unnamed"
            entities.setdefault(f"entities/{file.casefold()}.md", (name, []))[1].append(
                f"\n## {record.kind.value}\n\n{line}"
            )
    for kind, lines in sorted(kinds.items()):
        yield f"{kind}.md", (f"# {kind}\n\n" + "\n".join(lines) + "\n").encode()
    for path, (name, lines) in sorted(entities.items()):
        yield path, (f"# {' '.join(name.split())}\n" + "\n".join(lines) + "\n").encode()


_LAYOUTS = frozenset({"vm-oracle", "memory-system", "v4", "clawseat", "openclaw"})
_OTHERS = frozenset({"markdown", "jsonl", "json"})
_FOLDERS = {
    "memory-system": ("layer1", "layer2/archive", "layer2/entities", "layer2/index"),
    "clawseat": ("projects",),
    "v4": ("memory/episodic", "memory/procedural"),
    "openclaw": ("memory",),
}


class Exporting:
    """One root's way out."""

    def __init__(self, store: Store, *, hide: Callable[[str], str], now: datetime) -> None:
        self._store = store
        self._hide = hide
        self._now = now

    def run(
        self, target: str, shape: str, wanted: WantedImport, *, dry_run: bool = False, overwrite: bool = False
    ) -> Exported:
        """Write everything out, or say what would be written."""
        if shape not in _LAYOUTS | _OTHERS:
            raise BadInput(f"`{shape}` is not a shape", f"one of: {', '.join(sorted(_LAYOUTS | _OTHERS))}")
        place = os.path.realpath(os.path.expanduser(target))
        self._must_be_free(place, overwrite=overwrite or dry_run)
        left: Counter[str] = Counter()
        findings: list[Finding] = []
        records, places = self._records(wanted, left)
        if shape == "json":
            return self._dossier(place, wanted, records, places, left, dry_run=dry_run)
        notes = {} if shape == "jsonl" else self._notes(shape, wanted, findings)
        files = self._files(shape, records, places, notes, findings)
        if not dry_run:
            self._write(place, files, is_file=shape == "jsonl", folders=_FOLDERS.get(shape, ()))
        return Exported(
            target=place,
            shape=shape,
            dry_run=dry_run,
            records=len(records),
            notes=len(notes),
            files=tuple(sorted(files)),
            left_out=dict(left),
            findings=tuple(findings),
        )

    def _dossier(
        self,
        place: str,
        wanted: WantedImport,
        records: Sequence[Record],
        places: Mapping[str, str],
        left: Counter[str],
        *,
        dry_run: bool,
    ) -> Exported:
        """Everything about one entity, as one document."""
        if not wanted.entity:
            raise BadInput("`json` is a document about one entity", "name it with --entity")
        passages = mentioning(self._store, wanted.names or (wanted.entity,))
        if not dry_run:
            content = dossier(wanted.names or (wanted.entity,), records, places, passages)
            self._write(place, {"entity.json": content}, is_file=True, folders=())
        return Exported(
            target=place,
            shape="json",
            dry_run=dry_run,
            records=len(records),
            notes=len(passages["notes"]),
            turns=len(passages["turns"]),
            files=(os.path.basename(place),),
            left_out=dict(left),
        )

    def _must_be_free(self, place: str, *, overwrite: bool) -> None:
        if os.path.commonpath([place, self._store.root]) == self._store.root:
            raise Refused(f"{place} lies inside the memory; export somewhere else")
        full = os.path.isdir(place) and os.listdir(place)
        if (full or os.path.isfile(place)) and not overwrite:
            raise NeedsConsent(f"writing over what is at {place}")

    def _records(self, wanted: WantedImport, left: Counter[str]) -> tuple[list[Record], dict[str, str]]:
        """The records that go along, oldest first, and where each stands."""
        histories: dict[str, list[Record]] = {}
        for _, record in self._store.journal.all_versions():
            histories.setdefault(record.id, []).append(record)
        chosen = []
        for versions in histories.values():
            standing = newest(versions)
            if reason := _stays(standing, wanted):
                left[reason] += standing.status is not Status.FORGOTTEN
            else:
                chosen.append(standing)
                left["earlier version"] += len({one.version for one in versions}) - 1
        for reason in [name for name, many in left.items() if not many]:
            del left[reason]
        chosen.sort(key=lambda record: (record.created, record.id))
        return chosen, self._places({record.id: record for record in chosen})

    def _places(self, records: Mapping[str, Record]) -> dict[str, str]:
        """The citation of the line that each of these versions stands on."""
        found: dict[str, str] = {}
        for path in self._store.journal.plain_files():
            for version in self._store.journal.versions_in(path):
                if records.get(version.record.id) == version.record:
                    found[version.record.id] = f"{path}#L{version.line}"
        return found

    def _notes(self, shape: str, wanted: WantedImport, findings: list[Finding]) -> dict[str, bytes]:
        """The notes at their places in the other layout."""
        if wanted.entity:
            return {}
        notes = self._store.notes.files()
        listed = [(place, role, False) for place, role in notes.items() if role is not NoteRole.ARCHIVED]
        if wanted.include_archived:
            folder = os.path.dirname(self._store.layout["archived_daily"].partition("{")[0] + "x")
            listed += [
                (place, NoteRole.DAILY, True) for place in self._store.volume.walk(folder, (".md", ".md.gz"))
            ]
        made: dict[str, bytes] = {}
        for place, role, cold in listed:
            try:
                text = owners_text(content_of(self._store.volume, place).decode("utf-8"))
            except (MemoracleError, UnicodeDecodeError) as problem:
                findings.append(lost(place, None, f"the note stays here: {problem}"))
                continue
            if not text.strip() or (role is NoteRole.HOT and not _says_something(text)):
                continue
            sheet = sheet_of(place, role, self._hide(text), archived=cold)
            if wanted.project and sheet.project != wanted.project:
                continue
            if shape == "markdown":
                home = f"notes/{place}"
            else:
                home = "MEMORY.md" if role is NoteRole.HOT else home_in(layout_named(shape), sheet)
            made[home] = sheet.text.encode()
        return made

    def _files(
        self,
        shape: str,
        records: Sequence[Record],
        places: Mapping[str, str],
        notes: Mapping[str, bytes],
        findings: list[Finding],
    ) -> dict[str, bytes]:
        if shape == "jsonl":
            return {"records.jsonl": b"".join(map(encode, records))}
        if shape == "markdown":
            return {**dict(for_people(records, places)), **notes}
        if shape in {"v4", "openclaw"}:
            return in_notes(shape, records, notes)
        if shape == "vm-oracle" and (
            bare := [record.id for record in records if not shapes.says_triple(record)]
        ):
            says = f"{len(bare)} records are no triple: whom they are about and their kind stand in for one"
            findings.append(differs("knowledge-graph/facts.jsonl", None, says))
        return {**dict(in_lines(shape, records)), **notes}

    def _write(
        self, place: str, files: Mapping[str, bytes], *, is_file: bool, folders: Sequence[str]
    ) -> None:
        if is_file:
            (content,) = files.values()
            durable.make_folder(os.path.dirname(place))
            durable.put_raw(place, sealed.shut(place, content))
            return
        for folder in (place, *(inside(place, one) for one in folders)):
            durable.make_folder(folder)
        for relative, content in files.items():
            path = inside(place, relative)
            durable.make_folder(os.path.dirname(path))
            _put(path, content)
        os.sync()  # once: a design may want thousands of small files


def _put(path: str, content: bytes) -> None:
    """A file written whole; a link that stands there is not followed."""
    try:
        handle = durable.open_plain(path, os.O_WRONLY, create=True)
        try:
            os.ftruncate(handle, 0)
            durable.write_all(handle, sealed.shut(path, content))
        finally:
            os.close(handle)
    except OSError as problem:
        raise WriteFailed(path, os.strerror(problem.errno or 0)) from problem


def _stays(record: Record, wanted: WantedImport) -> str:
    """Why a record stays at home; empty when it goes along."""
    if record.status is Status.ARCHIVED and not wanted.include_archived:
        return "archived (--include-archived takes it along)"
    if record.status not in {Status.ACTIVE, Status.ARCHIVED}:
        return record.status.value
    if record.sensitivity is Sensitivity.SECRET and not wanted.include_secret:
        return "secret (--include-secret takes it along)"
    if wanted.project and record.scope.project != wanted.project:
        return "of another project"
    names = {
        normalise(name) for name in (*record.entities, record.statement.subject, record.statement.object)
    }
    asked = {normalise(name) for name in (wanted.entity, *wanted.names) if name}
    if asked and asked.isdisjoint(names):
        return "about something else"
    return ""


def _says_something(text: str) -> bool:
    return any(line.strip() and not line.startswith("#") for line in text.split("\n"))


def export(
    root: Root,
    target: str,
    *,
    shape: str = "markdown",
    entity: str = "",
    project: str = "",
    include_archived: bool = False,
    include_secret: bool = False,
    dry_run: bool = False,
    overwrite: bool = False,
) -> Exported:
    """Write the standing records and the notes out, in another design's shape or as plain Markdown."""
    root.reader.must_see_all()
    wanted = WantedImport(
        entity=entity,
        names=_names_of(root, entity),
        project=project,
        include_archived=include_archived,
        include_secret=include_secret,
    )
    root.guard.must_be_ready()
    exporting = Exporting(root.store, hide=root.guard.hide, now=root.clock())
    done = exporting.run(target, shape, wanted, dry_run=dry_run, overwrite=overwrite)
    if not dry_run:
        root.log("export", about=[shape], rules=["secret-too"] if include_secret else [])
    return done


def _names_of(root: Root, entity: str) -> tuple[str, ...]:
    """All names of an entity, the one asked for first; that one alone when no record knows it."""
    from memoracle.errors import UnknownEntity
    from memoracle.learn.entity_index import entity_pages, pages_named

    if not entity:
        return ()
    root.view.catch_up()
    standing = root.view.ask(lambda: root.index.standing(root.decay, root.clock()))
    try:
        pages = pages_named(entity_pages(standing), entity)
    except UnknownEntity:
        return (entity,)
    return tuple(dict.fromkeys([entity, *(name for one in pages for name in (one.name, *one.aliases))]))
