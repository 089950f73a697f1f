"""A memory block of LlamaIndex (`BaseMemoryBlock`).

    import asyncio, memoracle
    from llama_index.core.llms import ChatMessage
    from llama_index.core.memory import Memory
    from memoracle.adapters.llama_index import MemoracleBlock

    block = MemoracleBlock(memoracle.open_memory("~/memory"), user="ann")
    chat = Memory.from_defaults(memory_blocks=[block])  # agent.run("…", memory=chat)
    asyncio.run(block.aput([ChatMessage("My sister Ilse moved to Porto.")]))
    chat.put(ChatMessage("Where did my sister Ilse move?"))
    assert "Porto" in chat.get()[0].content

What leaves the short-term memory is kept as records of the scope; with every message the block tells what memory has to
say to it, framed as data. With a `user` only their own and everybody's is told, and they are the owner only where the
setting `owner` has that name; without one, whoever chats is the owner. `agent` and `project` narrow it further.
The library calls `_aget` and `_aput`.
"""

from __future__ import annotations

import asyncio
from typing import Any

from memoracle import Memory, Scope
from memoracle.adapters.shared import SaidTurn, beside, for_agent, keep, scope_name
from memoracle.errors import MissingLibrary

try:
    from llama_index.core import memory as blocks
    from llama_index.core.base.llms.types import ChatMessage, MessageRole
    from llama_index.core.bridge.pydantic import PrivateAttr
except ImportError as problem:
    raise MissingLibrary("llama-index-core", "llama-index-core>=0.14,<0.15") from problem

__all__ = ["MemoracleBlock"]


class MemoracleBlock(blocks.BaseMemoryBlock):
    """Long-term memory beside the short-term memory of a chat."""

    _memory: Any = PrivateAttr()
    _user: str = PrivateAttr(default="")

    def __init__(
        self,
        memory: Memory,
        *,
        user: str = "",
        agent: str = "",
        project: str = "",
        name: str = "long_term",
        **fields: Any,
    ) -> None:
        super().__init__(name=name, **fields)
        given = {"user": user, "agent": agent, "project": project}
        named: Any = {what: scope_name(one) for what, one in given.items() if one}
        self._user, self._memory = user, for_agent(memory, Scope(**named))

    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        """What memory has to say to the last thing the user said."""
        said = [one.content or "" for one in messages or () if one.role == MessageRole.USER]
        return await asyncio.to_thread(beside, self._memory, said[-1] if said else "")

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Keep what was said."""
        said = [
            SaidTurn(
                text=one.content or "",
                who=self._user or "user" if one.role == MessageRole.USER else "assistant",
                is_users=one.role == MessageRole.USER,
                session=str(one.additional_kwargs.get("session_id", "")),
            )
            for one in messages
            if one.role in {MessageRole.USER, MessageRole.ASSISTANT}
        ]
        await asyncio.to_thread(keep, self._memory, said, user=self._user or None)
