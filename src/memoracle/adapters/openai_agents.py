"""Sessions of the OpenAI Agents SDK whose history is a transcript that memory reads, and how recall reaches the agent.

    import asyncio, memoracle
    from agents import Agent
    from memoracle.adapters.openai_agents import MemoracleSession, recall_tool, with_memory

    memory = memoracle.open_memory("~/memory")
    session = MemoracleSession("monday", memory, folder="~/.my-agent/sessions")
    agent = Agent(name="Helper", instructions=with_memory(memory, "Be brief."), tools=[recall_tool(memory)])
    # Runner.run_sync(agent, "My sister Ilse moved to Porto.", session=session) adds what is said:
    asyncio.run(session.add_items([{"role": "user", "content": "My sister Ilse moved to Porto."}]))
    assert "Porto" in memory.recall("Where did my sister Ilse move?").hits[0].passage.text

`with_memory` tells beside the instructions what memory has to say to the last thing the user said; `recall_tool` lets
the agent ask. History: get_items, add_items, pop_item, clear_session. Secrets are masked before a line is written.
What was popped is no longer heard; `clear_session` begins anew, and what was said before is still remembered:
`memoracle purge --session ID` forgets it, and no session of that name is heard again. Conversations have no user: a
memory for each.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from memoracle import Memory, Scope
from memoracle.adapters.shared import beside, for_agent, recalled, scope_name
from memoracle.errors import MissingLibrary
from memoracle.guard.guard import PolicyGuard
from memoracle.hosts.hygiene import is_wrapped
from memoracle.hosts.lines import words_of
from memoracle.model.record import EVERYBODY
from memoracle.store.disk import DiskVolume
from memoracle.times import write_time

try:
    import agents
    from agents.memory import session_settings
except ImportError as problem:
    raise MissingLibrary("openai-agents", "openai-agents>=0.24,<1") from problem

__all__ = ["MemoracleSession", "recall_tool", "with_memory"]

_LOCK, _WAITS = ".lock", 20.0


class MemoracleSession(agents.SessionABC):
    """One conversation: a JSON line per item, in a file of its own that only its owner can read."""

    def __init__(self, session_id: str, memory: Memory, folder: str, *, settings: Any = None) -> None:
        memory.root.reader.must_not_overhear()
        place = os.path.realpath(os.path.expanduser(folder))
        os.makedirs(place, mode=0o700, exist_ok=True)
        self.session_id, self.session_settings = session_id, settings
        self._memory, self._files, self._stem = memory, DiskVolume(place), scope_name(session_id)
        self._name = f"{self._stem}.jsonl"

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The history, oldest first; the latest items of it, if so many are asked for."""
        most = session_settings.resolve_session_limit(limit, self.session_settings)
        items = [_item(line) for line in await asyncio.to_thread(self._lines)]
        return items if most is None else items[max(0, len(items) - most) :]

    async def add_items(self, items: list[Any]) -> None:
        """Write items down; when it returns, they are durable, and memory hears of them when it is next asked."""
        await asyncio.to_thread(self._add, list(items))

    async def pop_item(self) -> Any | None:
        """Take back the last item."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Begin anew."""
        await asyncio.to_thread(self._clear)

    def _add(self, items: list[Any]) -> None:
        if not items:
            return
        root = self._memory.root
        head = {"session_id": self.session_id, "at": write_time(root.clock())}
        lines = [_line(head, _masked(root.guard, _plain(item))) for item in items]
        with self._writing():
            self._files.append({self._name: b"".join(lines)})
        self._register(self._name)

    def _pop(self) -> Any | None:
        with self._writing():
            if not (lines := self._lines()):
                return None
            self._files.replace(self._name, b"".join(map(_encoded, lines[:-1])))
            return _item(lines[-1])

    def _clear(self) -> None:
        with self._writing():
            if not (held := self._files.read(self._name)):
                return
            before = f"{self._stem}.{uuid4()}.jsonl"
            self._files.replace(before, held)
            self._files.replace(self._name, b"")
        self._register(before)

    def _register(self, name: str) -> None:
        """Have memory read a file from now on."""
        path = os.path.join(self._files.root, name)
        if path not in self._memory.store.sessions.by_path():
            self._memory.ingest(path, embed=False)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._memory.turns, self._files.locked(_LOCK, timeout=_WAITS):
            yield

    def _lines(self) -> list[dict[str, Any]]:
        read = []
        for raw in self._files.read(self._name).split(b"\n"):
            try:
                line = json.loads(raw)
            except ValueError:  # a line that was cut short
                continue
            if isinstance(line, dict) and isinstance(line.get("message", line.get("item")), dict):
                read.append(line)
        return read


def _plain(item: Any) -> Any:
    return item.model_dump(exclude_unset=True) if hasattr(item, "model_dump") else item


def _masked(guard: PolicyGuard, item: dict[str, Any]) -> dict[str, Any]:
    """An item without its secrets, also where JSON stands in a text."""
    clean: dict[str, Any] = guard.document(item)
    for name in ("arguments", "output"):
        with suppress(ValueError, TypeError):
            given = json.loads(clean.get(name, ""))
            if (masked := guard.document(given)) != given:
                clean[name] = json.dumps(masked, ensure_ascii=False)
    return clean


def _line(head: dict[str, str], item: dict[str, Any]) -> bytes:
    """The line of an item: what was said is a message, anything else goes along unheard.

    Models do not give every item an id of its own, so each line has one. Nobody types a beginning like a tag.
    """
    role = item.get("role")
    if role not in {"user", "assistant"}:
        return _encoded({"id": str(uuid4()), **head, "role": "system", "item": item})
    heard = "tool" if role == "user" and is_wrapped(words_of(item.get("content"))) else role
    return _encoded({"id": str(uuid4()), **head, "role": heard, "message": item})


def _encoded(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _item(line: dict[str, Any]) -> Any:
    return line.get("message", line.get("item"))


def _view(memory: Memory, user: str) -> Memory:
    return for_agent(memory, Scope(user=scope_name(user)) if user else EVERYBODY)


def recall_tool(memory: Memory, *, user: str = "") -> agents.FunctionTool:
    """A tool with which an agent asks memory, through the eyes of a user if one is named."""
    view = _view(memory, user)

    async def recall(question: str) -> str:
        """Cited evidence from long-term memory, or a plain "not in memory". Ask before you answer about the past.

        Args:
            question: what you want to know, as a question of its own
        """
        return await asyncio.to_thread(recalled, view, question)

    return agents.function_tool(recall)


def with_memory(
    memory: Memory, instructions: str = "", *, user: str = ""
) -> Callable[[Any, Any], Awaitable[str]]:
    """Instructions of an agent with what memory has to say to the last thing the user said."""
    view = _view(memory, user)

    async def told(context: Any, _agent: Any) -> str:
        said = [item for item in context.turn_input if isinstance(item, dict) and item.get("role") == "user"]
        found = await asyncio.to_thread(beside, view, words_of(said[-1].get("content")) if said else "")
        return "\n\n".join(filter(None, (instructions, found)))

    return told
