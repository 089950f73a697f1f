"""`memory_context` and `memory_status`: what to have in mind first, and how the memory is doing.

What is handed over unasked comes framed as data, with nothing from outside in it, and nothing is reinforced by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoracle.interfaces.mcp import schema as a
from memoracle.interfaces.mcp.finding import LONGEST_QUERY
from memoracle.interfaces.mcp.tool import Answer, Caller, Tool
from memoracle.interfaces.render import plain

if TYPE_CHECKING:
    from memoracle.memory import Memory

_BUDGET = 2000


def context(memory: Memory, given: Mapping[str, Any], _: Caller) -> Answer:
    """What an agent should see first, within a budget of tokens."""
    told = memory.context(
        given.get("prompt"),
        audience=given.get("audience", "private"),
        budget=given.get("budget", _BUDGET),
        after=given.get("after", "start"),
    )
    document = {
        "text": told.text,
        "tokens": told.tokens,
        "ids": list(told.ids),
        "warnings": list(told.warnings),
    }
    return Answer(document=document, text=told.text or "Nothing is kept yet.")


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
            "after": a.text("what happened before (default start)", enum=["start", "compact", "reset"]),
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
