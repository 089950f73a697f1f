"""`memory_search`, `memory_context`, `memory_status`: evidence, what to have in mind, how it is. No use is noted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from memoracle.errors import BadInput, UnknownKind
from memoracle.interfaces.mcp import tool as a
from memoracle.interfaces.mcp.fetching import shortener
from memoracle.interfaces.mcp.tool import Caller, Tool, ToolAnswer, as_data, is_outside, minute
from memoracle.model.record import Kind, Scope
from memoracle.text import normalise, shorten, telling_terms
from memoracle.times import read_time, read_until

if TYPE_CHECKING:
    from memoracle.memory import Memory
    from memoracle.model.search import Filters, Hit, Passage

LONGEST_QUERY = 10_000
_MOST = 200
_LISTED = 20
_SCANNED = 20_000
_WITH_QUERY = ("wiki", "sessions", "tools")
_CORPORA = ("all", "memory", *_WITH_QUERY)


def search(memory: Memory, given: Mapping[str, Any], _: Caller) -> ToolAnswer:
    """Evidence for a question, or a plain "not in memory"; without a question, records by time."""
    from memoracle.model.search import AnswerShape, Verdict

    filters, entity = _filters(given), normalise(given.get("entity", "")).strip()
    if "query" not in given:
        if given.get("corpus") in _WITH_QUERY:
            raise BadInput("only records are listed by time", "give a `query`, or leave `corpus` out")
        return _timeline(memory, filters, entity, given.get("maxResults", _LISTED))
    # What is about somebody may stand behind much that is not.
    found = memory.search(given["query"], limit=_MOST if entity else given.get("maxResults"), filters=filters)
    asked, short = set(telling_terms(given["query"])), shortener(memory)
    hits = [
        hit
        for hit in found.in_order
        if hit.score >= given.get("minScore", 0) and (not entity or _is_about(hit.passage, entity))
    ]
    hits = hits[: given.get("maxResults", _LISTED)] if entity else hits
    is_settled = hits or found.verdict is Verdict.NOT_READY
    return ToolAnswer(
        document={
            "verdict": (found.verdict if is_settled else Verdict.NOT_IN_MEMORY).value,
            "confidence": round(found.confidence, 2),
            **({} if found.shape is AnswerShape.ANSWER else {"shape": found.shape.value}),
            **({"atLeast": found.at_least} if found.at_least else {}),
            "results": [_result(hit, asked, short) for hit in hits],
            **({"warnings": list(found.warnings)} if found.warnings else {}),
        }
    )


def _filters(given: Mapping[str, Any]) -> Filters:
    from memoracle.model.search import TOOL, Filters
    from memoracle.store.layouts import NoteRole

    kinds = {
        "all": (),
        "memory": (*Kind, *NoteRole),
        "wiki": tuple(NoteRole),
        "sessions": ("turn",),
        "tools": (TOOL,),
    }[given.get("corpus", "all")]
    for kind in (named := given.get("kinds", ())):
        if kind not in [*Kind]:
            raise UnknownKind(kind, [*Kind])
    return Filters(
        scope=Scope(project=given.get("project", "")),
        kinds=tuple(named) or kinds,
        since=read_time(given["since"]) if given.get("since") else None,
        until=read_until(given["until"]) if given.get("until") else None,
        wide=bool(given.get("history")),
    )


def _timeline(memory: Memory, filters: Filters, entity: str, limit: int) -> ToolAnswer:
    """Records, newest first."""
    listed = memory.list(limit=_SCANNED if entity else limit, filters=filters)
    fitting = [hit.passage for hit in listed if not entity or _is_about(hit.passage, entity)]
    short = shortener(memory)
    return ToolAnswer(document={"results": [_moment(passage, short) for passage in fitting[:limit]]})


def _is_about(passage: Passage, entity: str) -> bool:
    names = (*passage.entities, passage.subject, passage.object)
    return any(normalise(name) == entity for name in names) or entity in normalise(passage.text)


def _moment(passage: Passage, short: Callable[[str], str]) -> dict[str, Any]:
    from memoracle.interfaces.render import SNIPPET

    text = as_data(shorten(passage.text, SNIPPET), passage.channel)
    status = passage.status.value
    return _evidence(passage, text, short, quoted=is_outside(passage.channel)) | (
        {} if status == "active" else {"status": status}
    )


def _evidence(
    passage: Passage, text: str, short: Callable[[str], str], *, quoted: bool, score: float | None = None
) -> dict[str, Any]:
    """What a passage says, when, by whom, and where it stands; what goes without saying is left out."""
    from memoracle.model.search import EvidenceSource

    said = {
        "id": passage.ref if passage.source is EvidenceSource.RECORD else "",
        "text": text,
        "at": minute(passage.at),
        "who": passage.who,
        "kind": passage.kind,
        "citation": short(passage.cite),
        "score": None if score is None else round(score, 2),
        "confidence": passage.confidence if passage.confidence < 1 else None,
        "project": passage.project,
        "origin": "" if passage.channel == "owner" else passage.channel,
        "quoted": quoted,
    }
    return {name: one for name, one in said.items() if one not in ("", None, False)}


def _result(hit: Hit, asked: set[str], short: Callable[[str], str]) -> dict[str, Any]:
    from memoracle.recall.evidence import SNIPPET, best_chunk, is_quoted, part_that_answers, told
    from memoracle.recall.evidence import as_data as quote

    passage = part_that_answers(hit, lambda text: len(text) <= SNIPPET)
    text = best_chunk(passage.text, asked)
    quoted = is_quoted(passage, text)
    return {
        **_evidence(passage, quote(text) if quoted else text, short, quoted=quoted, score=hit.score),
        **({"section": passage.title} if passage.text != hit.passage.text else {}),
        **({"outdated": hit.fate.says} if hit.fate else {}),
        **({"unusedSince": minute(hit.unused_since)} if hit.unused_since else {}),
        **({"also": [short(one.cite) for one in hit.also]} if hit.also else {}),
        **({"said": told(hit.said, best_chunk(hit.said.text, asked))} if hit.said else {}),
        **({"then": [f"{one.who}: {told(one, one.text)}" for one in hit.then]} if hit.then else {}),
    }


SEARCH = Tool(
    name="memory_search",
    title="Search memory",
    description=(
        "Search the owner's long-term memory (facts, notes, past conversations) before answering about them, their "
        "work, people, decisions or the past. Gives cited evidence, or verdict not_in_memory_db."
    ),
    takes=a.record(
        {
            "query": a.text(
                "a question, words, a name, an id; without it: records, newest first", maxLength=LONGEST_QUERY
            ),
            "maxResults": a.count("default 10", most=_MOST),
            "minScore": a.number(),
            "corpus": a.text("wiki: notes; tools: commands and output", enum=[*_CORPORA]),
            "project": a.text(),
            "since": a.text("a date, or 2026-05-15T09:30Z"),
            "until": a.text(),
            "entity": a.text("a person or thing it is about", maxLength=500),
            "kinds": a.texts("as memory_save has them"),
            "history": a.flag("also what ended or was replaced"),
        }
    ),
    run=search,
    # Claude Code keeps other tools behind a search of its own; the one that begins every recall is worth its place.
    meta={"anthropic/alwaysLoad": True, "anthropic/maxResultSizeChars": 100_000},
)


# What to have in mind first, and how the memory is doing.

_BUDGET = 2000
_CITED = re.compile(r"`([^`\n]+#L\d+(?:-L\d+)?)`$", re.MULTILINE)


def context(memory: Memory, given: Mapping[str, Any], _: Caller) -> ToolAnswer:
    """What an agent should see first, within a budget of tokens."""
    from memoracle.interfaces.render import plain

    told = memory.context(
        given.get("prompt"),
        audience=given.get("audience", "private"),
        budget=given.get("budget", _BUDGET),
        after=given.get("after", "start"),
    )
    short = shortener(memory)
    text = _CITED.sub(lambda found: f"`{short(found[1])}`", told.text)
    document = {name: plain(getattr(told, name)) for name in ("tokens", "ids", "warnings")} | {"text": text}
    return ToolAnswer(document=document, text=text or "Nothing is kept yet.")


def status(memory: Memory, _given: Mapping[str, Any], _: Caller) -> ToolAnswer:
    """What this memory holds and how it is doing."""
    from memoracle.interfaces.render import plain

    return ToolAnswer(document=plain(memory.status()))


CONTEXT = Tool(
    name="memory_context",
    title="What to have in mind",
    description=(
        "What to know first: standing facts, preferences, open matters, what fits the prompt. "
        "For the begin of a session and after a compaction."
    ),
    takes=a.record(
        {
            "prompt": a.text("what the user asked", maxLength=LONGEST_QUERY),
            "budget": a.count(f"tokens (default {_BUDGET})", least=100, most=20_000),
            "audience": a.text("group: public records alone", enum=["private", "group"]),
            "after": a.text(enum=["start", "compact", "reset"]),
        }
    ),
    run=context,
)

STATUS = Tool(
    name="memory_status",
    title="How memory is doing",
    description="Counts, index state, health, warnings.",
    takes=a.record({}),
    run=status,
)
