"""The knowledge graph of the reference MCP memory server, as drafts.

An entity is a record that says what it is; each of its observations is a record about it; a relation is a triple.
`memory.jsonl` is read line by line, read-only; a line that is none of these is a finding. Channels, scopes and writes
are the caller's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memoracle.errors import InvalidDraft
from memoracle.model.ids import content_key
from memoracle.model.record import TRUST, Channel, Draft, Origin, Statement
from memoracle.model.report import Finding, Severity
from memoracle.model.value import value

TAG = "graph"
ENTITY, OBSERVATION, RELATION = "graph:entity", "graph:observation", "graph:relation"
"""What a record of the graph is; every one of them carries `TAG` as well."""

IS_A, OBSERVED = "is_a", "observed"
_LONGEST_NAME = 500
_LONGEST_TEXT = 100_000


@value
class GraphFile:
    """What a `memory.jsonl` holds, as drafts in its own order, and what could not be used."""

    drafts: tuple[Draft, ...]
    entities: int
    observations: int
    relations: int
    findings: tuple[Finding, ...] = ()


def import_graph(path: str, *, channel: Channel = Channel.AGENT, trust: float = 1.0) -> GraphFile:
    """The drafts of a `memory.jsonl`. What it says was said by agents, unless the caller knows better."""
    drafts: list[Draft] = []
    findings: list[Finding] = []
    with Path(path).open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if not raw.strip():
                continue
            try:
                drafts += list(_drafts_of(json.loads(raw), channel, trust))  # all of a line or nothing
            except (ValueError, TypeError, LookupError, RecursionError):
                findings.append(_unusable(path, number, "it is neither an entity nor a relation"))
            except InvalidDraft as problem:
                findings.append(_unusable(path, number, str(problem)))
    return GraphFile(
        drafts=tuple(drafts),
        entities=sum(ENTITY in draft.tags for draft in drafts),
        observations=sum(OBSERVATION in draft.tags for draft in drafts),
        relations=sum(RELATION in draft.tags for draft in drafts),
        findings=tuple(findings),
    )


def entity(name: str, what: str, *, origin: Origin) -> Draft:
    """A draft that says what something is."""
    said = Statement(
        text=f"{_name(name)} ({_name(what)})" if what.strip() else _name(name),
        subject=name,
        predicate=IS_A,
        object=what.strip() and what,
    )
    return Draft(statement=said, entities=(name,), tags=(TAG, ENTITY), origin=origin)


def observation(name: str, content: str, *, origin: Origin) -> Draft:
    """A draft of something observed of an entity."""
    if not content.strip():
        raise InvalidDraft("an observation is empty")
    if len(content) > _LONGEST_TEXT - _LONGEST_NAME:
        raise InvalidDraft(f"an observation has {len(content):,} characters", "keep long texts as notes")
    # Equal words about two entities are two observations; a text too long for a field stands in it by its digest.
    short = content if len(content) <= _LONGEST_NAME else content_key(content)
    said = Statement(text=f"{_name(name)}: {content}", subject=name, predicate=OBSERVED, object=short)
    return Draft(statement=said, entities=(name,), tags=(TAG, OBSERVATION), origin=origin)


def relation(begins: str, what: str, ends: str, *, origin: Origin) -> Draft:
    """A draft that joins two entities."""
    said = Statement(
        text=f"{_name(begins)} {_name(what)} {_name(ends)}", subject=begins, predicate=what, object=ends
    )
    return Draft(
        statement=said, entities=tuple(dict.fromkeys((begins, ends))), tags=(TAG, RELATION), origin=origin
    )


def observed_text(text: str, name: str) -> str:
    """The observation in the words of a record about this entity."""
    return text.removeprefix(f"{name}: ")


def _drafts_of(line: Any, channel: Channel, trust: float) -> Iterator[Draft]:
    origin = Origin(channel=channel, trust=min(TRUST[channel], trust))
    if line["type"] == "relation":
        yield relation(_text(line["from"]), _text(line["relationType"]), _text(line["to"]), origin=origin)
        return
    if line["type"] != "entity" or not isinstance(line["observations"], list):
        raise ValueError
    name = _text(line["name"])
    yield entity(name, _text(line["entityType"]), origin=origin)
    for content in line["observations"]:
        yield observation(name, _text(content), origin=origin)


def _name(name: str) -> str:
    if not name.strip() or len(name) > _LONGEST_NAME:
        raise InvalidDraft(f"a name in a graph has 1 to {_LONGEST_NAME} characters")
    return _text(name)


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError
    if "\0" in given or any("\ud800" <= ch <= "\udfff" for ch in given):
        raise InvalidDraft("a text holds characters that no file can keep (surrogates or NUL)")
    return given


def _unusable(path: str, line: int, because: str) -> Finding:
    return Finding(
        code="unknown-shape",
        severity=Severity.WARNING,
        path=path,
        line=line,
        message=because,
        hint="the others are read",
    )
