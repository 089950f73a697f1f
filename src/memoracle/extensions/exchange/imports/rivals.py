"""Exports of mem0: a JSON list, an object with `results`, or one object per line; and the relations beside them.

A model drew these from conversations, so an agent is their origin, unless their metadata name a tool or the outside.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from memoracle.errors import InvalidDraft
from memoracle.extensions.exchange.imports.item import (
    Holding,
    ImportedItem,
    differs,
    drafted,
    gathered,
    lost,
    moment,
    name_for,
    passed_over,
    text_at,
)
from memoracle.extensions.exchange.imports.memory_file import (
    ImportedPage,
    TextBlock,
    cut,
    pieces_in,
    read_memory_file,
)
from memoracle.model.record import Channel, Kind, Scope
from memoracle.model.report import Finding
from memoracle.model.value import replace
from memoracle.store import frontmatter
from memoracle.store.disk import walk

# What coding agents keep by themselves: Claude Code's auto-memory, and Codex's memories.

_TYPES = {"feedback": (Kind.LESSON, 0.8), "user": (Kind.FACT, 0.8), "project": (Kind.FACT, 0.5)}
_LINK = re.compile(r"\[[^\]]{0,300}\]\(([^)\s]{1,300})\)")
_CODEX = {"MEMORY.md": (), "memory_summary.md": ("summary",)}
_CODEX_ELSE = {
    "raw_memories.md": "what Codex made MEMORY.md of",
    "rollout_summaries": "summaries of single sessions; `memoracle ingest codex` reads the sessions themselves",
    "skills": "skills, not memories",
}


def read_claude(folder: str) -> Holding:
    """Every memory folder below a Claude Code home, its `projects`, or one memory folder."""
    folders = list(_memory_folders(folder))
    if not folders:
        return Holding(findings=(lost(folder, None, "there is no auto-memory in it"),))
    return gathered(_claude_folder(path, slug) for path, slug in folders)


def read_codex(folder: str) -> Holding:
    """The memories of a Codex home, or of its `memories` folder."""
    home = os.path.join(folder, "memories") if os.path.isdir(os.path.join(folder, "memories")) else folder
    parts = [
        read_memory_file(os.path.join(home, name), name, channel=Channel.AGENT, tags=("codex", *tags))
        for name, tags in _CODEX.items()
        if os.path.isfile(os.path.join(home, name))
    ]
    left = [
        passed_over(name, because)
        for name, because in _CODEX_ELSE.items()
        if os.path.exists(os.path.join(home, name))
    ]
    if not parts:
        left.append(lost(home, None, "neither MEMORY.md nor memory_summary.md is there"))
    return gathered([*parts, Holding(findings=tuple(left))])


def _memory_folders(folder: str) -> Iterator[tuple[str, str]]:
    """Memory folders and the project each belongs to."""
    if os.path.basename(os.path.normpath(folder)) == "memory":
        parent = os.path.dirname(os.path.normpath(os.path.abspath(folder)))
        slug = os.path.basename(parent)
        yield folder, slug if os.path.basename(os.path.dirname(parent)) == "projects" else ""
        return
    inner = os.path.join(folder, "projects")
    projects = inner if os.path.isdir(inner) else folder
    for slug in sorted(os.listdir(projects)):
        memory = os.path.join(projects, slug, "memory")
        if os.path.isdir(memory) and not os.path.islink(memory):
            yield memory, slug


def _claude_folder(folder: str, slug: str) -> Holding:
    scope = Scope(project=name_for("project", slug.strip("-"))) if slug.strip("-") else Scope()
    held = [
        _claude_file(os.path.join(folder, name), f"{slug}/memory/{name}" if slug else name, scope)
        for name in walk(folder, "", (".md",))
        if name != "MEMORY.md"
    ]
    index = os.path.join(folder, "MEMORY.md")
    if os.path.isfile(index):
        held.append(_claude_index(folder, f"{slug}/memory/MEMORY.md" if slug else "MEMORY.md", scope))
    return gathered(held)


def _claude_file(path: str, place: str, scope: Scope) -> Holding:
    text, findings = text_at(path, place)
    note = frontmatter.parse(text, path=place)
    if note.finding:
        findings.append(note.finding)
    header, body = note.fields, note.body.strip()
    named, says = _word(header, "name"), _word(header, "description")
    type_ = _word(header, "type") or _word(_inner(header), "type")
    kind, importance = _TYPES.get(type_, (Kind.FACT, 0.5))
    words = [one for one in (named, says) if one and one not in body]
    observed = moment(header.get("modified")) or moment(_inner(header).get("modified")) or _changed(path)
    try:
        draft = drafted(
            "\n".join([*words, body]).strip(),
            channel=Channel.AGENT,
            where=f"{place}#L{note.body_line}",
            kind=kind,
            importance=importance,
            observed=observed,
            tags=("claude-code", type_),
            scope=scope,
        )
    except InvalidDraft as problem:
        return Holding(findings=(*findings, lost(place, None, str(problem))))
    piece = ImportedItem(draft=draft, place=place, line=note.body_line, foreign=f"claude-code:{place}")
    return Holding(pieces=(piece,), findings=tuple(findings))


def _claude_index(folder: str, place: str, scope: Scope) -> Holding:
    """Lines of the index that are no links to a file that is there."""
    text, findings = text_at(os.path.join(folder, "MEMORY.md"), place)
    page = cut(text)
    rest = [
        block
        for block in page.blocks
        if not any(
            os.path.isfile(os.path.join(folder, os.path.basename(to))) for to in _LINK.findall(block.text)
        )
    ]
    held = pieces_in(
        replace(page, blocks=tuple(rest)), place, channel=Channel.AGENT, tags=("claude-code",), scope=scope
    )
    return replace(held, findings=(*findings, *held.findings))


def _inner(header: Any) -> dict[str, Any]:
    inner = header.get("metadata")
    return inner if isinstance(inner, dict) else {}


def _word(header: Any, name: str) -> str:
    said = header.get(name)
    return " ".join(said.split()) if isinstance(said, str) else ""


def _changed(path: str) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(os.path.getmtime(path)), UTC)
    except (OSError, OverflowError, ValueError):
        return None


# Folders of basic-memory: each note is an entity, with observations, relations and prose.

OBSERVATION = re.compile(r"\[([^\[\]\n]{1,80})\][ \t]+(\S.*)", re.DOTALL)
RELATION = re.compile(r"([^\[\]\n]{0,120}?)[ \t]*\[\[([^\[\]\n]{1,300})\]\][ \t]*(\([^\n]*\))?")
_TAG = re.compile(r"(?:^|(?<=\s))#([\w\-/]{1,80})")
_BOXES = frozenset({" ", "x", "X"})
_KINDS = {
    **dict.fromkeys(("decision", "决定", "决策"), Kind.DECISION),
    **dict.fromkeys(("lesson", "learning", "教训", "经验"), Kind.LESSON),
    **dict.fromkeys(("technique", "method", "procedure", "how-to", "tip", "方法", "步骤"), Kind.PROCEDURE),
    **dict.fromkeys(("event", "事件"), Kind.EVENT),
    **dict.fromkeys(("task", "todo", "action", "待办", "任务"), Kind.TASK),
    **dict.fromkeys(("plan", "计划"), Kind.PLAN),
    **dict.fromkeys(("insight", "finding", "problem", "issue", "发现", "问题"), Kind.FINDING),
}


def read_basic_memory(folder: str) -> Holding:
    """Every Markdown note below a folder."""
    return gathered(_note(f"{folder}/{name}", name) for name in walk(folder, "", (".md",)))


def looks_like_it(text: str) -> bool:
    """True for a note that holds an observation or a relation."""
    return any(
        _is_observation(block) or _relation(block) for block in cut(frontmatter.parse(text).body).blocks
    )


def _note(path: str, place: str) -> Holding:
    text, findings = text_at(path, place)
    note = frontmatter.parse(text, path=place)
    if note.finding:
        findings.append(note.finding)
    page = cut(note.body, first_line=note.body_line)
    header = note.fields
    title = _title(header, page, place)
    tags = tuple(tag.lstrip("#") for tag in _listed(header.get("tags")) if tag.lstrip("#"))
    observed = moment(header.get("modified")) or moment(header.get("created"))
    pieces: list[ImportedItem] = []
    prose: list[TextBlock] = []
    for block in page.blocks:
        try:
            if _is_observation(block):
                pieces.append(_observed(block, title, tags, place))
            elif relation := _relation(block):
                pieces.append(_related(block, relation, title, tags, place))
            else:
                prose.append(block)
        except InvalidDraft as problem:
            findings.append(lost(place, block.first, str(problem)))
    rest = pieces_in(
        replace(page, blocks=tuple(prose)), place, channel=Channel.AGENT, tags=tags, entities=(title,)
    )
    every = sorted((*pieces, *rest.pieces), key=lambda piece: piece.line or 0)
    dated = (
        replace(piece, draft=replace(piece.draft, origin=replace(piece.draft.origin, observed=observed)))
        if observed and piece.draft.origin.observed is None
        else piece
        for piece in every
    )
    return Holding(pieces=tuple(dated), findings=(*findings, *rest.findings))


def _is_observation(block: TextBlock) -> bool:
    found = OBSERVATION.match(block.text) if block.is_item else None
    return bool(found and found[1] not in _BOXES and not found[0].startswith("[["))


def _relation(block: TextBlock) -> tuple[str, str, str] | None:
    """The sort of a relation, where it leads, and its context."""
    found = RELATION.fullmatch(block.text.strip()) if block.is_item else None
    if not found:
        return None
    return found[1].strip() or "links to", found[2].strip(), found[3] or ""


def _observed(block: TextBlock, title: str, tags: tuple[str, ...], place: str) -> ImportedItem:
    found = OBSERVATION.match(block.text)
    assert found, "the caller looked"
    category, said = found[1].strip(), found[2].strip()
    own = _TAG.findall(said)
    words = " ".join(_TAG.sub("", said).split()) or said
    draft = drafted(
        f"{title}: {words}",
        channel=Channel.AGENT,
        where=f"{place}#L{block.first}",
        kind=_KINDS.get(category.casefold(), Kind.FACT),
        tags=(category, *own, *tags),
        entities=(title,),
        triple=(title, category, words),
    )
    return ImportedItem(draft=draft, place=place, line=block.first)


def _related(
    block: TextBlock, relation: tuple[str, str, str], title: str, tags: tuple[str, ...], place: str
) -> ImportedItem:
    what, target, context = relation
    words = f"{title} {what.replace('_', ' ')} {target} {context}".strip()
    draft = drafted(
        words,
        channel=Channel.AGENT,
        where=f"{place}#L{block.first}",
        tags=tags,
        entities=(title, target),
        triple=(title, what, target),
    )
    return ImportedItem(draft=draft, place=place, line=block.first)


def _title(header: Any, page: ImportedPage, place: str) -> str:
    named = header.get("title")
    if isinstance(named, str) and named.strip():
        return " ".join(named.split())[:300]
    return page.title[:300] or place.rpartition("/")[2].removesuffix(".md")


def _listed(given: Any) -> list[str]:
    if isinstance(given, list):
        return [str(one) for one in given]
    return re.split(r"[\s,，、]+", given) if isinstance(given, str) else []


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
    pieces: list[ImportedItem] = []
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


def _piece(entry: Any, place: str, number: int, findings: list[Finding]) -> ImportedItem:
    if not isinstance(entry, Mapping):
        raise InvalidDraft("it is not a memory")
    if relation := _relation_mem0(entry):
        source, what, target = relation
        words = f"{source} {what.replace('_', ' ')} {target}"
        draft = drafted(
            words,
            channel=Channel.AGENT,
            where=f"{place}#L{number}",
            entities=(source, target),
            triple=relation,
        )
        return ImportedItem(draft=draft, place=place, line=number)
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
    return ImportedItem(
        draft=draft,
        place=place,
        line=number,
        foreign=str(identity)[:200] if isinstance(identity, str | int) and str(identity).strip() else "",
        created=created,
        extra=beside if beside["mem0"] else {},
    )


def _relation_mem0(entry: Mapping[str, Any]) -> tuple[str, str, str] | None:
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
