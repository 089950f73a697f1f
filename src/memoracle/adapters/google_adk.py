"""A memory service of Google's Agent Development Kit (`BaseMemoryService`).

    import asyncio, memoracle
    from google.adk.events import Event
    from google.genai.types import UserContent
    from memoracle.adapters.google_adk import MemoracleMemoryService

    service = MemoracleMemoryService(memoracle.open_memory("~/memory"))  # Runner(memory_service=service, …)
    ann, said = {"app_name": "diary", "user_id": "ann"}, UserContent("My sister Ilse moved to Porto.")
    asyncio.run(service.add_events_to_memory(**ann, events=[Event(author="user", content=said)]))
    found = asyncio.run(service.search_memory(**ann, query="Where did my sister Ilse move?")).memories
    assert "Porto" in found[0].content.parts[0].text

The app is the agent and the user the user of a scope: what one user said is never shown to another, nor to another
app; what belongs to nobody is shown to all. Events become records, each once, however often a session is added. A user
is the owner only where the setting `owner` has that name, and else another person, whose words are quoted.
Methods: add_session_to_memory, add_events_to_memory, add_memory, search_memory, delete_memory; of `custom_metadata` no
key is known here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from memoracle import Hit, Memory, Scope
from memoracle.adapters.shared import SaidTurn, for_agent, keep, scope_name
from memoracle.errors import MissingLibrary, NotFound
from memoracle.model.record import Channel
from memoracle.recall.evidence import told

try:
    from google.adk import memory as adk
    from google.adk.memory.base_memory_service import SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai import types
except ImportError as problem:
    raise MissingLibrary("google-adk", "google-adk>=2.13,<3") from problem

__all__ = ["MemoracleMemoryService"]


class MemoracleMemoryService(adk.BaseMemoryService):
    """What users of an app said, and what is known to them."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def add_session_to_memory(self, session: Any) -> None:
        """Keep what was said in a session; again, what is new in it."""
        await self._keep(
            session.app_name, session.user_id, _heard(session.events, session.id, session.user_id)
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Any],
        session_id: str | None = None,
        custom_metadata: object = None,  # noqa: ARG002
    ) -> None:
        """Keep some events."""
        await self._keep(app_name, user_id, _heard(events, session_id or "", user_id))

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: object = None,  # noqa: ARG002
    ) -> None:
        """Keep what an agent notes of a user."""
        said = [SaidTurn(text=_words(one.content), who=one.author or "", is_users=False) for one in memories]
        await self._keep(app_name, user_id, said)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Evidence for a question, or nothing."""
        found = await asyncio.to_thread(self._view(app_name, user_id).recall, query)
        return SearchMemoryResponse(memories=[_entry(hit) for hit in found.in_order])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Withdraw a record of this user; `undo` brings it back for thirty days."""
        with suppress(NotFound):
            if memory_id:
                await asyncio.to_thread(self._view(app_name, user_id).withdraw, [memory_id])

    def _view(self, app: str, user: str) -> Memory:
        return for_agent(self._memory, Scope(user=scope_name(user), agent=scope_name(app)))

    async def _keep(self, app: str, user: str, said: Iterable[SaidTurn]) -> None:
        await asyncio.to_thread(keep, self._view(app, user), list(said), user=user)


def _heard(events: Iterable[Any], session: str, user: str) -> Iterable[SaidTurn]:
    for event in events:
        if event.content and not event.partial:
            is_users = event.author == "user"
            yield SaidTurn(
                text=_words(event.content),
                who=user if is_users else event.author,
                is_users=is_users,
                at=datetime.fromtimestamp(event.timestamp, UTC),
                session=session,
                id=event.id,
            )


def _words(content: types.Content) -> str:
    return "\n".join(part.text for part in content.parts or () if part.text and not part.thought)


def _entry(hit: Hit) -> MemoryEntry:
    passage = hit.passage
    role = "model" if passage.channel == Channel.AGENT else "user"
    return MemoryEntry(
        id=passage.ref,
        content=types.Content(role=role, parts=[types.Part(text=told(passage, passage.text))]),
        author=passage.who or passage.channel,
        timestamp=passage.at.isoformat() if passage.at else None,
        custom_metadata={"citation": passage.cite, "channel": passage.channel},
    )
