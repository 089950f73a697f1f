"""What a tool is: its words, its schemas, its hints, and what it does with a memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from memoracle.interfaces.mcp.schema import Schema
from memoracle.model.scope import Scope
from memoracle.model.value import field, value

if TYPE_CHECKING:
    from memoracle.memory import Memory


class Lane(StrEnum):
    """Reading never waits behind a write; writes go one after the other."""

    READ = "read"
    WRITE = "write"


@value
class Caller:
    """Who calls: the client by the name it gave, the scope of what it keeps, whether it can speak for the owner."""

    name: str = ""
    scope: Scope = field(default_factory=Scope)
    agent_only: bool = False
    run: str = ""
    """The run of this server, by a name that no call can choose: two saves in one run are one word."""
    told: set[str] = field(default_factory=set)
    """The records that were handed out in this run: whoever repeats one confirms nothing."""


@value
class Answer:
    """What a tool gives back: a document, and its text where that is not the document itself."""

    document: Mapping[str, Any]
    text: str | None = None


Run = Callable[["Memory", Mapping[str, Any], Caller], Answer]


@value
class Tool:
    """One tool. `destructive` and `idempotent` are hints for the host, as the protocol means them."""

    name: str
    title: str
    description: str
    takes: Schema
    gives: Schema
    run: Run
    lane: Lane = Lane.READ
    destructive: bool = False
    idempotent: bool = True

    @property
    def read_only(self) -> bool:
        """True when calling it changes nothing that is kept."""
        return self.lane is Lane.READ
