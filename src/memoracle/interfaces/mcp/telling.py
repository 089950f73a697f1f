"""`memory_context` and `memory_status`: what to have in mind first, and how the memory is doing.

What is handed over unasked is framed as data. Nothing that came from a tool or from outside is in it, and nothing is
reinforced by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoracle.interfaces.mcp import schema as a
from memoracle.interfaces.mcp.finding import LONGEST_QUERY
from memoracle.interfaces.mcp.quoting import framed, is_outside
from memoracle.interfaces.mcp.tool import Answer, Caller, Tool
from memoracle.interfaces.render import plain
from memoracle.model.value import replace, value
from memoracle.text import estimate_tokens

if TYPE_CHECKING:
    from memoracle.memory import Memory

_BUDGET = 2000
_SHARE_OF_HOT = 0.6
_RELEVANT = 8


@value
class Told:
    """A text, and the ids it names."""

    text: str
    ids: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def context(memory: Memory, given: Mapping[str, Any], _: Caller) -> Answer:
    """What an agent should see first, within a budget of tokens."""
    prompt, budget = given.get("prompt", ""), given.get("budget", _BUDGET)
    told = _told(memory, prompt, budget, given.get("audience", "private"))
    document = {
        "text": told.text,
        "tokens": estimate_tokens(told.text),
        "ids": list(told.ids),
        "warnings": list(told.warnings),
    }
    return Answer(document=document, text=told.text)


def _told(memory: Memory, prompt: str, budget: int, audience: str) -> Told:
    if build := getattr(memory, "context", None):
        made = build(prompt, budget=budget, audience=audience)
        return Told(
            text=made.text, ids=tuple(getattr(made, "ids", ())), warnings=tuple(getattr(made, "warnings", ()))
        )
    told = _hot_and_relevant(memory, prompt, budget - estimate_tokens(framed("")), audience)
    return replace(told, text=framed(told.text))


def _hot_and_relevant(memory: Memory, prompt: str, budget: int, audience: str) -> Told:
    hot = memory.snapshot(
        audience=audience, budget=max(1, int(budget * _SHARE_OF_HOT) if prompt.strip() else budget)
    )
    if not prompt.strip() or audience != "private":
        return Told(text=hot.text, ids=hot.ids, warnings=hot.warnings)
    from memoracle.recall.pack import pack_evidence

    found = memory.search(prompt, limit=_RELEVANT)
    hits = [hit for hit in found.hits if not is_outside(hit.passage.channel)]
    title = "# Relevant to the prompt\n"
    rest = budget - estimate_tokens(hot.text) - estimate_tokens(title)
    pack = pack_evidence(hits, prompt, max(0, rest))
    text = f"{hot.text.rstrip()}\n\n{title}{pack.text}" if pack.text else hot.text
    ids = tuple(dict.fromkeys((*hot.ids, *pack.refs)))
    return Told(text=text, ids=ids, warnings=(*hot.warnings, *found.warnings))


def status(memory: Memory, _given: Mapping[str, Any], _: Caller) -> Answer:
    """What this memory holds and how it is doing."""
    return Answer(document=plain(memory.status()))


CONTEXT = Tool(
    name="memory_context",
    title="What to have in mind",
    description=(
        "What to know first: standing facts, preferences, open matters, and what fits the prompt. "
        "Call it when a session begins or after a compaction."
    ),
    takes=a.record(
        {
            "prompt": a.text("what the user just asked", maxLength=LONGEST_QUERY),
            "budget": a.count(f"most tokens (default {_BUDGET})", least=100, most=20_000),
            "audience": a.text("a group is given public records alone", enum=["private", "group"]),
        }
    ),
    gives=a.record(
        {"text": a.text(), "tokens": a.whole(), "ids": a.texts(), "warnings": a.texts()},
        needs=("text", "tokens"),
    ),
    run=context,
)

STATUS = Tool(
    name="memory_status",
    title="How memory is doing",
    description="Counts, index state, health and warnings of this memory.",
    takes=a.record({}),
    gives=a.record(
        {
            "root": a.text(),
            "layout": a.text(),
            "active": a.whole("records in force"),
            "archived": a.whole(),
            "superseded": a.whole(),
            "notes": a.whole(),
            "turns": a.whole(),
            "findings": a.whole("what `memoracle check` would name"),
            "view": a.text(),
            "health": a.text(),
            "warnings": a.texts(),
        },
        needs=("active", "notes", "turns"),
        is_open=True,
    ),
    run=status,
)
