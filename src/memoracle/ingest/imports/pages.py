"""Clawseat's records: one JSON document each, under `projects/`, `shared/`, or flat in the root of an old directory.

Folders of both spellings are read, `decision/` and `decisions/`. What scanners saw of a machine stays there: it is
seen anew here, and it may hold secrets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memoracle.ingest.imports.piece import Holding, Piece, lost, passed_over, piece_of, text_at
from memoracle.model.record import Record
from memoracle.model.report import Finding
from memoracle.store import carried
from memoracle.store.contain import walk
from memoracle.store.older import upgrade

_DERIVED = frozenset({"index.json", "health.json", "activation-metadata.json", "config.json"})
_NOT_RECORDS = frozenset({"dev_env.json"})


def read_pages(root: str) -> Holding:
    """Every record that stands in a file of its own, and the reflections of projects."""
    pieces: list[Piece] = []
    findings: list[Finding] = []
    for place in _documents(root):
        text, told = text_at(f"{root}/{place}", place)
        findings += told
        try:
            document: Any = json.loads(text)
        except (ValueError, RecursionError):
            findings.append(lost(place, None, "it is not a JSON document"))
            continue
        for one in document if isinstance(document, list) else [document]:
            _take(one, place, None, pieces, findings)
    for place in walk(root, "projects", ("reflections.jsonl",)):
        text, told = text_at(f"{root}/{place}", place)
        findings += told
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                try:
                    _take(json.loads(line), place, number, pieces, findings)
                except (ValueError, RecursionError):
                    findings.append(lost(place, number, "it is not JSON"))
    if any(walk(root, "machine", (".json",))):
        findings.append(passed_over("machine", "what scanners saw of a machine is seen anew here"))
    return Holding(pieces=tuple(pieces), findings=tuple(findings))


def record_in(fields: Any) -> Record:
    """The record of a JSON object in an older shape, or of one that left through `export`; raises ValueError."""
    if not isinstance(fields, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004 - every bad value of a line is a ValueError
    if fields.get("seat") and fields.get("issue_id") and "detail" in fields:
        fields = _journal_entry(fields)
    inside = {name: said for name, said in fields.items() if name != carried.NAME}
    record = upgrade(inside)
    return carried.restore(fields.get(carried.NAME), text=record.text) or record


def _documents(root: str) -> Iterator[str]:
    for place in walk(root, "", (".json",)):
        steps = place.split("/")
        flat = len(steps) == 1 and place not in _DERIVED
        kept = steps[0] in {"projects", "shared", "learnings"} and not any(
            s.startswith("_") for s in steps[:-1]
        )
        if (flat or kept) and steps[-1] not in _NOT_RECORDS:
            yield place


def _take(fields: Any, place: str, line: int | None, pieces: list[Piece], findings: list[Finding]) -> None:
    try:
        pieces.append(piece_of(record_in(fields), place=place, line=line))
    except ValueError as problem:
        findings.append(lost(place, line, f"it is not a record: {problem}"))


def _journal_entry(fields: dict[str, Any]) -> dict[str, Any]:
    """An entry of a seat's journal in the words of a record."""
    reason = fields.get("reason") or ""
    detail = fields["detail"]
    body = f"{detail}\n\n{reason}" if reason and reason != detail else detail
    kept = {name: said for name, said in fields.items() if name not in {"issue_id", "detail", "reason"}}
    return kept | {"schema_version": 1, "id": fields["issue_id"], "author": fields["seat"], "body": body}
