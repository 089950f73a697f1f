"""What a sentence claims: a draft, and how it stands to what was said before."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memoracle.errors import InvalidName
from memoracle.model.record import TRUST, Channel, Draft, Origin, Scope
from memoracle.model.value import replace, value


class Stance(StrEnum):
    """How a claim meets earlier ones about the same subject and predicate."""

    ASSERT = "assert"
    CORRECT = "correct"
    """“Actually it is …”, “moved to …”: it means to replace what was said before."""
    DENY = "deny"
    """“No longer …”, “不再 …”: what the draft states has ended; the draft's object says what."""


@value
class Claim:
    """One thing a fragment says. `draft.statement` has subject, predicate and object; `because` names the rule.

    `record` is the id of the record whose words these are: it is given its slot, and no other is made. `apart` names
    the rules that set it apart: it meets nothing that is known, and waits for its owner. `changes` holds the ids of
    records that it means to replace.
    """

    draft: Draft
    stance: Stance = Stance.ASSERT
    because: str = ""
    record: str = ""
    apart: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


# A piece of a turn on its way to memory: what was said, where it stands, and what became of it.


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
    def origin(self) -> Origin:
        """Where its claims come from."""
        return Origin(
            channel=self.channel,
            who=self.who,
            where=self.where,
            session=self.session,
            observed=self.at,
            trust=TRUST[self.channel],
        )

    @property
    def id(self) -> str:
        """What names this fragment wherever its turn is met again."""
        return f"{self.ref}/{self.ordinal}"


# One thing said in a conversation, as every host's transcript gives it.

Role = Channel
"""Who speaks is told by the channel the words came through."""


class SessionKind(StrEnum):
    """What started the session; only people's own sessions may teach memory anything lasting."""

    INTERACTIVE = "interactive"
    GROUP = "group"
    CRON = "cron"
    HEARTBEAT = "heartbeat"
    HOOK = "hook"
    SUBAGENT = "subagent"
    INTERNAL = "internal"

    @property
    def has_people(self) -> bool:
        """A person takes part: the session is not a machine talking to itself."""
        return self in {SessionKind.INTERACTIVE, SessionKind.GROUP}


@value
class Turn:
    """One thing said by one speaker in one session.

    `id` is the same wherever the turn is met again: the host's uuid, or one made from the session
    and what was said. `line` is the first line in `path`, from 1; in a database it is the row.
    """

    session: str
    id: str
    speaker: str
    role: Role
    at: datetime | None
    text: str
    path: str
    line: int
    session_kind: SessionKind = SessionKind.INTERACTIVE
    host: str = ""
    project: str | None = None
    agent: str | None = None
    parent: str | None = None
    last_line: int = 0
    """Of a tool's call: where its result stands."""

    @property
    def lines(self) -> frozenset[int]:
        """The lines that hold its words."""
        return frozenset({self.line, self.last_line or self.line})

    @property
    def place(self) -> str:
        """Where it stands: `path#Lx`."""
        return f"{self.path}#L{self.line}"


def owned(turn: Turn, names: frozenset[str]) -> Turn:
    """The turn as the owner's own when its speaker is a person who goes by one of these names."""
    is_owners = turn.role is Role.PERSON and turn.speaker.strip().casefold() in names
    return replace(turn, role=Role.OWNER) if is_owners else turn
