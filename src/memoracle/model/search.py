"""A question and what it finds: filters, a query, passages, hits, a recollection."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum

from memoracle.model.ids import RECORD_PREFIX
from memoracle.model.record import Channel, Origin, Scope, Status, Validity
from memoracle.model.value import field, value
from memoracle.text import estimate_tokens, visible

# Answers: a `Hit` is one piece of evidence, a `Recollection` is the whole answer with its trace.

# How a line of generated text names the record it came from: short, at its end, and found again.

_OURS = re.compile(rf"{RECORD_PREFIX}[0-9A-HJKMNP-TV-Z]{{26}}")
_ODD = re.compile(r"[\s`]")
_AT_END = re.compile(r"(?:`[^`\s]+` ?)+$")
_CITED = re.compile(r"`([^`\s]+)`")


def short_id(record_id: str) -> str:
    """The short name of a record."""
    if _OURS.fullmatch(record_id):
        return record_id[len(RECORD_PREFIX) :]
    return _ODD.sub("_", record_id)


def cited(line: str, record_id: str) -> str:
    """A line that names its record at the end."""
    return f"{line} `{short_id(record_id)}`"


def cited_in(text: str) -> frozenset[str]:
    """The short names that the lines of a text end with."""
    found = (_AT_END.search(line.rstrip()[-240:]) for line in text.split("\n"))
    return frozenset(name for one in found if one for name in _CITED.findall(one[0]))


def on_one_line(text: str, *, tokens: int) -> str:
    """A record's words as they can stand in a generated line: shown safely, cut to so many tokens."""
    line = " ".join(visible(text).split()).replace("<!--", "&lt;!--")
    if estimate_tokens(line) <= tokens:
        return line
    low, high = 1, min(len(line), 4 * tokens)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(line[:middle]) < tokens:
            low = middle
        else:
            high = middle - 1
    return line[:low].rstrip() + "…"


class Verdict(StrEnum):
    """How an answer ends."""

    FOUND = "found"
    WEAK = "weak"
    NOT_IN_MEMORY = "not_in_memory_db"
    NOT_READY = "not_ready"
    """Nothing firm was found, and the view does not hold everything yet: nobody can say that it is not in memory."""


class AnswerShape(StrEnum):
    """What sort of answer a question wants."""

    ANSWER = "answer"
    LIST = "list"
    COUNT = "count"
    TIMELINE = "timeline"


class EvidenceSource(StrEnum):
    """What sort of file a passage stands in."""

    RECORD = "record"
    NOTE = "note"
    TURN = "turn"
    SCAN = "scan"


TOOL = "tool"
"""The kind of a passage that is a tool's call with its result."""


@value
class Passage:
    """A piece of truth that can be found: a record, part of a note, a turn of a conversation, a tool's result."""

    ref: str
    source: EvidenceSource
    text: str
    path: str
    first_line: int
    last_line: int
    kind: str = "note"
    title: str = ""
    who: str = ""
    at: datetime | None = None
    status: Status = Status.ACTIVE
    pinned: bool = False
    importance: float = 0.5
    confidence: float = 1.0
    trust: float = 1.0
    channel: str = "owner"
    confirmed_by: str = ""
    """Of an agent's record: who vouches for it; see `Origin.confirmed_by`."""
    project: str = ""
    seat: str = ""
    session: str = ""
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    sensitivity: str = "private"
    where: str = ""
    """Of a record: the turn or place its words came from."""
    subject: str = ""
    predicate: str = ""
    object: str = ""
    key: str = ""
    value: str = ""
    validity: Validity = field(default_factory=Validity)
    version: int = 0

    @property
    def chunk_size(self) -> int:
        """How long its chunks are: an assistant's long answers, and output, hold together over more sentences."""
        return 480 if self._is_a_long_answer else 160

    @property
    def embedded_chunks(self) -> int:
        """How many of its chunks get a vector: of an answer, and of a call, the opening says what it is about."""
        return 1 if self._is_a_long_answer else 16

    @property
    def _is_a_long_answer(self) -> bool:
        is_talk = self.channel == "agent" and self.source is not EvidenceSource.NOTE
        return is_talk or self.kind == TOOL

    @property
    def cite(self) -> str:
        """Where it stands: `path#Lx` or `path#Lx-Ly`."""
        last = "" if self.first_line == self.last_line else f"-L{self.last_line}"
        return f"{self.path}#L{self.first_line}{last}"


@value
class Fate:
    """What became of what a passage says: it ended, was replaced or taken back, or waits in quarantine."""

    status: Status
    until: datetime | None = None
    by: str = ""
    """The words of what replaced it."""
    ref: str = ""
    """The id of what replaced it."""
    places: tuple[str, ...] = ()
    """Where that was said."""

    @property
    def says(self) -> str:
        """The same as a sentence."""
        day = f" {self.until.date().isoformat()}" if self.until else ""
        if self.status is Status.QUARANTINED:
            return "set apart: what was made of it waits in quarantine"
        if self.status not in {Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED}:
            return f"taken back{' on' if day else ''}{day}"
        held = f"held until{day}" if day else "no longer holds"
        return f"{held}; replaced by “{self.by}” ({self.ref})" if self.ref else held


@value
class Hit:
    """One piece of evidence, with its score explained and what was said around it."""

    passage: Passage
    score: float
    activation: float
    legs: Mapping[str, float] = field(default_factory=dict)
    around: tuple[Passage, ...] = ()
    then: tuple[Passage, ...] = ()
    """What was answered, where it asks, and what the same person went on to say."""
    fate: Fate | None = None
    """None while what it says holds."""
    unused_since: datetime | None = None
    """Of a record that has faded, or that a night put away for its age: when it was last used or said."""
    answers: Passage | None = None
    """Of a note that says many things: the item, row or paragraph that answers, with its own lines."""
    also: tuple[Passage, ...] = ()
    """What else says the same and is not shown by itself: copies, and the turn that a record was made of."""

    @property
    def count(self) -> int:
        """How often memory holds what it says."""
        return 1 + len(self.also)

    @property
    def said(self) -> Passage | None:
        """Of a record: the turn it was made of, where that says more."""
        longer = 1.2 * len(self.passage.text)
        turns = (one for one in self.also if one.source is EvidenceSource.TURN)
        return next((one for one in turns if len(one.text) > longer), None)


@value
class Note:
    """One line of a trace: what a stage did."""

    stage: str
    says: str


@value
class Pack:
    """Evidence as text for a model, never above its budget; `refs` names what is in it whole."""

    text: str
    tokens: int
    refs: tuple[str, ...]


@value
class Recollection:
    """An answer: evidence, or a plain "not in memory".

    `hits` stand best first, whatever the shape; `in_order` has those of a timeline by time.
    `near` holds what came close and is not offered as an answer.
    """

    question: str
    verdict: Verdict
    confidence: float
    shape: AnswerShape = AnswerShape.ANSWER
    hits: tuple[Hit, ...] = ()
    near: tuple[Hit, ...] = ()
    pack: Pack | None = None
    trace: tuple[Note, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def in_order(self) -> tuple[Hit, ...]:
        """The hits as they are told."""
        return by_time(self.hits) if self.shape is AnswerShape.TIMELINE else self.hits

    @property
    def at_least(self) -> int:
        """Where it is asked how often: how many of the hits, each day's counted, read like an answer."""
        found = sum(hit.legs.get("read", 0.0) > 0 for hit in self.hits)
        return found if self.shape is AnswerShape.COUNT else 0


def by_time(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits, oldest first; what has no time stands last."""
    last = datetime.max.replace(tzinfo=UTC)
    ordered = sorted(
        (hit.passage.at or last, hit.passage.path, hit.passage.first_line, at) for at, hit in enumerate(hits)
    )
    return tuple(hits[place[-1]] for place in ordered)


# A record that stands, and how alive it is now.


@value
class Standing:
    """A standing record of any status but erased, and its activation at the moment of asking."""

    passage: Passage
    activation: float


@value
class Filters:
    """What an answer has to fit; part of the query itself, not a sieve afterwards."""

    scope: Scope = field(default_factory=Scope)
    reader: Scope = field(default_factory=Scope)
    """Who reads: what is another user's, agent's, project's or seat's is not there for them."""
    public: bool = False
    """For an audience beyond the owner: public records alone."""
    withheld: tuple[str, ...] = ()
    """Sensitivities that this reader is not handed."""
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    speaker: str = ""
    session: str = ""
    channel: str = ""
    page_status: str = ""
    """Only pages of this status: open, investigating, resolved, completed, superseded."""
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    wide: bool = False
    unasked: bool = False
    """For whoever did not ask: of what was said the owner's own words, and nothing that scanners saw."""
    statuses: tuple[str, ...] = ()
    """Records in one of these states, which else stay unseen: what waits in quarantine, what was taken back."""

    def __post_init__(self) -> None:
        for name in ("scope", "reader"):
            if not isinstance(getattr(self, name), Scope):
                raise TypeError(f'`{name}` of Filters has to be a Scope, such as Scope(user="ann")')


@value
class Query:
    """The words of a question, its filters, and how much answer is wanted."""

    text: str
    filters: Filters = field(default_factory=Filters)
    limit: int = 10


# Which words are meant: of a session, through a channel, from a path, heard between two moments.


@value
class Selection:
    """Some of what was heard, by where it came from."""

    session: str = ""
    channel: str = ""
    path: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def __bool__(self) -> bool:
        return bool(self.session or self.channel or self.path or self.since)

    def fits(self, *, session: str, channel: str, where: str, at: datetime | None) -> bool:
        """True for words with this origin."""
        return (
            bool(self)
            and self.session in {"", session}
            and self.channel in {"", channel}
            and (not self.path or lies_in(where, self.path))
            and (self.since is None or (at is not None and at >= self.since))
            and (self.until is None or at is None or at <= self.until)
        )

    def fits_origin(self, origin: Origin, at: datetime | None) -> bool:
        """True for something kept with this origin; `at` is when it was said."""
        return self.fits(session=origin.session, channel=origin.channel.value, where=origin.where, at=at)


def selection_of(
    *,
    session: str = "",
    origin: str = "",
    since: datetime | None = None,
    now: datetime,
) -> Selection:
    """A selection as people name it: `origin` is a channel, or else a path."""
    is_channel = origin in {channel.value for channel in Channel}
    is_lasting = bool(session or (origin and not is_channel))
    return Selection(
        session=session,
        channel=origin if is_channel else "",
        path="" if is_channel else origin,
        since=since,
        # A session or a file that is forgotten stays so; of a channel or some days, only what is there now.
        until=None if is_lasting and since is None else now,
    )


def lies_in(where: str, path: str) -> bool:
    """True for a place (`path#Lx`) in this file, or in a file below this folder."""
    place, asked = where.partition("#")[0], path.rstrip("/") or "/"
    return where == path or place == asked or place.startswith(asked.rstrip("/") + "/")
