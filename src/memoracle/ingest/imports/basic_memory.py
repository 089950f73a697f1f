"""Folders of basic-memory: each note is an entity, with observations, relations and prose.

An observation `- [category] text #tag (context)` is a piece about the note's title, a relation `- relates_to
[[X]]` a triple, and every other paragraph a piece of its own. Agents and their people write these notes through
one tool, so an agent is their origin.
"""

from __future__ import annotations

import re
from typing import Any

from memoracle.errors import InvalidDraft
from memoracle.ingest.imports.blocks import Block, Page, cut
from memoracle.ingest.imports.memory_file import pieces_in
from memoracle.ingest.imports.piece import Holding, Piece, drafted, gathered, lost, moment, text_at
from memoracle.model.origin import Channel
from memoracle.model.record import Kind
from memoracle.model.value import replace
from memoracle.store import frontmatter
from memoracle.store.contain import walk

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
    pieces: list[Piece] = []
    prose: list[Block] = []
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


def _is_observation(block: Block) -> bool:
    found = OBSERVATION.match(block.text) if block.is_item else None
    return bool(found and found[1] not in _BOXES and not found[0].startswith("[["))


def _relation(block: Block) -> tuple[str, str, str] | None:
    """The sort of a relation, where it leads, and its context."""
    found = RELATION.fullmatch(block.text.strip()) if block.is_item else None
    if not found:
        return None
    return found[1].strip() or "links to", found[2].strip(), found[3] or ""


def _observed(block: Block, title: str, tags: tuple[str, ...], place: str) -> Piece:
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
    return Piece(draft=draft, place=place, line=block.first)


def _related(
    block: Block, relation: tuple[str, str, str], title: str, tags: tuple[str, ...], place: str
) -> Piece:
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
    return Piece(draft=draft, place=place, line=block.first)


def _title(header: Any, page: Page, place: str) -> str:
    named = header.get("title")
    if isinstance(named, str) and named.strip():
        return " ".join(named.split())[:300]
    return page.title[:300] or place.rpartition("/")[2].removesuffix(".md")


def _listed(given: Any) -> list[str]:
    if isinstance(given, list):
        return [str(one) for one in given]
    return re.split(r"[\s,，、]+", given) if isinstance(given, str) else []
