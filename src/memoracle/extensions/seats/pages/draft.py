"""Words become a page that may be written, or one sentence that says why not. Pure: no files, no clock."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from memoracle.errors import BadInput, InvalidTime
from memoracle.extensions.seats.files_facets import is_own_kind
from memoracle.extensions.seats.model import (
    COMMON,
    DEFAULT_SEATS,
    EXTRA,
    KINDS,
    LEARNING,
    LISTS,
    MEMORY,
    NEED_EVIDENCE,
    OWN_KINDS,
    REFLECTION,
    SCANNED,
    SEVERITIES,
    SHARED,
    SHARED_FOLDERS,
    SOURCES,
    TRUSTS,
    PageDraft,
    PageStatus,
    Seat,
)
from memoracle.model.record import check_name
from memoracle.text import shorten
from memoracle.times import read_time

LONGEST_BODY = 400_000
LONGEST_LINE = 500
MOST_WORDS = 200
_MOST_ITEMS = 200
_FULL = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}.*")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_WORD = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]|[^\W_]+")
_FOLDERS = {("reviewer", "finding"): "findings", ("patrol", "alignment"): "doc-code-alignment"}
_FOLDERS |= {("patrol", "test_result"): "test-results"}
_OURS = frozenset(
    {*COMMON, "history", "key", "schema_version", "confidence", "source", "supersedes", "evidence"}
)


def make_page(
    *,
    kind: str,
    project: str,
    seat: Seat,
    title: str = "",
    body: str = "",
    task_id: str = "",
    detail: str = "",
    status: str = "",
    confidence: str = "medium",
    source: str = "write_api",
    supersedes: str = "",
    folder: str = "",
    related: Sequence[str] = (),
    evidence: Sequence[Mapping[str, Any]] = (),
    extra: Mapping[str, Any] | None = None,
    ts: datetime | None = None,
    used: Collection[str] = (),
) -> PageDraft:
    """A page with every part checked; what is missing and can be known is filled in.

    `used` are kinds that pages of this seat have already.
    """
    _check_place(kind, project, seat, used)
    words = _line("title", title) or _first_line(body)
    if not words:
        raise BadInput("a page needs a title", "--title TEXT, or a first line in its content")
    if len(body) > LONGEST_BODY or "\0" in body:
        raise BadInput("the body is too long, or holds what no page can keep")
    fields = _checked_fields(seat, extra or {})
    proof = _with_url(evidence, fields)
    if kind in NEED_EVIDENCE and not proof:
        raise BadInput(
            f"a {kind} needs evidence", '--evidence \'[{"trust": "high", "source_url": "path or address"}]\''
        )
    if (seat.name, kind) == ("reviewer", "finding") and len(_WORD.findall(body)) >= MOST_WORDS:
        raise BadInput(f"a reviewer's finding stays under {MOST_WORDS} words", "link to the rest")
    if task_id:
        check_name("task", task_id.replace("#", "-").lstrip("-"))
    return PageDraft(
        kind=kind,
        project=project,
        seat=seat.name,
        title=words,
        body=body,
        task_id=task_id,
        detail=_line("detail", detail) or shorten(body.strip() or words, 200),
        status=_one_of("status", status or "open", [one for one in PageStatus if one != "quarantined"]),
        confidence=_one_of("confidence", confidence or "medium", TRUSTS),
        source=_one_of("source", source or "write_api", SOURCES),
        supersedes=_line("supersedes", supersedes),
        folder=_folder(folder, kind, seat),
        related_task_ids=tuple(_line("related task", one) for one in related),
        evidence=proof,
        extra=fields,
        ts=ts,
    )


def read_ts(text: str) -> datetime:
    """A full moment; a bare date or a number of seconds is none, because nobody could tell what it means."""
    if not _FULL.fullmatch(text.strip()):
        raise InvalidTime(text)
    return read_time(text)


def read_evidence(text: str) -> list[Mapping[str, Any]]:
    """The items of a JSON array of evidence."""
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput("--evidence is not JSON") from None
    if not isinstance(held, list) or not all(isinstance(one, dict) for one in held):
        raise BadInput("--evidence is not an array of objects")
    return held


def checked_evidence(evidence: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """Evidence whose every item says where it stands and how far it is trusted."""
    if len(evidence) > _MOST_ITEMS:
        raise BadInput(f"more than {_MOST_ITEMS} items of evidence")
    for at, one in enumerate(evidence, start=1):
        where = one.get("source_url")
        if one.get("trust") not in TRUSTS or not isinstance(where, str) or not where.strip():
            raise BadInput(
                f"evidence {at} lacks its `trust` ({', '.join(TRUSTS)}) or its `source_url`",
                "each item names where it stands and how far it is trusted",
            )
        if not all(
            isinstance(held, str | int | float | bool | None) and _NAME.fullmatch(name)
            for name, held in one.items()
        ):
            raise BadInput(f"evidence {at} holds something that is neither text nor a number")
    return tuple(dict(one) for one in evidence)


def _check_place(kind: str, project: str, seat: Seat, used: Collection[str]) -> None:
    if kind in SCANNED:
        raise BadInput(f"`{kind}` is what a scanner writes", "`memoracle scan project` keeps it up to date")
    if kind not in KINDS and not (kind in used and is_own_kind(kind)):
        raise BadInput(f"`{kind}` is no kind of page", f"one of: {', '.join(KINDS)}")
    belongs_to_all = kind in SHARED_FOLDERS or kind == LEARNING
    if not project:
        raise BadInput("which project is it about?", f"--project NAME, or {SHARED}")
    if belongs_to_all != (project == SHARED):
        kinds = ", ".join((*SHARED_FOLDERS, LEARNING))
        raise BadInput(f"`{kind}` does not belong to {project}", f"{SHARED} holds: {kinds}")
    if project != SHARED:
        check_name("project", project)
    if seat.name == MEMORY and not belongs_to_all and kind not in {*OWN_KINDS, REFLECTION}:
        raise BadInput(
            f"memory keeps no `{kind}`", f"it keeps what no other seat can own: {', '.join(OWN_KINDS)}"
        )


def _folder(folder: str, kind: str, seat: Seat) -> str:
    if not folder:
        return _FOLDERS.get((seat.name, kind), "")
    if folder not in seat.folders:
        known = ", ".join(seat.folders) or "it has none"
        raise BadInput(f"`{folder}` is no folder of {seat.name}", f"its folders: {known}")
    return check_name("folder", folder)


def _checked_fields(seat: Seat, extra: Mapping[str, Any]) -> dict[str, Any]:
    allowed = set(EXTRA.get(seat.name) or (name for names in EXTRA.values() for name in names))
    checked: dict[str, Any] = {}
    for name, held in extra.items():
        own = seat.name not in DEFAULT_SEATS and _NAME.fullmatch(name) and name not in _OURS
        if name not in allowed and not own:
            raise BadInput(
                f"a page of {seat.name} has no field `{name}`", f"it may have: {', '.join(sorted(allowed))}"
            )
        checked[name] = _field(name, held)
    return checked


def _field(name: str, held: Any) -> Any:
    if name in LISTS:
        parts = held if isinstance(held, list | tuple) else re.split(r"[,，]", str(held))
        return [_line(name, str(one).strip()) for one in parts if str(one).strip()]
    if name == "severity":
        return _one_of(name, str(held).upper(), SEVERITIES)
    if name in {"first_seen", "last_seen", "resolved_at"}:
        read_ts(str(held))
    if held is None or isinstance(held, bool):
        return held
    return None if name == "screenshot_path" and held in {"", "null"} else _line(name, str(held))


def _with_url(
    evidence: Sequence[Mapping[str, Any]], fields: Mapping[str, Any]
) -> tuple[Mapping[str, Any], ...]:
    """The evidence given, and the page a reviewer looked at."""
    proof = checked_evidence(evidence)
    url = fields.get("url")
    return (*proof, {"trust": "high", "source_url": url}) if url and not proof else proof


def _line(name: str, text: str) -> str:
    words = text.strip()
    if len(words) > LONGEST_LINE and name not in {"detail", "reason", "repro"}:
        raise BadInput(f"the {name} is longer than {LONGEST_LINE} characters")
    if len(words) > LONGEST_BODY or "\0" in words:
        raise BadInput(f"the {name} is too long, or holds what no page can keep")
    return words


def _first_line(body: str) -> str:
    lines = (line.strip().lstrip("#").strip() for line in body.splitlines())
    return shorten(next((line for line in lines if line), ""), 200)


def _one_of(name: str, given: str, known: Sequence[str]) -> Any:
    if given not in known:
        raise BadInput(f"`{given}` is no {name} of a page", f"one of: {', '.join(known)}")
    return PageStatus(given) if name == "status" else given
