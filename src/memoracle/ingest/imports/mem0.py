"""Exports of mem0: a JSON list, an object with `results`, or one object per line; and the relations beside them.

A model drew these from conversations, so an agent is their origin, unless their metadata name a tool or the outside.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from memoracle.errors import InvalidDraft
from memoracle.ingest.imports.piece import Holding, Piece, differs, drafted, lost, moment, name_for, text_at
from memoracle.model.origin import Channel
from memoracle.model.record import Kind
from memoracle.model.report import Finding
from memoracle.model.scope import Scope
from memoracle.model.value import replace

_LISTS = ("results", "memories", "data")
_WORDS = ("memory", "text", "data", "content")
_USED = frozenset(
    "id memory text data content hash created_at updated_at user_id agent_id run_id app_id actor_id role score "
    "metadata categories expiration_date structured_attributes".split()
)
_OUTSIDE = {
    **dict.fromkeys(("web", "url", "email", "external"), Channel.EXTERNAL),
    "document": Channel.DOCUMENT,
    **dict.fromkeys(("tool", "tool_result", "command"), Channel.TOOL),
}


def read_mem0(path: str, place: str) -> Holding:
    """The memories of one export."""
    text, findings = text_at(path, place)
    pieces: list[Piece] = []
    for number, entry in _entries(text, place, findings):
        try:
            pieces.append(_piece(entry, place, number, findings))
        except InvalidDraft as problem:
            findings.append(lost(place, number, str(problem)))
    return Holding(pieces=tuple(pieces), findings=tuple(findings))


def _entries(text: str, place: str, findings: list[Finding]) -> Iterator[tuple[int, Any]]:
    """Each memory with its number: its line in JSON lines, its place from 1 in a list."""
    try:
        whole: Any = json.loads(text)
    except (ValueError, RecursionError):
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                try:
                    yield number, json.loads(line)
                except (ValueError, RecursionError):
                    findings.append(lost(place, number, "it is not JSON"))
        return
    if isinstance(whole, Mapping):
        relations = whole.get("relations")
        inner = next((whole[name] for name in _LISTS if isinstance(whole.get(name), list)), None)
        whole = [whole] if inner is None and not relations else [*(inner or ()), *(relations or ())]
    yield from enumerate(whole if isinstance(whole, list) else [whole], start=1)


def _piece(entry: Any, place: str, number: int, findings: list[Finding]) -> Piece:
    if not isinstance(entry, Mapping):
        raise InvalidDraft("it is not a memory")
    if relation := _relation(entry):
        source, what, target = relation
        words = f"{source} {what.replace('_', ' ')} {target}"
        draft = drafted(
            words,
            channel=Channel.AGENT,
            where=f"{place}#L{number}",
            entities=(source, target),
            triple=relation,
        )
        return Piece(draft=draft, place=place, line=number)
    words = next((said for name in _WORDS if isinstance(said := entry.get(name), str) and said.strip()), "")
    if not words:
        raise InvalidDraft("it has no words under `memory`")
    given = entry.get("metadata")
    metadata: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    created, updated = moment(entry.get("created_at")), moment(entry.get("updated_at"))
    draft = drafted(
        words,
        channel=_OUTSIDE.get(str(metadata.get("source", "")).casefold(), Channel.AGENT),
        where=f"{place}#L{number}",
        kind=Kind.FACT,
        observed=updated or created,
        tags=("mem0", *_categories(entry, metadata)),
        scope=Scope(
            user=_named("user", entry.get("user_id")),
            agent=_named("agent", entry.get("agent_id")),
            project=_named("project", metadata.get("project") or entry.get("app_id")),
        ),
    )
    if expires := moment(entry.get("expiration_date")):
        draft = replace(draft, validity=replace(draft.validity, expires=expires))
    if isinstance(session := entry.get("run_id"), str) and len(session) <= 500:
        draft = replace(draft, origin=replace(draft.origin, session=session))
    unknown = {
        name: said for name, said in entry.items() if name not in _USED and said not in (None, "", [], {})
    }
    if unknown:
        findings.append(
            differs(place, number, f"kept as they are beside the record: {', '.join(sorted(unknown))}")
        )
    beside = {"mem0": {**({"metadata": dict(metadata)} if metadata else {}), **unknown}}
    identity = entry.get("id")
    return Piece(
        draft=draft,
        place=place,
        line=number,
        foreign=str(identity)[:200] if isinstance(identity, str | int) and str(identity).strip() else "",
        created=created,
        extra=beside if beside["mem0"] else {},
    )


def _relation(entry: Mapping[str, Any]) -> tuple[str, str, str] | None:
    ends = entry.get("target") or entry.get("destination")
    parts = (entry.get("source"), entry.get("relationship") or entry.get("relation"), ends)
    if not all(isinstance(part, str) and part.strip() for part in parts):
        return None
    return str(parts[0]), str(parts[1]), str(parts[2])


def _categories(entry: Mapping[str, Any], metadata: Mapping[str, Any]) -> list[str]:
    given = entry.get("categories") or metadata.get("categories") or metadata.get("category") or ()
    words = [given] if isinstance(given, str) else given
    return [str(word) for word in words] if isinstance(words, list | tuple) else []


def _named(what: str, given: Any) -> str:
    return name_for(what, str(given)) if isinstance(given, str | int) and str(given).strip() else ""
