"""A piece of a turn on its way to memory: what was said, where it stands, and what became of it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memoracle.errors import InvalidName
from memoracle.model.origin import Channel
from memoracle.model.scope import Scope
from memoracle.model.value import value


class Label(StrEnum):
    """What a sentence does."""

    STATEMENT = "statement"
    QUESTION = "question"
    INSTRUCTION = "instruction"
    SMALL_TALK = "small_talk"


class Ruling(StrEnum):
    """Whether a fragment is worth keeping."""

    KEEP = "keep"
    DROP = "drop"
    UNDECIDED = "undecided"


@value
class Fragment:
    """One sentence of one turn. `ref` is the turn's id, `ordinal` the sentence's place in it, from 0."""

    ref: str
    ordinal: int
    text: str
    session: str
    who: str
    channel: Channel
    at: datetime | None
    where: str
    project: str = ""
    agent: str = ""
    label: Label = Label.STATEMENT
    ruling: Ruling = Ruling.UNDECIDED
    because: str = ""
    pasted: bool = False
    """Its turn holds hidden text or parts of another conversation: these may not be the speaker's own words."""

    @property
    def scope(self) -> Scope:
        """Whose memory its claims are at first: the project's it was said in, when that has a name."""
        try:
            return Scope(project=self.project)
        except InvalidName:
            return Scope()

    @property
    def id(self) -> str:
        """What names this fragment wherever its turn is met again."""
        return f"{self.ref}/{self.ordinal}"
