"""Which file of a target holds what, shape by shape. Pure: records in, files out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from memoracle.clock import write_time
from memoracle.model.record import Record, Status
from memoracle.store import bullets, shapes
from memoracle.store.layouts import layout_named
from memoracle.store.store import COLLECTIONS

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
    if place := layout.get("activation"):
        yield place, json.dumps(activations, ensure_ascii=False, indent=1).encode() + b"\n"


def in_notes(shape: str, records: Sequence[Record], notes: Mapping[str, bytes]) -> dict[str, bytes]:
    """Bullets in the notes where the design keeps such things; what an agent must know stands in MEMORY.md."""
    layout, openclaw = layout_named(shape), shape == "openclaw"
    files = dict(notes)
    held: dict[str, tuple[str, list[str]]] = {}
    hot: list[str] = []
    for record in records:
        line = bullets.bullet(record, openclaw=openclaw)
        is_hot = openclaw and (record.kind.value in _HOT or record.pinned) and record.status is Status.ACTIVE
        if is_hot and sum(map(len, hot)) + len(line) <= _MOST_HOT:
            hot.append(line)
            continue
        role, name = bullets.home_of(record.kind)
        path = layout[role].format(name=name)
        path = path.replace(".md", "-records.md") if path in notes else path
        held.setdefault(path, (name, []))[1].append(line)
    files |= {path: bullets.note_of(name, lines).encode() for path, (name, lines) in held.items()}
    if hot:
        before = files.get("MEMORY.md", b"# Memory\n").decode().rstrip("\n")
        files["MEMORY.md"] = (f"{before}\n\n## Known\n\n" + "\n".join(hot) + "\n").encode()
    return files


def for_people(records: Sequence[Record], places: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """One page per kind and one per entity, every line with its citation."""
    kinds: dict[str, list[str]] = {}
    entities: dict[str, tuple[str, list[str]]] = {}
    for record in records:
        line = bullets.cited(record, places.get(record.id, ""))
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
