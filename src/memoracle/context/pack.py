"""The context pack: what an agent should see first, for one audience, within a budget of tokens.

Pure: what was gathered comes in, a framed text goes out. Each line names its source. What came from a tool or from
outside, was quarantined, has ended or is secret is never in it; a group is given public records alone, and none of
the owner's own files. Nothing is reinforced by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from enum import StrEnum

from memoracle.context.choose import Audience, Part, choose
from memoracle.context.deduplicate import Deduplicator
from memoracle.context.frame import framed, harmless
from memoracle.context.hot import lines_of
from memoracle.context.pages import buffer_pieces, closing_pieces, page_pieces
from memoracle.context.portion import Piece, Section, portion, shown_text
from memoracle.context.relevant import MOST, cites_of, relevant
from memoracle.model.cite import short_id
from memoracle.model.hit import Hit, Source
from memoracle.model.standing import Standing
from memoracle.model.value import field, replace, value
from memoracle.store.buffer import Buffer
from memoracle.text import estimate_tokens

_OWN_TEXT = "MEMORY.md"
# Constraints before all else: whatever has to be left out, these are not.
_RANKS = {
    part: rank * 1000
    for rank, part in enumerate(
        (
            Part.CONSTRAINTS,
            Part.IDENTITY,
            Part.USER,
            Part.PEOPLE,
            _OWN_TEXT,
            Part.PINNED,
            Part.CORE,
            Part.RECENT,
        )
    )
}
_LEFT_OPEN = "Open"


class After(StrEnum):
    """What happened before: the beginning of a session, a loss of what the agent had in mind, or a prompt."""

    START = "start"
    COMPACT = "compact"
    RESET = "reset"
    PROMPT = "prompt"


# Which sections there are, in the order they are shown, and the share of the budget that none of the others can take.
# After a compaction first MEMORY.md, then the notes of today and yesterday, then the buffer.
_LOST: Mapping[str, float] = {
    "hot": 0.25, "today": 0.2, "yesterday": 0.05, "buffer": 0.25, "open": 0.1, "relevant": 0.15,
}  # fmt: skip
_SHARES: Mapping[After, Mapping[str, float]] = {
    After.START: {"hot": 0.35, "relevant": 0.25, "open": 0.1, "buffer": 0.1, "today": 0.1, "yesterday": 0.05},
    After.COMPACT: _LOST,
    After.RESET: _LOST,
    After.PROMPT: {"relevant": 1.0},
}
_TITLES = {
    "hot": "At hand",
    "today": "Today",
    "yesterday": "Yesterday",
    "buffer": "Working buffer",
    "open": "Open",
    "relevant": "Relevant to the prompt",
}


@value
class Gathered:
    """What a pack is made from: records, notes by path, the buffer, hits, and how much waits for whom."""

    standing: Sequence[Standing] = ()
    present: frozenset[str] = frozenset()
    hot: Mapping[str, str] = field(default_factory=dict)
    today: Mapping[str, str] = field(default_factory=dict)
    yesterday: Mapping[str, str] = field(default_factory=dict)
    buffer: Buffer | None = None
    stale: str = ""
    questions: int = 0
    waiting: int = 0
    hits: Sequence[Hit] = ()
    notices: tuple[str, ...] = ()


@value
class Shown:
    """One section of a pack: what it cost, how many lines it has, and how many were left out."""

    name: str
    tokens: int
    lines: int
    left_out: int


@value
class Context:
    """What to hand to an agent; empty when there is nothing. `ids` names the records in it."""

    text: str = ""
    tokens: int = 0
    ids: tuple[str, ...] = ()
    parts: tuple[Shown, ...] = ()
    warnings: tuple[str, ...] = ()


def compose_context(
    gathered: Gathered,
    *,
    now: datetime,
    zone: tzinfo,
    budget: int,
    audience: Audience = Audience.PRIVATE,
    after: After = After.START,
    excerpt: Callable[[str], str] = str,
) -> Context:
    """The pack; `excerpt` gives the part of a long text that fits the prompt best."""
    made = _private(gathered, now, zone) if audience is Audience.PRIVATE else _group(gathered, now, zone)
    fitting = cites_of(gathered.hits[:MOST])
    made = {name: [_sooner(name, one, fitting) for one in pieces] for name, pieces in made.items()}
    known = {piece.cite for pieces in made.values() for piece in pieces}
    told = Deduplicator()
    made = {name: _said_once(pieces, told) for name, pieces in made.items()}
    made["relevant"] = list(relevant(gathered.hits, known, now, zone, audience, excerpt, told))
    titles = _TITLES | ({"buffer": f"{_TITLES['buffer']} ({gathered.stale})"} if gathered.stale else {})
    shares = _SHARES[after]
    sections = [
        Section(name=name, title=titles[name], pieces=tuple(made[name])) for name in shares if made.get(name)
    ]
    attributes = {
        "kind": "context",
        "audience": audience.value,
        "after": after.value,
        "at": _moment(now, zone),
    }
    notices = "\n".join(f"! {harmless(one)}" for one in gathered.notices)
    chosen = portion(sections, budget - estimate_tokens(framed(f"{notices}\n\n", attributes)), shares)
    texts = {one.name: shown_text(one, chosen[one.name]) for one in sections if one.name in chosen}
    if not texts:
        return Context(warnings=gathered.notices)
    text = framed("\n\n".join(([notices] if notices else []) + list(texts.values())), attributes)
    return Context(
        text=text,
        tokens=estimate_tokens(text),
        ids=_ids(gathered, chosen.values()),
        parts=tuple(
            Shown(
                name=one.name,
                tokens=estimate_tokens(texts.get(one.name, "")),
                lines=len(chosen.get(one.name, ())),
                left_out=len(one.pieces) - len(chosen.get(one.name, ())),
            )
            for one in sections
        ),
        warnings=gathered.notices,
    )


def _private(gathered: Gathered, now: datetime, zone: tzinfo) -> dict[str, list[Piece]]:
    made = _records(gathered, now, zone, Audience.PRIVATE)
    for path, text in gathered.hot.items():
        made["hot"] += _ranked(page_pieces(path, text, newest_first=False), _OWN_TEXT)
    left: list[Piece] = []
    for name, notes in (("today", gathered.today), ("yesterday", gathered.yesterday)):
        pieces = made.setdefault(name, [])
        for path, text in notes.items():
            closing = closing_pieces(path, text)
            closing.pop("Updated", None)
            if _LEFT_OPEN in closing:
                left.append(closing.pop(_LEFT_OPEN))
            pieces += [*page_pieces(path, text, newest_first=True), *closing.values()]
    if gathered.buffer:
        made["buffer"] = buffer_pieces(gathered.buffer.path, gathered.buffer.entries)
    made["open"] = [*left, *_waiting(gathered), *made["open"]]
    return made


def _group(gathered: Gathered, now: datetime, zone: tzinfo) -> dict[str, list[Piece]]:
    return _records(gathered, now, zone, Audience.GROUP)


def _records(gathered: Gathered, now: datetime, zone: tzinfo, audience: Audience) -> dict[str, list[Piece]]:
    chosen = choose(gathered.standing, present=gathered.present, now=now, zone=zone, audience=audience)
    made: dict[str, list[Piece]] = {"hot": [], "open": []}
    for part, held in chosen.items():
        pieces = [
            Piece(
                text=harmless(line.text[2:].rpartition(" `")[0]),
                cite=short_id(line.ref),
                words=one.passage.text,
            )
            for line, one in zip(lines_of(part, held, zone), held, strict=True)
        ]
        if part is Part.OPEN:
            made["open"] += pieces
        else:
            made["hot"] += [replace(one, heading=part.value) for one in _ranked(pieces, part)]
    return made


def _said_once(pieces: Iterable[Piece], told: Deduplicator) -> list[Piece]:
    """The pieces that say something new; records come before the owner's own lines, and these before notes."""
    kept = []
    for piece in pieces:
        if not piece.words or not told.knows(piece.words):
            told.add(piece.words)
            kept.append(piece)
    return kept


def _sooner(section: str, piece: Piece, fitting: set[str]) -> Piece:
    """A piece that fits the prompt is among the first of its section; in the hot one constraints go before it."""
    if piece.cite not in fitting:
        return piece
    return replace(piece, rank=min(piece.rank, _RANKS[Part.IDENTITY] - 1 if section == "hot" else 0))


def _waiting(gathered: Gathered) -> Iterator[Piece]:
    if gathered.questions:
        many = "question waits" if gathered.questions == 1 else "questions wait"
        yield Piece(text=f"{gathered.questions} {many} for the owner", cite="memoracle inbox")
    if gathered.waiting:
        yield Piece(text=f"{gathered.waiting} remarks wait for a model", cite="memoracle pending", rank=1)


def _ranked(pieces: Iterable[Piece], part: str) -> list[Piece]:
    start = _RANKS[part]
    return [replace(one, rank=start + at) for at, one in enumerate(pieces)]


def _ids(gathered: Gathered, chosen: Iterable[Sequence[Piece]]) -> tuple[str, ...]:
    cites = {piece.cite for pieces in chosen for piece in pieces}
    refs = [one.passage.ref for one in gathered.standing]
    refs += [hit.passage.ref for hit in gathered.hits if hit.passage.source is Source.RECORD]
    return tuple(dict.fromkeys(ref for ref in refs if short_id(ref) in cites))


def _moment(now: datetime, zone: tzinfo) -> str:
    return now.astimezone(zone).isoformat(timespec="minutes")
